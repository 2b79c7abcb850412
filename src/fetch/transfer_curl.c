/* transfer_curl.c - see transfer.h. One request after another until the file is whole.
 *
 * A request asks for the bytes that are missing, on condition that the file is still the same
 * (Range with If-Range). The answer says how to go on: 206 appends, 200 is the whole file anew, 416
 * means that nothing was missing. */
#include "transfer.h"

#include "base/clock.h"
#include "base/error.h"
#include "partial.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum {
    ATTEMPTS = 5,
    FIRST_PAUSE = 100, /* milliseconds; doubles from attempt to attempt */
    PAUSE_STEP = 50,
    MAX_REDIRECTS = 10,
    LEAST_SPEED = 16 /* bytes a second; less is next to nothing */
};

/* One request and what its answer says. */
typedef struct exchange {
    rg_transfer *transfer;
    rg_partial *partial;
    CURL *curl;
    bool answered;    /* the answer's head was judged */
    rg_status status; /* of our own work while the answer came in; its message is in err */
    rg_error *err;
    char etag[RG_VALIDATOR_SIZE], modified[RG_VALIDATOR_SIZE];
    bool has_range; /* the answer has a Content-Range */
    uint64_t range_first, range_total;
    char curl_text[CURL_ERROR_SIZE];
} exchange;

/* libcurl's own start-up. Thread-safe by itself from 7.84 on; before that pthread_once makes it so
 * as long as nobody else starts it at the same moment. Never undone: others in the process may use
 * libcurl too. */
static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void)
{
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
}

