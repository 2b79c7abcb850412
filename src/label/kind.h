/* kind.h - what a labeling is made of: one file each in the room labelings, and one line of the list
 * below.
 *
 * CONTRIBUTING.md has a worked example. A labeling either gives every node some whole numbers,
 * which together are its key (`numbers`, `read`), or refines the labels of another one (`refine`).
 */
#ifndef REGULA_LABEL_KIND_H
#define REGULA_LABEL_KIND_H

#include "labeling.h"

/* THE table: every labeling, in the order in which messages name them. */
#define RG_LABEL_KINDS(X) \
    X(node)               \
    X(degree)             \
    X(core)               \
    X(betweenness)        \
    X(trivial)            \
    X(attribute)          \
    X(element)            \
    X(charge)             \
    X(hydrogens)          \
    X(aromatic)           \
    X(ring_size)          \
    X(hybridisation)      \
    X(chirality)          \
    X(wl)                 \
    X(wl2)                \
    X(marked)             \
    X(walks)              \
    X(cycles)             \
    X(cliques)            \
    X(pattern)            \
    X(combine)            \
    X(file)

typedef enum rg_label_argument_type {
    RG_ARGUMENT_END, /* behind the last one */
    RG_ARGUMENT_INT,
    RG_ARGUMENT_FLAG,
    RG_ARGUMENT_CHOICE,
    RG_ARGUMENT_LABELING,
    RG_ARGUMENT_PATTERN,
    RG_ARGUMENT_PATH
} rg_label_argument_type;

/* One argument. Labelings, patterns and a path have places of their own in rg_label_spec. */
typedef struct rg_label_argument {
    rg_label_argument_type type;
    const char *name;     /* NULL: without a name, in this place */
    size_t offset;        /* of the field: uint32_t (a number) or bool (a flag, a choice) */
    uint32_t low;         /* of a number; of things without a name: how many there must be */
    uint32_t high;        /* of a number */
    uint32_t usual;       /* the default of a number, flag or choice */
    const char *words[2]; /* of a choice: false, true */
    const char *labeling; /* the default of a labeling with a name */
    const char *missing;  /* what to expect where there are fewer than `low` */
} rg_label_argument;

#define RG_ARGUMENT_MANY 1000000000u
#define RG_NUMBER(word, spec, field, least, most, value)                                      \
    {                                                                                         \
        .type = RG_ARGUMENT_INT, .name = word, .offset = offsetof(spec, field), .low = least, \
        .high = most, .usual = value                                                          \
    }
#define RG_FLAG(word, spec, field, value)                                                       \
    {                                                                                           \
        .type = RG_ARGUMENT_FLAG, .name = word, .offset = offsetof(spec, field), .usual = value \
    }
#define RG_CHOICE(word, spec, field, no, yes)                                                      \
    {                                                                                              \
        .type = RG_ARGUMENT_CHOICE, .name = word, .offset = offsetof(spec, field), .words[0] = no, \
        .words[1] = yes                                                                            \
    }
/* The bound on labels that most labelings have, as the last thing of their normal form. */
#define RG_BOUND(word) RG_NUMBER(word, rg_label_spec, max_labels, 1, RG_ARGUMENT_MANY, 0)

/* One graph whose nodes get their numbers. */
typedef struct rg_label_task {
    const rg_dataset *data;
    size_t index;
    rg_graph graph;
    const rg_labeling *labeling;  /* NULL where a kernel counts */
    uint32_t *const *part_labels; /* [part][node of the set] */
    uint64_t budget;
    rg_count_space *space;
    bool capped; /* to be set: something was over the budget */
} rg_label_task;

/* A line of words that never grows: what does not fit ends with "...". */
typedef struct rg_label_words {
    char *text;
    size_t size, n;
    bool full;
} rg_label_words;
void rg_label_say(rg_label_words *out, const char *format, ...) RG_PRINTF(2, 3);

/* A labeling whose numbers count structures. Its numbers are worth a place in the cache, kernels
 * can use them, and counted.c has the words for them. */
