/* spec_input.c - the key `input` of a network file: what the nodes begin with.
 *
 *   signal = word [ "(" argument ")" ]
 *   constant(NUMBER), one-hot(LABELING), one-hot(node), one-hot(node,COLUMN), one-hot(node,all),
 *   relative(LABELING), count(SPEC) */
#include "spec_parts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "label/labeling.h"
#include "text/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const rg_signal_words[] = {"auto",    "signed",     "scaled", "constant",
                                       "one-hot", "attributes", "values", "labels",
                                       "degree",  "relative",   "count"};

/* A signal as it stands: the word, and what is in the brackets (NULL: none), without blanks around
 * it. */
typedef struct signal_pieces {
    const char *word, *argument;
    size_t n_word, n_argument;
} signal_pieces;

static void trim(const char **text, size_t *n)
{
    while (*n && **text == ' ') {
        ++*text;
        --*n;
    }
    while (*n && (*text)[*n - 1] == ' ')
        --*n;
}

/* False if the brackets do not fit. */
static bool cut(signal_pieces *out, const char *text)
{
    const char *open = strchr(text, '(');
    size_t n = strlen(text);
    *out = (signal_pieces){text, NULL, open ? (size_t)(open - text) : n, 0};
    trim(&out->word, &out->n_word);
    if (!open)
        return true;
    while (text[n - 1] == ' ')
        n--;
    if (text[n - 1] != ')')
        return false;
    out->argument = open + 1;
    out->n_argument = (size_t)(text + n - 1 - out->argument);
    trim(&out->argument, &out->n_argument);
    return true;
}

static bool is(const char *text, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(text, word, n) == 0;
}

static rg_status complain_unknown(const rg_yaml *node, const signal_pieces *p, rg_error *err)
{
    static const char what[] = "auto, signed, scaled, constant, constant(NUMBER), one-hot(NAME), "
                               "one-hot(node,COLUMN), attributes, labels, degree, relative(NAME), "
                               "count(LABELING) or values";
    char word[64], whole[sizeof what + 100];
    const char *near = NULL;
    if (p->n_word < sizeof word) {
        memcpy(word, p->word, p->n_word);
        word[p->n_word] = '\0';
        near = rg_suggest(word, rg_signal_words, RG_N_SIGNALS);
    }
    snprintf(whole, sizeof whole, near ? "%s (did you mean '%s'?)" : "%s", what, near);
    return rg_yaml_expected(node, whole, err);
}

static rg_status read_constant(rg_signal *signal, const rg_yaml *node, const signal_pieces *p,
                               rg_error *err)
{
    signal->value = 1;
    if (!p->argument)
        return RG_OK;
    const char *end = p->argument + p->n_argument;
    if (rg_number_real(p->argument, end, &signal->value) != end || !isfinite(signal->value))
        return rg_yaml_expected(node, "constant(NUMBER)", err);
    return RG_OK;
}

/* "node , 3": is the argument a column of node labels? A declared labeling `node` takes the place
 * of column 0, as it does in rules. */
static bool take_column(rg_signal *signal, const signal_pieces *p, bool declared)
{
    const char *comma = memchr(p->argument, ',', p->n_argument), *word = p->argument;
    size_t n_word = comma ? (size_t)(comma - word) : p->n_argument;
    int64_t column = 0;
    trim(&word, &n_word);
    if (!is(word, n_word, "node") || (!comma && declared))
        return false;
    if (comma) {
        const char *number = comma + 1, *end = p->argument + p->n_argument;
        size_t n = (size_t)(end - number);
        trim(&number, &n);
        if (is(number, n, "all")) {
            signal->column = RG_ALL_COLUMNS;
            return true;
        }
        if (rg_number_int(number, end, &column) != end || column < 0 || column > 1000000)
            return false;
    }
    signal->column = (uint32_t)column;
    return true;
}