static long answer_code(exchange *x)
{
    long code = 0;
    curl_easy_getinfo(x->curl, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

/* Copies a header's value, without blanks around it; too long a value counts as none. */
static void copy_value(char out[RG_VALIDATOR_SIZE], const char *text, size_t n)
{
    while (n && (*text == ' ' || *text == '\t'))
        text++, n--;
    while (n && strchr(" \t\r\n", text[n - 1]))
        n--;
    if (n >= RG_VALIDATOR_SIZE || memchr(text, '\0', n) || memchr(text, '\n', n))
        n = 0;
    memcpy(out, text, n);
    out[n] = '\0';
}

/* "bytes 100-199/200", or "bytes * /200" (without the blank) in a 416. */
static void read_range(exchange *x, const char *text)
{
    unsigned long long first = 0, last = 0, total = 0;
    if (sscanf(text, "bytes %llu-%llu/%llu", &first, &last, &total) >= 2 ||
        sscanf(text, "bytes */%llu", &total) == 1) {
        x->has_range = true;
        x->range_first = first;
        x->range_total = total;
    }
}

static size_t take_header(char *text, size_t size, size_t n, void *context)
{
    exchange *x = context;
    n *= size;
    char value[RG_VALIDATOR_SIZE];
    if (n >= 5 && strncasecmp(text, "HTTP/", 5) == 0) { /* after a redirect: start over */
        x->etag[0] = x->modified[0] = '\0';
        x->has_range = false;
    } else if (n > 5 && strncasecmp(text, "ETag:", 5) == 0) {
        copy_value(x->etag, text + 5, n - 5);
    } else if (n > 14 && strncasecmp(text, "Last-Modified:", 14) == 0) {
        copy_value(x->modified, text + 14, n - 14);
    } else if (n > 14 && strncasecmp(text, "Content-Range:", 14) == 0) {
        copy_value(value, text + 14, n - 14);
        read_range(x, value);
    }
    return n;
}

static rg_status too_large(exchange *x)
{
    return rg_fail(x->err, RG_EDATA, "'%s' is larger than %llu bytes, which is the limit",
                   x->transfer->url, (unsigned long long)x->transfer->max_bytes);
}

/* Does a 206 go on where we are? Some servers know Range but not If-Range, so the version that the
 * answer names must be ours too. */
static bool continues(const exchange *x)
{
    const char *mine = x->partial->validator, *theirs = mine[0] == '"' ? x->etag : x->modified;
    return x->has_range && x->range_first == x->partial->size &&
           (!theirs[0] || strcmp(mine, theirs) == 0);
}

/* The head of the answer is in: what do the bytes that follow mean? Only a strong ETag may be used
 * with If-Range; "W/..." says that bytes may differ. False if no bytes are wanted. */
static bool judge_head(exchange *x)
{
    long code = answer_code(x);
    if (x->answered || (code != 200 && code != 206))
        return code == 200 || code == 206;
    x->answered = true;
    curl_off_t length = -1;
    curl_easy_getinfo(x->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (code == 206) {
        if (!continues(x))
            return false;
        x->transfer->resumed = x->transfer->resumed || x->partial->size > 0;
    } else {
        bool strong = x->etag[0] && strncmp(x->etag, "W/", 2) != 0;
        x->status = rg_partial_restart(x->partial, x->transfer->url, strong ? x->etag : x->modified,
                                       x->err);
        x->transfer->resumed = 0;
    }
    uint64_t room = x->transfer->max_bytes - x->partial->size;
    if (!x->status &&
        (x->partial->size > x->transfer->max_bytes || (length > 0 && (uint64_t)length > room)))
        x->status = too_large(x);
    return x->status == RG_OK;
}

static size_t take_bytes(char *bytes, size_t size, size_t n, void *context)
{
    exchange *x = context;
    n *= size;
    if (!judge_head(x))
        return 0; /* ends the transfer */
    if (n > x->transfer->max_bytes - x->partial->size)
        x->status = too_large(x);
    else
        x->status = rg_partial_append(x->partial, bytes, n, x->err);
    if (x->status)
        return 0;
    x->transfer->bytes += n;
    return n;
}

static int take_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
                         curl_off_t up)
{
    (void)now;
    (void)up_total;
    (void)up;
    exchange *x = context;
    rg_transfer *t = x->transfer;
    if (!t->progress)
        return 0;
    long code = answer_code(x);
    uint64_t all = 0;
    if (total > 0 && (code == 200 || code == 206))
        all = (code == 206 ? x->range_first : 0) + (uint64_t)total;
    return t->progress(t->progress_context, x->partial->size, all);
}

/* Every option that could fail only does so when memory is short. */
static bool set_options(exchange *x, struct curl_slist **headers)
{
    CURL *c = x->curl;
    long timeout = (long)x->transfer->timeout;
    bool fine = true;
#define SET(option, value) (fine = fine && curl_easy_setopt(c, option, value) == CURLE_OK)
    SET(CURLOPT_URL, x->transfer->url);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_USERAGENT, "regula/" RG_VERSION);
    SET(CURLOPT_FOLLOWLOCATION, 1L);
    SET(CURLOPT_MAXREDIRS, (long)MAX_REDIRECTS);
    /* An address that is safe may not lead to one that is not. */
    bool safe = strncasecmp(x->transfer->url, "https:", 6) == 0;
#if LIBCURL_VERSION_NUM >= 0x075500
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_REDIR_PROTOCOLS_STR, safe ? "https" : "http,https");
#else
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    SET(CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTPS | (safe ? 0 : CURLPROTO_HTTP)));
#endif
    SET(CURLOPT_CONNECTTIMEOUT, timeout);
    SET(CURLOPT_LOW_SPEED_LIMIT, (long)LEAST_SPEED);
    SET(CURLOPT_LOW_SPEED_TIME, timeout);
    double left = x->transfer->deadline - rg_seconds();
    SET(CURLOPT_TIMEOUT_MS, left > 0 ? (long)(1000 * left) + 1 : 1L); /* 0 would be no limit */
    SET(CURLOPT_ERRORBUFFER, x->curl_text);
    SET(CURLOPT_HEADERFUNCTION, take_header);
    SET(CURLOPT_HEADERDATA, x);
    SET(CURLOPT_WRITEFUNCTION, take_bytes);
    SET(CURLOPT_WRITEDATA, x);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, take_progress);
    SET(CURLOPT_XFERINFODATA, x);
    if (x->partial->size > 0) {
        char text[RG_VALIDATOR_SIZE + 16];
        snprintf(text, sizeof text, "%llu-", (unsigned long long)x->partial->size);
        SET(CURLOPT_RANGE, text);
        snprintf(text, sizeof text, "If-Range: %s", x->partial->validator);
        *headers = curl_slist_append(NULL, text);
        fine = fine && *headers;
        SET(CURLOPT_HTTPHEADER, *headers);
    }
#undef SET
    return fine;
}

/* An answer that has no bytes for us. */
static rg_status judge_code(exchange *x, long code, bool *again)
{
    const char *url = x->transfer->url;
    if (code == 416 && x->partial->size > 0) {
        if (x->has_range && x->range_total == x->partial->size) {
            x->transfer->resumed = 1;
            return x->partial->size > x->transfer->max_bytes ? too_large(x) : RG_OK;
        }
        *again = true; /* what we have is not a beginning of what is there: start afresh */
        rg_status status = rg_partial_restart(x->partial, url, "", x->err);
        return status ? status
                      : rg_fail(x->err, RG_EIO, "'%s': the file on the server changed", url);
    }
    if (code == 206) { /* a part that we did not ask for */
        *again = true;
        rg_status status = rg_partial_restart(x->partial, url, "", x->err);
        return status ? status
                      : rg_fail(x->err, RG_EIO,
                                "'%s': the server sent a different byte range than requested", url);
    }
    *again = code >= 500 || code == 408 || code == 429;
    const char *meaning = code == 404 || code == 410   ? "the server has no such file"
                          : code == 401 || code == 403 ? "the server denies access"
                          : code >= 500                ? "the server has a problem, try again later"
                          : code == 429                ? "too many requests, try again later"
                                                       : "unexpected status";
    return rg_fail(x->err, RG_EIO, "cannot fetch '%s': HTTP status %ld, %s", url, code, meaning);
}

