/* bench_model.c - what it takes to load a model, and to start the program.
 *
 *   bench_model [PROGRAM [MODEL]]     PROGRAM: build/regula; MODEL: else one that is made of rings
 *
 * Processor time of rg_model_load, the fastest of several, beside the least that any loading with a check of every
 * byte must do: one digest over the bytes. Then that of `PROGRAM --version`, the fastest of several.
 * Exit: 1 if the program takes more than 20 ms to start. */
#define _GNU_SOURCE
#include "base/digest.h"
#include "base/file.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 9, RINGS = 16000 };

static const double limit = 0.02;

static const char network[] = "labels: {wl: \"wl(depth=3, from=node)\"}\n"
                              "layers:\n"
                              "  - rule: share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..4\n"
                              "    bias: share wl(i)\n"
                              "  - aggregate: share out, wl(i)\n"
                              "training: {epochs: 1}\n";

static void make_model(const char *path)
{
    rg_generate_options options = rg_generate_options_default();
    rg_split_options parts = rg_split_options_default();
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    rg_model *model = NULL;
    rg_error err;
    options.n_graphs = RINGS;
    options.n_nodes = 16;
    parts.n_folds = 1;
    scene_must(rg_dataset_generate(&data, RG_EVEN_ODD_RINGS, &options, &err), &err);
    scene_must(rg_splits_make(&splits, data, &parts, &err), &err);
    rg_recipe *recipe = scene_recipe(network);
    rg_source source = {.graphs = data};
    rg_fold fold = rg_splits_fold(splits, 0);
    scene_must(rg_model_train(&model, NULL, recipe, &source, &fold, NULL, &err), &err);
    scene_must(rg_model_save(model, path, &err), &err);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_splits_free(splits);
    rg_dataset_free(data);
}

static void bench_load(const char *path)
{
    double best[2] = {1e9, 1e9};
    const void *bytes = NULL;
    size_t n = 0;
    char text[RG_DIGEST_TEXT];
    rg_error err;
    scene_must(rg_file_map(&bytes, &n, path, SIZE_MAX, &err), &err);
    for (int k = 0; k < ROUNDS; k++) {
        rg_model *model = NULL;
        rg_digest digest;
        double start = scene_now();
        scene_must(rg_model_load(&model, path, &err), &err);
        double middle = scene_now();
        rg_digest_init(&digest);
        rg_digest_bytes(&digest, bytes, n);
        rg_digest_finish(&digest, text);
        double spent[2] = {middle - start, scene_now() - middle};
        for (int way = 0; way < 2; way++)
            best[way] = spent[way] < best[way] ? spent[way] : best[way];
        rg_model_free(model);
    }
    rg_file_unmap(bytes, n);
    printf("loading a model of %.1f MB: %.2f ms; a digest over its bytes: %.2f ms; ratio %.2f\n",
           (double)n / 1e6, 1e3 * best[0], 1e3 * best[1], best[0] / best[1]);
}

static double start_once(const char *program)
{
    struct rusage usage;
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout))
            execl(program, program, "--version", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status) {
        fprintf(stderr, "bench_model: '%s --version' failed\n", program);
        exit(2);
    }
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    const char *program = argc > 1 ? argv[1] : "build/regula";
    char made[] = "/tmp/bench_model_XXXXXX";
    double best = 1e9;
    if (argc > 2)
        bench_load(argv[2]);
    else {
        int fd = mkstemp(made);
        if (fd < 0)
            return 2;
        close(fd);
        make_model(made);
        bench_load(made);
        unlink(made);
    }
    for (int k = 0; k < ROUNDS; k++) {
        double spent = start_once(program);
        best = spent < best ? spent : best;
    }
    printf("starting %s: %.1f ms, limit %.0f\n", program, 1e3 * best, 1e3 * limit);
    return best > limit;
}
