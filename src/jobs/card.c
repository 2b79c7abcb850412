/* card.c - see card.h. */
#define _GNU_SOURCE /* getifaddrs, getrandom, keep-alive of TCP */
#include "card.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { CONNECT_SECONDS = 5, ROUNDS = 3 };

/* ---- addresses of this machine */

/* Appends an address if there is room. */
static void add_address(rg_card *card, const struct sockaddr *a)
{
    char text[INET6_ADDRSTRLEN];
    const void *raw =
        a->sa_family == AF_INET
            ? (const void *)&((const struct sockaddr_in *)(const void *)a)->sin_addr
            : (const void *)&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr;
    size_t n = strlen(card->addresses);
    if (!inet_ntop(a->sa_family, raw, text, sizeof text) ||
        n + strlen(text) + 2 > sizeof card->addresses)
        return;
    snprintf(card->addresses + n, sizeof card->addresses - n, "%s%s", n ? " " : "", text);
}

/* An IPv6 address that holds on one wire only names no machine without the wire. */
static bool is_usable(const struct ifaddrs *a, bool loopback, int family)
{
    if (!a->ifa_addr || !(a->ifa_flags & IFF_UP) || !(a->ifa_flags & IFF_LOOPBACK) == loopback ||
        a->ifa_addr->sa_family != family)
        return false;
    return family == AF_INET ||
           !IN6_IS_ADDR_LINKLOCAL(
               &((const struct sockaddr_in6 *)(const void *)a->ifa_addr)->sin6_addr);
}

static void find_addresses(rg_card *card, bool six)
{
    struct ifaddrs *all = NULL;
    static const struct {
        bool loopback;
        int family;
    } turns[] = {{false, AF_INET}, {false, AF_INET6}, {true, AF_INET}, {true, AF_INET6}};
    if (getifaddrs(&all) != 0)
        return;
    for (size_t t = 0; t < sizeof turns / sizeof *turns; t++)
        for (const struct ifaddrs *a = all; a; a = a->ifa_next)
            if (is_usable(a, turns[t].loopback, turns[t].family) &&
                (six || turns[t].family == AF_INET))
                add_address(card, a->ifa_addr);
    freeifaddrs(all);
}

/* ---- listening */

static int listen_on(bool six, uint16_t *port)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 any = {.sin6_family = AF_INET6};
    socklen_t n = six ? sizeof any : sizeof four;
    struct sockaddr *address = six ? (struct sockaddr *)&any : (struct sockaddr *)&four;
    int off = 0,
        s = socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0)
        return -1;
    if ((six && setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0) ||
        bind(s, address, n) != 0 || listen(s, SOMAXCONN) != 0 || getsockname(s, address, &n) != 0) {
        close(s);
        return -1;
    }
    *port = ntohs(six ? any.sin6_port : four.sin_port);
    return s;
}

rg_status rg_card_open(rg_card *out, int *listener, rg_error *err)
{
    rg_card card = {.port = 0};
    bool six = true;
    if (getrandom(card.lead_key, RG_WIRE_KEY, 0) != RG_WIRE_KEY ||
        getrandom(card.crew_key, RG_WIRE_KEY, 0) != RG_WIRE_KEY)
        return rg_fail(err, RG_EFAIL, "no random bytes for a key: %s", strerror(errno));
    int s = listen_on(true, &card.port);
    if (s < 0) {
        six = false;
        s = listen_on(false, &card.port);
    }
    if (s < 0)
        return rg_fail(err, RG_EFAIL, "cannot listen for the other ranks: %s", strerror(errno));
    find_addresses(&card, six);
    *out = card;
    *listener = s;
    return RG_OK;
}

