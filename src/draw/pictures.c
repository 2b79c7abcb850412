/* pictures.c - see pictures.h. */
#include "pictures.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

#define TITLE_MAX (RG_NAME_MAX + 96)

/* Everything lies in one block, carved; by graph one after another where there is one per node. */
typedef struct picture_pieces {
    rg_figure_row *rows;
    rg_graph *graphs;
    char *titles; /* TITLE_MAX each */
    rg_point *points;
    uint32_t *numbers;     /* by node: of its label among those that occur */
    const char **letters;  /* by node */
    rg_bond *bonds;        /* by arc */
    rg_figure_atom *atoms; /* by node */
    uint8_t *straight;     /* by node */
    rg_figure_label *labels;
    char *names;     /* RG_NAME_MAX each */
    char *shorts;    /* the same: what is written into the node */
    uint32_t *known; /* by rank: number, UINT32_MAX: does not occur */
} picture_pieces;

static rg_status carve(picture_pieces *p, void **out, const rg_dataset *data,
                       const uint64_t *graphs, size_t n, size_t n_ranks, rg_error *err)
{
    uint64_t nodes = 0, arcs = 0;
    for (size_t k = 0; k < n; k++) {
        rg_graph g = rg_dataset_graph(data, graphs[k]);
        nodes += g.n_nodes;
        arcs += g.n_arcs;
    }
    rg_carve l = {0};
    size_t rows = rg_carve_add(&l, n, sizeof *p->rows);
    size_t copies = rg_carve_add(&l, n, sizeof *p->graphs);
    size_t titles = rg_carve_add(&l, n, TITLE_MAX);
    size_t points = rg_carve_add(&l, nodes, sizeof *p->points);
    size_t numbers = rg_carve_add(&l, nodes, sizeof *p->numbers);
    size_t letters = rg_carve_add(&l, nodes, sizeof *p->letters);
    size_t bonds = rg_carve_add(&l, arcs, sizeof *p->bonds);
    size_t atoms = rg_carve_add(&l, nodes, sizeof *p->atoms);
    size_t straight = rg_carve_add(&l, nodes, 1);
    size_t labels = rg_carve_add(&l, n_ranks, sizeof *p->labels);
    size_t names = rg_carve_add(&l, n_ranks, RG_NAME_MAX);
    size_t shorts = rg_carve_add(&l, n_ranks, RG_NAME_MAX);
    size_t known = rg_carve_add(&l, n_ranks, sizeof *p->known);
    char *block = rg_carve_alloc(&l);
    if (!block)
        return rg_fail_memory(err, "a figure");
    *p = (picture_pieces){(void *)(block + rows),
                          (void *)(block + copies),
                          block + titles,
                          (void *)(block + points),
                          (void *)(block + numbers),
                          (void *)(block + letters),
                          (void *)(block + bonds),
                          (void *)(block + atoms),
                          (void *)(block + straight),
                          (void *)(block + labels),
                          block + names,
                          block + shorts,
                          (void *)(block + known)};
    *out = block;
    return RG_OK;
}

/* What is written into a node: a short name, else the value, else nothing. */
static void shorten(char out[RG_NAME_MAX], const char *name, int64_t value)
{
    size_t n = name ? strcspn(name, " ") : 0;
    if (name && (n <= 3 || rg_name_is_atom(name)))
        snprintf(out, RG_NAME_MAX, "%.*s", (int)n, name);
    else if (!name && value > -100 && value < 1000)
        snprintf(out, RG_NAME_MAX, "%lld", (long long)value);
    else
        out[0] = '\0';
}

