/* tables.c - tables of pairs that a network file names: from its lines, for rules, against the data. */
#include "base/alloc.h"
#include "base/error.h"
#include "network.h"
#include "property/pair_table.h"
#include "spec_parts.h"

#include <string.h>

/* ---- names */

size_t rg_spec_names(const rg_spec *spec, rg_rule_labeling known[RG_SPEC_NAMES_MAX])
{
    size_t n = 0;
    for (size_t k = 0; k < spec->n_labels; k++)
        known[n++] = (rg_rule_labeling){.name = spec->label_names[k]};
    for (size_t k = 0; k < spec->n_tables; k++)
        known[n++] = (rg_rule_labeling){.name = spec->table_names[k], .is_table = 1};
    return n;
}

size_t rg_network_names(const rg_network *net, rg_labels *const *labels,
                        rg_rule_labeling known[RG_SPEC_NAMES_MAX])
{
    size_t n = rg_spec_names(net->spec, known);
    for (size_t k = 0; k < net->spec->n_labels; k++) {
        known[k].labels = labels ? labels[k] : NULL;
        known[k].labeling = net->labelings[k];
    }
    for (size_t k = 0; k < net->spec->n_tables; k++)
        known[net->spec->n_labels + k].pairs = net->tables[k];
    return n;
}

bool rg_network_by_sample(const rg_network *net, const rg_rule *rule)
{
    rg_rule_labeling known[RG_SPEC_NAMES_MAX];
    rg_rule_input input = {
        .size = sizeof input, .labels = known, .n_labels = rg_network_names(net, NULL, known)};
    return rg_rule_by_sample(rule, &input) != 0;
}

/* ---- from a file */

static rg_status read_table(rg_spec *spec, const rg_yaml *key, const rg_yaml *value, rg_error *err)
{
    const char *name = rg_yaml_text(key), *path = rg_yaml_text(value);
    if (spec->n_tables == RG_SPEC_TABLES_MAX)
        return rg_yaml_complain(key, err, "found more than %d tables, expected fewer",
                                RG_SPEC_TABLES_MAX);
    if (!path || !*path)
        return rg_yaml_expected(value, "a file, such as near.csv, or the word 'given'", err);
    size_t k = spec->n_tables++; /* from here on rg_spec_free looks at it */
    spec->table_names[k] = rg_copy_text(name, strlen(name));
    spec->table_paths[k] = rg_copy_text(path, strlen(path));
    if (!spec->table_names[k] || !spec->table_paths[k])
        return rg_fail_memory(err, "a table");
    return rg_spec_check_name(spec, key, err);
}

rg_status rg_spec_read_tables(rg_spec *spec, const rg_yaml *node, rg_error *err)
{
    rg_status status = RG_OK;
    if (rg_yaml_kind_of(node) != RG_YAML_MAP)
        return rg_yaml_expected(node, "a map from names to files, such as near: near.csv", err);
    for (size_t k = 0; k < rg_yaml_size(node) && !status; k++)
        status = read_table(spec, rg_yaml_key_node(node, k), rg_yaml_item(node, k), err);
    return status;
}

/* ---- numbers */

rg_status rg_network_set_table(rg_network *net, size_t k, rg_pair_table *table,
                               const rg_source *source, rg_error *err)
{
    size_t n = rg_source_size(source), own = table->info.n_samples;
    if (table->info.per_sample && own > n)
        return rg_fail(err, RG_EDATA,
                       "the table '%s' has numbers for %zu samples, and '%s' has %zu",
                       net->spec->table_names[k], own, rg_source_name(source), n);
    rg_pair_table_free(net->tables[k]);
    net->tables[k] = table;
    net->tables_of[k][0] = '\0';
    if (table->info.per_sample)
        rg_source_digest(source, net->tables_of[k]);
    return RG_OK;
}

static rg_status open_table(rg_pair_table **out, const rg_network *net, size_t k,
                            const rg_build_options *o, rg_error *err)
{
    const char *name = net->spec->table_names[k], *path = net->spec->table_paths[k];
    for (size_t t = 0; t < o->n_tables; t++)
        if (strcmp(o->tables[t].name, name) == 0 && o->tables[t].pairs)
            return rg_pair_table_copy(out, o->tables[t].pairs, err);
    if (strcmp(path, "given") == 0)
        return rg_fail(
            err, RG_EDATA,
            "the table '%s' is given by the program that trains, and this one gives none", name);
    rg_error inner;
    rg_status status = rg_pair_table_read(out, path, &inner);
    return status ? rg_fail(err, status, "the table '%s': %s", name, inner.message) : RG_OK;
}

rg_status rg_network_open_tables(rg_network *net, const rg_source *source,
                                 const rg_build_options *options, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < net->spec->n_tables; k++) {
        rg_pair_table *table = NULL;
        status = open_table(&table, net, k, options, err);
        if (!status)
            status = rg_network_set_table(net, k, table, source, err);
        if (status && table)
            rg_pair_table_free(table);
    }
    return status;
}

/* Numbers of samples are those of one data set. */
rg_status rg_network_check_tables(const rg_network *net, const rg_source *source, rg_error *err)
{
    char digest[RG_DIGEST_SIZE] = "";
    for (size_t k = 0; k < net->spec->n_tables; k++) {
        if (!net->tables_of[k][0])
            continue;
        if (!digest[0])
            rg_source_digest(source, digest);
        if (strcmp(digest, net->tables_of[k]) != 0)
            return rg_fail(err, RG_EDATA,
                           "the table '%s' has numbers for the samples of another data set than "
                           "'%s': give its numbers for this one (--table %s=FILE)",
                           net->spec->table_names[k], rg_source_name(source),
                           net->spec->table_names[k]);
    }
    return RG_OK;
}
