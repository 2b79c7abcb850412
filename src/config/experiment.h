/* experiment.h - experiment files from the inside: a draft becomes an experiment.
 *
 *     text ──override.c──> tree of the file, with what was set on the command line
 *          ──settings.c──> everything but networks and lists
 *          ──networks.c──> networks: trees of the files that are named, or maps of this file
 *          ──models.c────> baselines in their place
 *          ──grid.c──────> axes, and all ways to choose from them
 *          ──tree.c──────> for each: a network with labels, input and settings laid over it
 *          ──variable.c──> its variables replaced, and a recipe made of it
 *          ──print.c─────> the whole in normal form, and its digest */
#ifndef REGULA_CONFIG_EXPERIMENT_H
#define REGULA_CONFIG_EXPERIMENT_H

#include "base/table.h"
#include "baseline/baseline.h"
#include "regula/experiment.h"
#include "text/yaml_edit.h"

enum { RG_VARIABLES_MAX = 64 };

#define RG_AXIS_ALL SIZE_MAX    /* an axis of all alternatives */
#define RG_PICK_NONE UINT32_MAX /* from an axis that is not of this alternative */

/* A list to choose from. */
typedef struct rg_axis {
    char *name;          /* owned */
    const rg_yaml *list; /* where it stands, while there is a draft */
    char **choices;      /* [n] "NAME=VALUE", owned */
    size_t n;
    size_t of;     /* the alternative that has the list; RG_AXIS_ALL: it is the experiment's */
    bool training; /* it lies in the experiment's `training` */
} rg_axis;

struct rg_experiment {
    rg_experiment_info info; /* borrows from the rest */
    rg_split_options split;
    char *name, *data, *splits;
    uint32_t *folds;
    rg_axis *axes;
    size_t n_axes, axis_capacity;
    rg_table
        *recipes;    /* their texts, zero byte included; the number is that of the configuration */
    uint32_t *picks; /* [configuration][axis]: which item of the list, or RG_PICK_NONE */
    size_t n_picks, pick_capacity;
    char *text;
    char digest[RG_DIGEST_SIZE];
};

/* Where an experiment comes from. All borrowed. */
typedef struct rg_experiment_source {
    const char *name; /* of the file, for messages */
    const char *text;
    size_t n;
    const char *directory; /* where files that it names may lie, "" or ending with '/'; NULL: no
                              files are looked at */
    const char *const *overrides;
    size_t n_overrides;
    size_t limit; /* ways to choose, at most */
} rg_experiment_source;

RG_MUST_CHECK rg_status rg_experiment_build(rg_experiment **out, const rg_experiment_source *source,
                                            rg_error *err);

/* A network, or a baseline: then the tree has the key `model`. */
typedef struct rg_draft_network {
    rg_yaml *tree;                /* owned */
    char *name;                   /* owned; NULL: has none */
    const rg_baseline_kind *kind; /* of a baseline, static; NULL: of a network, or not known */
    bool baseline;
} rg_draft_network;

/* An experiment that is being read. Parts are filled in the order of the functions below. */
typedef struct rg_draft {
    const rg_experiment_source *source;
    rg_yaml *root; /* of the file, owned */
    rg_experiment *experiment;
    rg_draft_network *networks;
    size_t n_networks;
    const rg_yaml *list; /* the value of `network`, `model` or `compare` */
    bool models;         /* it is that of `model` */
    bool compare;        /* it is that of `compare`: every alternative is a result of its own */
    bool alternatives;   /* it is a list to choose from */
    const rg_yaml *labels, *input, *training, *grid; /* NULL: not said */
} rg_draft;

/* Lays KEY=VALUE over the tree of a file. RG_EUSAGE, RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_draft_override(rg_yaml *root, const char *override, rg_error *err);
RG_MUST_CHECK rg_status rg_draft_settings(rg_draft *draft, rg_error *err);
/* The path of a file that the experiment names: beside its own file, else from the current
 * directory. Owned (rg_free). RG_EIO (in neither), RG_EDATA (no files are looked at), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_draft_path(char **out, const rg_draft *draft, const rg_yaml *node,
                                      rg_error *err);
RG_MUST_CHECK rg_status rg_draft_networks(rg_draft *draft, rg_error *err);
/* The tree of a baseline, with the key `model` first, from an entry under the key `model`. out:
 * owned (rg_yaml_free), untouched on failure; the tree of `node` must outlive it. RG_EDATA,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_draft_model(rg_yaml **out, const rg_yaml *node, rg_error *err);
/* Is the value of the setting, a list or a map, one value as it stands? kind: may be NULL. */
bool rg_draft_is_whole(const rg_baseline_kind *kind, const char *setting);
/* A baseline may name a network file whose labels it uses: the file's tree takes its place.
 * RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_draft_inline(const rg_draft *draft, rg_draft_network *network,
                                        rg_error *err);
RG_MUST_CHECK rg_status rg_draft_axes(rg_draft *draft, rg_error *err);
/* Every variable has a name that is one, and is used somewhere. RG_EDATA. */
RG_MUST_CHECK rg_status rg_draft_variables(const rg_draft *draft, rg_error *err);
RG_MUST_CHECK rg_status rg_draft_expand(rg_draft *draft, rg_error *err);
RG_MUST_CHECK rg_status rg_draft_print(rg_draft *draft, rg_error *err);

/* Does it matter what is picked from this axis, with the alternative that is picked? */
bool rg_draft_applies(const rg_draft *draft, const rg_axis *axis, const uint32_t *picks);
/* What the choices make of a node: the item that was picked if it is the list of an axis, else the
 * node itself. picks: [axis]. Borrowed. */
const rg_yaml *rg_draft_pick(const rg_draft *draft, const rg_yaml *node, const uint32_t *picks);
/* The tree of one network file. out: owned (rg_yaml_free), untouched on failure; the draft must
 * outlive it. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_draft_tree(rg_yaml **out, const rg_draft *draft, const uint32_t *picks,
                                      rg_error *err);
/* Replaces the variables in all texts of a tree. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_draft_substitute(const rg_draft *draft, rg_yaml *tree,
                                            const uint32_t *picks, rg_error *err);

/* A text of one line without control characters, not empty. */
bool rg_draft_is_line(const char *text);

#endif
