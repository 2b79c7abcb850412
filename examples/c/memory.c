/* memory.c - 1,000 graphs from arrays in memory: train, predict, save, load.
 *
 *     cc memory.c $(pkg-config --cflags --libs regula) -o memory
 *     ./memory NETWORK.yml MODEL.safetensors DIRECTORY
 *
 * Every second graph is a ring, the others are paths; node 0 is a nitrogen, the others are carbons.
 * The set goes to DIRECTORY, too, so that the command line can train on the same data:
 *     regula train DIRECTORY --network NETWORK.yml --model SAME.safetensors */
#include <regula/regula.h>

#include <stdio.h>
#include <stdlib.h>

enum { GRAPHS = 1000, NODES = 12, EDGES = GRAPHS * NODES - GRAPHS / 2 };

static uint32_t nodes[GRAPHS], edges[EDGES][2];
static uint8_t atoms[GRAPHS * NODES];
static uint8_t classes[GRAPHS];

static rg_status make(rg_dataset **out, rg_error *err)
{
    const rg_graph_columns columns[] = {
        {RG_NODE_LABEL, {atoms, RG_ITEM_U8, GRAPHS * NODES, 1, 0, 0}, NULL},
        {RG_CLASS, {classes, RG_ITEM_U8, GRAPHS, 1, 0, 0}, NULL}};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    size_t n = 0;
    for (uint32_t g = 0; g < GRAPHS; g++) {
        uint32_t first = g * NODES;
        nodes[g] = NODES;
        classes[g] = g % 2;
        for (uint32_t i = 0; i < NODES; i++) {
            atoms[first + i] = i == g % 3; /* a nitrogen; texts are taken, too (RG_ITEM_TEXT) */
            if (i + 1 < NODES || classes[g]) {
                edges[n][0] = first + i;
                edges[n++][1] = first + (i + 1) % NODES;
            }
        }
    }
    arrays.name = "memory";
    arrays.n_graphs = GRAPHS;
    arrays.nodes = (rg_matrix){nodes, RG_ITEM_U32, GRAPHS, 1, 0, 0};
    arrays.edges = (rg_matrix){edges, RG_ITEM_U32, n, 2, 0, 0};
    arrays.columns = columns;
    arrays.n_columns = 2;
    return rg_dataset_from_arrays(out, &arrays, err);
}

/* As `regula train` parts the set: a tenth for validation, by the seed. */
static rg_status train(rg_model **out, const rg_dataset *data, const char *network, rg_error *err)
{
    rg_recipe *recipe = NULL;
    rg_splits *splits = NULL;
    rg_split_options tenth = RG_SPLIT_OPTIONS_INIT;
    rg_source source = {data, NULL};
    rg_fold fold;
    tenth.n_folds = 1;
    tenth.validation = 0;
    tenth.seed = rg_train_options_default().seed;
    rg_status status = rg_recipe_read(&recipe, network, err);
    if (!status)
        status = rg_splits_make(&splits, data, &tenth, err);
    if (!status) {
        fold = rg_splits_fold(splits, 0);
        fold.validation = fold.test;
        fold.test.n = 0;
        status = rg_model_train(out, NULL, recipe, &source, &fold, NULL, err);
    }
    rg_splits_free(splits);
    rg_recipe_free(recipe);
    return status;
}

static rg_status count(size_t *right, const rg_model *model, const rg_dataset *data, rg_error *err)
{
    static uint32_t said[GRAPHS];
    rg_prediction_arrays arrays = RG_PREDICTION_ARRAYS_INIT;
    rg_source source = {data, NULL};
    arrays.n_rows = GRAPHS;
    arrays.classes = said;
    rg_status status = rg_model_predict_arrays(&arrays, model, &source, NULL, NULL, err);
    for (size_t g = *right = 0; !status && g < GRAPHS; g++)
        *right += said[g] == classes[g];
    return status;
}

int main(int argc, char **argv)
{
    rg_dataset *data = NULL;
    rg_model *model = NULL, *loaded = NULL;
    rg_error err = {"usage: memory NETWORK.yml MODEL.safetensors DIRECTORY"};
    size_t before = 0, after = 0;
    rg_status status = argc == 4 ? make(&data, &err) : RG_EUSAGE;
    if (!status)
        status = rg_dataset_write(data, argv[3], NULL, RG_FORMAT_TU, &err);
    if (!status)
        status = train(&model, data, argv[1], &err);
    if (!status)
        status = count(&before, model, data, &err);
    if (!status)
        status = rg_model_save(model, argv[2], &err);
    if (!status)
        status = rg_model_load(&loaded, argv[2], &err);
    if (!status)
        status = count(&after, loaded, data, &err);
    if (status)
        fprintf(stderr, "memory: %s\n", err.message);
    else
        printf("%zu of %d graphs are right, %zu after loading\n", before, GRAPHS, after);
    rg_model_free(loaded);
    rg_model_free(model);
    rg_dataset_free(data);
    return (int)status;
}
