/* parts.h - stores of processes that share an experiment out: parts/RANK-of-SIZE below the run
 * directory. Only a process that has the store of the run directory open for writing makes, merges
 * or removes a part, so no two do so at once. A part in which a process is at work is locked. */
#ifndef REGULA_JOBS_PARTS_H
#define REGULA_JOBS_PARTS_H

#include "store/store.h"

/* Owned (rg_free); NULL if memory is short. */
char *rg_parts_path(const char *directory, uint32_t rank, uint32_t size);

/* Puts the jobs of all parts into the store of their run directory (rg_store_absorb) and removes
 * the parts. One in which a process is at work is left alone; RG_EFAIL if `alone`: nobody else may
 * be at work. As rg_store_open and rg_store_absorb. */
RG_MUST_CHECK rg_status rg_parts_merge(rg_store *store, bool alone, rg_error *err);

#endif
