/* models.h - small models of every task, and all that they say. */
#ifndef REGULA_TESTS_SUPPORT_MODELS_H
#define REGULA_TESTS_SUPPORT_MODELS_H

#include "networks.h"

#include "model/model.h"

enum { MODELS_CLASSES, MODELS_VALUES, MODELS_MULTILABEL, MODELS_NODES, MODELS_ARRAYS, N_MODELS };

/* Data of one kind and a model that was trained on it. Ends with models_close. */
typedef struct models {
    rg_dataset *data;
    rg_arrays *arrays;
    rg_source source;
    uint32_t *numbers; /* 0, 1, 2, ... */
    size_t n;
    rg_fold fold; /* all but every fourth for training, every fourth for validation */
    rg_recipe *recipe;
    rg_model *model; /* NULL: not trained yet */
} models;

models models_open(int kind); /* not trained */
models models_trained(int kind);
void models_close(models *m);
rg_status models_train(rg_model **out, const models *m, const rg_train_options *options,
                       rg_error *err);

/* Trains a recipe on most of the graphs, then predicts all of them with embeddings, if there are any; on one
 * thread: for sweeps over allocations. */
rg_status models_all_the_way(const rg_recipe *recipe, const rg_dataset *data, rg_error *err);

/* Every number that predictions for all samples have, one after another, with embeddings. */
typedef struct models_output {
    double *values;
    size_t n, capacity, n_samples;
} models_output;

models_output models_predict(const rg_model *model, const rg_source *source);
models_output models_predict_only(const rg_model *model, const rg_source *source); /* none */
/* Bit for bit the same. Both are freed. */
void models_same(models_output *a, models_output *b);

#endif
