/* paper.c - see paper.h: published numbers, and experiments from them. */
#include "paper.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/text.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#define CYCLES                                                                              \
    "the published labels of cycles depend on the order of the nodes; by true counts there" \
    " are fewer"

#define NONE RG_NO_GENERATOR

/* The settings with which every set of rings and Snowflakes was run are lr 0.1, batch 128 and 200
 * epochs at a constant rate: as the best epoch is kept, they are part of this grid. */
static const char chosen[] = "training: {lr: [0.1, 0.02], batch: [128, 32], epochs: 400}\n";
/* The published program drew start values for every fold and run. */
static const char published[] = "starts: fold\n";

static const rg_paper_row rows[] = {
    {.data = "NCI1",
     .title = "NCI1",
     .generator = NONE,
     .n_folds = 10,
     .accuracy = {"82.8", "2.0"},
     .rules = {"wl", "wl"},
     .parameters = {"2500500", "4220"},
     .best_epoch = {"8.3", "5.3"},
     .epoch = {"377.1", "20.7"},
     .distances = "2.0",
     .labels = "11.9"},
    {.data = "NCI109",
     .title = "NCI109",
     .generator = NONE,
     .n_folds = 10,
     .accuracy = {"83.2", "2.1"},
     .rules = {"wl", "wl"},
     .parameters = {"2500500", "4336"},
     .best_epoch = {"6.4", "2.9"},
     .epoch = {"386.7", "1.9"},
     .distances = "2.4",
     .labels = "13.2"},
    {.data = "Mutagenicity",
     .title = "Mutagenicity",
     .generator = NONE,
     .n_folds = 10,
     .accuracy = {"81.5", "1.3"},
     .rules = {"wl", "wl"},
     .parameters = {"750500", "4972"},
     .best_epoch = {"10.1", "4.1"},
     .epoch = {"575.8", "66.4"},
     .distances = "2.2",
     .labels = "15.2"},
    {.data = "DHFR",
     .title = "DHFR",
     .generator = NONE,
     .n_folds = 10,
     .accuracy = {"84.3", "3.2"},
     .rules = {"wl", "simple cycles <= 10"},
     .parameters = {"1382880", "112"},
     .note = CYCLES,
     .best_epoch = {"24.1", "14.6"},
     .epoch = {"44.4", "9.0"},
     .distances = "0.7",
     .labels = "3.1"},
    {.data = "IMDB-BINARY",
     .title = "IMDB-BINARY",
     .generator = NONE,
     .n_folds = 10,
     .accuracy = {"75.4", "3.3"},
     .rules = {"triangle, edge", "induced cycles <= 5"},
     .parameters = {"963966", "990"},
     .note = CYCLES,
     .best_epoch = {"12.3", "4.6"},
     .epoch = {"24.3", "0.9"},
     .distances = "0.2",
     .labels = "206.5"},
    {.data = "IMDB-MULTI",
     .title = "IMDB-MULTI",
     .generator = NONE,
     .n_folds = 10,
     .accuracy = {"52.0", "4.3"},
     .rules = {"triangle, edge", "triangle, edge"},
     .parameters = {"551775", "1578"},
     .best_epoch = {"7.7", "3.5"},
     .epoch = {"19.6", "1.3"},
     .distances = "0.2",
     .labels = "195.0"},
    {.data = "LongRings100",
     .title = "LongRings",
     .synthetic = true,
     .generator = RG_LONG_RINGS,
     .n_folds = 10,
     .accuracy = {"99.0", "3.3"},
     .rules = {"labels", "labels"},
     .parameters = {"30", "18"},
     .best_epoch = {"195.2", "15.1"},
     .epoch = {"0.7", "0.2"},
     .distances = "6.6"},
    {.data = "EvenOddRings2_16",
     .title = "EvenOddRings",
     .synthetic = true,
     .generator = RG_EVEN_ODD_RINGS,
     .n_folds = 10,
     .accuracy = {"90.2", "7.2"},
     .rules = {"labels", "labels", "labels"},
     .parameters = {"272", "272", "68"},
     .best_epoch = {"177.1", "15.2"},
     .epoch = {"1.2", "0.3"},
     .distances = "0.2"},
    {.data = "EvenOddRingsCount16",
     .title = "EvenOddRingsCount",
     .synthetic = true,
     .generator = RG_EVEN_ODD_RINGS_COUNT,
     .n_folds = 10,
     .accuracy = {"100.0", "0.0"},
     .rules = {"labels", "labels"},
     .parameters = {"272", "34"},
     .best_epoch = {"200.0", "0.0"},
     .epoch = {"0.5", "0.1"},
     .distances = "0.1"},
    {.data = "CSL",
     .title = "CSL",
     .synthetic = true,
     .generator = RG_CSL,
     .n_folds = 5,
     .better_splits = "CSL_proper",
     .accuracy = {"100.0", "0.0"},
     .rules = {"simple cycles <= 10", "simple cycles <= 10"},
     .parameters = {"8930", "950"},
     .note = CYCLES,
     .best_epoch = {"50.0", "0.0"},
     .epoch = {"1.6", "0.0"},
     .distances = "0.1",
     .labels = "11.8"},
    {.data = "Snowflakes",
     .title = "Snowflakes",
     .synthetic = true,
     .generator = RG_SNOWFLAKES,
     .n_folds = 10,
     .accuracy = {"97.9", "3.2"},
     .rules = {"cycle_4, cycle_5", "wl"},
     .parameters = {"90", "20"},
     .best_epoch = {"192.7", "18.9"},
     .epoch = {"0.5", "0.1"},
     .distances = "7.1",
     .labels = "116.8"},
};
enum { N_ROWS = sizeof rows / sizeof *rows };
_Static_assert(N_ROWS == RG_PAPER_SETS, "the tables of baselines have as many columns");

