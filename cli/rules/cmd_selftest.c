/* cmd_selftest.c - regula selftest: do labels depend on the order of nodes or graphs? */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "graph/reorder.h"
#include "regula/generate.h"
#include "regula/label.h"

#include <inttypes.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "equivariance",
     .old_letter = 'e',
     .kind = CLI_PATH,
     .metavar = "DATA",
     .otherwise = "generated CSL and Snowflakes",
     .help = "The data set to permute."},
    {.name = "seed",
     .letter = 's',
     .kind = CLI_SEED,
     .metavar = "S",
     .help = "Random seed of the permutations."},
    CLI_JSON_OPTION,
    CLI_THREADS_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula selftest", "Check this build on two generated data sets."},
    {"regula selftest --equivariance csl --seed 7 --json", "Check on your own data set."},
};

static const char *const description[] = {
    "Shuffles the nodes of every graph and the graphs of the data set, labels both versions with a "
    "list of labelings, and compares them bit by bit: every node must keep its label, and the "
    "saved vocabularies must have the same bytes. Each labeling is fitted twice, on all graphs and "
    "on every second one. The cache is not used.",
    "Ends with exit status 1 if anything differs.",
    NULL,
};

/* Each with what the set must have. The budget is small, so that giving up is tested as well. */
enum { BUDGET = 1 << 24 };
static const struct {
    const char *spec;
    bool node_labels, edge_labels, attributes;
} labelings[] = {
    {"trivial", false, false, false},
    {"degree", false, false, false},
    {"node", true, false, false},
    {"attribute(0)", false, false, true},
    {"wl(depth=3, from=degree)", false, false, false},
    {"wl(depth=2, from=node, edges=true)", true, true, false},
    {"wl(depth=2, from=degree, max=8, unseen=backoff)", false, false, false},
    {"cycles(kind=simple, max=8)", false, false, false},
    {"cycles(kind=induced, max=8)", false, false, false},
    {"cliques(max=5)", false, false, false},
    {"cliques(max=4, maximal=true)", false, false, false},
    {"pattern(triangle, cycle(4), star(3), path(4))", false, false, false},
    {"pattern(cycle(5), path(3), induced=false)", false, false, false},
    {"combine(degree, cycles(kind=induced, max=6))", false, false, false},
    {"wl(depth=1, from=cycles(kind=simple, max=6))", false, false, false},
};

typedef struct finding {
    uint32_t labels;        /* that were seen, of the fit on all graphs */
    uint64_t unseen;        /* nodes, of the fit on every second graph */
    uint64_t nodes;         /* compared, both fits together */
    uint64_t different;     /* of them */
    bool same_vocabularies; /* byte for byte */
    size_t capped;          /* graphs */
} finding;

/* A set, and the same in another order. */
typedef struct set_pair {
    rg_dataset *before, *after;
    uint32_t *graphs, *nodes; /* as rg_dataset_reorder has them */
    uint32_t *half, *half_after;
    size_t n_half;
} set_pair;

static void pair_free(set_pair *p)
{
    rg_dataset_free(p->before);
    rg_dataset_free(p->after);
    rg_free(p->graphs);
    rg_free(p->nodes);
    rg_free(p->half);
    rg_free(p->half_after);
}

/* p->before is there; ends with pair_free, also on failure. */
static rg_status pair_fill(set_pair *p, uint64_t seed, rg_error *err)
{
    size_t n = rg_dataset_n_graphs(p->before);
    rg_status status = rg_dataset_shuffle(&p->graphs, &p->nodes, p->before, seed, err);
    if (!status)
        status = rg_dataset_reorder(&p->after, p->before, p->graphs, p->nodes, err);
    if (status)
        return status;
    p->half = rg_alloc(n, sizeof *p->half);
    p->half_after = rg_alloc(n, sizeof *p->half_after);
    if (!p->half || !p->half_after)
        return rg_fail_memory(err, "choosing graphs");
    for (size_t k = 0; k < n; k++)
        if (p->graphs[k] % 2 == 0) { /* the same graphs, in another order */
            p->half[p->n_half] = p->graphs[k];
            p->half_after[p->n_half++] = (uint32_t)k;
        }
    return RG_OK;
}