/* So that a machine that is gone without a word is noticed, and small messages are sent at once. */
static void prepare(int link)
{
    const int on = 1, idle = 15, between = 5, times = 4;
    setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(link, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(link, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(link, IPPROTO_TCP, TCP_KEEPINTVL, &between, sizeof between);
    setsockopt(link, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

int rg_card_accept(int listener)
{
    int link = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (link >= 0)
        prepare(link);
    return link;
}

/* ---- the card as text: port, keys, addresses */

static void print_key(char *out, const unsigned char *key)
{
    for (size_t k = 0; k < RG_WIRE_KEY; k++)
        snprintf(out + 2 * k, 3, "%02x", key[k]);
}

static bool parse_key(unsigned char *key, const char *text)
{
    for (size_t k = 0; k < RG_WIRE_KEY; k++) {
        unsigned value;
        if (strspn(text + 2 * k, "0123456789abcdef") < 2 ||
            sscanf(text + 2 * k, "%2x", &value) != 1)
            return false;
        key[k] = (unsigned char)value;
    }
    return text[2 * RG_WIRE_KEY] == '\0';
}

void rg_card_print(char out[RG_CARD_TEXT], const rg_card *card)
{
    char lead[2 * RG_WIRE_KEY + 1], crew[2 * RG_WIRE_KEY + 1];
    print_key(lead, card->lead_key);
    print_key(crew, card->crew_key);
    snprintf(out, RG_CARD_TEXT, "%u %s %s %s", (unsigned)card->port, lead, crew, card->addresses);
}

rg_status rg_card_parse(rg_card *out, const char *text, rg_error *err)
{
    rg_card card = {.port = 0};
    char lead[2 * RG_WIRE_KEY + 1], crew[2 * RG_WIRE_KEY + 1];
    unsigned port = 0;
    int n = 0;
    if (sscanf(text, "%5u %32s %32s %n", &port, lead, crew, &n) != 3 || port == 0 ||
        port > UINT16_MAX || !parse_key(card.lead_key, lead) || !parse_key(card.crew_key, crew) ||
        strlen(text + n) >= sizeof card.addresses)
        return rg_fail(err, RG_EDATA, "found '%s', expected the addresses of rank 0", text);
    card.port = (uint16_t)port;
    memcpy(card.addresses, text + n, strlen(text + n) + 1);
    *out = card;
    return RG_OK;
}

/* ---- connecting */

bool rg_card_send(int link, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        ssize_t sent = send(link, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

bool rg_card_receive(int link, void *bytes, size_t n)
{
    char *at = bytes;
    while (n > 0) {
        ssize_t got = recv(link, at, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got == 0 ? ECONNRESET : errno;
            return false;
        }
        at += got;
        n -= (size_t)got;
    }
    return true;
}

/* A descriptor that blocks, or -1 with errno. */
static int connect_to(const char *address, uint16_t port)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    bool is_four = inet_pton(AF_INET, address, &four.sin_addr) == 1;
    if (!is_four && inet_pton(AF_INET6, address, &six.sin6_addr) != 1) {
        errno = EINVAL;
        return -1;
    }
    int fault = 0,
        s = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0)
        return -1;
    socklen_t size = sizeof fault;
    int result = is_four ? connect(s, (struct sockaddr *)&four, sizeof four)
                         : connect(s, (struct sockaddr *)&six, sizeof six);
    if (result != 0 && errno == EINPROGRESS) {
        struct pollfd p = {.fd = s, .events = POLLOUT};
        result = poll(&p, 1, 1000 * CONNECT_SECONDS) == 1 ? 0 : -1;
        if (result != 0)
            errno = ETIMEDOUT;
        else if (getsockopt(s, SOL_SOCKET, SO_ERROR, &fault, &size) != 0 || fault != 0) {
            errno = fault;
            result = -1;
        }
    }
    if (result == 0 && fcntl(s, F_SETFL, fcntl(s, F_GETFL) & ~O_NONBLOCK) == 0) {
        prepare(s);
        return s;
    }
    fault = errno;
    close(s);
    errno = fault;
    return -1;
}

/* Does the one at the other end know the key? */
static bool is_lead(int link, const rg_card *card)
{
    unsigned char bytes[RG_WIRE_HEAD + RG_WIRE_KEY];
    rg_wire_head head;
    if (!rg_card_receive(link, bytes, sizeof bytes))
        return false;
    errno = EPROTO;
    return !rg_wire_head_read(&head, bytes, NULL) && head.kind == RG_WIRE_WELCOME &&
           head.n == RG_WIRE_KEY && rg_wire_head_fits(&head, bytes + RG_WIRE_HEAD) &&
           memcmp(bytes + RG_WIRE_HEAD, card->lead_key, RG_WIRE_KEY) == 0;
}

rg_status rg_card_connect(int *out, bool *over, const rg_card *card, rg_error *err)
{
    int fault = EADDRNOTAVAIL;
    bool refused = false, unreachable = false;
    for (int round = 0; round < ROUNDS && !(refused && !unreachable); round++) {
        char all[sizeof card->addresses], *rest = all;
        memcpy(all, card->addresses, sizeof all);
        for (char *word; (word = strtok_r(rest, " ", &rest));) {
            int s = connect_to(word, card->port);
            if (s >= 0 && is_lead(s, card)) {
                *out = s;
                return RG_OK;
            }
            fault = errno;
            if (fault == ECONNREFUSED || fault == ECONNRESET)
                refused = true; /* as the loopback of another machine does, too */
            else
                unreachable = true;
            if (s >= 0)
                close(s);
        }
    }
    *over = refused && !unreachable;
    return rg_fail(err, RG_EFAIL, "rank 0 cannot be reached at any of %s, port %u: %s",
                   card->addresses, (unsigned)card->port, strerror(fault));
}
