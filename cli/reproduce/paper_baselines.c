/* paper_baselines.c - the other rows of the paper's tables of accuracies; see paper.h. */
#include "base/alloc.h"
#include "base/error.h"
#include "paper.h"
#include "text/text.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#define GIN \
    "sum or mean, 4 layers, width 32, no dropout, batch 32, 100 epochs, lr 0.01 halved every 25"
#define SAGE                                                                             \
    "mean, weights of its own for the node or not, 3 layers, width 64, lr 0.001, batch " \
    "32, 150 epochs"
#define DGCNN "k 0.6 or 0.9, channels sorted, 4 layers, width 32, lr 0.001, batch 50, 250 epochs"

/* Numbers as they are printed, in the order of rg_paper_rows. */
static const rg_paper_baseline baselines[] = {
    {.name = "NoG",
     .file = "nog",
     .grid = "C 2^-11, 2^-9 .. 2^-1, 1, 2, 2^3 .. 2^15",
     .published = {{"69.2", "1.9"},
                   {"68.4", "2.2"},
                   {"74.8", "1.8"},
                   {"71.8", "5.3"},
                   {"71.9", "4.8"},
                   {"47.7", "4.0"},
                   {"30.17", "3.2"},
                   {"22.25", "3.0"},
                   {"47.9", "3.9"},
                   {"10.0", "0.0"},
                   {"27.3", "5.3"}}},
    {.name = "WL-Kernel",
     .file = "wl",
     .grid = "1 .. 14 rounds, C 2^-11, 2^-9 .. 2^-1, 1, 2, 2^3 .. 2^11",
     .published = {{"85.2", "2.3"},
                   {"85.0", "1.7"},
                   {"83.8", "2.4"},
                   {"83.5", "5.1"},
                   {"71.8", "4.5"},
                   {"51.9", "5.6"},
                   {"100.0", "0.0"},
                   {"26.83", "4.2"},
                   {"47.8", "4.3"},
                   {"10.0", "0.0"},
                   {"27.9", "4.1"}}},
    {.name = "DGCNN",
     .file = "dgcnn",
     .grid = DGCNN,
     .trained = true,
     .published = {{"76.4", "1.7"},
                   {"73.0", "2.4"},
                   {"77.0", "2.0"},
                   {"72.6", "3.1"},
                   {"69.2", "3.0"},
                   {"45.6", "3.4"},
                   {"29.9", "2.6"},
                   {"28.4", "2.5"},
                   {"59.1", "5.2"},
                   {"10.0", "0.0"},
                   {"26.0", "3.3"}}},
    {.name = "DGCNN (features)",
     .file = "dgcnn",
     .grid = DGCNN,
     .trained = true,
     .features = true,
     .published = {{"73.6", "1.0"},
                   {"72.5", "1.5"},
                   {"76.3", "1.2"},
                   {"76.1", "3.4"},
                   {"69.1", "3.5"},
                   {"45.8", "2.9"}}},
    {.name = "GraphSAGE",
     .file = "graphsage",
     .grid = SAGE,
     .trained = true,
     .published = {{"76.0", "1.8"},
                   {"77.1", "1.8"},
                   {"79.8", "1.1"},
                   {"80.7", "4.5"},
                   {"68.8", "4.5"},
                   {"47.6", "3.5"},
                   {"29.8", "2.8"},
                   {"24.9", "2.7"},
                   {"51.3", "1.9"},
                   {"10.0", "0.0"},
                   {"25.0", "1.8"}}},
    {.name = "GraphSAGE (features)",
     .file = "graphsage",
     .grid = SAGE,
     .trained = true,
     .features = true,
     .published = {{"79.4", "2.2"},
                   {"78.6", "1.6"},
                   {"80.1", "1.3"},
                   {"82.4", "3.9"},
                   {"69.7", "3.1"},
                   {"46.6", "4.8"}}},
    {.name = "GIN",
     .file = "gin",
     .grid = GIN,
     .trained = true,
     .published = {{"80.0", "1.4"},
                   {"79.7", "2.0"},
                   {"81.9", "1.4"},
                   {"79.1", "4.4"},
                   {"71.2", "3.9"},
                   {"48.5", "3.3"},
                   {"32.0", "3.1"},
                   {"26.8", "2.5"},
                   {"51.0", "3.7"},
                   {"10.0", "0.0"},
                   {"24.5", "2.2"}}},
    {.name = "GIN (features)",
     .file = "gin",
     .grid = GIN,
     .trained = true,
     .features = true,
     .published = {{"77.3", "1.8"},
                   {"77.7", "2.0"},
                   {"80.6", "1.3"},
                   {"81.8", "5.1"},
                   {"70.9", "3.8"},
                   {"48.3", "2.7"}}},
    {.name = "GSN (ours)", .file = "gsn", .grid = GIN, .trained = true},
    {.name = "GSN (paper)",
     .published = {{"83.5", "2.3"}, {0}, {0}, {0}, {"77.8", "3.3"}, {"54.3", "3.3"}}},
    {.name = "CIN (paper)",
     .published = {{"83.6", "1.4"}, {"84.0", "1.6"}, {0}, {0}, {"75.6", "3.7"}, {"52.7", "3.1"}}},
    {.name = "SIN (paper)",
     .published = {{"82.7", "2.1"}, {0}, {0}, {0}, {"75.6", "3.2"}, {"52.4", "2.9"}}},
    {.name = "PIN (paper)",
     .published = {{"85.1", "1.5"}, {"84.0", "1.5"}, {0}, {0}, {"76.6", "2.9"}}},
};
enum { N_BASELINES = sizeof baselines / sizeof *baselines };

