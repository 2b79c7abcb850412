/* progress.c - see progress.h. */
#include "progress.h"

#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define QUIET_AT_FIRST 0.5
#define BETWEEN_LINES 0.1

double cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double cli_time_left(double elapsed, double done)
{
    return done > 0 ? elapsed * (1 - done) / done : 0;
}

void cli_duration_text(double seconds, char out[32])
{
    unsigned long s = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 1000000000UL;
    if (s >= 3600)
        snprintf(out, 32, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else if (s >= 60)
        snprintf(out, 32, "%lu:%02lu", s / 60, s % 60);
    else
        snprintf(out, 32, "%lu s", s);
}

void cli_bytes_text(uint64_t bytes, char out[32])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double value = (double)bytes / 1000;
    size_t k = 0;
    for (; value >= 999.95 && k < 3; k++)
        value /= 1000;
    if (bytes < 1000)
        snprintf(out, 32, "%u bytes", (unsigned)bytes);
    else
        snprintf(out, 32, "%.1f %s", value, units[k]);
}

void cli_progress_begin(cli_progress *progress, const char *title, bool quiet)
{
    double now = cli_now();
    *progress = (cli_progress){
        .shown = !quiet && cli_draws(), .title = title, .start = now, .last = now - BETWEEN_LINES};
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->drawn)
        cli_draw("");
    progress->drawn = false;
}

/* Is it time for a line? Then *elapsed is how long the job has taken. */
static bool is_due(cli_progress *progress, double *elapsed)
{
    double now = cli_now();
    *elapsed = now - progress->start;
    if (!progress->shown || *elapsed < QUIET_AT_FIRST || now - progress->last < BETWEEN_LINES)
        return false;
    progress->last = now;
    progress->drawn = true;
    return true;
}

/* "TITLE: TEXT"; a long title leaves room for the text. */
static void draw(const cli_progress *progress, const char *text)
{
    char line[400];
    snprintf(line, sizeof line, "%.200s: %s", progress->title, text);
    cli_draw(line);
}

void cli_progress_part(void *context, double done)
{
    cli_progress *progress = context;
    double elapsed;
    char left[32], text[96];
    if (!is_due(progress, &elapsed))
        return;
    done = done < 0 ? 0 : done > 1 ? 1 : done;
    cli_duration_text(cli_time_left(elapsed, done), left);
    snprintf(text, sizeof text, "%3.0f %%%s%s%s", 100 * done, done > 0 ? ", " : "",
             done > 0 ? left : "", done > 0 ? " left" : "");
    draw(progress, text);
}

int cli_progress_bytes(void *context, uint64_t done, uint64_t total)
{
    cli_progress *progress = context;
    double elapsed;
    char have[32], all[32], left[32], text[160];
    if (!is_due(progress, &elapsed))
        return 0;
    cli_bytes_text(done, have);
    cli_bytes_text(total, all);
    snprintf(text, sizeof text, "%s", have);
    if (total && done <= total) {
        double part = (double)done / (double)total;
        cli_duration_text(cli_time_left(elapsed, part), left);
        snprintf(text, sizeof text, "%3.0f %%, %s of %s, %s left", 100 * part, have, all,
                 done ? left : "some time");
    }
    draw(progress, text);
    return 0;
}
