/* output.c - see output.h. */
#include "output.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/json_write.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH 80

bool cli_colour(FILE *stream)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if ((no && *no) || !term || !*term || strcmp(term, "dumb") == 0)
        return false;
    return isatty(fileno(stream));
}

void cli_bold(FILE *stream, bool on)
{
    if (cli_colour(stream))
        fputs(on ? "\033[1m" : "\033[0m", stream);
}

void cli_print_to(FILE *stream, const char *text)
{
    while (*text) {
        size_t n = rg_printable(text);
        if (n)
            fwrite(text, 1, n, stream);
        else
            fputc('?', stream);
        text += n ? n : 1;
    }
}

void cli_print(const char *text)
{
    cli_print_to(stdout, text);
}

void cli_print_caret(FILE *stream, const char *text, size_t n, size_t at, size_t span)
{
    if (!text)
        return;
    size_t first = at > span / 2 ? at - span / 2 : 0, end = first + span < n ? first + span : n;
    fprintf(stream, "    %s", first ? "..." : "");
    for (size_t k = first; k < end; k++)
        fputc(text[k] > 32 && text[k] < 127 ? text[k] : '?', stream);
    fprintf(stream, "%s\n    %*s^\n", end < n ? "..." : "", (int)(at - first + (first ? 3 : 0)),
            "");
}

void cli_message(const char *format, ...)
{
    char line[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    cli_bold(stderr, true);
    fputs("regula:", stderr);
    cli_bold(stderr, false);
    fputc(' ', stderr);
    cli_print_to(stderr, line);
    fputc('\n', stderr);
}

void cli_wrap(FILE *stream, const char *text, int column, int indent)
{
    cli_wrap_at(stream, text, column, indent, WIDTH);
}

bool cli_draws(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void cli_draw(const char *text)
{
    struct winsize size;
    size_t room = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2
                      ? WIDTH - 1
                      : (size_t)size.ws_col - 1;
    char line[512];
    size_t used = 0;
    for (size_t n; *text && room-- > 0 && used + 8 < sizeof line; text += n) {
        n = rg_printable(text);
        memcpy(line + used, n ? text : "?", n ? n : 1);
        used += n ? n : 1;
        n = n ? n : 1;
    }
    line[used] = '\0';
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
}

int cli_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col == 0)
        return 100;
    return size.ws_col < WIDTH ? WIDTH : size.ws_col > 120 ? 120 : size.ws_col;
}

void cli_wrap_at(FILE *stream, const char *text, int column, int indent, int width)
{
    bool first = true;
    while (*text) {
        size_t n = strcspn(text, " ");
        if (!first && column + 1 + (int)n > width) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', stream);
            column++;
        }
        fwrite(text, 1, n, stream);
        column += (int)n;
        text += n;
        text += strspn(text, " ");
        first = false;
    }
    fputc('\n', stream);
}

char *cli_json_print(json_t *root, bool lines)
{
    rg_json json = {.layout = CLI_JSON | (lines ? RG_JSON_LINES : 0)};
    rg_json_tree(&json, NULL, root);
    rg_text_add(&json.text, "\n");
    json_decref(root);
    return rg_json_take(&json);
}

rg_status cli_print_json(json_t *root, rg_error *err)
{
    char *text = cli_json_print(root, true);
    if (!text)
        return rg_fail_memory(err, "printing JSON");
    fputs(text, stdout);
    rg_free(text);
    return RG_OK;
}

void cli_json_set(json_t **object, const char *key, json_t *value)
{
    if (!*object) {
        json_decref(value);
    } else if (json_object_set_new(*object, key, value)) {
        json_decref(*object);
        *object = NULL;
    }
}

void cli_json_add(json_t **array, json_t *value)
{
    if (!*array) {
        json_decref(value);
    } else if (json_array_append_new(*array, value)) {
        json_decref(*array);
        *array = NULL;
    }
}

json_t *cli_json_text(const char *text)
{
    char plain[4096];
    json_t *string = json_string(text);
    if (string)
        return string;
    size_t n = 0;
    for (; text[n] && n < sizeof plain - 1; n++)
        plain[n] = (unsigned char)text[n] < 128 ? text[n] : '?';
    plain[n] = '\0';
    return json_string(plain);
}

json_t *cli_json_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

json_t *cli_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void cli_open_standard(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
            continue;
        /* Standard output is opened for reading: writing to it fails, as it should. */
        int opened = open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY);
        if (opened >= 0 && opened != fd)
            close(opened);
    }
}

rg_status cli_flush(rg_error *err)
{
    errno = 0;
    bool earlier = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !earlier)
        return RG_OK;
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (errno == EPIPE || (poll(&out, 1, 0) == 1 && (out.revents & POLLERR)))
        return RG_OK; /* the reader has seen enough */
    /* An earlier write failed and nobody kept the reason: the next one fails for the same. */
    if (!errno && write(STDOUT_FILENO, "\n", 1) == 1)
        errno = EIO;
    return rg_fail_io(err, errno ? errno : EIO, "write to", "standard output");
}