const rg_paper_baseline *rg_paper_baselines(size_t *n)
{
    *n = N_BASELINES;
    return baselines;
}

const rg_paper_baseline *rg_paper_baseline_find(const char *name)
{
    for (size_t k = 0; k < N_BASELINES; k++)
        if (strcasecmp(baselines[k].name, name) == 0)
            return &baselines[k];
    return NULL;
}

rg_published rg_paper_baseline_published(const rg_paper_baseline *baseline, const rg_paper_row *row)
{
    size_t n;
    return baseline->published[row - rg_paper_rows(&n)];
}

bool rg_paper_baseline_in(const rg_paper_baseline *baseline, bool synthetic)
{
    size_t n;
    const rg_paper_row *rows = rg_paper_rows(&n);
    for (size_t k = 0; k < n; k++)
        if (rows[k].synthetic == synthetic && baseline->published[k].mean)
            return true;
    return baseline->file != NULL; /* what can be run is run on all sets */
}

/* ---- experiments */

static const char *file_text(const char *name)
{
    const rg_paper_network *file = rg_paper_baseline_files;
    while (file->name && strcmp(file->name, name) != 0)
        file++;
    assert(file->name); /* every row has a file in examples/baselines: tests/cli/test_paper.c */
    return file->text;
}

/* What the table asks for, laid over the file; texts are owned. */
typedef struct overrides {
    const char **all;
    size_t n;
    char *own[4];
    size_t n_own;
} overrides;

static void add_own(overrides *o, rg_text *text)
{
    char *whole = rg_text_take(text);
    o->own[o->n_own++] = whole;
    o->all[o->n++] = whole;
}

static bool all_there(const overrides *o)
{
    for (size_t k = 0; k < o->n_own; k++)
        if (!o->own[k])
            return false;
    return true;
}

/* Settings of training are for those that have them. */
static bool is_for(const rg_paper_baseline *baseline, const char *override)
{
    return baseline->trained || strncmp(override, "training.", strlen("training.")) != 0;
}

static rg_status collect(overrides *o, const rg_paper_baseline *baseline, const rg_paper_row *row,
                         const char *const *given, size_t n, rg_error *err)
{
    rg_text text = {0};
    o->all = rg_alloc(n + 4, sizeof *o->all);
    if (!o->all)
        return rg_fail_memory(err, "an experiment of the paper");
    rg_text_add(&text, "name=%s", row->data);
    add_own(o, &text);
    rg_text_add(&text, "data=%s", row->data);
    add_own(o, &text);
    if (baseline->features) {
        rg_text_add(&text, "model.features=[auto, rule]");
        add_own(o, &text);
        rg_text_add(&text, "model.network=%s", rg_paper_network_text(row));
        add_own(o, &text);
    }
    for (size_t k = 0; k < n; k++)
        if (is_for(baseline, given[k]))
            o->all[o->n++] = given[k];
    return all_there(o) ? RG_OK : rg_fail_memory(err, "an experiment of the paper");
}

rg_status rg_paper_baseline_experiment(rg_experiment **out, char **text,
                                       const rg_paper_baseline *baseline, const rg_paper_row *row,
                                       const char *const *given, size_t n, rg_error *err)
{
    overrides o = {.all = NULL};
    rg_experiment *experiment = NULL;
    const char *file = file_text(baseline->file);
    char *copy = rg_copy_text(file, strlen(file));
    rg_status status = copy ? collect(&o, baseline, row, given, n, err)
                            : rg_fail_memory(err, "an experiment of the paper");
    if (!status)
        status =
            rg_experiment_parse(&experiment, baseline->file, file, strlen(file), o.all, o.n, err);
    for (size_t k = 0; k < o.n_own; k++)
        rg_free(o.own[k]);
    rg_free(o.all);
    if (status) {
        rg_free(copy);
        return status;
    }
    *out = experiment;
    *text = copy;
    return RG_OK;
}
