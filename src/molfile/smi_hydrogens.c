/* smi_hydrogens.c - what each line of a SMILES file says about hydrogens. */
#include "base/error.h"
#include "format/entries.h"
#include "format/format.h"
#include "smi.h"

#include <string.h>

static void add_line(rg_text *out, const rg_mol_place *place, const rg_molecule *m,
                     const rg_mol_fault *fault)
{
    size_t n = 0;
    while (n < place->n_name && place->name[n] != ' ' && place->name[n] != '\t')
        n++;
    rg_text_add(out, "%s%.*s", fault ? "# " : "", (int)n, place->name);
    if (fault)
        rg_text_add(out, " %s", fault->reason);
    for (size_t i = 0; !fault && i < m->n_atoms; i++)
        rg_text_add(out, " %u", m->atoms[i].hydrogens);
    rg_text_add(out, "\n");
}

static rg_status take_lines(rg_text *out, rg_mol_set *set, rg_reader *in, rg_error *err)
{
    static const rg_mol_options options = {.as_written = true};
    bool more = true;
    rg_status status;
    while (!(status = rg_reader_next(in, &more, err)) && more) {
        rg_mol_place place = rg_smi_split(in);
        rg_mol_fault fault;
        if ((!place.n && !place.n_name) || rg_smi_is_heading(&place))
            continue;
        status = rg_smiles_parse(&set->molecule, &set->smiles, place.text, place.n, &fault);
        if (!status)
            status = rg_molecule_perceive(&set->molecule, &options, &fault);
        if (status == RG_ENOMEM)
            return rg_fail_memory(err, place.file);
        add_line(out, &place, &set->molecule, status ? &fault : NULL);
    }
    return status;
}

rg_status rg_smi_hydrogens(rg_text *out, const char *path, rg_error *err)
{
    rg_read_options options = rg_read_options_default();
    rg_entries *entries = NULL;
    rg_reader *in = NULL;
    rg_mol_set set = {.options = NULL};
    const char *name = NULL;
    size_t prefix;
    rg_status status = rg_entries_open(&entries, path, &options, err);
    if (!status)
        status = rg_entries_next(entries, &name, err);
    if (!status && (!name || !rg_format_smi.knows(name, &prefix)))
        status = rg_fail(err, RG_EDATA, "%s: expected a file of SMILES (.smi)", path);
    if (!status)
        status = rg_entries_reader(entries, &in, err);
    if (!status)
        status = take_lines(out, &set, in, err);
    if (!status && out->failed)
        status = rg_fail_memory(err, path);
    rg_mol_set_free(&set);
    rg_entries_close(entries);
    return status;
}
