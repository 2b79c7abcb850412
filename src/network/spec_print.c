/* spec_print.c - a network as the text of a file, in normal form: every option that has a fixed
 * default is written out, what depends on the data or on the place of a layer only if it was said.
 */
#include "spec_parts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "text/yaml_edit.h"

static void print_real(rg_text *out, double value)
{
    char number[RG_NUMBER_MAX];
    rg_number_print(number, value);
    rg_text_add(out, "%s", number);
}

static void print_signal(rg_text *out, const rg_signal *signal)
{
    if (signal->kind == RG_SIGNAL_COUNT) { /* a pattern may have quotes in it */
        rg_text whole = {0};
        rg_text_add(&whole, "%s(%s)", rg_signal_words[signal->kind], signal->labeling);
        char *text = rg_text_take(&whole);
        if (text)
            rg_yaml_print_text(out, text, false);
        out->failed = out->failed || !text;
        rg_free(text);
        rg_text_add(out, "\n");
        return;
    }
    rg_text_add(out, "%s", rg_signal_words[signal->kind]);
    if (signal->kind == RG_SIGNAL_CONSTANT) {
        rg_text_add(out, "(");
        print_real(out, signal->value);
        rg_text_add(out, ")");
    }
    if (signal->labeling)
        rg_text_add(out, "(%s)", signal->labeling);
    else if (signal->kind == RG_SIGNAL_ONE_HOT && signal->column == RG_ALL_COLUMNS)
        rg_text_add(out, "(node,all)");
    else if (signal->kind == RG_SIGNAL_ONE_HOT)
        rg_text_add(out, "(node,%u)", signal->column);
    rg_text_add(out, "\n");
}

static void print_head(rg_text *out, const rg_spec *spec)
{
    if (spec->paper)
        rg_text_add(out, "preset: paper\n");
    rg_text_add(out, "task: %s\n", rg_task_name(spec->task));
    for (size_t k = 0; k < spec->n_targets; k++)
        rg_text_add(out, "%s%u%s", k ? ", " : "target: [", spec->targets[k],
                    k + 1 < spec->n_targets ? "" : "]\n");
    rg_text_add(out, "input:%s", spec->n_signals > 1 ? "\n" : " ");
    for (size_t k = 0; k < spec->n_signals; k++) {
        rg_text_add(out, "%s", spec->n_signals > 1 ? "  - " : "");
        print_signal(out, &spec->signals[k]);
    }
    if (spec->standardise) /* younger than 0.1.0 */
        rg_text_add(out, "standardise: auto\n");
    if (spec->n_labels)
        rg_text_add(out, "labels:\n");
    for (size_t k = 0; k < spec->n_labels; k++) {
        rg_text_add(out, "  %s: ", spec->label_names[k]);
        rg_yaml_print_text(out, spec->label_specs[k], false);
        rg_text_add(out, "\n");
    }
}

rg_status rg_spec_print(char **out, const rg_spec *spec, rg_error *err)
{
    rg_text text = {0};
    print_head(&text, spec);
    rg_text_add(&text, "layers:\n");
    for (size_t k = 0; k < spec->n_layers; k++)
        rg_layer_print(&text, &spec->layers[k]);
    char *whole = rg_text_take(&text);
    if (!whole)
        return rg_fail_memory(err, "a network as text");
    *out = whole;
    return RG_OK;
}
