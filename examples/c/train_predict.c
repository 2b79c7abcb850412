/* train_predict.c - train a network on synthetic graphs, save it, load it, and predict.
 *
 *     cc train_predict.c $(pkg-config --cflags --libs regula) -o train_predict
 *     ./train_predict [MODEL.safetensors]
 *
 * Every graph is a ring of 16 nodes, four of which have the labels 1 to 4; the class is the label
 * that faces label 1, 8 edges away. The rule of the first layer connects such pairs. */
#include <regula/regula.h>

#include <stdio.h>
#include <string.h>

static const char network[] = "preset: paper\n"
                              "input: scaled\n"
                              "labels: {label: node}\n"
                              "layers:\n"
                              "  - rule: share label(i), label(j) when dist(i,j) = 8\n"
                              "    bias: share label(i)\n"
                              "  - aggregate: share out, label(i)\n"
                              "training: {lr: 0.1, schedule: constant, epochs: 100}\n";

typedef struct tally {
    const uint32_t *truth; /* [graph]: its class */
    size_t n, right;
} tally;

static rg_status count(void *context, const rg_prediction *prediction, rg_error *err)
{
    tally *t = context;
    (void)err;
    t->n++;
    t->right += prediction->classes[0] == t->truth[prediction->sample];
    return RG_OK;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "rings.safetensors";
    rg_error err = {""};
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    rg_recipe *recipe = NULL;
    rg_model *model = NULL, *loaded = NULL;
    rg_generate_options rings = RG_GENERATE_OPTIONS_INIT;
    rg_split_options hold_out = RG_SPLIT_OPTIONS_INIT;
    rings.n_graphs = 300;
    rings.n_nodes = 16;
    hold_out.n_folds = 1;
    rg_status status = rg_dataset_generate(&data, RG_LONG_RINGS, &rings, &err);
    if (!status)
        status = rg_splits_make(&splits, data, &hold_out, &err);
    if (!status)
        status = rg_recipe_parse(&recipe, "network", network, strlen(network), &err);
    rg_source source = {.graphs = data};
    rg_fold fold = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    if (!status) {
        fold = rg_splits_fold(splits, 0);
        status = rg_model_train(&model, NULL, recipe, &source, &fold, NULL, &err);
    }
    if (!status)
        status = rg_model_save(model, path, &err);
    if (!status)
        status = rg_model_load(&loaded, path, &err);
    if (!status) {
        rg_predict_options options = RG_PREDICT_OPTIONS_INIT;
        options.samples = fold.test.graphs;
        options.n_samples = fold.test.n;
        tally t = {.truth = rg_dataset_ranks(data, RG_CLASS, 0)};
        status = rg_model_predict(loaded, &source, &options, count, &t, NULL, &err);
        printf("%zu of %zu test graphs are predicted correctly\n", t.right, t.n);
    }
    if (status)
        fprintf(stderr, "train_predict: %s\n", err.message);
    rg_model_free(loaded);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_splits_free(splits);
    rg_dataset_free(data);
    return (int)status;
}
