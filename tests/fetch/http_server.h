/* http_server.h - an HTTP server on loopback that serves one file, well or badly, as a plan says.
 */
#ifndef REGULA_TESTS_FETCH_HTTP_SERVER_H
#define REGULA_TESTS_FETCH_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>

/* All zero but for the body: a plain server that knows neither ranges nor versions. */
typedef struct http_answers {
    const void *body;
    size_t n;
    const char *etag, *modified; /* NULL: not sent */
    bool ranges;                 /* knows Range and If-Range */
    bool careless;               /* knows Range but not If-Range */
    bool no_length;              /* sends no Content-Length */
    int status;                  /* the answer to every request, if not 0 ... */
    unsigned status_times;       /* ... or to the first so many */
    size_t cut;                  /* breaks off after so many bytes, if not 0 ... */
    unsigned cut_times;          /* ... in the first so many answers; 0: always */
    const char *location;        /* redirects /start to there */
    size_t piece;                /* bytes sent at once, if not 0 ... */
    unsigned pause;              /* ... with so many milliseconds in between */
} http_answers;

typedef struct http_server http_server;

/* Serves until stopped; `plan` is kept. Owned (http_server_stop). */
http_server *http_server_start(const http_answers *plan);
void http_server_stop(http_server *server);

/* "http://127.0.0.1:PORT/start", borrowed. */
const char *http_server_url(const http_server *server);
unsigned http_server_requests(http_server *server); /* so far */
unsigned http_server_resumed(http_server *server);  /* of them answered with 206 or 416 */

/* A port on which nobody listens, as an address like the one above. Owned (free). */
char *http_server_nobody(void);

#endif
