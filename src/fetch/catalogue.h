/* catalogue.h - the entries of catalogue.txt, which the build turns into C. */
#ifndef REGULA_FETCH_CATALOGUE_H
#define REGULA_FETCH_CATALOGUE_H

#include "regula/fetch.h"

extern const rg_catalogue_entry rg_catalogue_entries[];
extern const size_t rg_catalogue_n_entries;

#endif
