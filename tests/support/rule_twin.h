/* rule_twin.h - the slow way to compile a rule: its tree asked of every pair. */
#ifndef REGULA_TESTS_SUPPORT_RULE_TWIN_H
#define REGULA_TESTS_SUPPORT_RULE_TWIN_H

#include "graphs.h"
#include "labelings.h"

#include "rule/compile.h"

/* A set with the labelings wl, cyc and deg. */
enum { N_LABELS = 3 };
typedef struct labeled_set {
    rg_dataset *data;
    rg_labeling *fitted[N_LABELS];
    rg_labels *labels[N_LABELS];
    rg_rule_labeling known[N_LABELS];
} labeled_set;

labeled_set labeled_set_of(rg_dataset *data); /* data is moved; ends with labeled_set_free */
void labeled_set_free(labeled_set *s);
rg_rule_input input_of(const labeled_set *s); /* all graphs, 3 outputs */

/* Numbers that grow. Owned: free values. */
typedef struct number_list {
    int64_t *values;
    size_t n, capacity;
} number_list;

void number_list_push(number_list *l, int64_t value);
void assert_same(const number_list *a, const number_list *b, const char *text);

/* What the rule gives, written out: for each output of each graph "input, key..." for every
 * connection, and ROW_END. */
#define ROW_END (INT64_MAX - 1)
number_list rule_twin(const rg_rule *rule, const rg_rule_input *input);
/* The same of tables. */
void write_out(number_list *out, const rg_connections *c, const rg_rule_keys *keys);

/* Compiles and applies in all ways there are, and compares with the twin. */
void rule_compare(const char *text, rg_rule_kind kind, const rg_rule_input *input);

/* Rules of all kinds of plans, for sets as above. The first looks at the order of nodes. */
extern const char *const pair_rules[];
extern const size_t n_pair_rules;

#endif