typedef struct rg_label_counted {
    uint32_t (*size)(const rg_label_spec *spec, size_t d);    /* nodes of what dimension d counts */
    const char *(*text)(const rg_label_spec *spec, size_t d); /* its own text; NULL: size says it */
    /* More about dimension d, where something is counted; NULL: nothing. */
    void (*words)(rg_label_words *out, const rg_label_spec *spec, size_t d);
    bool (*qualified)(const rg_label_spec *spec); /* NULL: there are no qualifiers */
    const char *place;                            /* "on" a cycle, "in" a clique */
    const char *noun, *plain;                     /* "cycle", and "ring" in explanations */
    const char *qualifier, *plain_qualifier;
    const char *before_size, *after_size; /* "length " 5, or 5 " nodes" */
    bool says_most;                       /* "on no ring of up to 8" */
} rg_label_counted;

struct rg_label_kind {
    const char *name;
    size_t size; /* of a struct that begins with an rg_label_spec; the rest is its own settings */
    rg_label_argument arguments[8];

    /* What only all arguments together tell; `column` is for the message. May be NULL. RG_EUSAGE.
     */
    rg_status (*check)(const rg_label_spec *spec, size_t column, rg_error *err);
    /* Has a set what the labeling looks at? NULL: always. RG_EDATA. */
    rg_status (*check_data)(const rg_label_spec *spec, const rg_dataset *data, rg_error *err);
    size_t (*dims)(const rg_label_spec *spec); /* numbers per node; NULL: one */

    /* How many levels of keys, each made of numbers of those below; NULL: depth + 1. */
    size_t (*levels)(const rg_label_spec *spec);
    /* Has a key of a level a shape that fitting can give it? For keys that come from a file; levels
     * below are there. NULL: two words per number, or what wl has. */
    bool (*key_fits)(const rg_labeling *labeling, size_t level, const uint32_t *words, size_t n);

    /* One of the three. numbers: of one graph, out[node * dims + d], zero before. read: of the
     * whole set at once. refine: labels from those of its part, see rg_wl_run. */
    rg_status (*numbers)(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err);
    rg_status (*read)(int64_t *out, const rg_label_spec *spec, const rg_dataset *data,
                      rg_error *err);
    rg_status (*refine)(uint32_t *labels, const rg_labeling *labeling, rg_labeling *fit,
                        const rg_label_frame *frame, const uint32_t *from, rg_error *err);
    /* Before the numbers of a fit are computed; may be NULL. */
    rg_status (*fit)(rg_labeling *labeling, const rg_label_frame *frame, rg_error *err);

    const rg_label_counted *counted; /* NULL: it counts nothing */
    bool joins; /* its numbers are the labels of its parts, which have the words too */
    /* The words of a key, two per number (rg_words_to_int): "degree 3", and as what is said of
     * a node in an explanation: "of degree 3"; brief: in a list of neighbours. NULL: nothing to
     * say. */
    void (*describe)(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key);
    void (*phrase)(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief);
    uint32_t (*root)(const rg_labeling *labeling, const uint32_t *key); /* the node's label of part
                          0, whose words come before its own; RG_UNSEEN, NULL: none do */
    bool partial; /* its words do not tell all of a key: the label's number stands beside them */
    const char *bare; /* its number can stand alone in a list of neighbours, behind these words */
    bool (*named)(const rg_label_spec *spec); /* are its numbers node labels with names? NULL: no */
    uint32_t (*column)(
        const rg_label_spec
            *spec); /* of node labels, if its numbers are their values; NULL: they are not */
};

#define RG_LABEL_KIND(name) extern const rg_label_kind rg_label_##name;
RG_LABEL_KINDS(RG_LABEL_KIND)
#undef RG_LABEL_KIND

/* The labeling of this number; NULL if there are not so many. */
const rg_label_kind *rg_label_kind_at(size_t k);

/* describe.c: the words of a label, for a `describe` that needs those of a part. */
void rg_label_say_label(rg_label_words *out, const rg_labeling *labeling, uint32_t label);

/* labelings/counted.c: a check of min and max; describe and phrase of every labeling that counts. */
RG_MUST_CHECK rg_status rg_label_check_range(uint32_t min, uint32_t max, size_t column,
                                             rg_error *err);
void rg_counted_describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key);
void rg_counted_phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                       bool brief);

#endif
