/* grid.c - lists to choose from, and every way to choose from them. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "baseline/contender.h"

#include <string.h>

enum { LABELS_MAX = 1024 }; /* of all networks together, that can be replaced */

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "the configurations of an experiment");
}

/* ---- axes */

/* "NAME=VALUE" in one line. Owned; NULL: memory was short. */
static char *choice_text(const char *name, const rg_yaml *value)
{
    const char *text = rg_yaml_text(value);
    rg_text out = {0};
    rg_text_add(&out, "%s=", name);
    if (text && rg_draft_is_line(text))
        rg_text_add(&out, "%s", text);
    else
        rg_yaml_print_flow(&out, value);
    return rg_text_take(&out);
}

/* Where lists are looked for. */
typedef struct list_place {
    rg_draft *draft;
    size_t of;                    /* as in rg_axis */
    bool training;                /* likewise */
    bool baseline;                /* in the tree of a baseline */
    const rg_baseline_kind *kind; /* of it, if that is known */
} list_place;

/* A list, and the name of every item: that of its network, or its text. Alternatives may have lists
 * of the same name. */
static rg_status add_axis(const list_place *p, const char *name, const rg_yaml *list, rg_error *err)
{
    const rg_draft *draft = p->draft;
    rg_experiment *experiment = draft->experiment;
    size_t n = rg_yaml_size(list);
    bool networks = list == draft->list;
    if (n == 0)
        return rg_yaml_complain(list, err, "found an empty list, expected values to choose from");
    for (size_t k = 0; k < experiment->n_axes; k++)
        if (strcmp(experiment->axes[k].name, name) == 0 &&
            (experiment->axes[k].of == p->of || experiment->axes[k].of == RG_AXIS_ALL ||
             p->of == RG_AXIS_ALL))
            return rg_yaml_complain(list, err,
                                    "found a second list for '%s', expected one (the other is in "
                                    "line %zu)",
                                    name, rg_yaml_line(experiment->axes[k].list));
    if (!rg_grow(&experiment->axes, &experiment->axis_capacity, experiment->n_axes + 1,
                 sizeof *experiment->axes))
        return no_memory(err);
    rg_axis *axis =
        &experiment->axes[experiment->n_axes++]; /* rg_experiment_free looks at it now */
    *axis = (rg_axis){.name = rg_copy_text(name, strlen(name)),
                      .list = list,
                      .choices = rg_alloc_zero(n, sizeof(char *)),
                      .of = p->of,
                      .training = p->training};
    if (!axis->name || !axis->choices)
        return no_memory(err);
    for (; axis->n < n; axis->n++) {
        rg_text text = {0};
        if (networks)
            rg_text_add(&text, "%s=%s", name, draft->networks[axis->n].name);
        char *choice =
            networks ? rg_text_take(&text) : choice_text(name, rg_yaml_item(list, axis->n));
        if (!choice)
            return no_memory(err);
        axis->choices[axis->n] = choice;
    }
    return RG_OK;
}

/* The one setting of training whose value may be a list, class_weights: [1, 2]; it is a list to
 * choose from if there are lists or words in it. */
static bool is_value(const char *name, const rg_yaml *list)
{
    bool value = strcmp(name, "class_weights") == 0;
    for (size_t k = 0; value && k < rg_yaml_size(list); k++) {
        const char *text = rg_yaml_text(rg_yaml_item(list, k));
        value = text && strcmp(text, "none") != 0 && strcmp(text, "balanced") != 0;
    }
    return value;
}

/* Some settings of a baseline have lists for values: those are lists to choose from if all that is
 * in them are lists again. So is the name of the baseline, which must be one. */
static bool is_value_of(const list_place *p, const char *name, const rg_yaml *list)
{
    size_t lists = 0;
    if (p->baseline && strcmp(name, "model") == 0)
        return true;
    for (size_t k = 0; k < rg_yaml_size(list); k++)
        lists += rg_yaml_kind_of(rg_yaml_item(list, k)) == RG_YAML_LIST;
    return rg_draft_is_whole(p->kind, name) && lists < rg_yaml_size(list);
}

/* What the lists below a key are called, and a list itself: in a map inside the settings
 * "schedule.factor", but in the training of a baseline as in that of the experiment. Owned; NULL:
 * memory was short. */
static char *axis_name(const list_place *p, const char *before, const char *key, bool map)
{
    rg_text text = {0};
    bool training = map && p->baseline && !*before && strcmp(key, "training") == 0;
    rg_text_add(&text, "%s%s%s", before, training ? "" : key, map && !training ? "." : "");
    return rg_text_take(&text);
}

/* Lists in a map of settings. */
static rg_status find_axes(const list_place *p, const char *before, const rg_yaml *map,
                           rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; k < rg_yaml_size(map) && !status; k++) {
        const rg_yaml *item = rg_yaml_item(map, k);
        const char *key = rg_yaml_key(map, k);
        rg_yaml_kind kind = rg_yaml_kind_of(item);
        char *name = axis_name(p, before, key, kind == RG_YAML_MAP);
        if (!name)
            return no_memory(err);
        if (kind == RG_YAML_MAP && !rg_draft_is_whole(p->kind, key))
            status = find_axes(p, name, item, err);
        else if (kind == RG_YAML_LIST && !is_value(name, item) && !is_value_of(p, name, item))
            status = add_axis(p, name, item, err);
        rg_free(name);
    }
    return status;
}

