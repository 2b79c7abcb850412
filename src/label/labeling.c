/* labeling.c - a labeling and the labels it gave: making, numbering, asking. fit.c fills them. */
#include "labeling.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "kind.h"

RG_DEFINE_INIT(rg_label_options, RG_LABEL_OPTIONS_INIT)

rg_status rg_labeling_check(char **normal, const char *spec, rg_error *err)
{
    rg_label_spec *parsed = NULL;
    rg_status status = rg_label_spec_parse(&parsed, spec, err);
    if (status)
        return status;
    char *text = normal ? rg_label_spec_print(parsed) : NULL;
    rg_label_spec_free(parsed);
    if (normal && !text)
        return rg_fail_memory(err, "printing a labeling");
    if (normal)
        *normal = text;
    return RG_OK;
}

void rg_labeling_free(rg_labeling *labeling)
{
    if (!labeling)
        return;
    for (size_t k = 0; labeling->parts && k < labeling->spec->n_parts; k++)
        rg_labeling_free(labeling->parts[k]);
    for (size_t k = 0; labeling->levels && k < labeling->n_levels; k++)
        rg_vocabulary_free(labeling->levels[k]);
    rg_free(labeling->parts);
    rg_free(labeling->levels);
    rg_free(labeling->bounds);
    rg_free(labeling->backoff_start);
    rg_free(labeling->text);
    if (labeling->owns_spec)
        rg_label_spec_free(labeling->spec);
    rg_free(labeling);
}

rg_status rg_labeling_new(rg_labeling **out, rg_label_spec *spec, bool owns, rg_error *err)
{
    rg_labeling *labeling = rg_alloc_zero(1, sizeof *labeling);
    if (!labeling) {
        if (owns)
            rg_label_spec_free(spec);
        return rg_fail_memory(err, "a labeling");
    }
    labeling->spec = spec;
    labeling->owns_spec = owns;
    labeling->n_levels = spec->kind->levels ? spec->kind->levels(spec) : spec->depth + (size_t)1;
    labeling->text = rg_label_spec_print(spec);
    labeling->levels = rg_alloc_zero(labeling->n_levels, sizeof *labeling->levels);
    labeling->parts = rg_alloc_zero(spec->n_parts, sizeof *labeling->parts);
    rg_status status = RG_OK;
    if (!labeling->text || !labeling->levels || !labeling->parts)
        status = rg_fail_memory(err, "a labeling");
    for (size_t k = 0; !status && k < spec->n_parts; k++)
        status = rg_labeling_new(&labeling->parts[k], spec->parts[k], false, err);
    if (status) {
        rg_labeling_free(labeling);
        return status;
    }
    *out = labeling;
    return RG_OK;
}

rg_status rg_labeling_number(rg_labeling *labeling, rg_error *err)
{
    size_t top = labeling->n_levels - 1, n = rg_vocabulary_size(labeling->levels[top]);
    uint32_t bound = labeling->spec->max_labels;
    labeling->has_other = bound && n > bound;
    uint64_t size = labeling->has_other ? bound : n;
    labeling->n_kept = (uint32_t)(size - labeling->has_other);
    if (labeling->spec->backoff) {
        labeling->backoff_start = rg_alloc(labeling->n_levels, sizeof *labeling->backoff_start);
        if (!labeling->backoff_start)
            return rg_fail_memory(err, "labels of smaller depths");
        for (size_t d = top; d-- > 0;) {
            labeling->backoff_start[d] = (uint32_t)size; /* whole, if the check below passes */
            size += rg_vocabulary_size(labeling->levels[d]);
        }
    }
    if (size >= RG_UNSEEN)
        return rg_fail(err, RG_EDATA, "%s: found 2^32 or more labels, expected less",
                       labeling->text);
    labeling->size = (uint32_t)size + 1;
    return RG_OK;
}

void rg_labels_free(rg_labels *labels)
{
    rg_free(labels);
}

const char *rg_labeling_spec(const rg_labeling *labeling)
{
    return labeling->text;
}

uint64_t rg_labeling_budget(const rg_labeling *labeling)
{
    return labeling->budget;
}

uint32_t rg_labeling_size(const rg_labeling *labeling)
{
    return labeling->size;
}

uint32_t rg_labeling_seen(const rg_labeling *labeling)
{
    return labeling->n_kept + labeling->has_other;
}

uint32_t rg_labeling_unseen(const rg_labeling *labeling)
{
    return labeling->size - 1;
}

uint64_t rg_labeling_count(const rg_labeling *labeling, uint32_t label)
{
    const rg_vocabulary *top = labeling->levels[labeling->n_levels - 1];
    uint64_t others = 0; /* labels of smaller depths and "unseen" have no node in the fit */
    if (label < labeling->n_kept)
        return rg_vocabulary_count(top, label);
    if (labeling->has_other && label == labeling->n_kept)
        for (size_t k = label; k < rg_vocabulary_size(top); k++)
            others += rg_vocabulary_count(top, (uint32_t)k);
    return others;
}

const uint32_t *rg_labels_data(const rg_labels *labels)
{
    return labels->data;
}

uint64_t rg_labels_n_nodes(const rg_labels *labels)
{
    return labels->n_nodes;
}

uint64_t rg_labels_n_unseen(const rg_labels *labels)
{
    return labels->n_unseen;
}

size_t rg_labels_n_capped(const rg_labels *labels)
{
    return labels->n_capped;
}