/* Labels that a node lost or changed on the way. */
static uint64_t count_different(const set_pair *p, const rg_labels *before, const rg_labels *after)
{
    uint64_t different = 0;
    for (size_t k = 0; k < rg_dataset_n_graphs(p->before); k++) {
        rg_graph old = rg_dataset_graph(p->before, p->graphs[k]);
        rg_graph now = rg_dataset_graph(p->after, k);
        for (uint32_t i = 0; i < old.n_nodes; i++)
            different += rg_labels_data(before)[old.first_node + p->nodes[old.first_node + i]] !=
                         rg_labels_data(after)[now.first_node + i];
    }
    return different;
}

static rg_status same_bytes(bool *out, const rg_labeling *a, const rg_labeling *b, rg_error *err)
{
    void *x = NULL, *y = NULL;
    size_t n = 0, m = 0;
    rg_status status = rg_labeling_encode(&x, &n, a, err);
    if (!status)
        status = rg_labeling_encode(&y, &m, b, err);
    if (!status)
        *out = n == m && memcmp(x, y, n) == 0;
    rg_bytes_free(x);
    rg_bytes_free(y);
    return status;
}

/* half: fit on every second graph only. Adds to `out`. */
static rg_status compare(finding *out, const set_pair *p, const char *spec, bool half,
                         const rg_label_options *o, rg_error *err)
{
    rg_labeling *a = NULL, *b = NULL;
    rg_labels *before = NULL, *after = NULL;
    bool same = false;
    rg_status status =
        rg_labeling_fit(&a, &before, spec, p->before, half ? p->half : NULL, p->n_half, o, err);
    if (!status)
        status = rg_labeling_fit(&b, &after, spec, p->after, half ? p->half_after : NULL, p->n_half,
                                 o, err);
    if (!status)
        status = same_bytes(&same, a, b, err);
    if (!status) {
        out->nodes += rg_labels_n_nodes(before);
        out->different += count_different(p, before, after);
        out->same_vocabularies = out->same_vocabularies && same;
        out->capped = rg_labels_n_capped(before);
        if (half)
            out->unseen = rg_labels_n_unseen(before);
        else
            out->labels = rg_labeling_seen(a);
    }
    rg_labels_free(before);
    rg_labels_free(after);
    rg_labeling_free(a);
    rg_labeling_free(b);
    return status;
}

static bool applies(size_t k, const rg_dataset *data)
{
    return (!labelings[k].node_labels || rg_dataset_n_columns(data, RG_NODE_LABEL)) &&
           (!labelings[k].edge_labels || rg_dataset_n_columns(data, RG_EDGE_LABEL)) &&
           (!labelings[k].attributes || rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE));
}

typedef struct report {
    bool json;
    json_t *checks; /* array */
    size_t n_checks, n_failed;
    uint64_t nodes, different;
} report;

static void add_finding(report *r, const char *set, const char *spec, const finding *f)
{
    bool fine = !f->different && f->same_vocabularies;
    r->n_checks++;
    r->n_failed += !fine;
    r->nodes += f->nodes;
    r->different += f->different;
    if (!r->json) {
        printf("%-9s %-12s %8" PRIu32 " %10" PRIu64 " %10" PRIu64 "  %s\n",
               fine ? "same" : "DIFFERENT", set, f->labels, f->nodes, f->different, spec);
        return;
    }
    json_t *item = json_object();
    cli_json_set(&item, "data", cli_json_text(set));
    cli_json_set(&item, "spec", json_string(spec));
    cli_json_set(&item, "labels", cli_json_count(f->labels));
    cli_json_set(&item, "nodes", cli_json_count(f->nodes));
    cli_json_set(&item, "different", cli_json_count(f->different));
    cli_json_set(&item, "same_vocabularies", json_boolean(f->same_vocabularies));
    cli_json_set(&item, "unseen", cli_json_count(f->unseen));
    cli_json_set(&item, "capped_graphs", cli_json_count(f->capped));
    cli_json_add(&r->checks, item);
}

