/* names_known.c - names of labels that the makers of a data set documented, and nothing else.
 *
 * NCI1 and NCI109 are not here: their labels are numbers whose meaning was never published. */
#include "names_known.h"

#include "names.h"

#include <string.h>

/* By atomic number, from 1. */
#define ELEMENTS                                                                                  \
    "H,He,Li,Be,B,C,N,O,F,Ne,Na,Mg,Al,Si,P,S,Cl,Ar,K,Ca,Sc,Ti,V,Cr,Mn,Fe,Co,Ni,Cu,Zn,Ga,Ge,As,"   \
    "Se,Br,Kr,Rb,Sr,Y,Zr,Nb,Mo,Tc,Ru,Rh,Pd,Ag,Cd,In,Sn,Sb,Te,I,Xe,Cs,Ba,La,Ce,Pr,Nd,Pm,Sm,Eu,Gd," \
    "Tb,Dy,Ho,Er,Tm,Yb,Lu,Hf,Ta,W,Re,Os,Ir,Pt,Au,Hg,Tl,Pb,Bi,Po,At,Rn,Fr,Ra,Ac,Th,Pa,U,Np,Pu,Am," \
    "Cm,Bk,Cf,Es,Fm,Md,No,Lr,Rf,Db,Sg,Bh,Hs,Mt,Ds,Rg,Cn,Nh,Fl,Mc,Lv,Ts,Og"

#define ZINC_ATOMS                                                                              \
    "C,O,N,F,C H1,S,Cl,O -,N H1 +,Br,N H3 +,N H2 +,N +,N -,S -,I,P,O H1 +,N H1 -,O +,S +,P H1," \
    "P H2,C H2 -,P +,S H1 +,C H1 -,P H1 +"

static const char readme[] = "the README of the data set";
static const char numbers[] = "atomic numbers";
static const char ogb[] = "OGB's list of features";

static const rg_known_names known[] = {
    {.set = "MUTAG",
     .source = readme,
     .nodes = "C,N,O,F,I,Cl,Br",
     .edges = "aromatic,single,double,triple"},
    {.set = "Mutagenicity",
     .source = readme,
     .nodes = "C,O,Cl,H,N,F,Br,S,P,I,Na,K,Li,Ca",
     .edges = "single,double,triple",
     .classes = "mutagen,nonmutagen"},
    {.set = "PTC_MR",
     .source = readme,
     .nodes = "In,P,O,N,Na,C,Cl,S,Br,F,K,Cu,Zn,I,Ba,Sn,Pb,Ca",
     .edges = "triple,double,single,aromatic"},
    {.set = "BZR_MD",
     .source = readme,
     .nodes = "C,N,O,F,Cl,S,P,Br",
     .edges = "aromatic,no bond,single,double,triple"},
    {.set = "COX2_MD",
     .source = readme,
     .nodes = "C,N,F,S,O,Cl,Br",
     .edges = "aromatic,no bond,single,double,triple"},
    /* The values themselves tell: 1, 6, 7, 8, 9, 16, 17, 35, 53, with the degrees of such atoms. */
    {.set = "DHFR", .source = numbers, .nodes = ELEMENTS, .first_node = 1},
    {.set = "BZR", .source = numbers, .nodes = ELEMENTS, .first_node = 1},
    {.set = "ZINC*",
     .source = readme,
     .nodes = ZINC_ATOMS,
     .edges = "single,double,triple",
     .first_edge = 1},
    {.set = "ogbg-mol*",
     .node_columns = 9,
     .source = ogb,
     .nodes = ELEMENTS,
     .edges = "single,double,triple,aromatic"},
    {.set = "ogbg-mol*",
     .node_columns = 1,
     .source = numbers,
     .nodes = ELEMENTS,
     .edges = "single,double,triple,aromatic",
     .first_node = 1},
};

/* A pattern may end with '*'. */
static bool fits(const char *pattern, const char *set)
{
    size_t n = strlen(pattern);
    if (n && pattern[n - 1] == '*')
        return strncmp(pattern, set, n - 1) == 0;
    return strcmp(pattern, set) == 0;
}

const rg_known_names *rg_known_names_find(const char *set, size_t node_columns)
{
    for (size_t k = 0; set && k < sizeof known / sizeof *known; k++) {
        size_t columns = known[k].node_columns;
        if (fits(known[k].set, set) && (!columns || columns == node_columns))
            return &known[k];
    }
    return NULL;
}

/* Bytes of the element's symbol that a name begins with: the longer one if two fit, and nothing of
 * a word that goes on in small letters. */
static size_t symbol(const char *name)
{
    size_t n = 0;
    for (const char *p = ELEMENTS; name && *p;) {
        size_t length = strcspn(p, ",");
        char next = strncmp(name, p, length) == 0 ? name[length] : 'a';
        if (length > n && !(next >= 'a' && next <= 'z') && !(next >= 'A' && next <= 'Z'))
            n = length;
        p += p[length] ? length + 1 : length;
    }
    return n;
}

bool rg_name_is_atom(const char *name)
{
    size_t n = symbol(name);
    return n && (name[n] == '\0' || strspn(name + n, " H0123456789+-") == strlen(name + n));
}

rg_bond rg_name_bond(const char *name)
{
    static const struct {
        const char *name;
        rg_bond bond;
    } bonds[] = {{"single", RG_BOND_SINGLE}, {"double", RG_BOND_DOUBLE},
                 {"triple", RG_BOND_TRIPLE}, {"aromatic", RG_BOND_AROMATIC},
                 {"1", RG_BOND_SINGLE},      {"2", RG_BOND_DOUBLE},
                 {"3", RG_BOND_TRIPLE}};
    for (size_t k = 0; name && k < sizeof bonds / sizeof *bonds; k++) {
        if (strcmp(bonds[k].name, name) == 0)
            return bonds[k].bond;
    }
    return RG_BOND_NONE;
}
