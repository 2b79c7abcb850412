/* record.h - the record of a training, in a model and in a checkpoint. */
#ifndef REGULA_TRAIN_RECORD_H
#define REGULA_TRAIN_RECORD_H

#include "regula/model.h"
#include "train.h"

/* What a model says of its training: a JSON object on one line, the same bytes for the same
 * training (no times, no machine). Owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_record_print(char **out, const rg_source *source, const rg_fold *fold,
                                        const rg_train_options *options, const rg_trainer *trainer,
                                        const rg_train_report *report, rg_error *err);

/* The metric that a record tells of, if it does; else *out stays. */
void rg_record_metric(rg_metric *out, const char *record);

/* What a training is of, as digests: two with the same text go through the same states. Owned
 * (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_record_about(char **out, const rg_recipe *recipe,
                                        const rg_source *source, const rg_fold *fold,
                                        const rg_train_options *options, rg_error *err);

#endif
