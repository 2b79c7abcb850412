/* sdf_write.c - data sets of molecules as SDF: version 2000, or 3000 where that has no room; targets
 * are properties.
 *
 * Bonds are those of a Kekule structure. Coordinates are the three node attributes, if there are
 * three, else 0. An atom has its valence written where readers would not guess its hydrogens. */
#include "export.h"
#include "smi_write.h"

#include "base/error.h"
#include "molecule/element.h"
#include "molecule/perceive.h"

#include <string.h>

typedef struct sdf_out {
    rg_text *text;
    rg_export set;
    size_t graph;
    const double *places; /* of the graph's nodes, 3 each; NULL: none */
} sdf_out;

static void add_line(rg_text *text, const char *line)
{
    for (const char *c = line; *c; c++)
        rg_text_add(text, "%c", (unsigned char)*c < ' ' ? ' ' : *c);
    rg_text_add(text, "\n");
}

/* Of all its bonds, with hydrogens; 0: readers find out by themselves. */
static unsigned valence_of(const rg_mol_atom *atom)
{
    if (atom->element == RG_WILDCARD || atom->hydrogens == rg_molecule_missing(atom))
        return 0;
    unsigned all = (unsigned)atom->bond_sum + atom->hydrogens;
    return all ? all : 15;
}

static const char *symbol_of(const rg_mol_atom *atom)
{
    return rg_element_symbol(atom->element);
}

static double place_of(const sdf_out *s, size_t i, size_t axis)
{
    double value = s->places ? s->places[3 * i + axis] : 0;
    return value > -9999 && value < 99999 ? value : 0;
}

/* ---- version 2000 */

/* "M  CHG" and "M  ISO": eight atoms in a line. */
static void add_items(const sdf_out *s, const char *word, bool isotopes)
{
    const rg_molecule *m = &s->set.molecule;
    size_t i = 0, n = 0, from = 0;
    while (i < m->n_atoms) {
        for (n = 0, from = i; i < m->n_atoms && n < 8; i++)
            n += isotopes ? m->atoms[i].isotope != 0 : m->atoms[i].charge != 0;
        if (n)
            rg_text_add(s->text, "M  %s%3zu", word, n);
        for (; from < i; from++) {
            int value = isotopes ? m->atoms[from].isotope : m->atoms[from].charge;
            if (value)
                rg_text_add(s->text, " %3zu %3d", from + 1, value);
        }
        if (n)
            rg_text_add(s->text, "\n");
    }
}

static void add_table_2000(const sdf_out *s)
{
    const rg_molecule *m = &s->set.molecule;
    rg_text_add(s->text, "%3zu%3zu  0  0  0  0  0  0  0  0999 V2000\n", m->n_atoms, m->n_bonds);
    for (size_t i = 0; i < m->n_atoms; i++)
        rg_text_add(s->text, "%10.4f%10.4f%10.4f %-3s 0  0  0  0  0%3u  0  0  0  0  0  0\n",
                    place_of(s, i, 0), place_of(s, i, 1), place_of(s, i, 2),
                    symbol_of(&m->atoms[i]), valence_of(&m->atoms[i]));
    for (size_t k = 0; k < m->n_bonds; k++)
        rg_text_add(s->text, "%3u%3u%3u  0\n", m->bonds[k].a + 1, m->bonds[k].b + 1,
                    m->bonds[k].order);
    add_items(s, "CHG", false);
    add_items(s, "ISO", true);
}

/* ---- version 3000 */

static void add_table_3000(const sdf_out *s)
{
    const rg_molecule *m = &s->set.molecule;
    rg_text_add(s->text, "  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n");
    rg_text_add(s->text, "M  V30 COUNTS %zu %zu 0 0 0\nM  V30 BEGIN ATOM\n", m->n_atoms,
                m->n_bonds);
    for (size_t i = 0; i < m->n_atoms; i++) {
        const rg_mol_atom *atom = &m->atoms[i];
        unsigned valence = valence_of(atom);
        rg_text_add(s->text, "M  V30 %zu %s %.4f %.4f %.4f 0", i + 1, symbol_of(atom),
                    place_of(s, i, 0), place_of(s, i, 1), place_of(s, i, 2));
        if (atom->charge)
            rg_text_add(s->text, " CHG=%d", atom->charge);
        if (atom->isotope)
            rg_text_add(s->text, " MASS=%u", atom->isotope);
        if (valence == 15)
            rg_text_add(s->text, " VAL=-1");
        else if (valence)
            rg_text_add(s->text, " VAL=%u", valence);
        rg_text_add(s->text, "\n");
    }
    rg_text_add(s->text, "M  V30 END ATOM\n");
    if (m->n_bonds)
        rg_text_add(s->text, "M  V30 BEGIN BOND\n");
    for (size_t k = 0; k < m->n_bonds; k++)
        rg_text_add(s->text, "M  V30 %zu %u %u %u\n", k + 1, m->bonds[k].order, m->bonds[k].a + 1,
                    m->bonds[k].b + 1);
    if (m->n_bonds)
        rg_text_add(s->text, "M  V30 END BOND\n");
    rg_text_add(s->text, "M  V30 END CTAB\n");
}