static rg_status judge(exchange *x, CURLcode result, bool *again)
{
    const char *url = x->transfer->url;
    if (x->status) {
        *again = false;
        return x->status;
    }
    long code = answer_code(x);
    bool wanted = code == 200 || (code == 206 && x->has_range);
    if (result == CURLE_OK && wanted && (x->answered || judge_head(x)))
        return RG_OK;
    if (x->status)
        return x->status;
    switch (result) {
    case CURLE_OK:
    case CURLE_WRITE_ERROR: /* our own refusal to take the bytes */
        return judge_code(x, code, again);
    case CURLE_ABORTED_BY_CALLBACK:
        return rg_fail(x->err, RG_EFAIL,
                       "stopped; the partial download is kept and can be resumed");
    case CURLE_OUT_OF_MEMORY:
        return rg_fail_memory(x->err, "fetching a file");
    case CURLE_OPERATION_TIMEDOUT:
        if (rg_seconds() + 0.01 >= x->transfer->deadline) /* libcurl counts in milliseconds */
            return rg_fail(x->err, RG_EIO,
                           "cannot fetch '%s': not done after %u s in total; %llu bytes are kept "
                           "and can be resumed",
                           url, x->transfer->max_seconds, (unsigned long long)x->partial->size);
        return rg_fail(
            x->err, RG_EIO,
            "cannot fetch '%s': too little data for %u s; %llu bytes are kept and can be resumed",
            url, x->transfer->timeout, (unsigned long long)x->partial->size);
    case CURLE_UNSUPPORTED_PROTOCOL:
        return rg_fail(x->err, RG_EIO,
                       "cannot fetch '%s': it redirects to an address that is not http or https, "
                       "or from https to http",
                       url);
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        *again = true;
        return rg_fail(x->err, RG_EIO,
                       "cannot fetch '%s': the connection was lost (%s); %llu bytes are kept and "
                       "can be resumed",
                       url, x->curl_text[0] ? x->curl_text : curl_easy_strerror(result),
                       (unsigned long long)x->partial->size);
    default:
        return rg_fail(x->err, RG_EIO, "cannot fetch '%s': %s", url,
                       x->curl_text[0] ? x->curl_text : curl_easy_strerror(result));
    }
}

static rg_status request(rg_transfer *transfer, rg_partial *partial, bool *again, rg_error *err)
{
    exchange x = {.transfer = transfer, .partial = partial, .err = err};
    struct curl_slist *headers = NULL;
    rg_status status = RG_OK;
    *again = false;
    x.curl = curl_easy_init();
    if (!x.curl || !set_options(&x, &headers))
        status = rg_fail_memory(err, "fetching a file");
    else
        status = judge(&x, curl_easy_perform(x.curl), again);
    curl_easy_cleanup(x.curl);
    curl_slist_free_all(headers);
    return status;
}

/* False if progress says stop. */
static bool pause_for(const rg_transfer *transfer, const rg_partial *partial, int milliseconds)
{
    for (int gone = 0; gone < milliseconds; gone += PAUSE_STEP) {
        if (transfer->progress && transfer->progress(transfer->progress_context, partial->size, 0))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_STEP * 1000000L}, NULL);
    }
    return true;
}

rg_status rg_transfer_run(rg_transfer *transfer, rg_error *err)
{
    rg_partial partial = {.fd = -1};
    transfer->bytes = 0;
    transfer->resumed = 0;
    pthread_once(&started, start);
    rg_status status =
        rg_partial_open(&partial, transfer->part, transfer->state, transfer->url, err);
    if (status)
        return status;
    bool again = true;
    for (int attempt = 0; again && attempt < ATTEMPTS; attempt++) {
        if (attempt > 0 && !pause_for(transfer, &partial, FIRST_PAUSE << (attempt - 1))) {
            status =
                rg_fail(err, RG_EFAIL, "stopped; the partial download is kept and can be resumed");
            break;
        }
        /* Without a version to compare, the bytes that broke off cannot be continued. */
        if (partial.size > 0 && !partial.validator[0]) {
            status = rg_partial_restart(&partial, transfer->url, "", err);
            if (status)
                break;
        }
        status = request(transfer, &partial, &again, err);
    }
    rg_partial_close(&partial);
    return status;
}
