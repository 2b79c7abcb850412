/* pair_function.c - a property of your own, as a C function: train with it, save, predict on other graphs.
 *
 *     cc pair_function.c $(pkg-config --cflags --libs regula) -o pair_function
 *     ./pair_function MODEL.safetensors
 *
 * LongRings are rings with four labelled nodes; the class says which of them faces label 1. The property
 * is facing(i,j): 1 if j is half of the ring away from i. regula asks the function for every pair of
 * every graph once and keeps the numbers as a table, so the model file needs no function. */
#include <regula/regula.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char network[] = "tables: {facing: given}\n"
                              "input: constant\n"
                              "layers:\n"
                              "  - rule: share node(i), node(j) when facing(i,j) = 1\n"
                              "    bias: share node(i)\n"
                              "  - aggregate: share out, node(i)\n"
                              "training: {epochs: 40, batch: 32, lr: 0.05}\n";

/* Where every node is on its ring. */
typedef struct rings {
    const rg_dataset *data;
    size_t graph;      /* the one that `place` is of; SIZE_MAX: none */
    uint32_t place[64];
} rings;

static rg_status walk(rings *r, size_t graph, rg_error *err)
{
    rg_graph g = rg_dataset_graph(r->data, graph);
    uint32_t here = 0, before = 0;
    for (uint32_t i = 0; i < g.n_nodes; i++)
        if (g.n_nodes > 64 || g.row[i + 1] - g.row[i] != 2) {
            snprintf(err->message, sizeof err->message, "no ring of at most 64 nodes");
            return RG_EDATA;
        }
    for (uint32_t at = 0; at < g.n_nodes; at++) {
        const uint32_t *two = g.col + g.row[here];
        uint32_t next = two[0] != before || at == 0 ? two[0] : two[1];
        r->place[here] = at;
        before = here;
        here = next;
    }
    r->graph = graph;
    return RG_OK;
}

/* What is called back. A status that is not RG_OK ends the whole, with this message. */
static rg_status facing(void *context, size_t graph, uint32_t i, uint32_t j, int64_t *out,
                        rg_error *err)
{
    rings *r = context;
    rg_status status = r->graph == graph ? RG_OK : walk(r, graph, err);
    uint32_t n = rg_dataset_graph(r->data, graph).n_nodes;
    if (!status)
        *out = (r->place[i] + n - r->place[j]) % n == n / 2; /* 0: none */
    return status;
}

/* A set of rings, and the property as a table for it. */
static rg_status make(rg_dataset **data, rg_pair_table **table, uint64_t seed, rg_error *err)
{
    rg_generate_options options = RG_GENERATE_OPTIONS_INIT;
    rings r = {NULL, SIZE_MAX, {0}};
    options.seed = seed;
    options.n_graphs = 300;
    options.n_nodes = 16;
    rg_status status = rg_dataset_generate(data, RG_LONG_RINGS, &options, err);
    r.data = *data;
    return status ? status : rg_pair_table_of_graphs(table, *data, 2, facing, &r, err);
}

static rg_status train(rg_model **out, const rg_dataset *data, const rg_pair_table *table,
                       rg_error *err)
{
    rg_rule_labeling given = {.name = "facing", .is_table = 1, .pairs = table};
    rg_train_options options = RG_TRAIN_OPTIONS_INIT;
    rg_source source = {data, NULL};
    rg_recipe *recipe = NULL;
    rg_splits *splits = NULL;
    options.tables = &given;
    options.n_tables = 1;
    rg_status status = rg_recipe_parse(&recipe, "network", network, strlen(network), err);
    if (!status)
        status = rg_splits_make(&splits, data, NULL, err);
    if (!status) {
        rg_fold fold = rg_splits_fold(splits, 0);
        status = rg_model_train(out, NULL, recipe, &source, &fold, &options, err);
    }
    rg_splits_free(splits);
    rg_recipe_free(recipe);
    return status;
}

int main(int argc, char **argv)
{
    rg_dataset *data = NULL, *unseen = NULL;
    rg_pair_table *table = NULL, *other = NULL;
    rg_model *model = NULL, *loaded = NULL;
    rg_evaluation result = RG_EVALUATION_INIT;
    rg_error err = {"usage: pair_function MODEL.safetensors"};
    rg_status status = argc == 2 ? make(&data, &table, 1, &err) : RG_EUSAGE;
    if (!status)
        status = make(&unseen, &other, 2, &err);
    if (!status)
        status = train(&model, data, table, &err);
    if (!status)
        status = rg_model_save(model, argv[1], &err);
    if (!status)
        status = rg_model_load(&loaded, argv[1], &err);
    rg_source source = {unseen, NULL};
    /* The file has numbers for the graphs of the training alone; these are other graphs. */
    if (!status && rg_model_evaluate(&result, loaded, &source, NULL, &err) != RG_EDATA)
        status = RG_EFAIL;
    if (!status)
        printf("without numbers: %s\n", err.message);
    if (!status)
        status = rg_model_set_table(loaded, "facing", other, &source, &err);
    if (!status)
        status = rg_model_evaluate(&result, loaded, &source, NULL, &err);
    if (status)
        fprintf(stderr, "pair_function: %s\n", err.message);
    else
        printf("with them: %.0f of 300 unseen graphs are right\n", result.accuracy * 300);
    rg_model_free(loaded);
    rg_model_free(model);
    rg_pair_table_free(table);
    rg_pair_table_free(other);
    rg_dataset_free(data);
    rg_dataset_free(unseen);
    return (int)status;
}
