/* shipped.c - see shipped.h. */
#include "shipped.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char paper[] = "paper:";

static const char *find(const rg_paper_network *networks, const char *name)
{
    for (; networks->name; networks++)
        if (strcasecmp(networks->name, name) == 0)
            return networks->text;
    return NULL;
}

const char *cli_shipped_find(const char *name)
{
    size_t n = sizeof paper - 1;
    return strncasecmp(name, paper, n) == 0 ? find(rg_paper_networks, name + n)
                                            : find(cli_shipped_networks, name);
}

int cli_shipped_name(char out[CLI_SHIPPED_NAME], unsigned k)
{
    const rg_paper_network *networks = cli_shipped_networks;
    for (; networks->name && k > 0; networks++)
        k--;
    const char *before = networks->name ? "" : paper;
    if (!networks->name)
        for (networks = rg_paper_networks; networks->name && k > 0; networks++)
            k--;
    if (!networks->name)
        return 0;
    snprintf(out, CLI_SHIPPED_NAME, "%s%s", before, networks->name);
    return 1;
}
