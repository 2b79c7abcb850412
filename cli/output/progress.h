/* progress.h - progress and remaining time of a job: one line on a terminal. */
#ifndef REGULA_CLI_OUTPUT_PROGRESS_H
#define REGULA_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
    bool shown; /* standard error is a terminal, and nobody asked for quiet */
    bool drawn; /* there is a line to wipe */
    const char *title;
    double start, last; /* seconds */
} cli_progress;

/* `title` is kept. Nothing is drawn in the first half second: short jobs stay silent. */
void cli_progress_begin(cli_progress *progress, const char *title, bool quiet);
void cli_progress_end(cli_progress *progress); /* wipes the line */

/* For rg_audit_options: the part done, 0 .. 1. */
void cli_progress_part(void *progress, double done);
/* For rg_fetch_options: bytes so far and in all, 0 if not known. Returns 0: go on. */
int cli_progress_bytes(void *progress, uint64_t done, uint64_t total);

/* Seconds that a part of the job, 0 < done <= 1, leaves to wait. */
double cli_time_left(double elapsed, double done);
/* "1:05:09", "5:09" or "9 s". */
void cli_duration_text(double seconds, char out[32]);
/* "1.4 MB" */
void cli_bytes_text(uint64_t bytes, char out[32]);

double cli_now(void); /* seconds of a clock that never goes back */

#endif
