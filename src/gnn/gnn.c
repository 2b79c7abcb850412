/* gnn.c - the settings of message passing networks, and the kinds of them that there are. */
#include "gnn.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "baseline/kinds.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BIT(kind) (1u << (kind))

enum {
    GIN = BIT(RG_GNN_GIN) | BIT(RG_GNN_GSN),
    SAGE = BIT(RG_GNN_GRAPHSAGE),
    GCN = BIT(RG_GNN_GCN),
    DGCNN = BIT(RG_GNN_DGCNN),
    NAMED = GIN | SAGE | GCN | DGCNN, /* all but lists of layers */
    DEEPEST = RG_SPEC_LAYERS_MAX - 2, /* layers, so that a step can take all of them */
    LEAST_ROWS = 10                   /* of sort pooling: two convolutions need them */
};

static const char *const gathering_words[] = {"add", "mean", "gcn", "max"};
static const char *const sage_words[] = {"add", "mean", "max"};
static const char *const self_words[] = {"shared", "own"};
static const char *const sort_words[] = {"nodes", "channels"};
static const char *const pooling_words[] = {"sum", "mean", "max"};

/* ---- defaults: those of the fair comparison, where it has the network */

static rg_settings training_default(rg_gnn_kind kind)
{
    rg_settings s = rg_settings_default();
    bool stepped = BIT(kind) & (GIN | BIT(RG_GNN_LAYERS));
    s.epochs = s.schedule.epochs = 1000;
    s.patience = 500;
    s.batch = kind == RG_GNN_DGCNN ? 50 : 32;
    s.start = RG_START_UNIFORM;
    s.schedule.kind = stepped ? RG_STEP : RG_CONSTANT;
    s.schedule.lr = stepped ? 0.01 : kind == RG_GNN_DGCNN ? 0.0001 : 0.001;
    s.schedule.every = 50;
    s.schedule.floor = 0;
    return s;
}

static void set_defaults(rg_gnn_settings *s, rg_gnn_kind kind)
{
    *s = (rg_gnn_settings){.kind = kind,
                           .layers = BIT(kind) & GIN ? 4 : 3,
                           .width = 64,
                           .gathering = RG_GATHER_MEAN,
                           .pooling = RG_POOL_SUM,
                           .dropout = BIT(kind) & GCN ? 0 : 0.5,
                           .learned = true,
                           .part = 0.9,
                           .dense = 128,
                           .training = training_default(kind)};
}

/* ---- reading: one function per setting */

static rg_status read_count(uint32_t *out, const rg_yaml *node, int64_t max, rg_error *err)
{
    int64_t value = 0;
    rg_status status = rg_yaml_int(node, &value, 1, max, NULL, err);
    if (!status)
        *out = (uint32_t)value;
    return status;
}

static rg_status read_layers(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    return read_count(&s->layers, node, DEEPEST, err);
}

static rg_status read_width(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    return read_count(&s->width, node, RG_SPEC_CHANNELS_MAX, err);
}

static rg_status read_dense(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    return read_count(&s->dense, node, RG_SPEC_CHANNELS_MAX, err);
}

static rg_status read_eps(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    s->learned = text && strcmp(text, "learned") == 0;
    s->eps = 0;
    return s->learned ? RG_OK : rg_yaml_real(node, &s->eps, "learned or a number", err);
}

static rg_status read_pooling(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, pooling_words, COUNT(pooling_words), err);
    if (!status)
        s->pooling = (rg_pooling)word;
    return status;
}

static rg_status read_gathering(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, sage_words, COUNT(sage_words), err);
    if (!status)
        s->gathering = word == 2 ? RG_GATHER_MAX : (rg_gathering)word;
    return status;
}

static rg_status read_self(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, self_words, COUNT(self_words), err);
    s->own = word == 1;
    return status;
}

static rg_status read_sort(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    size_t word = 0;
    rg_status status = rg_yaml_word(node, &word, sort_words, COUNT(sort_words), err);
    s->ordered = word == 1;
    return status;
}

static rg_status read_dropout(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    static const char what[] = "a number from 0 to below 1";
    double p = 0;
    rg_status status = rg_yaml_real(node, &p, what, err);
    if (!status && !(p >= 0 && p < 1))
        status = rg_yaml_expected(node, what, err);
    if (!status)
        s->dropout = p;
    return status;
}

static rg_status read_rows(rg_gnn_settings *s, const rg_yaml *node, rg_error *err)
{
    static const char what[] =
        "a part of the graphs, above 0 and up to 1, or a whole number of nodes from 10 on";
    double k = 0;
    rg_status status = rg_yaml_real(node, &k, what, err);
    bool part = k > 0 && k <= 1, rows = k >= LEAST_ROWS && k <= 1e6 && k == (double)(uint32_t)k;
    if (!status && !part && !rows)
        status = rg_yaml_expected(node, what, err);
    if (!status) {
        s->part = part ? k : 0;
        s->rows = rows ? (uint32_t)k : 0;
    }
    return status;
}