/* Numbers of the labels that occur, by rank. Returns how many. */
static size_t make_labels(picture_pieces *p, const rg_dataset *data, const uint64_t *graphs,
                          size_t n, const rg_names *names)
{
    size_t n_ranks = 0, count = 0;
    const uint32_t *ranks = rg_dataset_ranks(data, RG_NODE_LABEL, 0);
    const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, 0, &n_ranks);
    memset(p->known, 0xff, n_ranks * sizeof *p->known);
    for (size_t k = 0; k < n; k++) {
        rg_graph g = rg_dataset_graph(data, graphs[k]);
        for (uint64_t i = g.first_node; i < g.first_node + g.n_nodes; i++)
            p->known[ranks[i]] = 0;
    }
    bool atoms = rg_names_any(names, RG_NAME_NODE);
    for (size_t r = 0; r < n_ranks; r++) {
        const char *name = rg_names_find(names, RG_NAME_NODE, values[r]);
        atoms = atoms && (p->known[r] || (name && rg_name_is_atom(name)));
    }
    for (size_t r = 0; r < n_ranks; r++) {
        if (p->known[r])
            continue;
        const char *name = rg_names_find(names, RG_NAME_NODE, values[r]);
        char *text = p->names + count * RG_NAME_MAX;
        rg_names_text(text, names, RG_NAME_NODE, values[r]);
        shorten(p->shorts + count * RG_NAME_MAX, name, values[r]);
        /* by rank: a label has the same colour whatever else is drawn */
        p->labels[count] =
            (rg_figure_label){text, atoms ? rg_atom_colour(name) : rg_palette_colour(r)};
        p->known[r] = (uint32_t)count++;
    }
    return count;
}

static void make_title(char out[TITLE_MAX], const rg_dataset *data, uint64_t graph,
                       const rg_names *names)
{
    char name[RG_NAME_MAX] = "";
    const char *own = rg_dataset_graph_name(data, graph);
    size_t n_classes = 0;
    if (rg_dataset_n_columns(data, RG_CLASS)) {
        uint32_t rank = rg_dataset_ranks(data, RG_CLASS, 0)[graph];
        const int64_t *values = rg_dataset_values(data, RG_CLASS, 0, &n_classes);
        if (rank != RG_NO_CLASS)
            rg_names_text(name, names, RG_NAME_CLASS, values[rank]);
    }
    snprintf(out, TITLE_MAX, "graph %llu%s%.60s%s%s", (unsigned long long)graph,
             own && *own ? ", " : "", own ? own : "", *name ? ", " : "", name);
}

static void make_bonds(rg_bond *out, const rg_dataset *data, const rg_graph *g,
                       const rg_names *names)
{
    size_t n = 0;
    const uint32_t *ranks = rg_dataset_ranks(data, RG_EDGE_LABEL, 0);
    const int64_t *values = rg_dataset_values(data, RG_EDGE_LABEL, 0, &n);
    for (uint64_t k = 0; k < g->n_arcs; k++)
        out[k] = rg_name_bond(rg_names_find(names, RG_NAME_EDGE, values[ranks[g->row[0] + k]]));
}

/* Columns of molecules; SIZE_MAX: there is none. */
typedef struct picture_columns {
    size_t element, charge, hydrogens, isotope, hybrid;
} picture_columns;

static size_t find_column(const rg_dataset *data, const char *name)
{
    for (size_t c = 0; c < rg_dataset_n_columns(data, RG_NODE_LABEL); c++) {
        const char *own = rg_dataset_column_name(data, RG_NODE_LABEL, c);
        if (own && strcmp(own, name) == 0)
            return c;
    }
    return SIZE_MAX;
}

/* What is known of an atom: false if the set has no molecules. */
static bool find_columns(picture_columns *out, const rg_dataset *data)
{
    *out = (picture_columns){find_column(data, "element"), find_column(data, "charge"),
                             find_column(data, "hydrogens"), find_column(data, "isotope"),
                             find_column(data, "hybridisation")};
    return out->element == 0 && out->charge != SIZE_MAX && out->hydrogens != SIZE_MAX;
}

static int64_t label_of(const rg_dataset *data, size_t column, uint64_t node)
{
    size_t n;
    if (column == SIZE_MAX)
        return 0;
    return rg_dataset_values(data, RG_NODE_LABEL, column,
                             &n)[rg_dataset_ranks(data, RG_NODE_LABEL, column)[node]];
}

static void make_atoms(rg_figure_atom *out, const rg_dataset *data, const rg_graph *g,
                       const rg_names *names, const picture_columns *columns)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint64_t node = g->first_node + i;
        int64_t element = label_of(data, columns->element, node);
        int64_t charge = label_of(data, columns->charge, node);
        int64_t hydrogens = label_of(data, columns->hydrogens, node);
        int64_t isotope = label_of(data, columns->isotope, node);
        const char *name = rg_names_find(names, RG_NAME_NODE, element);
        out[i] = (rg_figure_atom){
            .hydrogens = (uint8_t)(hydrogens > 0 && hydrogens < 100 ? hydrogens : 0),
            .charge = (int8_t)(charge > -100 && charge < 100 ? charge : 0),
            .isotope = (uint16_t)(isotope > 0 && isotope <= UINT16_MAX ? isotope : 0)};
        snprintf(out[i].symbol, sizeof out[i].symbol, "%.3s", name ? name : "?");
    }
}

