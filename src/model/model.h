/* model.h - a network with its weights, and its file.
 *
 * docs/formats.md says what stands in the file, name by name. It is one container of tensors
 * (safetensors.h) with a digest over everything. */
#ifndef REGULA_MODEL_MODEL_H
#define REGULA_MODEL_MODEL_H

#include "network/samples.h"
#include "tensors.h"

#define RG_MODEL_FORMAT "1"                  /* changes when older programs cannot read it */
#define RG_MODEL_BYTES_MAX ((size_t)1 << 34) /* of a file */

struct rg_model {
    rg_network *net;        /* owned */
    rg_precision precision; /* that it was trained in, and predicts in */
    void *w;                /* [rg_model_numbers] reals: parameters, then what layers keep; owned */
    char *training;         /* how it was trained: a `training` mapping as text; owned */
    char *record;           /* what came out of it: a JSON object as text; owned */
    char digest[RG_DIGEST_TEXT]; /* of the file it was read from or written to last; else "" */
    char version[16];            /* of the program that wrote this file; else "" */
    char *spec;                  /* the network as text, in normal form; owned */
    /* Several networks (members.h): net, precision, w and spec are then those of the first, borrowed. */
    rg_model **members; /* [n_members], owned; NULL: it is one network */
    double *shares;     /* weight of each group of n_runs members, owned */
    size_t n_members;
    uint32_t n_runs;
};

enum { RG_MODEL_GROUP = 32 }; /* samples that go through at once, if layers work on batches */

/* Parameters, and what layers keep besides. */
static inline size_t rg_model_numbers(const rg_model *model)
{
    return model->net->n_params + model->net->n_state;
}

/* net: moved, also on failure. weights: parameters and what layers keep, copied. training, record: copied. out: owned
 * (rg_model_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_model_new(rg_model **out, rg_network *net, const double *weights,
                                     rg_precision precision, const char *training,
                                     const char *record, rg_error *err);

double rg_model_weight(const rg_model *model, size_t k); /* k < rg_model_numbers */
void rg_model_set_weight(rg_model *model, size_t k, double value);
size_t rg_model_real(const rg_model *model); /* bytes of one weight */

/* Takes out of the model the keys of rules all of whose weights are zero: their pairs are not
 * connected any more, which gives the same outputs. *n_dropped: how many keys. On failure the model
 * is as it was. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_model_compact(rg_model *model, size_t *n_dropped, rg_error *err);

/* The bytes of its file. *bytes: owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_model_encode(void **bytes, size_t *n, const rg_model *model,
                                        rg_error *err);
/* From a container that was read. name: of the file, for messages. out: owned. RG_EDATA,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_model_decode(rg_model **out, const char *name, const rg_tensors *set,
                                        rg_error *err);

/* predict.c: the samples of data as the model sees them, no tables built (cancel: kept, may be NULL); and along them, as
 * rg_model_predict. */
RG_MUST_CHECK rg_status rg_model_samples(rg_samples **out, const rg_model *model,
                                         const rg_source *source, const rg_predict_options *options,
                                         rg_cancel *cancel, rg_error *err);
RG_MUST_CHECK rg_status
rg_model_walk(const rg_model *model, rg_samples *samples, const rg_predict_options *options,
              rg_status (*each)(void *context, const rg_prediction *prediction, rg_error *err),
              void *context, rg_error *err);

/* Has it embeddings, which predictions can be asked for? O(layers). */
bool rg_model_embeds(const rg_model *model);

/* What in the samples was new to the model, after a walk. */
void rg_model_report(rg_predict_report *out, const rg_samples *samples);

/* model_tables.c: the tables of a network in its file. The tensors point into the network. RG_EDATA,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_model_put_tables(rg_tensors *set, const rg_network *net, rg_error *err);
RG_MUST_CHECK rg_status rg_model_read_tables(rg_network *net, const char *path,
                                             const rg_tensors *set, rg_error *err);

/* model_names.c: the names of a network as text, for the metadata of its file, and back; name: of the
 * file, for messages. *text: owned (rg_free); NULL: there are none. RG_EDATA, RG_ENOMEM. */
#define RG_MODEL_NAMES "regula.names"
#define RG_MODEL_TARGET \
    "regula.target" /* "node_class": of a network for nodes; not there: their labels */
RG_MUST_CHECK rg_status rg_model_names_print(char **text, const rg_net_names *names, rg_error *err);
RG_MUST_CHECK rg_status rg_model_names_parse(rg_net_names *out, const char *name, const char *text,
                                             rg_error *err);

/* Names of tensors. */
typedef struct rg_tensor_name {
    char text[80];
} rg_tensor_name;
#define RG_MODEL_BIAS (SIZE_MAX - 1)
#define RG_MODEL_WHOLE SIZE_MAX
rg_tensor_name rg_model_name(size_t layer, size_t part, const char *what);
rg_tensor_name rg_model_part(const char *what, size_t k);

#endif