static const struct {
    const char *key;
    unsigned kinds; /* that have it */
    rg_status (*read)(rg_gnn_settings *s, const rg_yaml *node, rg_error *err);
} settings_keys[] = {
    {.key = "layers", .kinds = NAMED, .read = read_layers},
    {.key = "width", .kinds = NAMED, .read = read_width},
    {.key = "eps", .kinds = GIN, .read = read_eps},
    {.key = "aggregation", .kinds = SAGE, .read = read_gathering},
    {.key = "self", .kinds = SAGE, .read = read_self},
    {.key = "pooling", .kinds = GIN | GCN, .read = read_pooling},
    {.key = "dropout", .kinds = GIN | GCN | DGCNN, .read = read_dropout},
    {.key = "k", .kinds = DGCNN, .read = read_rows},
    {.key = "sort", .kinds = DGCNN, .read = read_sort},
    {.key = "dense", .kinds = DGCNN, .read = read_dense},
};

static rg_status read_all(rg_gnn_settings *s, const rg_yaml *root, rg_error *err)
{
    static const rg_feature plain[] = {RG_FEATURE_AUTO},
                            counted[] = {RG_FEATURE_AUTO, RG_FEATURE_STRUCTURE};
    const char *known[COUNT(settings_keys) + RG_N_FEATURES_KEYS + 3] = {"model", "training"};
    size_t n = 2;
    for (size_t k = 0; k < COUNT(settings_keys); k++)
        if (settings_keys[k].kinds & BIT(s->kind))
            known[n++] = settings_keys[k].key;
    for (size_t k = 0; k < RG_N_FEATURES_KEYS; k++)
        known[n++] = rg_features_keys[k];
    if (s->kind == RG_GNN_LAYERS)
        known[n++] = "layers";
    rg_status status = rg_yaml_keys(root, known, n, err);
    for (size_t k = 0; k < COUNT(settings_keys) && !status; k++) {
        const rg_yaml *node = rg_yaml_find(root, settings_keys[k].key);
        if (node && settings_keys[k].kinds & BIT(s->kind))
            status = settings_keys[k].read(s, node, err);
    }
    bool gsn = s->kind == RG_GNN_GSN;
    if (!status)
        status = rg_features_spec_read(&s->features, root, gsn ? counted : plain, gsn ? 2 : 1, err);
    if (!status && s->kind == RG_GNN_LAYERS)
        status = rg_gnn_list_read(s, root, err);
    if (!status)
        status = rg_settings_over(&s->training, root, err);
    return status;
}

rg_status rg_gnn_settings_read(rg_gnn_settings **out, rg_gnn_kind kind, const rg_yaml *root,
                               rg_error *err)
{
    rg_gnn_settings *s = rg_alloc_zero(1, sizeof *s);
    if (!s)
        return rg_fail_memory(err, "a model");
    set_defaults(s, kind);
    rg_status status = read_all(s, root, err);
    if (status)
        rg_gnn_settings_free(s);
    else
        *out = s;
    return status;
}

void rg_gnn_settings_free(void *settings)
{
    rg_gnn_settings *s = settings;
    if (!s)
        return;
    rg_features_spec_clear(&s->features);
    rg_gnn_list_free(s);
    rg_free(s);
}

/* ---- printing */

static void print_real(rg_text *out, const char *key, double value)
{
    char number[RG_NUMBER_MAX];
    rg_number_print(number, value);
    rg_text_add(out, "%s: %s\n", key, number);
}

void rg_gnn_settings_print(rg_text *out, const void *settings, bool prepared_only)
{
    const rg_gnn_settings *s = settings;
    unsigned kind = BIT(s->kind);
    rg_error ignored;
    char *training = NULL;
    if (kind & NAMED)
        rg_text_add(out, "layers: %u\nwidth: %u\n", s->layers, s->width);
    if (kind & GIN && s->learned)
        rg_text_add(out, "eps: learned\n");
    else if (kind & GIN)
        print_real(out, "eps", s->eps);
    if (kind & SAGE)
        rg_text_add(out, "aggregation: %s\nself: %s\n", gathering_words[s->gathering],
                    self_words[s->own]);
    if (kind & (GIN | GCN))
        rg_text_add(out, "pooling: %s\n", pooling_words[s->pooling]);
    if (kind & (GIN | GCN | DGCNN))
        print_real(out, "dropout", s->dropout);
    if (kind & DGCNN) {
        print_real(out, "k", s->part > 0 ? s->part : s->rows);
        rg_text_add(out, "sort: %s\ndense: %u\n", sort_words[s->ordered], s->dense);
    }
    rg_features_spec_print(out, &s->features);
    if (s->kind == RG_GNN_LAYERS)
        rg_gnn_list_print(out, s);
    if (prepared_only)
        return;
    if (rg_settings_print(&training, &s->training, &ignored))
        out->failed = true;
    else
        rg_text_add(out, "%s", training);
    rg_free(training);
}