/* Two triple or double bonds in a line. */
static void make_straight(uint8_t *out, const rg_dataset *data, const rg_graph *g,
                          const picture_columns *columns)
{
    enum { SP = 1 };
    for (uint32_t i = 0; i < g->n_nodes; i++)
        out[i] = label_of(data, columns->hybrid, g->first_node + i) == SP;
}

/* Row k; *nodes and *arcs: of the rows before it. */
static rg_status make_row(picture_pieces *p, size_t k, const rg_dataset *data, uint64_t graph,
                          const rg_names *names, uint64_t *nodes, uint64_t *arcs, rg_error *err)
{
    rg_graph *g = &p->graphs[k];
    char *title = p->titles + k * TITLE_MAX;
    bool labelled = rg_dataset_n_columns(data, RG_NODE_LABEL) > 0;
    bool bonded =
        rg_dataset_n_columns(data, RG_EDGE_LABEL) > 0 && rg_names_any(names, RG_NAME_EDGE);
    *g = rg_dataset_graph(data, graph);
    make_title(title, data, graph, names);
    picture_columns columns;
    bool molecules = find_columns(&columns, data);
    if (molecules) {
        make_atoms(p->atoms + *nodes, data, g, names, &columns);
        make_straight(p->straight + *nodes, data, g, &columns);
    }
    rg_status status =
        rg_graph_layout_with(p->points + *nodes, g, molecules ? p->straight + *nodes : NULL, err);
    if (status)
        return status;
    for (uint32_t i = 0; labelled && i < g->n_nodes; i++) {
        uint32_t number = p->known[rg_dataset_ranks(data, RG_NODE_LABEL, 0)[g->first_node + i]];
        p->numbers[*nodes + i] = number;
        p->letters[*nodes + i] = p->shorts + (size_t)number * RG_NAME_MAX;
    }
    if (bonded)
        make_bonds(p->bonds + *arcs, data, g, names);
    p->rows[k] = (rg_figure_row){.graph = g,
                                 .atoms = molecules ? p->atoms + *nodes : NULL,
                                 .points = p->points + *nodes,
                                 .labels = labelled ? p->numbers + *nodes : NULL,
                                 .letters = labelled ? p->letters + *nodes : NULL,
                                 .bonds = bonded ? p->bonds + *arcs : NULL,
                                 .title = title};
    *nodes += g->n_nodes;
    *arcs += g->n_arcs;
    return RG_OK;
}

rg_status rg_pictures_make(rg_pictures *out, const rg_dataset *data, const uint64_t *graphs,
                           size_t n, const rg_names *names, rg_error *err)
{
    size_t n_ranks = 0, n_graphs = rg_dataset_n_graphs(data), n_labels = 0;
    uint64_t nodes = 0, arcs = 0;
    picture_pieces p = {0};
    void *block = NULL;
    for (size_t k = 0; k < n; k++) {
        if (graphs[k] >= n_graphs)
            return rg_fail(err, RG_EUSAGE, "there is no graph %llu: '%s' has %zu, numbered from 0",
                           (unsigned long long)graphs[k], rg_dataset_name(data), n_graphs);
    }
    bool labelled = rg_dataset_n_columns(data, RG_NODE_LABEL) > 0;
    if (labelled)
        rg_dataset_values(data, RG_NODE_LABEL, 0, &n_ranks);
    rg_status status = carve(&p, &block, data, graphs, n, n_ranks, err);
    if (status)
        return status;
    if (labelled)
        n_labels = make_labels(&p, data, graphs, n, names);
    for (size_t k = 0; !status && k < n; k++)
        status = make_row(&p, k, data, graphs[k], names, &nodes, &arcs, err);
    if (status) {
        rg_free(block);
        return status;
    }
    *out = (rg_pictures){p.rows, n, p.labels, n_labels, n && p.rows[0].atoms, block};
    return RG_OK;
}

void rg_pictures_free(rg_pictures *pictures)
{
    rg_free(pictures->block);
    *pictures = (rg_pictures){0};
}
