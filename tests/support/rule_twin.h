/* rule_twin.h - the slow way to compile a rule: its tree asked of every pair. */
#ifndef REGULA_TESTS_SUPPORT_RULE_TWIN_H
#define REGULA_TESTS_SUPPORT_RULE_TWIN_H

#include "sets.h"

#include "rule/compile.h"

/* A set with the labelings wl, cyc and deg. */
enum { N_LABELS = 3 };
typedef struct scene {
    rg_dataset *data;
    rg_labeling *fitted[N_LABELS];
    rg_labels *labels[N_LABELS];
    rg_rule_labeling known[N_LABELS];
} scene;

scene scene_of(rg_dataset *data); /* data is moved; ends with scene_free */
void scene_free(scene *s);
rg_rule_input input_of(const scene *s); /* all graphs, 3 outputs */

/* Numbers that grow. Owned: free values. */
typedef struct list {
    int64_t *values;
    size_t n, capacity;
} list;

void push(list *l, int64_t value);
void assert_same(const list *a, const list *b, const char *text);

/* What the rule gives, written out: for each output of each graph "input, key..." for every
 * connection, and ROW_END. */
#define ROW_END (INT64_MAX - 1)
list twin(const rg_rule *rule, const rg_rule_input *input);
/* The same of tables. */
void write_out(list *out, const rg_connections *c, const rg_rule_keys *keys);

/* Compiles and applies in all ways there are, and compares with the twin. */
void compare(const char *text, rg_rule_kind kind, const rg_rule_input *input);

/* Rules of all kinds of plans, for sets as above. The first looks at the order of nodes. */
extern const char *const pair_rules[];
extern const size_t n_pair_rules;

#endif
