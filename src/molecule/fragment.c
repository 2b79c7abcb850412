/* fragment.c - the parts of salts and mixtures. */
#include "perceive.h"

#include <string.h>

/* Parts by their numbers in part[]; how many. queue: room for all atoms. */
static uint32_t number_parts(const rg_molecule *m, uint32_t *part, uint32_t *queue)
{
    uint32_t n_parts = 0;
    for (uint32_t i = 0; i < m->n_atoms; i++)
        part[i] = RG_NO_ATOM;
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        size_t n = 0;
        if (part[i] != RG_NO_ATOM)
            continue;
        queue[n++] = i;
        part[i] = n_parts;
        for (size_t k = 0; k < n; k++)
            for (uint32_t e = m->first[queue[k]]; e < m->first[queue[k] + 1]; e++)
                if (part[m->near[e].atom] == RG_NO_ATOM) {
                    part[m->near[e].atom] = n_parts;
                    queue[n++] = m->near[e].atom;
                }
        n_parts++;
    }
    return n_parts;
}

/* The part with the most atoms, then with the most hydrogens, then the first. */
static uint32_t find_largest(const rg_molecule *m, const uint32_t *part, uint32_t n_parts,
                             uint32_t *sizes)
{
    uint32_t best = 0;
    uint32_t *hydrogens = sizes + n_parts;
    memset(sizes, 0, 2 * (size_t)n_parts * sizeof *sizes);
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        sizes[part[i]]++;
        hydrogens[part[i]] += m->atoms[i].hydrogens;
    }
    for (uint32_t p = 1; p < n_parts; p++)
        if (sizes[p] > sizes[best] || (sizes[p] == sizes[best] && hydrogens[p] > hydrogens[best]))
            best = p;
    return best;
}

rg_status rg_molecule_keep_largest(rg_molecule *m, rg_mol_fault *fault)
{
    size_t n = m->n_atoms;
    uint32_t *part = rg_molecule_scratch(m, 4 * n + 2), *room = part + n, count = 0;
    if (!part)
        return RG_ENOMEM;
    uint32_t n_parts = number_parts(m, part, room);
    if (n_parts < 2)
        return RG_OK;
    uint32_t best = find_largest(m, part, n_parts, room);
    for (size_t i = 0; i < n; i++)
        part[i] = part[i] == best ? count++ : RG_NO_ATOM;
    rg_molecule_compact(m, part);
    m->rings.n = 0; /* their atoms have new numbers; all that follows from them is in the atoms */
    return rg_molecule_connect(m, fault);
}