/* `data` is moved. */
static rg_status check_set(report *r, rg_dataset *data, const cli_arguments *args, rg_error *err)
{
    rg_label_options o = rg_label_options_default();
    set_pair p = {.before = data};
    cli_progress progress;
    o.n_threads = (unsigned)cli_get(args, "threads")->integer;
    o.budget = BUDGET;
    cli_progress_begin(&progress, rg_dataset_name(data), cli_flag(args, "quiet"));
    rg_status status = pair_fill(&p, cli_get(args, "seed")->seed, err);
    for (size_t k = 0; !status && k < CLI_COUNT(labelings); k++) {
        finding f = {.same_vocabularies = true};
        if (!applies(k, data))
            continue;
        cli_progress_part(&progress, (double)k / (double)CLI_COUNT(labelings));
        status = compare(&f, &p, labelings[k].spec, false, &o, err);
        if (!status)
            status = compare(&f, &p, labelings[k].spec, true, &o, err);
        cli_progress_end(&progress);
        if (!status)
            add_finding(r, rg_dataset_name(data), labelings[k].spec, &f);
    }
    cli_progress_end(&progress);
    pair_free(&p);
    return status;
}

static rg_status check_generated(report *r, const cli_arguments *args, rg_error *err)
{
    static const struct {
        rg_generator generator;
        size_t n_graphs;
        uint32_t largest;
    } sets[] = {{RG_CSL, 0, 0}, {RG_SNOWFLAKES, 40, 6}};
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < CLI_COUNT(sets); k++) {
        rg_generate_options o = rg_generate_options_default();
        rg_dataset *data = NULL;
        o.seed = cli_get(args, "seed")->seed;
        o.n_graphs = sets[k].n_graphs;
        o.largest = sets[k].largest;
        status = rg_dataset_generate(&data, sets[k].generator, &o, err);
        if (!status)
            status = check_set(r, data, args, err);
    }
    return status;
}

static rg_status print_report(report *r, const cli_arguments *args, rg_error *err)
{
    if (!r->json) {
        printf("%zu labelings, %" PRIu64 " labels compared, %" PRIu64 " different\n", r->n_checks,
               r->nodes, r->different);
        return RG_OK;
    }
    json_t *root = json_object();
    cli_json_set(&root, "seed", cli_json_count(cli_get(args, "seed")->seed));
    cli_json_set(&root, "checks", r->checks);
    cli_json_set(&root, "labels_compared", cli_json_count(r->nodes));
    cli_json_set(&root, "different", cli_json_count(r->different));
    cli_json_set(&root, "failed", cli_json_count(r->n_failed));
    cli_json_set(&root, "ok", json_boolean(r->n_failed == 0));
    r->checks = NULL;
    return cli_print_json(root, err);
}

static void defaults(cli_arguments *args)
{
    cli_default_seed(args, "seed", 1);
    cli_default_integer(args, "threads", rg_label_options_default().n_threads);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    const char *path = cli_text(args, "equivariance");
    report r = {.json = cli_flag(args, "json")};
    rg_dataset *data = NULL;
    if (r.json)
        r.checks = json_array();
    rg_status status = path ? cli_read_data(&data, NULL, path, NULL, err) : RG_OK;
    if (!status && !r.json)
        printf("%-9s %-12s %8s %10s %10s  %s\n", "order", "data", "labels", "compared", "different",
               "labeling");
    if (!status)
        status = path ? check_set(&r, data, args, err) : check_generated(&r, args, err);
    if (!status)
        status = print_report(&r, args, err);
    json_decref(r.checks);
    if (!status && r.n_failed)
        status = rg_fail(err, RG_EFAIL, "%zu of %zu labelings depend on the order", r.n_failed,
                         r.n_checks);
    return status;
}

const cli_command cli_selftest = {
    .name = "selftest",
    .summary = "check that labels do not depend on node or graph order",
    .description = description,
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .defaults = defaults,
    .run = run,
};