const rg_paper_row *rg_paper_rows(size_t *n)
{
    *n = N_ROWS;
    return rows;
}

const rg_paper_row *rg_paper_find(const char *name)
{
    for (size_t k = 0; k < N_ROWS; k++)
        if (strcasecmp(rows[k].data, name) == 0 || strcasecmp(rows[k].title, name) == 0)
            return &rows[k];
    return NULL;
}

const char *rg_paper_network_text(const rg_paper_row *row)
{
    const rg_paper_network *network = rg_paper_networks;
    while (network->name && strcmp(network->name, row->data) != 0)
        network++;
    assert(network->name); /* every row has a file in examples/paper: tests/cli/test_paper.c */
    return network->text;
}

bool rg_paper_has_grid(const rg_paper_row *row)
{
    return row->synthetic && row->generator != RG_CSL;
}

/* A network file as the value of a key: every line indented. */
static void add_network(rg_text *text, const char *network)
{
    rg_text_add(text, "network:\n");
    while (*network) {
        size_t n = strcspn(network, "\n");
        rg_text_add(text, "%s%.*s\n", n ? "  " : "", (int)n, network);
        network += n + (network[n] == '\n');
    }
}

rg_status rg_paper_experiment(rg_experiment **out, char **text, const rg_paper_row *row,
                              rg_paper_training training, const char *const *overrides, size_t n,
                              rg_error *err)
{
    rg_text file = {0};
    rg_experiment *experiment = NULL;
    rg_text_add(&file, "name: %s\ndata: %s\nprotocol: global\nruns: 3\nseed: 1\nkeep: none\n",
                row->data, row->data);
    add_network(&file, rg_paper_network_text(row));
    if (rg_paper_has_grid(row))
        rg_text_add(&file, "%s", training == RG_PAPER_CHOSEN ? chosen : published);
    char *whole = rg_text_take(&file);
    if (!whole)
        return rg_fail_memory(err, "an experiment of the paper");
    rg_status status =
        rg_experiment_parse(&experiment, row->data, whole, strlen(whole), overrides, n, err);
    if (status) {
        rg_free(whole);
        return status;
    }
    *out = experiment;
    *text = whole;
    return RG_OK;
}