/* The labels of all networks, each name once, up to `max`. Borrowed. */
static size_t known_labels(const char **known, size_t max, const rg_draft *draft)
{
    size_t n = 0;
    for (size_t k = 0; k < draft->n_networks; k++) {
        const rg_yaml *labels = rg_yaml_find(draft->networks[k].tree, "labels");
        bool map = labels && rg_yaml_kind_of(labels) == RG_YAML_MAP;
        for (size_t l = 0; map && l < rg_yaml_size(labels) && n < max; l++) {
            size_t other = 0;
            while (other < n && strcmp(known[other], rg_yaml_key(labels, l)) != 0)
                other++;
            if (other == n)
                known[n++] = rg_yaml_key(labels, l);
        }
    }
    return n;
}

/* Labels that no network has would be laid over nothing. */
static rg_status check_labels(const rg_draft *draft, rg_error *err)
{
    const char *known[LABELS_MAX];
    size_t n = known_labels(known, LABELS_MAX, draft), word;
    rg_status status = RG_OK;
    for (size_t k = 0; k < rg_yaml_size(draft->labels) && !status; k++) {
        const rg_yaml *key = rg_yaml_key_node(draft->labels, k);
        if (n == 0)
            return rg_yaml_complain(key, err, "found the labels '%.40s', but no network has labels",
                                    rg_yaml_text(key));
        status = rg_yaml_word(key, &word, known, n, err);
    }
    return status;
}

rg_status rg_draft_axes(rg_draft *draft, rg_error *err)
{
    static const char *const what[] = {"a map from names of labels of the network to labelings",
                                       "a map from names of variables to values"};
    rg_status status = RG_OK;
    list_place all = {.draft = draft, .of = RG_AXIS_ALL}, training = all;
    training.training = true;
    if (draft->labels && rg_yaml_kind_of(draft->labels) != RG_YAML_MAP)
        return rg_yaml_expected(draft->labels, what[0], err);
    if (draft->grid && rg_yaml_kind_of(draft->grid) != RG_YAML_MAP)
        return rg_yaml_expected(draft->grid, what[1], err);
    if (draft->alternatives)
        status = add_axis(&all,
                          draft->compare  ? "method"
                          : draft->models ? "model"
                                          : "network",
                          draft->list, err);
    for (size_t k = 0; k < draft->n_networks && !status; k++) {
        const rg_draft_network *own = &draft->networks[k];
        list_place its = {draft, draft->alternatives ? k : RG_AXIS_ALL, false, true, own->kind};
        if (own->baseline)
            status = find_axes(&its, "", own->tree, err);
    }
    if (!status && draft->labels)
        status = check_labels(draft, err);
    if (!status && draft->labels)
        status = find_axes(&all, "labels.", draft->labels, err);
    if (!status && draft->training && rg_yaml_kind_of(draft->training) == RG_YAML_MAP)
        status = find_axes(&training, "", draft->training, err);
    for (size_t k = 0; draft->grid && k < rg_yaml_size(draft->grid) && !status; k++)
        if (rg_yaml_kind_of(rg_yaml_item(draft->grid, k)) == RG_YAML_LIST)
            status = add_axis(&all, rg_yaml_key(draft->grid, k), rg_yaml_item(draft->grid, k), err);
    draft->experiment->info.n_axes = draft->experiment->n_axes;
    return status;
}

static const rg_draft_network *picked(const rg_draft *draft, const uint32_t *picks)
{
    return &draft->networks[draft->alternatives ? picks[0] : 0];
}

bool rg_draft_applies(const rg_draft *draft, const rg_axis *axis, const uint32_t *picks)
{
    const rg_draft_network *network = picked(draft, picks);
    if (axis->training && network->kind && !network->kind->training)
        return false;
    return axis->of == RG_AXIS_ALL || axis->of == picks[0];
}

const rg_yaml *rg_draft_pick(const rg_draft *draft, const rg_yaml *node, const uint32_t *picks)
{
    const rg_axis *axes = draft->experiment->axes;
    if (rg_yaml_kind_of(node) != RG_YAML_LIST)
        return node;
    for (size_t k = 0; k < draft->experiment->n_axes; k++)
        if (axes[k].list == node)
            return rg_yaml_item(node, picks[k]);
    return node;
}

/* ---- configurations */

static rg_status too_many(const rg_yaml *list, size_t limit, rg_error *err)
{
    return rg_yaml_complain(
        list, err, "found more than %zu configurations up to this list, expected at most that many",
        limit);
}

