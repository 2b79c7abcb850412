/* dataset.h - data sets of graphs.  Data flow: DATASET -> labels -> properties -> rule.
 *
 * A data set is a list of undirected simple graphs with labels, attributes and targets of their
 * nodes, edges and graphs. It never changes after it is built, so any number of threads may read
 * it, and all of it lies in one block of memory.
 *
 *   node    a number 0 .. n-1 inside its graph, or first_node + that number inside the set
 *   arc     one direction of an edge; every edge is two arcs, (i,j) and (j,i)
 *   label   a whole number from the file, kept; inside, the rank among the sorted distinct values
 *   class   the same for a graph; several columns are several targets
 *
 * What a reader dropped, mended or found odd is counted in rg_quirks. */
#ifndef REGULA_DATASET_H
#define REGULA_DATASET_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_dataset rg_dataset;

#define RG_NO_CLASS UINT32_MAX /* a graph whose class is not known */

/* One graph of a set. Borrowed: valid while the set lives.
 * Neighbours of node i: col[row[i]] .. col[row[i+1] - 1], ascending, without i itself. The index
 * into col is the arc's number, which edge labels and edge attributes go by. */
typedef struct rg_graph { /* final: its fields will not change */
    uint32_t n_nodes;
    uint64_t n_arcs;     /* twice the number of edges */
    uint64_t first_node; /* number of its node 0 inside the set */
    const uint64_t *row; /* n_nodes + 1 */
    const uint32_t *col; /* of the whole set */
} rg_graph;

/* What was found in the files and is not in the graphs as it was there. */
typedef struct rg_quirks {
    uint64_t listed_edges;    /* lines of the edge list */
    uint64_t duplicate_edges; /* lines that repeat an earlier one, same direction: dropped */
    uint64_t self_loops;      /* lines that join a node to itself: dropped */
    uint64_t one_way_edges;   /* edges listed in one direction only: completed */
    uint64_t edge_conflicts; /* lines that differ from the edge's label or attributes: first wins */
    uint64_t unsorted_edges; /* lines that come before their predecessor in (row, column) order */
    uint64_t unsorted_nodes; /* nodes whose graph comes before their predecessor's: reordered */
    uint64_t isolated_nodes; /* kept */
    uint64_t empty_graphs;   /* kept */
    uint64_t label_gaps;     /* label columns whose values are not 0 .. k-1: ranked, values kept */
    uint64_t class_gaps;     /* class columns whose values are not 0 .. k-1 */
    uint64_t missing_targets;  /* targets without a value */
    uint64_t missing_newlines; /* files whose last line is not ended */
    uint64_t ignored_files;    /* files that belong to no format */
    uint64_t left_out;         /* molecules that could not be read */
} rg_quirks;

/* Kinds of columns. */
typedef enum rg_column {
    RG_NODE_LABEL,
    RG_EDGE_LABEL,
    RG_NODE_ATTRIBUTE,
    RG_EDGE_ATTRIBUTE,
    RG_CLASS,
    RG_TARGET,      /* real-valued targets of graphs */
    RG_NODE_CLASS,  /* classes of nodes that are to be learned, not labels that are given */
    RG_EDGE_CLASS,  /* the same for edges; both arcs of an edge have the same */
    RG_NODE_TARGET, /* real-valued targets of nodes */
    RG_EDGE_TARGET,
    RG_NODE_MASK, /* 1 or 0: is the node in a part, for example in the training set? */
    RG_EDGE_MASK,
    RG_MASK,          /* of graphs */
    RG_N_COLUMN_KINDS /* a number of values, in this enum and others: never the value of one */
} rg_column;

/* What the graphs of a set are. Those of sequences are texts: node k is token k, a word or a letter,
 * column 0 of the node labels holds rg_token_value of it, its name is the token as it is written, and
 * edges join neighbours. Rules may ask for positions then. */
typedef enum rg_sequence {
    RG_SEQUENCE_NONE, /* graphs, whose nodes have no order */
    RG_SEQUENCE_WORDS,
    RG_SEQUENCE_CHARS,
    RG_N_SEQUENCES
} rg_sequence;

