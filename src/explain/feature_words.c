/* feature_words.c - columns of rule features in words, as weights of models are said. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/error.h"
#include "linear/features.h"

/* As much of an explainer as a sentence looks at: labelings by name, and names of labels. */
static rg_status open_words(rg_explainer **out, rg_names **names, const rg_rule_features *f,
                            rg_error *err)
{
    rg_explainer *e = rg_alloc_zero(1, sizeof *e);
    rg_spec *spec = rg_alloc_zero(1, sizeof *spec);
    rg_status status = e && spec ? rg_names_known(names, f->data, f->node_columns, err)
                                 : rg_fail_memory(err, "the name of a feature");
    if (status) {
        rg_free(e);
        rg_free(spec);
        return status;
    }
    spec->n_labels = f->n_labels < RG_SPEC_LABELS_MAX ? f->n_labels : RG_SPEC_LABELS_MAX;
    for (size_t k = 0; k < spec->n_labels; k++) {
        spec->label_names[k] = f->names[k];
        e->net.labelings[k] = f->labelings[k];
    }
    e->net.spec = spec;
    e->names = *names;
    e->atoms = rg_explainer_atoms(*names);
    *out = e;
    return RG_OK;
}

rg_status rg_rule_features_name(char **out, const rg_rule_features *f, size_t column, rg_error *err)
{
    rg_explainer *e = NULL;
    rg_names *names = NULL;
    rg_text text = {0};
    if (column >= f->n)
        return rg_fail(err, RG_EUSAGE, "there is no feature %zu: there are %zu", column, f->n);
    rg_status status = open_words(&e, &names, f, err);
    if (status)
        return status;
    rg_sentence_say(&text, e, f->rules[f->rule_of[column]], rg_rule_features_key(f, column));
    char *words = rg_text_take(&text);
    if (words)
        *out = words;
    else
        status = rg_fail_memory(err, "the name of a feature");
    rg_names_free(names);
    rg_free(e->net.spec);
    rg_free(e);
    return status;
}
