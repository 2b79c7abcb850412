/* tensors.h - named arrays and named texts: what a model file holds (safetensors.h).
 *
 * A set is filled by adding to it, or read from a file. It keeps its order by itself, so the same
 * content gives the same bytes and the same digest whatever was added first. */
#ifndef REGULA_MODEL_TENSORS_H
#define REGULA_MODEL_TENSORS_H

#include "base/digest.h"
#include "regula/base.h"

#define RG_TENSOR_DIMS 8                  /* of one tensor, at most */
#define RG_TENSORS_MAX 16384              /* tensors of one set; texts too */
#define RG_TENSOR_WORDS 256               /* for rg_tensor_describe */
#define RG_TENSORS_DIGEST "regula.digest" /* key of the digest in a file; no text may have it */

/* In the order in which they stand in a file: wide ones first, so that all of them are aligned. */
typedef enum rg_dtype {
    RG_DTYPE_I64,
    RG_DTYPE_F64,
    RG_DTYPE_F32,
    RG_DTYPE_U32,
    RG_DTYPE_I32,
    RG_DTYPE_U8,
    RG_DTYPES
} rg_dtype;

const char *rg_dtype_name(rg_dtype dtype); /* "F32". Static */
size_t rg_dtype_size(rg_dtype dtype);      /* bytes of one number */

typedef struct rg_tensor {
    const char *name;
    rg_dtype dtype;
    size_t n_dims;
    size_t shape[RG_TENSOR_DIMS]; /* the last index runs fastest; n_dims 0 is one number */
    size_t bytes;                 /* worked out by rg_tensor_check; callers may leave it 0 */
    const void *data;             /* may be NULL if there are no numbers */
} rg_tensor;

/* Whether the name is printable text (and not the one that the format keeps for itself), and the
 * shape has a size; sets `bytes`. RG_EUSAGE. */
RG_MUST_CHECK rg_status rg_tensor_check(rg_tensor *tensor, rg_error *err);
/* "F32 [3, 4]". Returns `out`. */
const char *rg_tensor_describe(char out[RG_TENSOR_WORDS], const rg_tensor *tensor);

typedef struct rg_text_entry {
    const char *key, *text;
} rg_text_entry;

/* Entries in ascending order of their names, by bytes. Each is a block of its own with its texts
 * behind it, and has its name as first member. */
typedef struct rg_shelf {
    void **entries;
    size_t n, capacity;
} rg_shelf;

typedef struct rg_tensors {
    char *file; /* that it was read from, for messages; NULL: none. Owned */
    rg_shelf tensors, texts;
    void *block;        /* data of the tensors that were read. Owned */
    const void *mapped; /* or the file that they lie in: rg_file_unmap */
    size_t n_mapped;
    char
        digest[RG_DIGEST_TEXT]; /* of the content, if it was read and its digest checked; else "" */
} rg_tensors;

/* Owned (rg_tensors_free); NULL if memory is short. */
rg_tensors *rg_tensors_new(void);
void rg_tensors_free(rg_tensors *set); /* NULL is fine */

/* The name is copied, the data is kept. RG_EUSAGE (rg_tensor_check, a name that is there already,
 * too many), RG_ENOMEM. Cost: O(tensors). */
RG_MUST_CHECK rg_status rg_tensors_add(rg_tensors *set, const rg_tensor *tensor, rg_error *err);
/* Metadata: a text under a key. Both are copied. Printable UTF-8; the text, but not the key, may
 * have tabs and ends of lines. RG_EUSAGE, RG_ENOMEM. Cost: O(texts). */
RG_MUST_CHECK rg_status rg_tensors_add_metadata(rg_tensors *set, const char *key, const char *text,
                                                rg_error *err);

/* In ascending order of names and keys. Borrowed from the set. */
size_t rg_tensors_size(const rg_tensors *set);
const rg_tensor *rg_tensors_at(const rg_tensors *set, size_t k);
size_t rg_tensors_n_metadata(const rg_tensors *set);
const rg_text_entry *rg_tensors_metadata_at(const rg_tensors *set, size_t k);

/* By name; NULL: not there. Borrowed from the set. */
const rg_tensor *rg_tensors_get(const rg_tensors *set, const char *name);
const char *rg_tensors_metadata(const rg_tensors *set, const char *key);

/* The data of a tensor that must be there and be just this. out: borrowed from the set; of a set
 * that was read it starts at a multiple of the size of its numbers. RG_EDATA with the file, what was found and
 * what was expected. */
RG_MUST_CHECK rg_status rg_tensors_find(const void **out, const rg_tensors *set, const char *name,
                                        rg_dtype dtype, size_t n_dims, const size_t *shape,
                                        rg_error *err);

/* SHA-256 over all texts and all tensors, in order, everything with its length: docs/formats.md
 * says exactly how. Cost: O(bytes). */
void rg_tensors_digest(char out[RG_DIGEST_TEXT], const rg_tensors *set);

#endif
