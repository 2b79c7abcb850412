/* checkpoint.c - the whole state of training in one file, and back.
 *
 * Weights, moments, best weights and masks are tensors as they stand in memory; what each lane and
 * the optimiser have counted are numbers in one tensor of doubles (counts below 2^53 are exact). */
#include "base/alloc.h"
#include "base/error.h"
#include "model/safetensors.h"
#include "trainer.h"

#include <string.h>

#define CHECKPOINT_FORMAT "1"
#define CHECKPOINT_BYTES_MAX ((size_t)1 << 36)

enum { GLOBALS = 4, PER_LANE = 10 };

/* ---- what was counted, as numbers */

static void pack(const rg_trainer *t, double *out)
{
    *out++ = t->epoch;
    *out++ = (double)t->optimiser.n_steps;
    *out++ = t->optimiser.power1;
    *out++ = t->optimiser.power2;
    for (uint32_t l = 0; l < t->options.lanes; l++) {
        const rg_lane *lane = &t->lanes[l];
        const double values[PER_LANE] = {
            lane->schedule.lr, lane->schedule.best, lane->schedule.epoch, lane->schedule.since,
            lane->best_epoch,  lane->best_score,    lane->best_loss,      lane->stopped,
            lane->failed,      lane->epochs};
        memcpy(out, values, sizeof values);
        out += PER_LANE;
    }
}

/* A count that a file claims. */
static bool count(uint32_t *out, double value, uint32_t most)
{
    if (!(value >= 0 && value <= most) || value != (double)(uint32_t)value)
        return false;
    *out = (uint32_t)value;
    return true;
}

/* What a file says was counted, taken over only when all of it makes sense. */
typedef struct checkpoint_counts {
    uint32_t epoch;
    double n_steps, power1, power2;
    rg_lane lanes[RG_MAX_LANES];
} checkpoint_counts;

static bool unpack(checkpoint_counts *out, const rg_trainer *t, const double *in)
{
    uint32_t stopped, failed;
    if (!count(&out->epoch, in[0], t->settings.epochs) || !(in[1] >= 0 && in[1] < 9e15))
        return false;
    out->n_steps = in[1];
    out->power1 = in[2];
    out->power2 = in[3];
    in += GLOBALS;
    for (uint32_t l = 0; l < t->options.lanes; l++, in += PER_LANE) {
        rg_lane *lane = &out->lanes[l];
        *lane = (rg_lane){
            .schedule = {.lr = in[0], .best = in[1]}, .best_score = in[5], .best_loss = in[6]};
        if (!count(&lane->schedule.epoch, in[2], out->epoch) ||
            !count(&lane->schedule.since, in[3], out->epoch) ||
            !count(&lane->best_epoch, in[4], out->epoch) || !count(&stopped, in[7], 1) ||
            !count(&failed, in[8], 1) || !count(&lane->epochs, in[9], out->epoch))
            return false;
        lane->stopped = stopped;
        lane->failed = failed;
    }
    return true;
}

/* ---- the arrays of numbers of all parameters */

typedef struct array {
    const char *name;
    void *data;
    size_t n; /* of each lane */
} array;

/* Those that there are; how many. */
static size_t arrays_of(const rg_trainer *t, array out[5])
{
    size_t n = 0;
    out[n++] = (array){"weights", t->w, t->n_all};
    out[n++] = (array){"best", t->best, t->n_all};
    out[n++] = (array){"moment1", t->m, t->n};
    if (t->settings.optimiser.method != RG_SGD)
        out[n++] = (array){"moment2", t->v, t->n};
    if (t->mask)
        out[n++] = (array){"mask", t->mask, t->n};
    return n;
}

static rg_dtype dtype_of(const rg_trainer *t)
{
    return t->settings.precision == RG_FLOAT ? RG_DTYPE_F32 : RG_DTYPE_F64;
}