/* ---- properties */

static void add_property(const sdf_out *s, rg_column kind, size_t column)
{
    const rg_dataset *data = s->set.data;
    const char *name = rg_dataset_column_name(data, kind, column), *word = NULL;
    size_t n_columns = rg_dataset_n_columns(data, kind), n;
    double real = 0;
    int64_t value = 0;
    if (kind == RG_CLASS) {
        uint32_t rank = rg_dataset_ranks(data, kind, column)[s->graph];
        if (rank == RG_NO_CLASS)
            return;
        value = rg_dataset_values(data, kind, column, &n)[rank];
        word = rg_dataset_value_name(data, kind, column, rank);
    } else {
        real = rg_dataset_reals(data, kind)[s->graph * n_columns + column];
        if (real != real)
            return;
    }
    rg_text_add(s->text, "> <");
    if (name) {
        for (const char *c = name; *c; c++)
            rg_text_add(s->text, "%c", (unsigned char)*c < ' ' || *c == '>' ? ' ' : *c);
    } else {
        rg_text_add(s->text, column ? "target_%zu" : "target", column + 1);
    }
    rg_text_add(s->text, ">\n");
    if (word)
        add_line(s->text, word);
    else if (kind == RG_CLASS)
        rg_text_add(s->text, "%lld\n", (long long)value);
    else {
        rg_text_real(s->text, real);
        rg_text_add(s->text, "\n");
    }
    rg_text_add(s->text, "\n");
}

/* ---- records */

/* What version 2000 has columns for. */
static bool is_large(const rg_molecule *m)
{
    bool large = m->n_atoms > 999 || m->n_bonds > 999;
    for (size_t i = 0; i < m->n_atoms; i++)
        large |= m->atoms[i].isotope > 999;
    return large;
}

static rg_status check_bonds(const rg_molecule *m, rg_mol_fault *fault)
{
    for (size_t i = 0; i < m->n_atoms; i++)
        if (m->atoms[i].isotope > 999)
            return rg_mol_fail(fault, i, "found isotope %u, expected at most 999",
                               m->atoms[i].isotope);
    for (size_t k = 0; k < m->n_bonds; k++)
        if (m->bonds[k].order > 3)
            return rg_mol_fail(fault, m->bonds[k].a,
                               "found a quadruple bond, which SDF has no number for");
    return RG_OK;
}

static rg_status add_record(sdf_out *s, rg_error *err)
{
    const rg_dataset *data = s->set.data;
    rg_molecule *m = &s->set.molecule;
    const char *name = rg_dataset_graph_name(data, s->graph);
    rg_mol_fault fault = {0};
    rg_status status = rg_export_graph(&s->set, s->graph, err);
    if (status)
        return status;
    status = rg_molecule_restore_kekule(m, &fault);
    if (!status)
        status = check_bonds(m, &fault);
    if (status)
        return rg_export_fail(&s->set, s->graph, status, &fault, err);
    rg_molecule_sum_bonds(m);
    add_line(s->text, name ? name : "");
    rg_text_add(s->text, "  regula\n\n");
    if (is_large(m))
        add_table_3000(s);
    else
        add_table_2000(s);
    rg_text_add(s->text, "M  END\n");
    for (size_t c = 0; c < rg_dataset_n_columns(data, RG_CLASS); c++)
        add_property(s, RG_CLASS, c);
    for (size_t c = 0; c < rg_dataset_n_columns(data, RG_TARGET); c++)
        add_property(s, RG_TARGET, c);
    rg_text_add(s->text, "$$$$\n");
    return RG_OK;
}

static rg_status add_records(rg_text *text, const rg_dataset *data, rg_error *err)
{
    sdf_out s = {.text = text};
    const double *places = rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
    bool three = rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE) == 3;
    rg_status status = rg_export_open(&s.set, data, err);
    for (; s.graph < rg_dataset_n_graphs(data) && !status; s.graph++) {
        s.places = three ? places + 3 * rg_dataset_graph(data, s.graph).first_node : NULL;
        status = add_record(&s, err);
    }
    if (!status && text->failed)
        status = rg_fail_memory(err, "writing molecules");
    rg_export_free(&s.set);
    return status;
}

static void put_records(rg_set_writer *w)
{
    rg_file_text(w->file, w->text);
}

rg_status rg_sdf_write(rg_set_writer *w, rg_error *err)
{
    rg_text text = {0};
    rg_status status = add_records(&text, w->data, err);
    w->text = text.n ? text.data : "";
    if (!status)
        status = rg_set_writer_add(w, ".sdf", put_records, err);
    rg_text_drop(&text);
    return status;
}