RG_API void rg_dataset_free(rg_dataset *data); /* NULL is fine */

/* O(1) all of them; pointers are borrowed. */
RG_API const char *rg_dataset_name(const rg_dataset *data);
RG_API size_t rg_dataset_n_graphs(const rg_dataset *data);
RG_API uint64_t rg_dataset_n_nodes(const rg_dataset *data);
RG_API uint64_t rg_dataset_n_arcs(const rg_dataset *data);
RG_API size_t rg_dataset_n_columns(const rg_dataset *data, rg_column kind);
RG_API size_t rg_dataset_bytes(const rg_dataset *data); /* of the block */
RG_API const rg_quirks *rg_dataset_quirks(const rg_dataset *data);
RG_API rg_sequence rg_dataset_sequence(const rg_dataset *data);
/* graph < n_graphs */
RG_API rg_graph rg_dataset_graph(const rg_dataset *data, size_t graph);
/* All graphs at once, as the arrays that rg_graph points into. The first node of every graph,
 * n_graphs + 1; the first arc of every node, n_nodes + 1; the neighbour at the end of every arc,
 * n_arcs, by its number inside its graph. */
RG_API const uint64_t *rg_dataset_first_nodes(const rg_dataset *data);
RG_API const uint64_t *rg_dataset_first_arcs(const rg_dataset *data);
RG_API const uint32_t *rg_dataset_neighbours(const rg_dataset *data);

/* Ranks of one column: a node's, arc's or graph's; kind is RG_NODE_LABEL, RG_EDGE_LABEL, RG_CLASS,
 * RG_NODE_CLASS or RG_EDGE_CLASS (classes: RG_NO_CLASS where none is known); column < n_columns. */
RG_API const uint32_t *rg_dataset_ranks(const rg_dataset *data, rg_column kind, size_t column);
/* The value behind each rank, ascending; *n of them. */
RG_API const int64_t *rg_dataset_values(const rg_dataset *data, rg_column kind, size_t column,
                                        size_t *n);
/* Real values by rows, [node | arc | graph][column]; kind is RG_NODE_ATTRIBUTE, RG_EDGE_ATTRIBUTE,
 * RG_TARGET, RG_NODE_TARGET or RG_EDGE_TARGET (targets: NaN where none is known). NULL without
 * columns. */
RG_API const double *rg_dataset_reals(const rg_dataset *data, rg_column kind);
/* One column of a mask, 1 or 0 for each node, arc or graph; kind is RG_NODE_MASK, RG_EDGE_MASK or
 * RG_MASK; column < n_columns. */
RG_API const uint8_t *rg_dataset_mask(const rg_dataset *data, rg_column kind, size_t column);

/* Names are kept beside the numbers and are not part of the content: sets that differ in them alone
 * have one digest. All are NULL where there is none, and borrowed.
 * Of the value behind a rank: "C" for 6, "double" for 2, "toxic" for 1; rank < number of values. */
RG_API const char *rg_dataset_value_name(const rg_dataset *data, rg_column kind, size_t column,
                                         size_t rank);
/* Of a column of any kind: "charge", "train"; column < n_columns. */
RG_API const char *rg_dataset_column_name(const rg_dataset *data, rg_column kind, size_t column);
/* Of a sample, such as its number in another database; graph < n_graphs. */
RG_API const char *rg_dataset_graph_name(const rg_dataset *data, size_t graph);

/* The name of a value of a column of labels or classes. The fields of this struct will not change. */
typedef struct rg_value_name {
    rg_column kind;
    size_t column;
    int64_t value;
    const char *name;
} rg_value_name;

/* SHA-256 of the content, 64 hexadecimal digits: graphs in order with their sorted edges, label
 * values, attributes and targets; not the name or names, nor the format, nor the order or repetition of
 * edges in a file. O(size). */
#define RG_DIGEST_SIZE 65
RG_API void rg_dataset_digest(const rg_dataset *data, char out[RG_DIGEST_SIZE]);

/* The number of a token, n bytes of UTF-8, the same in every set: of one letter its number in
 * Unicode, of others a hash of 52 bits. O(n). */
RG_API int64_t rg_token_value(const char *text, size_t n);