static rg_status read_one_hot(const rg_spec *spec, rg_signal *signal, const rg_yaml *node,
                              const signal_pieces *p, rg_error *err)
{
    char list[400] = "";
    size_t used = 0;
    bool declared = false;
    for (size_t k = 0; k < spec->n_labels; k++) {
        declared = declared || strcmp(spec->label_names[k], "node") == 0;
        if (used + 70 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s, ", spec->label_names[k]);
    }
    bool hot = signal->kind == RG_SIGNAL_ONE_HOT;
    if (hot && p->argument && take_column(signal, p, declared))
        return RG_OK;
    for (size_t k = 0; p->argument && k < spec->n_labels; k++)
        if (is(p->argument, p->n_argument, spec->label_names[k])) {
            signal->labeling = rg_copy_text(p->argument, p->n_argument);
            return signal->labeling ? RG_OK : rg_fail_memory(err, "reading a network");
        }
    char what[500];
    snprintf(what, sizeof what,
             hot ? "one-hot of a labeling (%snode) or one-hot(node,COLUMN)"
                 : "relative(NAME), the name of a labeling (%s...)",
             list);
    return rg_yaml_expected(node, what, err);
}

/* Its argument is a labeling as it stands under `labels`, or the name of one there. */
static rg_status read_count(const rg_spec *spec, rg_signal *signal, const rg_yaml *node,
                            const signal_pieces *p, rg_error *err)
{
    rg_error inner = {""};
    uint32_t dims;
    char *text = p->argument ? rg_copy_text(p->argument, p->n_argument) : NULL;
    if (!p->argument)
        return rg_yaml_expected(node, "count(LABELING), such as count(cycles(max=6))", err);
    for (size_t k = 0; text && k < spec->n_labels; k++)
        if (strcmp(text, spec->label_names[k]) == 0) {
            rg_free(text);
            text = rg_copy_text(spec->label_specs[k], strlen(spec->label_specs[k]));
            break;
        }
    rg_status status = text ? rg_labeling_check(&signal->labeling, text, &inner)
                            : rg_fail_memory(&inner, "reading a network");
    rg_free(text);
    if (!status)
        status = rg_label_counts_size(&dims, signal->labeling, &inner);
    return status == RG_ENOMEM ? rg_fail_memory(err, "reading a network")
           : status            ? rg_yaml_complain(node, err, "%s", inner.message)
                               : RG_OK;
}

static rg_status read_signal(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    const char *text = rg_yaml_text(node);
    signal_pieces p = {0};
    size_t word = 0;
    if (!text || !*text)
        return rg_yaml_expected(node, "a kind of input, such as signed or constant", err);
    if (!cut(&p, text))
        return rg_yaml_expected(
            node,
            "a ')' at the end (inside [ ] a comma separates items: use a list of lines, or quotes)",
            err);
    while (word < RG_N_SIGNALS && !is(p.word, p.n_word, rg_signal_words[word]))
        word++;
    if (word == RG_N_SIGNALS)
        return complain_unknown(node, &p, err);
    rg_signal *signal = &spec->signals[spec->n_signals++];
    signal->kind = (rg_signal_kind)word;
    if (signal->kind == RG_SIGNAL_CONSTANT)
        return read_constant(signal, node, &p, err);
    if (signal->kind == RG_SIGNAL_ONE_HOT || signal->kind == RG_SIGNAL_RELATIVE)
        return read_one_hot(spec, signal, node, &p, err);
    if (signal->kind == RG_SIGNAL_COUNT)
        return read_count(spec, signal, node, &p, err);
    if (p.argument)
        return rg_yaml_complain(node, err, "found '%.60s', expected %s without brackets", text,
                                rg_signal_words[word]);
    return RG_OK;
}

rg_status rg_spec_read_input(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    size_t n = rg_spec_n_things(node);
    if (n == 0 || n > RG_SPEC_SIGNALS_MAX)
        return rg_yaml_complain(node, err, "found %zu kinds of input, expected 1..%d", n,
                                RG_SPEC_SIGNALS_MAX);
    for (size_t k = 0; k < n; k++) {
        const rg_yaml *item = rg_spec_thing(node, k);
        rg_status status = read_signal(spec, item, err);
        if (status)
            return status;
        rg_signal_kind kind = spec->signals[k].kind;
        if (n > 1 && (kind == RG_SIGNAL_AUTO || kind == RG_SIGNAL_VALUES))
            return rg_yaml_complain(item, err, "found '%s' among others, expected it alone",
                                    rg_signal_words[kind]);
    }
    return RG_OK;
}
