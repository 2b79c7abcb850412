/* http_server.c - see http_server.h. One thread, one connection after another. */
#define _GNU_SOURCE
#include "http_server.h"

#include "support/support.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct http_server {
    const http_answers *plan;
    int listener, stop[2]; /* stop: a pipe whose end says enough */
    char url[64];
    pthread_t thread;
    pthread_mutex_t lock;
    unsigned requests, resumed;
};

typedef struct request {
    char path[64], range[64], if_range[256];
} request;

static int listen_on_loopback(unsigned short *port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t n = sizeof address;
    assert_int_equal(bind(fd, (struct sockaddr *)&address, n), 0);
    assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &n), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static bool send_all(int fd, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n) {
        ssize_t done = send(fd, from, n, MSG_NOSIGNAL);
        if (done <= 0)
            return false;
        from += done;
        n -= (size_t)done;
    }
    return true;
}

/* True if time passed without a word from http_server_stop. */
static bool wait_for(http_server *server, unsigned milliseconds)
{
    struct pollfd stop = {.fd = server->stop[0], .events = POLLIN};
    return poll(&stop, 1, (int)milliseconds) == 0;
}

static void send_body(http_server *server, int fd, const char *from, size_t n)
{
    const http_answers *plan = server->plan;
    size_t piece = plan->piece ? plan->piece : n;
    while (n) {
        size_t part = piece < n ? piece : n;
        if (!send_all(fd, from, part) || (plan->piece && !wait_for(server, plan->pause)))
            return;
        from += part;
        n -= part;
    }
}

static bool read_request(int fd, request *out)
{
    char text[4096];
    size_t used = 0;
    memset(out, 0, sizeof *out);
    do {
        ssize_t n = recv(fd, text + used, sizeof text - 1 - used, 0);
        if (n <= 0)
            return false;
        used += (size_t)n;
        text[used] = '\0';
    } while (!strstr(text, "\r\n\r\n"));
    char *rest = NULL;
    for (char *line = strtok_r(text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
        if (sscanf(line, "GET %63s", out->path) == 1)
            continue;
        if (strncasecmp(line, "Range: ", 7) == 0)
            snprintf(out->range, sizeof out->range, "%s", line + 7);
        if (strncasecmp(line, "If-Range: ", 10) == 0)
            snprintf(out->if_range, sizeof out->if_range, "%s", line + 10);
    }
    return out->path[0] == '/';
}

static void send_head(int fd, const http_answers *plan, int status, size_t length, const char *more)
{
    char *head = test_format("HTTP/1.1 %d Whatever\r\nConnection: close\r\n%s", status, more);
    char *sized = plan->no_length ? test_format("%s", head)
                                  : test_format("%sContent-Length: %zu\r\n", head, length);
    char *tagged = test_format("%s%s%s%s%s%s%s\r\n", sized, plan->etag ? "ETag: " : "",
                               plan->etag ? plan->etag : "", plan->etag ? "\r\n" : "",
                               plan->modified ? "Last-Modified: " : "",
                               plan->modified ? plan->modified : "", plan->modified ? "\r\n" : "");
    send_all(fd, tagged, strlen(tagged));
    free(head);
    free(sized);
    free(tagged);
}

/* Does the server, as planned, honour the range? */
static bool range_counts(const http_answers *plan, const request *r, size_t *first)
{
    if (!(plan->ranges || plan->careless) || sscanf(r->range, "bytes=%zu-", first) != 1)
        return false;
    return plan->careless || !r->if_range[0] ||
           (plan->etag && strcmp(plan->etag, r->if_range) == 0) ||
           (plan->modified && strcmp(plan->modified, r->if_range) == 0);
}

static void send_file(http_server *server, int fd, const request *r, bool cut)
{
    const http_answers *plan = server->plan;
    size_t first = 0;
    bool ranged = range_counts(plan, r, &first);
    pthread_mutex_lock(&server->lock);
    server->resumed += ranged;
    pthread_mutex_unlock(&server->lock);
    char *more = NULL;
    if (ranged && first >= plan->n) {
        more = test_format("Content-Range: bytes */%zu\r\n", plan->n);
        send_head(fd, plan, 416, 0, more);
    } else {
        if (!ranged)
            first = 0;
        more = ranged ? test_format("Content-Range: bytes %zu-%zu/%zu\r\n", first, plan->n - 1,
                                    plan->n)
                      : test_format("%s", "");
        size_t n = plan->n - first;
        send_head(fd, plan, ranged ? 206 : 200, n, more);
        send_body(server, fd, (const char *)plan->body + first,
                  cut && plan->cut < n ? plan->cut : n);
    }
    free(more);
}

static void answer(http_server *server, int fd)
{
    const http_answers *plan = server->plan;
    request r;
    if (!read_request(fd, &r))
        return;
    pthread_mutex_lock(&server->lock);
    unsigned number = server->requests++;
    pthread_mutex_unlock(&server->lock);
    if (plan->location && strcmp(r.path, "/start") == 0) {
        char *more = test_format("Location: %s\r\n", plan->location);
        send_head(fd, plan, 302, 0, more);
        free(more);
    } else if (plan->status && (!plan->status_times || number < plan->status_times)) {
        send_head(fd, plan, plan->status, 6, "");
        send_all(fd, "sorry\n", 6);
    } else {
        send_file(server, fd, &r, plan->cut && (!plan->cut_times || number < plan->cut_times));
    }
}

static void *serve(void *context)
{
    http_server *server = context;
    for (;;) {
        struct pollfd both[2] = {{.fd = server->stop[0], .events = POLLIN},
                                 {.fd = server->listener, .events = POLLIN}};
        poll(both, 2, -1);
        if (both[0].revents)
            return NULL;
        int fd = accept(server->listener, NULL, NULL);
        if (fd < 0)
            continue;
        answer(server, fd);
        /* Let the other side read what is on its way before the connection goes. */
        shutdown(fd, SHUT_WR);
        struct pollfd other = {.fd = fd, .events = POLLIN};
        poll(&other, 1, 200);
        close(fd);
    }
}

http_server *http_server_start(const http_answers *plan)
{
    http_server *server = calloc(1, sizeof *server);
    assert_non_null(server);
    unsigned short port = 0;
    server->plan = plan;
    server->listener = listen_on_loopback(&port);
    assert_int_equal(pipe(server->stop), 0);
    snprintf(server->url, sizeof server->url, "http://127.0.0.1:%u/start", (unsigned)port);
    assert_int_equal(pthread_mutex_init(&server->lock, NULL), 0);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
    return server;
}

void http_server_stop(http_server *server)
{
    close(server->stop[1]);
    assert_int_equal(pthread_join(server->thread, NULL), 0);
    close(server->stop[0]);
    close(server->listener);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

const char *http_server_url(const http_server *server)
{
    return server->url;
}

static unsigned read_count(http_server *server, const unsigned *count)
{
    pthread_mutex_lock(&server->lock);
    unsigned value = *count;
    pthread_mutex_unlock(&server->lock);
    return value;
}

unsigned http_server_requests(http_server *server)
{
    return read_count(server, &server->requests);
}

unsigned http_server_resumed(http_server *server)
{
    return read_count(server, &server->resumed);
}

char *http_server_nobody(void)
{
    unsigned short port = 0;
    int fd = listen_on_loopback(&port);
    close(fd);
    return test_format("http://127.0.0.1:%u/start", (unsigned)port);
}