/* What to learn: as users expect unless told. */
typedef enum rg_target_choice {
    RG_TARGET_AUTO,  /* classes if there are any, else real values */
    RG_TARGET_CLASS, /* graph labels */
    RG_TARGET_REAL   /* graph attributes */
} rg_target_choice;

/* Which kind of column holds the targets: RG_CLASS or RG_TARGET. RG_EDATA if the set has no target
 * of the kind asked for. */
RG_API RG_MUST_CHECK rg_status rg_dataset_target(rg_column *out, const rg_dataset *data,
                                                 rg_target_choice choice, rg_error *err);

/* Every format, in the order in which files are offered to them: RG_FORMAT_TU and so on.
 *   TU      NAME_A.txt, NAME_graph_indicator.txt, ...
 *   THREE   NAME_Nodes.txt, NAME_Edges.txt, NAME_Labels.txt
 *   OGB     edge.csv.gz, num-node-list.csv.gz, ... (read only)
 *   GRAPH6  one graph per line (read only)
 *   SMI     one molecule per line, as SMILES
 *   TABLE   a .csv or .tsv file with a column of SMILES (read only)
 *   SDF     MOL files and SDF, V2000 and V3000
 *   WORDS   a .words file: one text per line, its words between blanks (read only)
 *   CHARS   a .chars file: the same by letters (read only) */
#define RG_FORMATS(X) \
    X(TU, tu)         \
    X(THREE, three)   \
    X(OGB, ogb)       \
    X(GRAPH6, graph6) \
    X(SMI, smi)       \
    X(TABLE, table)   \
    X(SDF, sdf)       \
    X(WORDS, words)   \
    X(CHARS, chars)

#define RG_FORMAT_KIND(upper, lower) RG_FORMAT_##upper,
typedef enum rg_format {
    RG_NO_FORMAT = -1,
    RG_FORMAT_AUTO,
    RG_FORMATS(RG_FORMAT_KIND) RG_N_FORMATS
} rg_format;
#undef RG_FORMAT_KIND

/* Word for a format ("auto", "tu", "three", "ogb", ...), and back (RG_NO_FORMAT: none). */
RG_API const char *rg_format_name(rg_format format);
RG_API rg_format rg_format_find(const char *name);

/* A molecule that a file has and the set has not, because it could not be read. */
typedef struct rg_left_out {
    const char *file;
    size_t line;      /* where it begins, from 1 */
    size_t column;    /* of `at` in that line, from 1; 0: no line has it */
    const char *name; /* "": none */
    const char *text; /* n bytes, as SMILES; NULL: none to show */
    size_t n, at;     /* at: the byte of the text where the trouble is */
    const char *reason;
    size_t graph; /* graphs of the set that come before it */
} rg_left_out;

/* Of the columns of a table of molecules. NULL: the one that can be meant. The fields of this struct
 * will not change. */
typedef struct rg_column_choice {
    const char *smiles;
    const char *targets; /* several are separated by commas; "": none */
    const char *id;
    int targets_optional; /* where several may be meant, the set has none; otherwise RG_EDATA */
} rg_column_choice;

typedef struct rg_read_options {
    size_t size; /* sizeof(rg_read_options): RG_READ_OPTIONS_INIT sets it */
    rg_format format;
    /* Bounds against archives and files that claim or unpack to more than anyone has. */
    uint64_t max_bytes;   /* unpacked bytes in all */
    uint64_t max_ratio;   /* unpacked to packed, once 16 MiB are unpacked; the densest honest sets
                             reach 200, a bomb of zeros 1000 */
    uint64_t max_entries; /* files and directories in an archive or directory */
    /* For molecules. */
    rg_column_choice columns;
    int explicit_hydrogens; /* every hydrogen is a node of its own */
    int largest_fragment;   /* of salts and mixtures only the largest part */
    int strict;             /* a molecule that cannot be read ends it all: RG_EDATA */
    /* Called for each molecule that is left out; what it is given is borrowed. May be NULL. */
    void (*left_out)(void *context, const rg_left_out *molecule);
    void *context;
} rg_read_options;

