/* label_rule.c - a labeling and a rule by hand: which pairs of nodes share a weight?
 *
 *     cc label_rule.c $(pkg-config --cflags --libs regula) -o label_rule
 *     ./label_rule
 *
 * The graph is a triangle 0-1-2 with a tail 2-3-4. Nodes are labelled by their degree; the rule
 * connects every node with its neighbours and shares a weight among pairs of the same degrees. */
#include <regula/regula.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char graph[] =
    "{\"nodes\": 5, \"edges\": [[0, 1], [0, 2], [1, 2], [2, 3], [3, 4]]}\n";

static void print_labels(const rg_labeling *labeling, const rg_labels *labels, rg_error *err)
{
    char text[80];
    for (uint32_t label = 0; label < rg_labeling_seen(labeling); label++)
        if (!rg_labeling_describe(text, sizeof text, labeling, label, err))
            printf("label %" PRIu32 " is %s\n", label, text);
    for (uint64_t i = 0; i < rg_labels_n_nodes(labels); i++)
        printf("node %" PRIu64 " has label %" PRIu32 "\n", i, rg_labels_data(labels)[i]);
}

/* Row i holds the inputs of node i, each with the number of its weight. */
static void print_connections(const rg_connections *connections)
{
    rg_connection_table t = rg_connections_graph(connections, 0);
    for (uint32_t i = 0; i < t.n_outputs; i++) {
        printf("node %" PRIu32 " sees", i);
        for (uint32_t k = t.row[i]; k < t.row[i + 1]; k++)
            printf(" %" PRIu32 " by weight %" PRIu32 "%s", t.col16 ? t.col16[k] : t.col32[k],
                   t.weight[k], k + 1 < t.row[i + 1] ? "," : "\n");
    }
}

int main(void)
{
    rg_error err = {""};
    rg_dataset *data = NULL;
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_connections *connections = NULL;
    rg_status status = rg_dataset_from_lines(&data, "graph", 1, graph, strlen(graph), &err);
    if (!status)
        status = rg_labeling_fit(&labeling, &labels, "degree", data, NULL, 0, NULL, &err);
    rg_rule_labeling known = {"deg", labels, labeling};
    if (!status)
        status = rg_rule_parse(&rule, "share deg(i), deg(j) when edge(i,j)", RG_RULE_PAIR, &known,
                               1, NULL, &err);
    rg_rule_input input = {.size = sizeof input, .data = data, .labels = &known, .n_labels = 1};
    if (!status)
        status = rg_rule_compile(&keys, &connections, NULL, rule, &input, NULL, &err);
    if (!status) {
        print_labels(labeling, labels, &err);
        print_connections(connections);
        printf("%zu weights for %" PRIu64 " connections\n", rg_rule_keys_size(keys),
               rg_connections_size(connections));
    } else
        fprintf(stderr, "label_rule: %s\n", err.message);
    rg_connections_free(connections);
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
    return (int)status;
}
