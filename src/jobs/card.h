/* card.h - how processes on one or more machines find the one that leads them.
 *
 * Rank 0 listens and writes a card, a short text with its addresses, the port and two random keys;
 * the card is handed to the others by other means (MPI). Whoever connects is shown the one key and
 * has to show the other, so that neither side takes a stranger for a member of the crew. Nothing
 * is encrypted. */
#ifndef REGULA_JOBS_CARD_H
#define REGULA_JOBS_CARD_H

#include "wire.h"

#define RG_CARD_TEXT 1024

typedef struct rg_card {
    unsigned char lead_key[RG_WIRE_KEY], crew_key[RG_WIRE_KEY];
    uint16_t port;
    char addresses[RG_CARD_TEXT - 128]; /* numeric, a blank between two; the loopback's is last */
} rg_card;

/* Listens on a free port of all addresses of this machine. *listener: owned (close), does not
 * block. RG_EFAIL: there is no network, not even the loopback; or no random bytes. */
RG_MUST_CHECK rg_status rg_card_open(rg_card *out, int *listener, rg_error *err);

/* The card as text, and back. RG_EDATA: it is none. */
void rg_card_print(char out[RG_CARD_TEXT], const rg_card *card);
RG_MUST_CHECK rg_status rg_card_parse(rg_card *out, const char *text, rg_error *err);

/* Connects to the first address that takes it and shows the key of the card; waits for that as long
 * as the process at the other end lives. *out: owned (close), blocks. *over: RG_EFAIL because no
 * one listens there any more. RG_EFAIL: no address can be reached. */
RG_MUST_CHECK rg_status rg_card_connect(int *out, bool *over, const rg_card *card, rg_error *err);

/* Sends or receives all n bytes on a descriptor that blocks; false: it is closed, or broken. */
bool rg_card_send(int link, const void *bytes, size_t n);
bool rg_card_receive(int link, void *bytes, size_t n);

/* Takes up the next connection: owned (close), does not block; -1: there is none now. */
int rg_card_accept(int listener);

#endif
