/* train.h - training, from initial weights to those of the best epoch.
 * Data flow: network -> TRAIN -> model.
 *
 * A trainer runs 1, 4 or 8 runs of one network on one fold at once, each in a lane. A run is told
 * by the seed and its number: start values and dropout are its own, the order of the samples is
 * that of the seed, so that all lanes go through the same batches; each lane has the bits of the
 * same run alone. Nothing is allocated in an epoch (while tables are kept). The parts
 * of a batch (batch_parts.h) may be shared by threads; several trainers may share samples, if all tables are kept. */
#ifndef REGULA_TRAIN_TRAIN_H
#define REGULA_TRAIN_TRAIN_H

#include "measure.h"
#include "regula/model.h"

typedef struct rg_trainer rg_trainer;

typedef struct rg_trainer_options {
    uint32_t lanes;     /* 1, 4 or 8 */
    uint64_t seed;      /* of the order of the samples, and with the number of a run of its rest */
    uint32_t first_run; /* lane l is run first_run + l */
    rg_cpu cpu;         /* the widest vectors to use: the bits are the same for all */
    unsigned n_threads; /* that share the parts of a batch; 0: all processors */
    rg_metric metric;   /* in place of that of the settings, if it is not DEFAULT */
    const double *
        start; /* [n_params + n_state]: values to begin with, NaN: the usual one; NULL: none. Borrowed
                            until the trainer is there */
} rg_trainer_options;

/* What can be said without samples, before tables are built: RG_EDATA, RG_EUSAGE. */
RG_MUST_CHECK rg_status rg_trainer_check(const rg_fold *fold, const rg_settings *settings,
                                         const rg_trainer_options *options, rg_error *err);

/* samples: kept; fold: kept, train not empty. RG_EDATA (settings that do not fit), RG_EUSAGE,
 * RG_ENOMEM. out: owned (rg_trainer_free). */
RG_MUST_CHECK rg_status rg_trainer_new(rg_trainer **out, rg_samples *samples, const rg_fold *fold,
                                       const rg_settings *settings,
                                       const rg_trainer_options *options, rg_error *err);
void rg_trainer_free(rg_trainer *trainer); /* NULL is fine */

/* All epochs done, or every lane stopped? */
bool rg_trainer_done(const rg_trainer *trainer);
/* One more epoch. RG_EFAIL if every lane's loss is no number and none ever had weights to keep;
 * RG_ENOMEM and others only where tables are built on the way. */
RG_MUST_CHECK rg_status rg_trainer_epoch(rg_trainer *trainer, rg_error *err);

/* What the scores are, and the part of the training targets that are of the most frequent class (NaN: real values). */
rg_metric rg_trainer_metric(const rg_trainer *trainer);
double rg_trainer_majority(const rg_trainer *trainer);
uint32_t rg_trainer_epochs(const rg_trainer *trainer); /* done so far */
/* Epoch (from 1) of a lane. Borrowed. */
const rg_epoch *rg_trainer_report(const rg_trainer *trainer, uint32_t epoch, size_t lane);

/* Measures all parts with the weights of each lane's best epoch. May be asked at any time; training
 * can go on after it. runs: one per lane. */
RG_MUST_CHECK rg_status rg_trainer_finish(rg_trainer *trainer, rg_run *runs, rg_error *err);
/* The same from [training, validation, test] as they were measured, and their scores; NULL: only what was said after the
 * best epoch of each run. */
void rg_trainer_runs(rg_run *runs, const rg_trainer *trainer, const rg_tally tally[3],
                     double (*score)[RG_MAX_LANES]);
/* The lane whose best epoch is the best of all. */
size_t rg_trainer_best(const rg_trainer *trainer);
uint32_t rg_trainer_best_epoch(const rg_trainer *trainer, size_t lane); /* from 1; 0: none yet */
/* The n_params weights of a lane's best epoch, and behind them the n_state numbers that layers keep. */
void rg_trainer_weights(double *out, const rg_trainer *trainer, size_t lane);

/* What the best weights of the first n_runs lanes say of the samples of a part: of every sample, or
 * every node, in order, n_rows in all, its number in samples[row] and probabilities or values in
 * numbers[run][row][output]. */
RG_MUST_CHECK rg_status rg_trainer_predict(rg_trainer *trainer, const rg_part *part,
                                           uint32_t *samples, float *numbers, size_t n_runs,
                                           size_t n_rows, rg_error *err);

/* checkpoint.c: all of the state, so that training goes on with the same bits. `about` tells what
 * the run is of (data, fold, network: any text) and must be the same when it is loaded. Loading
 * that fails leaves the trainer as it was. RG_EIO, RG_EDATA (damaged), RG_EFAIL (of another run),
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_trainer_save(const rg_trainer *trainer, const char *path,
                                        const char *about, rg_error *err);
RG_MUST_CHECK rg_status rg_trainer_load(rg_trainer *trainer, const char *path, const char *about,
                                        rg_error *err);

#endif
