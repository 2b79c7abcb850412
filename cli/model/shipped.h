/* shipped.h - the networks that come with the program, as texts. */
#ifndef REGULA_CLI_MODEL_SHIPPED_H
#define REGULA_CLI_MODEL_SHIPPED_H

/* A file of examples/, by its name without .yml. Static. */
typedef struct rg_paper_network {
    const char *name, *text;
} rg_paper_network;

/* Written by the build (cmake/RegulaPaper.cmake); the last one is {NULL, NULL}. */
extern const rg_paper_network rg_paper_networks[];    /* examples/paper */
extern const rg_paper_network cli_shipped_networks[]; /* examples/networks */

/* The text of `paper:NAME`, or of a network by its name, letters of either case alike. NULL: none.
 * Static. */
const char *cli_shipped_find(const char *name);
/* Name k, "paper:" in front where it belongs; false past the last. */
#define CLI_SHIPPED_NAME 64
int cli_shipped_name(char out[CLI_SHIPPED_NAME], unsigned k);

#endif
