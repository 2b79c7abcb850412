/* scene.h - what several benchmarks do: a network on a data set, and the processor time of its epochs. */
#ifndef REGULA_BENCH_SCENE_H
#define REGULA_BENCH_SCENE_H

#include "regula/regula.h"
#include "train/recipe.h"
#include "train/train.h"

double scene_now(void);                                 /* processor seconds of this process */
void scene_must(rg_status status, const rg_error *err); /* ends the program with the message */

/* A network and the tables of its data. */
typedef struct bench_scene {
    rg_network *net;
    rg_samples *samples;
    rg_settings settings;
    double seconds; /* to build, on one thread */
} bench_scene;

rg_recipe *scene_recipe(const char *text); /* of a network file; rg_recipe_free */
bench_scene scene_open(const rg_dataset *data, const rg_recipe *recipe);
void scene_close(bench_scene *s);

/* The fastest of n epochs, validation included. Several networks: they take turns. */
double scene_epoch(const bench_scene *s, const rg_fold *fold, uint32_t lanes, uint32_t n);
void scene_epochs(double *seconds, const bench_scene *scenes, size_t n_scenes, const rg_fold *fold,
                  uint32_t lanes, uint32_t n);

/* $REGULA_DATA/NAME.zip, and fold 0 of its split in `splits`; false: it is not there. */
bool scene_data(rg_dataset **data, rg_splits **splits, const char *name);

#endif
