/* support.c - keys that occur in too few training graphs have no weight ("support: N"). */
#include "network.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

enum { CHUNK = 256 }; /* graphs whose connections are there at once */

/* What occurs where. */
typedef struct key_support {
    uint32_t *graphs; /* [key]: training graphs that it occurs in */
    uint32_t *stamp;  /* [key]: the graph that it was seen in last, from 1 */
    uint64_t *n;      /* [key]: connections in the graphs of the fit */
    uint8_t *trains;  /* [graph of the data] */
    uint32_t *all;    /* graphs of the fit, where nobody lists them */
    size_t n_keys, n_graphs;
} key_support;

static void drop(key_support *c)
{
    rg_free(c->graphs);
    rg_free(c->stamp);
    rg_free(c->n);
    rg_free(c->trains);
    rg_free(c->all);
}

static rg_status open(key_support *c, const rg_rule_keys *keys, const rg_rule_input *input,
                      const rg_build_options *o, rg_error *err)
{
    size_t there = rg_dataset_n_graphs(input->data);
    const uint32_t *train = o->train ? o->train : o->fit;
    size_t n_train = o->train ? o->n_train : o->fit ? o->n_fit : there;
    c->n_keys = rg_rule_keys_size(keys);
    c->n_graphs = input->graphs ? input->n_graphs : there;
    c->graphs = rg_alloc_zero(c->n_keys, sizeof *c->graphs);
    c->stamp = rg_alloc_zero(c->n_keys, sizeof *c->stamp);
    c->n = rg_alloc_zero(c->n_keys, sizeof *c->n);
    c->trains = rg_alloc_zero(there, sizeof *c->trains);
    c->all = rg_alloc(c->n_graphs, sizeof *c->all);
    if (!c->graphs || !c->stamp || !c->n || !c->trains || !c->all)
        return rg_fail_memory(err, "the support of keys");
    for (size_t k = 0; k < c->n_graphs; k++)
        c->all[k] = input->graphs ? input->graphs[k] : (uint32_t)k;
    for (size_t k = 0; k < n_train; k++)
        c->trains[train ? train[k] : k] = 1;
    return RG_OK;
}

static void count_graph(key_support *c, const rg_connection_table *t, size_t number)
{
    bool trains = c->trains[c->all[number]] != 0;
    for (size_t e = t->row[0]; e < t->row[t->n_outputs]; e++) {
        uint32_t key = t->weight[e];
        c->n[key]++;
        if (trains && c->stamp[key] != number + 1) {
            c->stamp[key] = (uint32_t)number + 1;
            c->graphs[key]++;
        }
    }
}

static rg_status count(key_support *c, const rg_net_rule *rule, const rg_rule_input *input,
                       const rg_rule_options *options, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t at = 0; !status && at < c->n_graphs; at += CHUNK) {
        rg_connections *connections = NULL;
        rg_rule_report report = RG_RULE_REPORT_INIT;
        rg_rule_input own = *input;
        own.graphs = c->all + at;
        own.n_graphs = c->n_graphs - at < CHUNK ? c->n_graphs - at : CHUNK;
        status = rg_rule_apply(&connections, &report, rule->keys, rule->rule, &own, options, err);
        for (size_t k = 0; !status && k < own.n_graphs; k++) {
            rg_connection_table t = rg_connections_graph(connections, k);
            count_graph(c, &t, at + k);
        }
        rg_connections_free(connections);
    }
    return status;
}

/* Only the keys that occur often enough stay; what is known of their connections follows. */
static rg_status keep(rg_net_rule *rule, const key_support *c, uint32_t support, rg_error *err)
{
    size_t width = rg_rule_keys_width(rule->keys), left = 0, n_edges;
    const double *edges = rg_rule_keys_edges(rule->keys, &n_edges);
    uint64_t before = 0, after = 0;
    rg_rule_keys *kept = NULL;
    int64_t *values = rg_alloc(c->n_keys * width, sizeof *values);
    if (!values)
        return rg_fail_memory(err, "the support of keys");
    for (size_t k = 0; k < c->n_keys; k++) {
        before += c->n[k];
        if (c->graphs[k] < support)
            continue;
        memcpy(values + left++ * width, rg_rule_keys_data(rule->keys) + k * width,
               width * sizeof *values);
        after += c->n[k];
    }
    rg_status status =
        left ? rg_rule_keys_new(&kept, values, left, width, err)
             : rg_fail(err, RG_EDATA, "no key of the rule '%s' occurs in %u training graphs",
                       rg_rule_text(rule->rule), (unsigned)support);
    if (!status)
        status = rg_rule_keys_set_edges(kept, edges, n_edges, err);
    rg_free(values);
    if (status) {
        rg_rule_keys_free(kept);
        return status;
    }
    rg_rule_keys_free(rule->keys);
    rule->keys = kept;
    rule->facts.fan *= before ? (double)after / (double)before : 0;
    rule->facts.connections = (double)after;
    return RG_OK;
}

rg_status rg_network_drop_rare(rg_net_rule *rule, uint32_t support, const rg_rule_input *input,
                               const rg_rule_options *rule_options, const rg_build_options *options,
                               rg_error *err)
{
    key_support c = {.n_keys = 0};
    rg_status status = open(&c, rule->keys, input, options, err);
    if (!status)
        status = count(&c, rule, input, rule_options, err);
    if (!status)
        status = keep(rule, &c, support, err);
    drop(&c);
    return status;
}
