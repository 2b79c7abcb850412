/* fuzz_checkpoint.c - any container of tensors as a checkpoint: refused with a message, or training
 * goes on from it. */
#include "containers.h"
#include "train/trainer.h"

static const char text[] = "task: classification\n"
                           "layers:\n"
                           "  - rule: share node(i), node(j) when edge(i,j)\n"
                           "    bias: share node(i)\n"
                           "  - aggregate: share out, node(i)\n"
                           "training: {epochs: 4, prune: {part: 0.5, from: 2, to: 3},\n"
                           "  schedule: plateau, patience: 1}\n";

/* The samples of a small network, once; and its settings. */
static rg_samples *open_samples(rg_settings *settings)
{
    rg_spec *spec = NULL;
    rg_network *net = NULL;
    rg_samples *samples = NULL;
    rg_source source = {.graphs = fuzz_graphs()};
    rg_build_options building = {.n_threads = 1};
    rg_samples_options tables = {.n_threads = 1, .keep = true};
    CHECK(!rg_network_file_parse(&spec, settings, "net.yml", text, sizeof text - 1, NULL));
    CHECK(!rg_network_build(&net, NULL, spec, &source, &building, NULL));
    CHECK(!rg_samples_open(&samples, net, &source, NULL, &tables, NULL));
    return samples;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static rg_samples *samples;
    static rg_settings settings;
    static const uint32_t train[] = {1, 2, 3};
    const rg_fold fold = {.train = {train, 3}, .validation = {train, 2}};
    const rg_trainer_options options = {.lanes = 1, .seed = 1};
    rg_tensors *set = NULL;
    rg_trainer *trainer = NULL;
    rg_run run;
    rg_error err = {""};
    if (!samples)
        samples = open_samples(&settings);
    if (rg_tensors_parse(&set, "input", bytes, n, false, &err))
        return 0;
    CHECK(!rg_trainer_new(&trainer, samples, &fold, &settings, &options, &err));
    rg_status status = rg_trainer_restore(trainer, set, "input", "a run", &err);
    if (status) {
        CHECK(status == RG_EDATA || status == RG_EFAIL);
        CHECK(strncmp(err.message, "input:", 6) == 0 && rg_trainer_epochs(trainer) == 0);
    } else {
        while (!status && !rg_trainer_done(trainer))
            status = rg_trainer_epoch(trainer, &err);
        CHECK(!status || status == RG_EFAIL); /* the loss is no number */
        CHECK(!rg_trainer_finish(trainer, &run, &err));
    }
    rg_trainer_free(trainer);
    rg_tensors_free(set);
    return 0;
}
