/* record.c - see record.h. */
#include "record.h"

#include "base/digest.h"
#include "base/error.h"
#include "model/model.h"
#include "text/json_write.h"

#include <stdio.h>
#include <string.h>

static void part_digest(const rg_fold *fold, char out[RG_DIGEST_TEXT])
{
    const rg_part *parts[] = {&fold->train, &fold->validation, &fold->test};
    rg_digest digest;
    rg_digest_init(&digest);
    for (size_t k = 0; k < 3; k++) {
        rg_digest_u64(&digest, parts[k]->n);
        rg_digest_u32_array(&digest, parts[k]->graphs, parts[k]->n);
    }
    rg_digest_finish(&digest, out);
}

/* ---- as JSON */

static void add_run(rg_json *json, const rg_run *run)
{
    rg_json_open(json, "run", '{');
    rg_json_count(json, "run", run->number);
    rg_json_count(json, "epochs", run->epochs);
    rg_json_count(json, "best_epoch", run->best_epoch);
    rg_json_real(json, "train_loss", run->train_loss);
    rg_json_real(json, "train_score", run->train_score);
    rg_json_real(json, "validation_loss", run->validation_loss);
    rg_json_real(json, "validation_score", run->validation_score);
    rg_json_real(json, "test_loss", run->test_loss);
    rg_json_real(json, "test_score", run->test_score);
    rg_json_close(json, '{');
}

/* Curves of the run whose weights the model has: one list per quantity. */
static void add_curves(rg_json *json, const rg_trainer *trainer, const rg_train_report *report)
{
    static const char *const names[] = {"train_loss", "train_score", "validation_loss",
                                        "validation_score"};
    rg_json_open(json, "curves", '{');
    for (size_t c = 0; c < 4; c++) {
        rg_json_open(json, names[c], '[');
        for (uint32_t e = 1; e <= report->runs[report->best].epochs; e++) {
            const rg_epoch *epoch = rg_trainer_report(trainer, e, report->best);
            const double values[] = {epoch->train_loss, epoch->train_score, epoch->validation_loss,
                                     epoch->validation_score};
            rg_json_real(json, NULL, values[c]);
        }
        rg_json_close(json, '[');
    }
    rg_json_close(json, '{');
}

static rg_status take(char **out, rg_text *text, rg_error *err)
{
    char *taken = rg_text_take(text);
    if (!taken)
        return rg_fail_memory(err, "the record of a training");
    *out = taken;
    return RG_OK;
}

rg_status rg_record_print(char **out, const rg_source *source, const rg_fold *fold,
                          const rg_train_options *options, const rg_trainer *trainer,
                          const rg_train_report *report, rg_error *err)
{
    char data[RG_DIGEST_SIZE], parts[RG_DIGEST_TEXT], seed[24];
    rg_json json = {0};
    rg_source_digest(source, data);
    part_digest(fold, parts);
    /* whole numbers of JSON end below 2^64: a seed is text */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)options->seed);
    rg_json_open(&json, NULL, '{');
    rg_json_string(&json, "data", rg_source_name(source));
    rg_json_string(&json, "data_digest", data);
    rg_json_string(&json, "parts_digest", parts);
    rg_json_count(&json, "n_train", fold->train.n);
    rg_json_count(&json, "n_validation", fold->validation.n);
    rg_json_count(&json, "n_test", fold->test.n);
    rg_json_string(&json, "seed", seed);
    rg_json_string(&json, "fitted_on", options->fit_on_train ? "train" : "all");
    if (report->metric != RG_METRIC_ACCURACY && report->metric != RG_METRIC_MAE)
        rg_json_string(&json, "metric", rg_metric_name(report->metric));
    if (options->start)
        rg_json_string(&json, "start", options->start->digest);
    add_run(&json, &report->runs[report->best]);
    add_curves(&json, trainer, report);
    rg_json_close(&json, '{');
    return take(out, &json.text, err);
}

/* Quotes within texts have a backslash before them, so this is no part of one. */
void rg_record_metric(rg_metric *out, const char *record)
{
    static const char key[] = "\"metric\":";
    const char *at = strstr(record, key);
    char name[32];
    rg_error none;
    at = at ? strchr(at + sizeof key - 1, '"') : NULL;
    size_t n = at ? strcspn(at + 1, "\"") : 0;
    if (n == 0 || n >= sizeof name)
        return;
    memcpy(name, at + 1, n);
    name[n] = '\0';
    if (rg_metric_find(out, name, &none)) /* of a later version: that of the settings stays */
        return;
}

rg_status rg_record_about(char **out, const rg_recipe *recipe, const rg_source *source,
                          const rg_fold *fold, const rg_train_options *o, rg_error *err)
{
    char data[RG_DIGEST_SIZE], parts[RG_DIGEST_TEXT], file[RG_DIGEST_TEXT];
    rg_digest digest;
    rg_source_digest(source, data);
    part_digest(fold, parts);
    rg_digest_init(&digest);
    rg_digest_text(&digest, rg_recipe_text(recipe));
    rg_digest_finish(&digest, file);
    rg_text text = {0};
    rg_text_add(&text,
                "regula " RG_VERSION "\nnetwork %s\ndata %s\nparts %s\nfitted on %s\nseed "
                "%llu\nrun %u\nlanes %u\n",
                file, data, parts, o->fit_on_train ? "train" : "all", (unsigned long long)o->seed,
                (unsigned)o->first_run, (unsigned)o->lanes);
    if (o->metric != RG_METRIC_DEFAULT)
        rg_text_add(&text, "metric %s\n", rg_metric_name(o->metric));
    if (o->start)
        rg_text_add(&text, "start %s\n", o->start->digest);
    return take(out, &text, err);
}
