/* fuzz_model.c - any container of tensors as a model: refused with a message, or it answers for a
 * few graphs and arrays, the same with embeddings and without, and without its zeros too. */
#include "containers.h"
#include "model/model.h"

/* ---- what is answered for */

static rg_arrays *make_arrays(void)
{
    double x[48];
    rg_arrays *arrays = NULL;
    for (size_t k = 0; k < 48; k++)
        x[k] = (double)(k * k % 17) / 8 - 1;
    rg_arrays_content content = {
        .size = sizeof content, .n_samples = 2, .shape = {4, 3, 2}, .doubles = x};
    CHECK(rg_arrays_build(&arrays, &content, NULL) == RG_OK);
    return arrays;
}

typedef struct fuzz_answers {
    double outputs[4096];
    size_t n;
} fuzz_answers;

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    fuzz_answers *a = context;
    (void)err;
    for (size_t k = 0; k < p->n_rows * p->n_outputs && a->n < 4096; k++)
        a->outputs[a->n++] = p->outputs[k];
    for (size_t k = 0; k < p->n_rows && p->classes; k++)
        CHECK(p->classes[k] < p->n_outputs);
    return RG_OK;
}

/* Would a pass over the small samples take long? */
static bool is_large(const rg_network *net)
{
    double cost = 0;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        double rows = layer->rows_out ? layer->rows_out : 5;
        double in = layer->rows_in ? layer->rows_in : 5;
        cost += layer->n_rules ? rows * in * layer->n_out * layer->n_in
                               : rows * layer->n_out * layer->n_in;
    }
    return cost > 1e6;
}

static rg_status answer(fuzz_answers *out, const rg_model *model, int embed)
{
    static rg_dataset *graphs;
    static rg_arrays *arrays;
    if (!graphs) {
        graphs = fuzz_graphs();
        arrays = make_arrays();
    }
    rg_source source = {.graphs = model->net->arrays ? NULL : graphs,
                        .arrays = model->net->arrays ? arrays : NULL};
    rg_predict_options options = {
        .size = sizeof options, .n_threads = 1, .memory = 1 << 20, .embed = embed};
    rg_error err = {""};
    out->n = 0;
    rg_status status = rg_model_predict(model, &source, &options, note, out, NULL, &err);
    CHECK(!status == !err.message[0] && status != RG_ENOMEM);
    return status;
}

/* Without embeddings, and without its zeros, a model gives the same answers. */
static void answer_again(const fuzz_answers *first, rg_status status, rg_model *model)
{
    static fuzz_answers second;
    rg_error err = {""};
    size_t n_dropped;
    CHECK(status == answer(&second, model, 0) || status == RG_EUSAGE); /* no vector */
    if (!status)
        CHECK(first->n == second.n &&
              memcmp(first->outputs, second.outputs, second.n * sizeof(double)) == 0);
    CHECK(rg_model_compact(model, &n_dropped, &err) == RG_OK);
    CHECK(status == RG_EUSAGE || status == answer(&second, model, 0));
}

/* A labeling may lie in a file of this machine, which is not to be opened. */
static bool may_open_files(const rg_tensors *set)
{
    const char *text = rg_tensors_metadata(set, "regula.network");
    return text && (strstr(text, "file") || strchr(text, '\\'));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static fuzz_answers first;
    rg_tensors *set = NULL;
    rg_model *model = NULL;
    rg_error err = {""};
    if (rg_tensors_parse(&set, "input", bytes, n, false, &err))
        return 0;
    rg_status status = may_open_files(set) ? RG_EDATA : rg_model_decode(&model, "input", set, &err);
    if (!status && !is_large(model->net)) {
        rg_model_info info = RG_MODEL_INFO_INIT;
        status = answer(&first, model, n % 2);
        CHECK(rg_model_describe(&info, model, &err) == RG_OK);
        if (n % 4 == 1) /* every pass takes as long as reading the model: not for all */
            answer_again(&first, status, model);
    } else if (status && err.message[0])
        CHECK(!model && status != RG_ENOMEM);
    rg_model_free(model);
    rg_tensors_free(set);
    return 0;
}
