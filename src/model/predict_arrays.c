/* predict_arrays.c - predictions into arrays of the caller. */
#include "base/error.h"
#include "base/sized.h"
#include "regula/model.h"

#include <string.h>

typedef struct filling {
    rg_prediction_arrays *out;
    size_t n_outputs, n_embedding; /* numbers per row */
    size_t n_rows, n_samples;      /* so far */
} filling;

/* Rows of one array, if it is wanted and there is something to copy. */
static void put(void *array, const void *from, size_t row, size_t n_rows, size_t row_bytes)
{
    if (array && from)
        memcpy((char *)array + row * row_bytes, from, n_rows * row_bytes);
}

static rg_status take(void *context, const rg_prediction *p, rg_error *err)
{
    filling *f = context;
    rg_prediction_arrays *out = f->out;
    size_t row = f->n_rows;
    if (p->n_rows > out->n_rows - row)
        return rg_fail(err, RG_EUSAGE, "found room for %zu rows of predictions, expected more",
                       out->n_rows);
    put(out->outputs, p->outputs, row, p->n_rows, f->n_outputs * sizeof(double));
    put(out->probabilities, p->probabilities, row, p->n_rows, f->n_outputs * sizeof(double));
    put(out->classes, p->classes, row, p->n_rows, sizeof(uint32_t));
    put(out->embedding, p->embedding, row, p->n_rows, f->n_embedding * sizeof(double));
    f->n_rows += p->n_rows;
    f->n_samples++;
    if (out->first_rows)
        out->first_rows[f->n_samples] = f->n_rows;
    return RG_OK;
}

static rg_status check_embedding(filling *f, const rg_model *model, rg_error *err)
{
    if (!f->out->embedding)
        return RG_OK;
    rg_status status = rg_model_embedding_size(&f->n_embedding, model, err);
    if (!status && f->out->n_embedding != f->n_embedding)
        status = rg_fail(err, RG_EUSAGE, "found room for embeddings of %zu numbers, expected %zu",
                         f->out->n_embedding, f->n_embedding);
    return status;
}

rg_status rg_model_predict_arrays(rg_prediction_arrays *out, const rg_model *model,
                                  const rg_source *source, const rg_predict_options *options,
                                  rg_predict_report *report, rg_error *err)
{
    rg_prediction_arrays known = RG_PREDICTION_ARRAYS_INIT; /* as this version knows it */
    filling f = {.out = &known};
    rg_predict_options own = RG_PREDICT_OPTIONS_INIT;
    rg_model_info info = RG_MODEL_INFO_INIT;
    rg_status status = out ? RG_TAKE(rg_prediction_arrays, &known, out, err)
                           : rg_fail(err, RG_EUSAGE, "found no arrays, expected some");
    if (!status)
        status = RG_TAKE(rg_predict_options, &own, options, err);
    if (!status)
        status = rg_model_describe(&info, model, err);
    f.n_outputs = info.n_outputs;
    if (!status)
        status = check_embedding(&f, model, err);
    own.embed = known.embedding != NULL;
    if (!status && known.first_rows)
        known.first_rows[0] = 0;
    if (!status)
        status = rg_model_predict(model, source, &own, take, &f, report, err);
    if (!status) {
        known.n_rows = f.n_rows;
        known.n_embedding = f.n_embedding;
        rg_sized_put(out, &known, sizeof known);
    }
    return status;
}
