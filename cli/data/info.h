/* info.h - the results of regula data info, as text and JSON. */
#ifndef REGULA_CLI_DATA_INFO_H
#define REGULA_CLI_DATA_INFO_H

#include "cli/output/output.h"
#include "regula/arrays.h"
#include "regula/audit.h"

typedef struct cli_info {
    const rg_dataset *data;
    const char *path;
    json_t *left_out; /* molecules that could not be read: objects; borrowed */
    rg_audit audit;
    bool copies;      /* were looked for */
    rg_column target; /* RG_CLASS, RG_TARGET, or RG_N_COLUMN_KINDS: the set has none */
    double seconds;
} cli_info;

/* Graphs of each class of column 0, by rank; *missing have none. counts: as many as values. */
void cli_info_classes(const cli_info *info, uint64_t *counts, uint64_t *missing);
/* Least and greatest value of a real column, and how many rows have one (NaN is none). */
typedef struct cli_span {
    double min, max;
    uint64_t n;
} cli_span;
cli_span cli_info_span(const cli_info *info, rg_column kind, size_t column);

RG_MUST_CHECK rg_status cli_info_print_text(const cli_info *info, rg_error *err);
RG_MUST_CHECK rg_status cli_info_print_json(const cli_info *info, rg_error *err);

/* The same for vectors and images. */
typedef struct cli_info_arrays {
    const rg_arrays *arrays;
    const char *path;
    rg_arrays_audit audit;
    double seconds;
} cli_info_arrays;

RG_MUST_CHECK rg_status cli_info_arrays_text(const cli_info_arrays *info, rg_error *err);
RG_MUST_CHECK rg_status cli_info_arrays_json(const cli_info_arrays *info, rg_error *err);

#endif
