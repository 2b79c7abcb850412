/* members.h - several networks in one model: they answer with the mean of what they say.
 *
 * The networks lie in groups of n_runs, which are the runs of one configuration: a group answers with their
 * mean, the model with the weighted mean of its groups. Means are of probabilities, or of values, as rounded to floats as the store
 * of an experiment has them, so that a model says what the experiment said, bit for bit (results/ensemble.h). */
#ifndef REGULA_MODEL_MEMBERS_H
#define REGULA_MODEL_MEMBERS_H

#include "model.h"

#define RG_MEMBERS_FORMAT \
    "2" /* of a file with several networks; each of them is a file of RG_MODEL_FORMAT */
#define RG_MEMBERS_MAX 4096

/* As rg_model_walk, for a model with members. */
RG_MUST_CHECK rg_status
rg_members_walk(const rg_model *model, rg_samples *samples, const rg_predict_options *options,
                rg_status (*each)(void *context, const rg_prediction *prediction, rg_error *err),
                void *context, rg_error *err);
/* A file of them, as tensors: bytes of the members are owned by *blocks (rg_members_free_blocks). */
RG_MUST_CHECK rg_status rg_members_put(rg_tensors *set, void ***blocks, const rg_model *model,
                                       rg_error *err);
void rg_members_free_blocks(void **blocks, const rg_model *model); /* NULL is fine */
RG_MUST_CHECK rg_status rg_members_decode(rg_model **out, const char *name, const rg_tensors *set,
                                          rg_error *err);
/* Frees what belongs to members alone. */
void rg_members_free(rg_model *model);

/* A copy of any model. out: owned (rg_model_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_model_copy(rg_model **out, const rg_model *model, rg_error *err);

#endif
