/* scene.c - see scene.h. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 8 };

double scene_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void scene_must(rg_status status, const rg_error *err)
{
    if (status) {
        fprintf(stderr, "%s\n", err->message);
        exit(1);
    }
}

rg_recipe *scene_recipe(const char *text)
{
    rg_recipe *recipe = NULL;
    rg_error err;
    scene_must(rg_recipe_parse(&recipe, "network", text, strlen(text), &err), &err);
    return recipe;
}

bench_scene scene_open(const rg_dataset *data, const rg_recipe *recipe)
{
    bench_scene s = {.settings = recipe->settings};
    rg_error err;
    rg_spec *spec = NULL;
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {NULL};
    rg_source source = {data, NULL};
    rg_build_options building = {.n_threads = 1};
    rg_samples_options tables = {.precision = s.settings.precision, .n_threads = 1, .keep = true};
    double start = scene_now();
    s.settings.patience = 0;
    scene_must(rg_recipe_spec(&spec, recipe, &err), &err);
    scene_must(rg_network_build(&s.net, labels, spec, &source, &building, &err), &err);
    scene_must(rg_samples_open(&s.samples, s.net, &source, labels, &tables, &err), &err);
    s.seconds = scene_now() - start;
    return s;
}

void scene_close(bench_scene *s)
{
    rg_samples_free(s->samples);
    rg_network_free(s->net);
}

void scene_epochs(double *seconds, const bench_scene *scenes, size_t n_scenes, const rg_fold *fold,
                  uint32_t lanes, uint32_t n)
{
    rg_trainer *trainer[MOST] = {NULL};
    rg_error err;
    rg_trainer_options options = {.lanes = lanes, .seed = 1, .n_threads = 1, .cpu = rg_cpu_best()};
    for (size_t k = 0; k < n_scenes && k < MOST; k++) {
        rg_settings settings = scenes[k].settings;
        settings.epochs = settings.schedule.epochs = n;
        seconds[k] = 1e9;
        scene_must(rg_trainer_new(&trainer[k], scenes[k].samples, fold, &settings, &options, &err),
                   &err);
    }
    for (uint32_t epoch = 0; epoch < n; epoch++)
        for (size_t k = 0; k < n_scenes && k < MOST; k++) {
            double start = scene_now();
            scene_must(rg_trainer_epoch(trainer[k], &err), &err);
            double spent = scene_now() - start;
            seconds[k] = spent < seconds[k] ? spent : seconds[k];
        }
    for (size_t k = 0; k < n_scenes && k < MOST; k++)
        rg_trainer_free(trainer[k]);
}

double scene_epoch(const bench_scene *s, const rg_fold *fold, uint32_t lanes, uint32_t n)
{
    double seconds;
    scene_epochs(&seconds, s, 1, fold, lanes, n);
    return seconds;
}

bool scene_data(rg_dataset **data, rg_splits **splits, const char *name)
{
    const char *folder = getenv("REGULA_DATA");
    char path[1024];
    rg_error err;
    if (!folder)
        return false;
    snprintf(path, sizeof path, "%s/%s.zip", folder, name);
    if (rg_dataset_read(data, path, NULL, &err))
        return false;
    snprintf(path, sizeof path, "%s/splits/%s.json", folder, name);
    scene_must(rg_splits_read(splits, path, &err), &err);
    return true;
}