/* ---- the kinds */

#define FEATURES_HELP                                                                             \
    {"features", "auto, labels, degree, attributes, rule, ...", "input features of the nodes"},   \
        {"network", "a network file or map", "network whose labels serve as the feature 'rule'"}, \
        {"labels", "a map", "additional labels, for features and rules"},                         \
        {"structure", "a map", "cycles and cliques that the feature 'structure' counts"},         \
        {"training", "a map", "epochs, learning rate, batch size, ..., as for networks"},         \
    {                                                                                             \
        .key = NULL                                                                               \
    }
#define DEPTH_HELP                                   \
    {"layers", "1 .. 62", "message passing layers"}, \
    {                                                \
        "width", "1 .. 4096", "channels per node"    \
    }

static const rg_baseline_setting gin_help[] = {
    DEPTH_HELP,
    {"eps", "learned or a number", "weight of the node itself is 1 + eps"},
    {"pooling", "sum, mean or max", "pooling from nodes to graphs"},
    {"dropout", "0 .. 1", "dropout rate after each layer"},
    FEATURES_HELP};
static const rg_baseline_setting sage_help[] = {
    DEPTH_HELP,
    {"aggregation", "add, mean or max", "aggregation over a node and its neighbours"},
    {"self", "shared or own",
     "own: separate weights for the node itself, which is not its own neighbour"},
    FEATURES_HELP};
static const rg_baseline_setting gcn_help[] = {
    DEPTH_HELP,
    {"pooling", "sum, mean or max", "pooling from nodes to graphs"},
    {"dropout", "0 .. 1", "dropout rate after the pooling"},
    FEATURES_HELP};
static const rg_baseline_setting dgcnn_help[] = {
    DEPTH_HELP,
    {"k", "0 .. 1, or 10 on",
     "nodes kept: a number, or the quantile of graph sizes to use as number"},
    {"sort", "nodes or channels", "channels: sort the channels of each node first, ascending"},
    {"dense", "1 .. 4096", "width of the second last layer"},
    {"dropout", "0 .. 1", "dropout rate after that layer"},
    FEATURES_HELP};
static const rg_baseline_setting list_help[] = {
    {"layers", "a list", "gin, graphsage, gcn, rule, dense, pool, norm, dropout, activation"},
    FEATURES_HELP};

static const char *const feature_lists[] = {"features", "network", "labels", "structure", NULL};
static const char *const all_lists[] = {"features",  "network", "labels",
                                        "structure", "layers",  NULL};

/* What tells the kinds apart. */
typedef struct gnn_own {
    rg_gnn_kind kind;
    const rg_baseline_setting *help; /* up to one without a key */
} gnn_own;

static rg_status parse(void **out, const rg_baseline_kind *kind, const rg_yaml *root, rg_error *err)
{
    rg_gnn_settings *settings = NULL;
    rg_status status =
        rg_gnn_settings_read(&settings, ((const gnn_own *)kind->own)->kind, root, err);
    if (!status)
        *out = settings;
    return status;
}

static bool setting(rg_baseline_setting *out, const rg_baseline_kind *kind, size_t k)
{
    *out = ((const gnn_own *)kind->own)->help[k];
    return out->key != NULL;
}

#define KIND(variable, number, word, text, settings_help, list_keys) \
    const rg_baseline_kind rg_baseline_##variable = {                \
        .name = word,                                                \
        .about = text,                                               \
        .own = &(const gnn_own){number, settings_help},              \
        .parse = parse,                                              \
        .settings_free = rg_gnn_settings_free,                       \
        .print = rg_gnn_settings_print,                              \
        .network = rg_gnn_network,                                   \
        .setting = setting,                                          \
        .training = true,                                            \
        .lists = list_keys,                                          \
    };
KIND(gin, RG_GNN_GIN, "gin", "graph isomorphism network", gin_help, feature_lists)
KIND(graphsage, RG_GNN_GRAPHSAGE, "graphsage", "GraphSAGE with sum, mean or max aggregation",
     sage_help, feature_lists)
KIND(gcn, RG_GNN_GCN, "gcn", "graph convolutional network", gcn_help, feature_lists)
KIND(dgcnn, RG_GNN_DGCNN, "dgcnn",
     "DGCNN: sort pooling, then 1-D convolutions over the sorted nodes", dgcnn_help, feature_lists)
KIND(gsn, RG_GNN_GSN, "gsn", "GIN with counts of cycles and cliques as features", gin_help,
     feature_lists)
KIND(message_passing, RG_GNN_LAYERS, "message-passing",
     "your own list of message passing and rule layers", list_help, all_lists)
