/* record.c - see record.h. */
#include "record.h"

#include "base/digest.h"
#include "base/error.h"
#include "network/network.h"
#include "text/text.h"

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

static void add_real(rg_text *text, const char *key, double value)
{
    rg_text_add(text, ",\"%s\":", key);
    rg_text_real(text, value);
}

static void add_run(rg_text *text, const rg_run *run)
{
    rg_text_add(text, "{\"run\":%u,\"epochs\":%u,\"best_epoch\":%u", (unsigned)run->number,
                (unsigned)run->epochs, (unsigned)run->best_epoch);
    add_real(text, "train_loss", run->train_loss);
    add_real(text, "train_score", run->train_score);
    add_real(text, "validation_loss", run->validation_loss);
    add_real(text, "validation_score", run->validation_score);
    add_real(text, "test_loss", run->test_loss);
    add_real(text, "test_score", run->test_score);
    rg_text_add(text, "}");
}

/* Curves of the run whose weights the model has: one list a quantity. */
static void add_curves(rg_text *text, const rg_trainer *trainer, const rg_train_report *report)
{
    static const char *const names[] = {"train_loss", "train_score", "validation_loss",
                                        "validation_score"};
    for (size_t c = 0; c < 4; c++) {
        rg_text_add(text, "%s\"%s\":[", c ? "," : "", names[c]);
        for (uint32_t e = 1; e <= report->runs[report->best].epochs; e++) {
            const rg_epoch *epoch = rg_trainer_report(trainer, e, report->best);
            const double values[] = {epoch->train_loss, epoch->train_score, epoch->validation_loss,
                                     epoch->validation_score};
            rg_text_add(text, "%s", e > 1 ? "," : "");
            rg_text_real(text, values[c]);
        }
        rg_text_add(text, "]");
    }
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
    char data[RG_DIGEST_SIZE], parts[RG_DIGEST_TEXT];
    rg_text text = {0};
    rg_source_digest(source, data);
    part_digest(fold, parts);
    rg_text_add(&text, "{\"data\":");
    rg_text_json(&text, rg_source_name(source));
    rg_text_add(&text, ",\"data_digest\":\"%s\",\"parts_digest\":\"%s\"", data, parts);
    rg_text_add(&text, ",\"n_train\":%zu,\"n_validation\":%zu,\"n_test\":%zu", fold->train.n,
                fold->validation.n, fold->test.n);
    /* whole numbers of JSON end below 2^64: a seed is text */
    rg_text_add(&text, ",\"seed\":\"%llu\",\"fitted_on\":\"%s\",\"run\":",
                (unsigned long long)options->seed, options->fit_on_train ? "train" : "all");
    add_run(&text, &report->runs[report->best]);
    rg_text_add(&text, ",\"curves\":{");
    add_curves(&text, trainer, report);
    rg_text_add(&text, "}}");
    return take(out, &text, err);
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
    return take(out, &text, err);
}