rg_status rg_trainer_save(const rg_trainer *t, const char *path, const char *about, rg_error *err)
{
    array arrays[5];
    size_t n = arrays_of(t, arrays), lanes = t->options.lanes;
    double counts[GLOBALS + PER_LANE * RG_MAX_LANES];
    rg_tensors *set = rg_tensors_new();
    rg_status status = set ? RG_OK : rg_fail_memory(err, "a checkpoint");
    pack(t, counts);
    if (t->lazy)
        rg_lazy_give(t->lazy);
    for (size_t k = 0; !status && k < n; k++)
        status = rg_tensors_add(set,
                                &(rg_tensor){.name = arrays[k].name,
                                             .dtype = dtype_of(t),
                                             .n_dims = 2,
                                             .shape = {arrays[k].n, lanes},
                                             .data = arrays[k].data},
                                err);
    if (!status)
        status = rg_tensors_add(set,
                                &(rg_tensor){.name = "counts",
                                             .dtype = RG_DTYPE_F64,
                                             .n_dims = 1,
                                             .shape = {GLOBALS + PER_LANE * lanes},
                                             .data = counts},
                                err);
    if (!status) /* `number` and what pads it go along as the bytes that they are */
        status = rg_tensors_add(set,
                                &(rg_tensor){.name = "history",
                                             .dtype = RG_DTYPE_U8,
                                             .n_dims = 1,
                                             .shape = {t->epoch * lanes * sizeof *t->history},
                                             .data = t->history},
                                err);
    if (!status)
        status = rg_tensors_add_metadata(set, "regula.checkpoint", CHECKPOINT_FORMAT, err);
    if (!status)
        status = rg_tensors_add_metadata(set, "regula.about", about, err);
    if (!status)
        status = rg_tensors_write(set, path, err);
    rg_tensors_free(set);
    return status;
}

static rg_status check(const rg_tensors *set, const char *path, const char *about, rg_error *err)
{
    const char *format = rg_tensors_metadata(set, "regula.checkpoint");
    const char *of = rg_tensors_metadata(set, "regula.about");
    if (!format || !of)
        return rg_fail(err, RG_EDATA, "%s: this is not a checkpoint of regula", path);
    if (strcmp(format, CHECKPOINT_FORMAT) != 0)
        return rg_fail(err, RG_EDATA, "%s: found format '%s' of checkpoints, expected '%s'", path,
                       format, CHECKPOINT_FORMAT);
    if (strcmp(of, about) != 0)
        return rg_fail(err, RG_EFAIL,
                       "%s: this is the checkpoint of a different run: the data, the network file, "
                       "the split, the seed, the lanes or the version of regula differ",
                       path);
    return RG_OK;
}

/* Nothing of the trainer changes before all of the file was looked at. */
static rg_status load(rg_trainer *t, const rg_tensors *set, const char *path, rg_error *err)
{
    array arrays[5];
    checkpoint_counts found;
    size_t n = arrays_of(t, arrays), lanes = t->options.lanes;
    size_t n_counts = GLOBALS + PER_LANE * lanes;
    const void *data[5], *counts, *history;
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < n; k++) {
        const size_t shape[2] = {arrays[k].n, lanes};
        status = rg_tensors_find(&data[k], set, arrays[k].name, dtype_of(t), 2, shape, err);
    }
    if (!status)
        status = rg_tensors_find(&counts, set, "counts", RG_DTYPE_F64, 1, &n_counts, err);
    if (status)
        return status;
    if (!unpack(&found, t, counts))
        return rg_fail(err, RG_EDATA, "%s: tensor 'counts' is out of range", path);
    size_t bytes = found.epoch * lanes * sizeof *t->history;
    status = rg_tensors_find(&history, set, "history", RG_DTYPE_U8, 1, &bytes, err);
    if (status)
        return status;
    t->epoch = found.epoch;
    t->optimiser.n_steps = (uint64_t)found.n_steps;
    t->optimiser.power1 = found.power1;
    t->optimiser.power2 = found.power2;
    memcpy(t->lanes, found.lanes, lanes * sizeof *t->lanes);
    if (bytes)
        memcpy(t->history, history, bytes);
    for (size_t k = 0; k < n; k++)
        if (arrays[k].n)
            memcpy(arrays[k].data, data[k], arrays[k].n * lanes * t->kernels->real_size);
    return RG_OK;
}

rg_status rg_trainer_restore(rg_trainer *t, const rg_tensors *set, const char *path,
                             const char *about, rg_error *err)
{
    rg_status status = check(set, path, about, err);
    if (!status && t->lazy) /* from now on the moments are those of the file */
        rg_lazy_give(t->lazy);
    return status ? status : load(t, set, path, err);
}

rg_status rg_trainer_load(rg_trainer *t, const char *path, const char *about, rg_error *err)
{
    rg_tensors *set = NULL;
    rg_status status = rg_tensors_read(&set, path, CHECKPOINT_BYTES_MAX, true, err);
    if (!status)
        status = rg_trainer_restore(t, set, path, about, err);
    rg_tensors_free(set);
    return status;
}