#define RG_READ_OPTIONS_INIT                                                       \
    RG_OPTIONS(rg_read_options, .max_bytes = (uint64_t)64 << 30, .max_ratio = 500, \
               .max_entries = 1 << 16)
RG_OPTIONS_FUNCTIONS(rg_read_options)
RG_API RG_MUST_CHECK rg_status rg_read_options_check(const rg_read_options *options, rg_error *err);

/* Read a data set from a directory (also one that holds raw/ or NAME/), an archive (.zip, .tar,
 * .tar.gz, .tar.zst, ...) or a file (.g6, .smi, .csv, ...), straight into memory.
 * out: owned by the caller (rg_dataset_free), untouched on failure. options: NULL for the defaults.
 * Cost: O(bytes). RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_read(rg_dataset **out, const char *path,
                                               const rg_read_options *options, rg_error *err);

/* Graphs from lines of text, one per line, as JSON objects or graph6 (docs/formats.md); the set has
 * no targets. name: of the file, for messages, and of the set; number: of the first line. The text
 * need not end with a zero; blanks around a graph and empty lines are fine. All graphs have the
 * same columns of labels and attributes. out: owned, untouched on failure. Cost: O(n + nodes).
 * RG_EDATA (also if there is no graph at all), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_from_lines(rg_dataset **out, const char *name,
                                                     size_t number, const char *text, size_t n,
                                                     rg_error *err);

/* Sequences from n texts that end with zeros, without targets; what a text may hold is as in the
 * files (docs/sequences.md), and line ends are blanks. kind: words or letters. name: of the set, and
 * for messages; number: of the first text in them. out: owned, untouched on failure. Cost:
 * O(bytes). RG_EUSAGE (kind), RG_EDATA (no text, an empty one, no UTF-8), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_from_texts(rg_dataset **out, const char *name,
                                                     size_t number, rg_sequence kind,
                                                     const char *const *texts, size_t n,
                                                     rg_error *err);

/* Molecules from lines of text, one per line: SMILES and, behind a blank, a name. The set has no
 * targets. name: of the set, for messages too. The text need not end with a zero. options: NULL for
 * the defaults; those of molecules count. A molecule that cannot be read is left out. out: owned,
 * untouched on failure. Cost: O(n). RG_EDATA (under `strict`), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_from_smiles(rg_dataset **out, const char *name,
                                                      const char *text, size_t n,
                                                      const rg_read_options *options,
                                                      rg_error *err);

/* A graph of a set of molecules as SMILES that reads back as the same graph, whatever the order of
 * its nodes: the text depends on the constitution, then on stereo. kekule: with single and double
 * bonds instead of aromatic ones; then it may depend on the order. out: owned (rg_text_free),
 * untouched on failure. RG_EDATA: no molecule; RG_EUSAGE (no such graph), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_smiles(char **out, const rg_dataset *data, size_t graph,
                                                 int kekule, rg_error *err);

/* The Bemis-Murcko scaffold of a graph of a set of molecules, as SMILES without stereo: rings, what
 * links them, and what hangs on either by a double bond; "" without a ring. out: owned
 * (rg_text_free), untouched on failure. RG_EDATA, RG_EUSAGE, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_scaffold(char **out, const rg_dataset *data, size_t graph,
                                                   rg_error *err);
/* group: n_graphs numbers, graphs with the same scaffold have the same one, from 0 by their first
 * graphs; *n_groups of them. RG_EDATA, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_scaffolds(uint32_t *group, size_t *n_groups,
                                                    const rg_dataset *data, rg_error *err);

/* Write a data set into a directory as NAME_*.txt, byte for byte the same each time. format:
 * RG_FORMAT_TU or RG_FORMAT_THREE (which has no place for attributes: RG_EUSAGE if the set has
 * some, or both classes and real-valued targets, or targets that all are whole numbers); for
 * molecules RG_FORMAT_SMI (no targets) or RG_FORMAT_SDF. name: NULL
 * for the set's own. A set of the same name and format that was there is replaced, all of it. Every
 * file is written whole or not at all, and none appears before all are on the disk. RG_EUSAGE,
 * RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_dataset_write(const rg_dataset *data, const char *directory,
                                                const char *name, rg_format format, rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