/* The ways to choose with each alternative, together. */
static rg_status count(const rg_draft *draft, rg_error *err)
{
    const rg_experiment *experiment = draft->experiment;
    size_t sum = 0, limit = draft->source->limit;
    for (uint32_t own = 0; own < (draft->alternatives ? draft->n_networks : 1); own++) {
        size_t n = 1;
        for (size_t k = draft->alternatives; k < experiment->n_axes; k++) {
            const rg_axis *axis = &experiment->axes[k];
            if (!rg_draft_applies(draft, axis, &own))
                continue;
            if (axis->n > (limit - sum) / n)
                return too_many(axis->list, limit, err);
            n *= axis->n;
        }
        if (n > limit - sum)
            return too_many(draft->list, limit, err);
        sum += n;
    }
    return RG_OK;
}

/* What was wrong, and the choices that led there. */
static rg_status blame(const rg_draft *draft, rg_status status, const uint32_t *picks,
                       const char *message, rg_error *err)
{
    const rg_experiment *experiment = draft->experiment;
    rg_text text = {0};
    if (status == RG_ENOMEM || experiment->n_axes == 0)
        return rg_fail(err, status, "%s", message);
    for (size_t k = 0; k < experiment->n_axes; k++)
        if (rg_draft_applies(draft, &experiment->axes[k], picks))
            rg_text_add(&text, "%s%s", text.n ? ", " : "", experiment->axes[k].choices[picks[k]]);
    char *choices = rg_text_take(&text);
    status = choices ? rg_fail(err, status, "%s (with %s)", message, choices) : no_memory(err);
    rg_free(choices);
    return status;
}

static rg_status make_contender(rg_contender *out, const rg_draft *draft, const uint32_t *picks,
                                rg_error *err)
{
    rg_yaml *tree = NULL;
    rg_error inner = {""};
    rg_status status = rg_draft_tree(&tree, draft, picks, &inner);
    if (!status)
        status = rg_draft_substitute(draft, tree, picks, &inner);
    if (!status)
        status = rg_contender_from_yaml(out, tree, &inner);
    rg_yaml_free(tree);
    return status ? blame(draft, status, picks, inner.message, err) : RG_OK;
}

/* Adds a recipe; the number of an earlier one that is equal. Methods that are compared keep their
 * own: the number of the method follows the end of the text. */
static uint32_t add_recipe(const rg_draft *draft, const char *recipe, const uint32_t *picks)
{
    size_t n = strlen(recipe) + 1;
    if (!draft->compare)
        return rg_table_add(draft->experiment->recipes, recipe, n);
    char *key = rg_alloc(n + sizeof *picks, 1);
    uint32_t number = RG_TABLE_NONE;
    if (key) {
        memcpy(key, recipe, n);
        memcpy(key + n, &picks[0], sizeof *picks);
        number = rg_table_add(draft->experiment->recipes, key, n + sizeof *picks);
    }
    rg_free(key);
    return number;
}

/* Keeps a configuration unless its recipe is that of an earlier one. */
static rg_status keep(const rg_draft *draft, const char *recipe, const uint32_t *picks,
                      rg_error *err)
{
    rg_experiment *experiment = draft->experiment;
    size_t n = rg_table_size(experiment->recipes), n_axes = experiment->n_axes;
    if (!rg_grow(&experiment->picks, &experiment->pick_capacity, experiment->n_picks + n_axes + 1,
                 sizeof *picks))
        return no_memory(err);
    uint32_t number = add_recipe(draft, recipe, picks);
    if (number == RG_TABLE_NONE)
        return no_memory(err);
    if (number < n) {
        experiment->info.n_equal++;
        return RG_OK;
    }
    for (size_t k = 0; k < n_axes; k++)
        experiment->picks[experiment->n_picks++] =
            rg_draft_applies(draft, &experiment->axes[k], picks) ? picks[k] : RG_PICK_NONE;
    return RG_OK;
}

/* To the next way to choose, the last list fastest. False: that was the last. */
static bool advance(const rg_draft *draft, uint32_t *picks)
{
    const rg_experiment *experiment = draft->experiment;
    for (size_t k = experiment->n_axes; k-- > 0;) {
        if (!rg_draft_applies(draft, &experiment->axes[k], picks))
            continue;
        picks[k] = (picks[k] + 1) % (uint32_t)experiment->axes[k].n;
        if (picks[k])
            return true;
    }
    return false;
}

rg_status rg_draft_expand(rg_draft *draft, rg_error *err)
{
    rg_experiment *experiment = draft->experiment;
    rg_status status = count(draft, err);
    if (status)
        return status;
    uint32_t *picks = rg_alloc_zero(experiment->n_axes + 1, sizeof *picks);
    experiment->recipes = rg_table_new();
    if (!picks || !experiment->recipes)
        status = no_memory(err);
    for (bool left = true; left && !status; left = !status && advance(draft, picks)) {
        rg_contender contender = {NULL, NULL};
        status = make_contender(&contender, draft, picks, err);
        if (!status)
            status = keep(draft, rg_contender_text(&contender), picks, err);
        rg_contender_free(&contender);
    }
    rg_free(picks);
    if (!status)
        experiment->info.n_configurations = rg_table_size(experiment->recipes);
    return status;
}
