/* rule.h - the inside of a rule: a tree of terms, and what it looks at. */
#ifndef REGULA_RULE_RULE_H
#define REGULA_RULE_RULE_H

#include "property/kind.h"
#include "regula/rule.h"
#include "text/text.h"

#include <stdbool.h>

/* Functions of numbers, and how many they take (1 or 2); see also value.c and range.c. */
#define RG_FUNCTIONS(X) \
    X(ABS, abs, 1)      \
    X(MIN, min, 2)      \
    X(MAX, max, 2)

#define RG_FUNCTION_OP(upper, lower, n) RG_OP_##upper,
typedef enum rg_op {
    RG_OP_NUMBER,
    RG_OP_REAL, /* a number with a point or an exponent; its bits are in `value` */
    RG_OP_VARIABLE,
    RG_OP_PLACE,      /* of a node in a fixed shape, from 1 */
    RG_OP_LABEL,      /* of a labeling, names[index] */
    RG_OP_NODE_LABEL, /* as in the file, column `index` */
    RG_OP_PROPERTY,   /* slots[index] */
    RG_OP_ROW,
    RG_OP_COL,
    RG_OP_DEPTH,
    RG_OP_CHANNEL,
    RG_OP_VALUE, /* of the sample, at a node, or at place `a`; see rg_rule_value; with a node `b` of the edge (a,b) */
    RG_OP_NEGATE,
    RG_FUNCTIONS(RG_FUNCTION_OP) RG_OP_ADD,
    RG_OP_SUBTRACT,
    RG_OP_MULTIPLY,
    RG_OP_DIVIDE,
    RG_OP_MODULO,
    RG_OP_EQUAL, /* comparisons, in the order of their text in rg_op_text */
    RG_OP_UNEQUAL,
    RG_OP_LESS,
    RG_OP_AT_MOST,
    RG_OP_MORE,
    RG_OP_AT_LEAST,
    RG_OP_IN_RANGE, /* a in b..c */
    RG_OP_IN_SET,   /* a in the items from b on */
    RG_OP_ITEM,     /* a, and the next item in b */
    RG_OP_NOT,
    RG_OP_AND,
    RG_OP_OR,
    RG_OP_IF,   /* if a then b else c */
    RG_OP_BIN,  /* of value a: bins[index] */
    RG_OP_TABLE /* tables[index] at places a and b (b RG_NO_TERM: at a alone) */
} rg_op;

typedef enum rg_type { RG_TYPE_NUMBER, RG_TYPE_CONDITION, RG_TYPE_NODE, RG_TYPE_REAL } rg_type;

/* Variables; also what a term of one node looks at. */
typedef enum rg_variable { RG_VAR_I, RG_VAR_J, RG_VAR_OUT } rg_variable;

#define RG_NO_TERM (-1)

/* One operation. Terms come before those that use them, and form a tree: an item is in one set. */
typedef struct rg_term {
    rg_op op;
    rg_type type;
    rg_variable variable;
    int a, b, c;   /* terms it is made from, or RG_NO_TERM */
    int64_t value; /* of a number; RG_OP_VALUE: was a channel given? */
    uint32_t
        index; /* of a number: where its text begins behind '"', 0: it is none; comparisons: not 0 if real
                       numbers are compared; RG_OP_VALUE: the channel */
    size_t at, end; /* bytes of the text: from, up to */
} rg_term;

/* A property as a rule asks for it. `first` and `second` say of which nodes; a pair is (i,j)
 * whichever way round it is written, for properties are symmetric; one that is not is about (i,j)
 * alone. */
typedef struct rg_slot {
    rg_property property;
    rg_variable first, second;
    int term; /* the first that asks */
} rg_slot;

/* bin(value(j), n): equal ones are one, and i and j have the same edges. */
typedef struct rg_rule_bin {
    uint32_t channel, n;
    bool given; /* value(j,channel) rather than value(j) */
    bool pair;  /* value(i,j): attributes of edges */
} rg_rule_bin;

/* A table of pairs that a rule names. */
typedef struct rg_rule_table {
    char *name; /* owned */
    int term;   /* the first that asks for (i,j), whose rows can be listed; or RG_NO_TERM */
} rg_rule_table;

enum { RG_RULE_TABLES = 16 };
enum { RG_RULE_BINS = 32, RG_RULE_BINS_MAX = 256 };
enum { RG_RULE_SLOTS = 32, RG_RULE_NAMES = 32, RG_RULE_TERMS = 1024 };

struct rg_rule {
    rg_rule_info info;
    rg_term *terms;
    size_t n_terms, term_capacity;
    int keys[RG_RULE_KEYS_MAX];
    int condition; /* RG_NO_TERM: always */
    char *names[RG_RULE_NAMES];
    size_t n_names;
    rg_slot slots[RG_RULE_SLOTS];
    size_t n_slots;
    bool offsets;                   /* j - i was written, of bare nodes */
    rg_rule_bin bins[RG_RULE_BINS]; /* info.n_bins */
    rg_rule_table tables[RG_RULE_TABLES];
    size_t n_tables;
    char *source; /* the text as it was parsed */
    char *text;   /* in normal form */
    char *key_text[RG_RULE_KEYS_MAX];
};

static inline uint32_t rg_shape_depth(rg_rule_shape shape)
{
    return shape.depth ? shape.depth : 1;
}

/* "=" and so on; for operators between two terms and for functions. */
const char *rg_op_text(rg_op op);

/* print.c: one term, or all of the rule, in normal form. */
void rg_rule_print_term(rg_text *out, const rg_rule *rule, int term);
void rg_rule_print(rg_text *out, const rg_rule *rule);

/* complain.c: where bytes `at` .. `end` of a text are. */
rg_rule_place rg_rule_locate(const char *text, size_t at, size_t end);
/* RG_EUSAGE: "rule: line 1, column 7: found 'row(i)', expected WHAT". */
rg_status rg_rule_complain(const rg_rule *rule, int term, const char *what, rg_error *err);

/* Arithmetic where RG_NO_VALUE stands for no value: it goes in, divisions by zero and results
 * beyond 64 bits come out. Division rounds down; the remainder has the sign of the divisor. */
int64_t rg_rule_arithmetic(rg_op op, int64_t a, int64_t b);
/* False if either has no value. */
bool rg_rule_compare(rg_op op, int64_t a, int64_t b);
/* The same of real numbers, where NaN stands for no value; division by zero has none. */
double rg_rule_real_arithmetic(rg_op op, double a, double b);
bool rg_rule_real_compare(rg_op op, double a, double b);
/* A whole number as a real one. */
double rg_rule_real(int64_t value);
/* The number behind RG_OP_REAL, and back. */
double rg_rule_literal(const rg_term *term);
int64_t rg_rule_literal_bits(double value);
/* The value of a term that is made from numbers alone. False: it is not. */
bool rg_rule_constant(const rg_rule *rule, int term, int64_t *value);
/* Are two terms the same expression? */
bool rg_rule_same(const rg_rule *rule, int a, int b);
/* The key that is `out`, if the rule names it nowhere else; SIZE_MAX: there is none. */
size_t rg_rule_output_key(const rg_rule *rule);

#endif
