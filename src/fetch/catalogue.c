/* catalogue.c - the data sets that can be fetched by name, or made: those of catalogue.txt. */
#include "catalogue.h"

#include <string.h>

size_t rg_catalogue_size(void)
{
    return rg_catalogue_n_entries;
}

const rg_catalogue_entry *rg_catalogue_entry_at(size_t k)
{
    return k < rg_catalogue_n_entries ? &rg_catalogue_entries[k] : NULL;
}

const rg_catalogue_entry *rg_catalogue_find(const char *name)
{
    for (size_t k = 0; k < rg_catalogue_n_entries; k++)
        if (strcmp(rg_catalogue_entries[k].name, name) == 0)
            return &rg_catalogue_entries[k];
    return NULL;
}
