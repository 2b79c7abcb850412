/* catalogue.c - the data sets that can be fetched by name, or made.
 *
 * Numbers are those that the collections publish: graphs, mean nodes, mean edges (each edge once; a
 * self-loop, as COLLAB has some, counts). The one exception is DHFR, whose table says 467 graphs
 * while the file has 756. Sets whose published numbers contradict other tables are left out, and so
 * are those whose labels change over time. A digest is that of the content as rg_dataset_read sees
 * it; it is given where the collection's own files were at hand. */
#include "regula/fetch.h"

#include <string.h>

/* Who is to be cited. All sets of the TUDataset collection: also Morris et al., TUDataset, 2020. */
#define BORGWARDT_E                                                                     \
    "Borgwardt, Ong, Schoenauer, Vishwanathan, Smola, Kriegel: Protein function "       \
    "prediction via graph kernels, Bioinformatics 21, 2005; Schomburg et al.: BRENDA, " \
    "the enzyme database, Nucleic Acids Research 32, 2004"
#define BORGWARDT_P                                                                        \
    "Borgwardt, Ong, Schoenauer, Vishwanathan, Smola, Kriegel: Protein function "          \
    "prediction via graph kernels, Bioinformatics 21, 2005; Dobson, Doig: Distinguishing " \
    "enzyme structures from non-enzymes without alignments, J. Mol. Biol. 330, 2003"
#define BRESSON                                                                          \
    "Bresson, Laurent: A two-step graph convolutional decoder for molecule generation, " \
    "Workshop on Machine Learning and the Physical Sciences, 2019"
#define CHEN                                                                         \
    "Chen et al.: Alchemy: a quantum chemistry dataset for benchmarking AI models, " \
    "arXiv:1906.09427, 2019"
#define DEBNATH                                                                    \
    "Debnath, Lopez de Compadre, Debnath, Shusterman, Hansch: Structure-activity " \
    "relationship of mutagenic aromatic and heteroaromatic nitro compounds, "      \
    "J. Med. Chem. 34, 1991"
#define DOBSON                                                                 \
    "Dobson, Doig: Distinguishing enzyme structures from non-enzymes without " \
    "alignments, J. Mol. Biol. 330, 2003"
#define FERAGEN                                                                         \
    "Feragen, Kasenburg, Petersen, de Bruijne, Borgwardt: Scalable kernels for graphs " \
    "with continuous attributes, NIPS 2013"
#define HELMA                                                                          \
    "Helma, King, Kramer, Srinivasan: The Predictive Toxicology Challenge 2000-2001, " \
    "Bioinformatics 17, 2001"
#define HU                                                                                \
    "Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta, Leskovec: Open Graph Benchmark: datasets " \
    "for machine learning on graphs, NeurIPS 2020; Wu et al.: MoleculeNet: a benchmark "  \
    "for molecular machine learning, Chemical Science 9, 2018"
#define KAZIUS                                                                            \
    "Kazius, McGuire, Bursi: Derivation and validation of toxicophores for "              \
    "mutagenicity prediction, J. Med. Chem. 48, 2005; Riesen, Bunke: IAM graph database " \
    "repository, SSPR 2008"
#define KNYAZEV                                                                          \
    "Knyazev, Taylor, Amer: Understanding attention and generalization in graph neural " \
    "networks, NeurIPS 2019"
#define KRIEGE                                                                          \
    "Kriege, Fey, Fisseler, Mutzel, Weichert: Recognizing cuneiform signs using graph " \
    "based methods, Workshop on Cost-Sensitive Learning, SDM 2018"
#define MORRIS                                                                     \
    "Morris, Kriege, Kersting, Mutzel: Faster kernels for graphs with continuous " \
    "attributes via hashing, ICDM 2016"
#define MURPHY                                                                         \
    "Murphy, Srinivasan, Rao, Ribeiro: Relational pooling for graph representations, " \
    "ICML 2019"
#define NEUMANN_2013                                                                  \
    "Neumann, Moreno, Antanas, Garnett, Kersting: Graph kernels for object category " \
    "prediction in task-dependent robot grasping, MLG 2013"
#define NEUMANN_2016                                                               \
    "Neumann, Garnett, Bauckhage, Kersting: Propagation kernels: efficient graph " \
    "kernels from propagated information, Machine Learning 102, 2016"
#define ORSINI "Orsini, Frasconi, De Raedt: Graph invariant kernels, IJCAI 2015"
#define PAN_2013                                                                    \
    "Pan, Zhu, Zhang, Yu: Graph stream classification using labeled and unlabeled " \
    "graphs, ICDE 2013"
#define PAN_2015                                                                      \
    "Pan, Wu, Zhu: CogBoost: boosting for fast cost-sensitive graph classification, " \
    "IEEE Trans. Knowledge and Data Engineering 27, 2015"
#define PAN_2017                                                                      \
    "Pan, Wu, Zhu, Long, Zhang: Task sensitive feature exploration and learning for " \
    "multitask graph classification, IEEE Trans. Cybernetics 47, 2017"
#define RAMAKRISHNAN                                                              \
    "Ramakrishnan, Dral, Rupp, von Lilienfeld: Quantum chemistry structures and " \
    "properties of 134 kilo molecules, Scientific Data 1, 2014"
#define RIESEN                                                                          \
    "Riesen, Bunke: IAM graph database repository for graph based pattern recognition " \
    "and machine learning, SSPR 2008"
#define ROZEMBERCZKI                                                               \
    "Rozemberczki, Kiss, Sarkar: Karate Club: an API oriented open-source Python " \
    "framework for unsupervised learning on graphs, CIKM 2020"
#define SEIFFARTH                                                           \
    "Seiffarth: Rule based learning with dynamic (graph) neural networks, " \
    "arXiv:2406.09954, 2024"
#define SNOWFLAKES                                                                        \
    SEIFFARTH "; Naik, Polster, Shekhar, Horvath, Turan: Iterative graph neural network " \
              "enhancement via frequent subgraph mining of explanations, "                \
              "arXiv:2403.07849, 2024"
#define SUTHERLAND                                                                        \
    "Sutherland, O'Brien, Weaver: Spline-fitting with a genetic algorithm: a method for " \
    "developing classification structure-activity relationships, "                        \
    "J. Chem. Inf. Comput. Sci. 43, 2003"
#define SUTHERLAND_MD \
    SUTHERLAND "; Kriege, Mutzel: Subgraph matching kernels for attributed graphs, ICML 2012"
#define TOX21 "National Institutes of Health: Tox21 Data Challenge, 2014"
#define WALE                                                                              \
    "Wale, Karypis: Comparison of descriptor spaces for chemical compound retrieval and " \
    "classification, ICDM 2006"
#define YAN "Yan, Cheng, Han, Yu: Mining significant graph patterns by leap search, SIGMOD 2008"
#define YANARDAG "Yanardag, Vishwanathan: Deep graph kernels, KDD 2015"

#define MOLECULES "molecules"
#define BIOLOGY "bioinformatics"
#define IMAGES "images"
#define SOCIAL "social networks"
#define MADE "synthetic"

#define TUDATASET "https://www.chrsmrrs.com/graphkerneldatasets"
#define OGB "http://snap.stanford.edu/ogb/data/graphproppred/csv_mol_download"

#define TU(name, task, domain, graphs, nodes, edges, citation, digest)                     \
    {                                                                                      \
        name, task, domain, graphs, nodes, edges, citation, TUDATASET, name ".zip", digest \
    }
/* Sets of the paper that are made, not fetched: the numbers are those of its size. */
#define OWN(name, task, graphs, nodes, edges, citation)                                            \
    {                                                                                              \
        name, task, MADE, graphs, nodes, edges, citation, "regula data generate " name, NULL, NULL \
    }

/* Sorted by name, letters of either case alike. */
static const rg_catalogue_entry entries[] = {
    TU("AIDS", "2 classes", MOLECULES, 2000, 15.69, 16.20, RIESEN, NULL),
    TU("alchemy_full", "regression, 12 targets", MOLECULES, 202579, 10.10, 10.44, CHEN, NULL),
    TU("BZR", "2 classes", MOLECULES, 405, 35.75, 38.36, SUTHERLAND, NULL),
    TU("BZR_MD", "2 classes", MOLECULES, 306, 21.30, 225.06, SUTHERLAND_MD, NULL),
    TU("COIL-DEL", "100 classes", IMAGES, 3900, 21.54, 54.24, RIESEN, NULL),
    TU("COIL-RAG", "100 classes", IMAGES, 3900, 3.01, 3.02, RIESEN, NULL),
    TU("COLLAB", "3 classes", SOCIAL, 5000, 74.49, 2457.78, YANARDAG, NULL),
    TU("COLORS-3", "11 classes", MADE, 10500, 61.31, 91.03, KNYAZEV, NULL),
    TU("COX2", "2 classes", MOLECULES, 467, 41.22, 43.45, SUTHERLAND, NULL),
    TU("COX2_MD", "2 classes", MOLECULES, 303, 26.28, 335.12, SUTHERLAND_MD, NULL),
    OWN("CSL", "10 classes", 150, 41, 82, MURPHY),
    TU("Cuneiform", "30 classes", IMAGES, 267, 21.27, 44.80, KRIEGE, NULL),
    TU("DBLP_v1", "2 classes", SOCIAL, 19456, 10.48, 19.65, PAN_2013, NULL),
    TU("DD", "2 classes", BIOLOGY, 1178, 284.32, 715.66, DOBSON, NULL),
    TU("deezer_ego_nets", "2 classes", SOCIAL, 9629, 23.49, 65.25, ROZEMBERCZKI, NULL),
    TU("DHFR", "2 classes", MOLECULES, 756, 42.43, 44.54, SUTHERLAND,
       "310f3f898e8527ebda4b680eec933185f5d89c9ee1f9a9dbeaac3f3e08c9fed6"),
    TU("DHFR_MD", "2 classes", MOLECULES, 393, 23.87, 283.01, SUTHERLAND_MD, NULL),
    TU("ENZYMES", "6 classes", BIOLOGY, 600, 32.63, 62.14, BORGWARDT_E,
       "fae811c0b3ce9fe572898ec76f845fe03a92ce6ccf8de0d00d3b3819bfc18900"),
    TU("ER_MD", "2 classes", MOLECULES, 446, 21.33, 234.85, SUTHERLAND_MD, NULL),
    OWN("EvenOddRings", "4 classes", 1200, 16, 16, SEIFFARTH),
    OWN("EvenOddRingsCount", "2 classes", 1200, 16, 16, SEIFFARTH),
    TU("FIRSTMM_DB", "11 classes", IMAGES, 41, 1377.27, 3074.10, NEUMANN_2013, NULL),
    TU("FRANKENSTEIN", "2 classes", MOLECULES, 4337, 16.90, 17.88, ORSINI, NULL),
    TU("github_stargazers", "2 classes", SOCIAL, 12725, 113.79, 234.64, ROZEMBERCZKI, NULL),
    TU("IMDB-BINARY", "2 classes", SOCIAL, 1000, 19.77, 96.53, YANARDAG,
       "1e6e4b0d31d5014e2b786f3e7884125fa30a62bee0bea5316353b7c2d5d6f04b"),
    TU("IMDB-MULTI", "3 classes", SOCIAL, 1500, 13.00, 65.94, YANARDAG,
       "3af9bf01eecb50594c6a150d820115b35c321d44770e02ddebcf3974da80bf82"),
    TU("KKI", "2 classes", BIOLOGY, 83, 26.96, 48.42, PAN_2017, NULL),
    TU("Letter-high", "15 classes", IMAGES, 2250, 4.67, 4.50, RIESEN, NULL),
    TU("Letter-low", "15 classes", IMAGES, 2250, 4.68, 3.13, RIESEN, NULL),
    OWN("LongRings", "3 classes", 1200, 100, 100, SEIFFARTH),
    TU("MCF-7", "2 classes", MOLECULES, 27770, 26.39, 28.52, YAN, NULL),
    TU("MCF-7H", "2 classes", MOLECULES, 27770, 47.30, 49.43, YAN, NULL),
    TU("MOLT-4", "2 classes", MOLECULES, 39765, 26.09, 28.13, YAN, NULL),
    TU("MOLT-4H", "2 classes", MOLECULES, 39765, 46.70, 48.73, YAN, NULL),
    TU("MSRC_21", "20 classes", IMAGES, 563, 77.52, 198.32, NEUMANN_2016, NULL),
    TU("MSRC_9", "8 classes", IMAGES, 221, 40.58, 97.94, NEUMANN_2016, NULL),
    TU("MUTAG", "2 classes", MOLECULES, 188, 17.93, 19.79, DEBNATH,
       "0293f11a8063781156e3b9e04e7f30e08a0c6de20163cbe2ca8206a6b9b7133d"),
    TU("Mutagenicity", "2 classes", MOLECULES, 4337, 30.32, 30.77, KAZIUS,
       "c948dd6d34595496f1f88dfc4a752ff7a3ab19f2359556f9a4aaa63a9853a8cd"),
    TU("NCI-H23", "2 classes", MOLECULES, 40353, 26.07, 28.10, YAN, NULL),
    TU("NCI-H23H", "2 classes", MOLECULES, 40353, 46.67, 48.69, YAN, NULL),
    TU("NCI1", "2 classes", MOLECULES, 4110, 29.87, 32.30, WALE,
       "642ec344b3bc0daa16cf288421cffc101024a1a3f9c613ffe11bbca5b8e0ec51"),
    TU("NCI109", "2 classes", MOLECULES, 4127, 29.68, 32.13, WALE,
       "c64259fa1e3b2ee496918cc050f611d561000714ca09a050e01dc5c206193fe2"),
    {"ogbg-molhiv", "2 classes", MOLECULES, 41127, 25.5, 27.5, HU, OGB, "hiv.zip", NULL},
    {"ogbg-molpcba", "128 targets of 2 classes", MOLECULES, 437929, 26.0, 28.1, HU, OGB, "pcba.zip",
     NULL},
    TU("OHSU", "2 classes", BIOLOGY, 79, 82.01, 199.66, PAN_2017, NULL),
    TU("OVCAR-8", "2 classes", MOLECULES, 40516, 26.07, 28.10, YAN, NULL),
    TU("OVCAR-8H", "2 classes", MOLECULES, 40516, 46.67, 48.70, YAN, NULL),
    TU("P388", "2 classes", MOLECULES, 41472, 22.11, 23.55, YAN, NULL),
    TU("P388H", "2 classes", MOLECULES, 41472, 40.44, 41.88, YAN, NULL),
    TU("PC-3", "2 classes", MOLECULES, 27509, 26.35, 28.49, YAN, NULL),
    TU("PC-3H", "2 classes", MOLECULES, 27509, 47.19, 49.32, YAN, NULL),
    TU("Peking_1", "2 classes", BIOLOGY, 85, 39.31, 77.35, PAN_2017, NULL),
    TU("PROTEINS", "2 classes", BIOLOGY, 1113, 39.06, 72.82, BORGWARDT_P,
       "4935cffa0c47f90cdacb450af1ca56f8ec741111384f6910c5c3c9ab82d193c6"),
    TU("PROTEINS_full", "2 classes", BIOLOGY, 1113, 39.06, 72.82, BORGWARDT_P, NULL),
    TU("PTC_FM", "2 classes", MOLECULES, 349, 14.11, 14.48, HELMA, NULL),
    TU("PTC_FR", "2 classes", MOLECULES, 351, 14.56, 15.00, HELMA, NULL),
    TU("PTC_MM", "2 classes", MOLECULES, 336, 13.97, 14.32, HELMA, NULL),
    TU("PTC_MR", "2 classes", MOLECULES, 344, 14.29, 14.69, HELMA, NULL),
    TU("QM9", "regression, 19 targets", MOLECULES, 129433, 18.03, 18.63, RAMAKRISHNAN, NULL),
    TU("REDDIT-BINARY", "2 classes", SOCIAL, 2000, 429.63, 497.75, YANARDAG, NULL),
    TU("REDDIT-MULTI-12K", "11 classes", SOCIAL, 11929, 391.41, 456.89, YANARDAG, NULL),
    TU("REDDIT-MULTI-5K", "5 classes", SOCIAL, 4999, 508.52, 594.87, YANARDAG, NULL),
    TU("reddit_threads", "2 classes", SOCIAL, 203088, 23.93, 24.99, ROZEMBERCZKI, NULL),
    TU("SF-295", "2 classes", MOLECULES, 40271, 26.06, 28.08, YAN, NULL),
    TU("SF-295H", "2 classes", MOLECULES, 40271, 46.65, 48.68, YAN, NULL),
    TU("SN12C", "2 classes", MOLECULES, 40004, 26.08, 28.11, YAN, NULL),
    TU("SN12CH", "2 classes", MOLECULES, 40004, 46.69, 48.71, YAN, NULL),
    OWN("Snowflakes", "4 classes", 1000, 112.5, 187.5, SNOWFLAKES),
    TU("SW-620", "2 classes", MOLECULES, 40532, 26.05, 28.08, YAN, NULL),
    TU("SW-620H", "2 classes", MOLECULES, 40532, 46.62, 48.65, YAN, NULL),
    TU("SYNTHETIC", "2 classes", MADE, 300, 100.00, 196.00, FERAGEN, NULL),
    TU("SYNTHETICnew", "2 classes", MADE, 300, 100.00, 196.25, FERAGEN, NULL),
    TU("Synthie", "4 classes", MADE, 400, 95.00, 172.93, MORRIS, NULL),
    TU("Tox21_AhR_evaluation", "2 classes", MOLECULES, 607, 17.64, 18.06, TOX21, NULL),
    TU("Tox21_AhR_testing", "2 classes", MOLECULES, 272, 22.13, 23.05, TOX21, NULL),
    TU("Tox21_AhR_training", "2 classes", MOLECULES, 8169, 18.09, 18.50, TOX21, NULL),
    TU("Tox21_AR-LBD_evaluation", "2 classes", MOLECULES, 580, 17.09, 17.42, TOX21, NULL),
    TU("Tox21_AR-LBD_testing", "2 classes", MOLECULES, 253, 21.85, 22.73, TOX21, NULL),
    TU("Tox21_AR-LBD_training", "2 classes", MOLECULES, 8599, 17.77, 18.16, TOX21, NULL),
    TU("Tox21_AR_evaluation", "2 classes", MOLECULES, 585, 17.99, 18.45, TOX21, NULL),
    TU("Tox21_AR_testing", "2 classes", MOLECULES, 292, 22.35, 23.32, TOX21, NULL),
    TU("Tox21_AR_training", "2 classes", MOLECULES, 9362, 18.39, 18.84, TOX21, NULL),
    TU("Tox21_ARE_evaluation", "2 classes", MOLECULES, 552, 17.01, 17.33, TOX21, NULL),
    TU("Tox21_ARE_testing", "2 classes", MOLECULES, 234, 21.99, 22.91, TOX21, NULL),
    TU("Tox21_ARE_training", "2 classes", MOLECULES, 7167, 16.28, 16.52, TOX21, NULL),
    TU("Tox21_aromatase_evaluation", "2 classes", MOLECULES, 528, 16.74, 16.99, TOX21, NULL),
    TU("Tox21_aromatase_testing", "2 classes", MOLECULES, 214, 21.65, 22.36, TOX21, NULL),
    TU("Tox21_aromatase_training", "2 classes", MOLECULES, 7226, 17.50, 17.79, TOX21, NULL),
    TU("Tox21_ATAD5_evaluation", "2 classes", MOLECULES, 619, 17.68, 18.11, TOX21, NULL),
    TU("Tox21_ATAD5_testing", "2 classes", MOLECULES, 272, 21.99, 22.89, TOX21, NULL),
    TU("Tox21_ATAD5_training", "2 classes", MOLECULES, 9091, 17.89, 18.30, TOX21, NULL),
    TU("Tox21_ER-LBD_evaluation", "2 classes", MOLECULES, 599, 17.75, 18.17, TOX21, NULL),
    TU("Tox21_ER-LBD_testing", "2 classes", MOLECULES, 287, 22.28, 23.23, TOX21, NULL),
    TU("Tox21_ER-LBD_training", "2 classes", MOLECULES, 8753, 18.06, 18.47, TOX21, NULL),
    TU("Tox21_ER_evaluation", "2 classes", MOLECULES, 515, 17.66, 18.10, TOX21, NULL),
    TU("Tox21_ER_testing", "2 classes", MOLECULES, 265, 22.16, 23.13, TOX21, NULL),
    TU("Tox21_ER_training", "2 classes", MOLECULES, 7697, 17.58, 17.94, TOX21, NULL),
    TU("Tox21_HSE_evaluation", "2 classes", MOLECULES, 607, 17.61, 18.01, TOX21, NULL),
    TU("Tox21_HSE_testing", "2 classes", MOLECULES, 267, 22.07, 23.00, TOX21, NULL),
    TU("Tox21_HSE_training", "2 classes", MOLECULES, 8150, 16.72, 17.04, TOX21, NULL),
    TU("Tox21_MMP_evaluation", "2 classes", MOLECULES, 541, 16.67, 16.88, TOX21, NULL),
    TU("Tox21_MMP_testing", "2 classes", MOLECULES, 238, 21.68, 22.55, TOX21, NULL),
    TU("Tox21_MMP_training", "2 classes", MOLECULES, 7320, 17.49, 17.83, TOX21, NULL),
    TU("Tox21_p53_evaluation", "2 classes", MOLECULES, 613, 17.34, 17.72, TOX21, NULL),
    TU("Tox21_p53_testing", "2 classes", MOLECULES, 269, 22.14, 23.04, TOX21, NULL),
    TU("Tox21_p53_training", "2 classes", MOLECULES, 8634, 17.79, 18.19, TOX21, NULL),
    TU("Tox21_PPAR-gamma_evaluation", "2 classes", MOLECULES, 602, 17.38, 17.77, TOX21, NULL),
    TU("Tox21_PPAR-gamma_testing", "2 classes", MOLECULES, 267, 22.04, 22.93, TOX21, NULL),
    TU("Tox21_PPAR-gamma_training", "2 classes", MOLECULES, 8184, 17.23, 17.55, TOX21, NULL),
    TU("TRIANGLES", "10 classes", MADE, 45000, 20.85, 32.74, KNYAZEV, NULL),
    TU("twitch_egos", "2 classes", SOCIAL, 127094, 29.67, 86.59, ROZEMBERCZKI, NULL),
    TU("TWITTER-Real-Graph-Partial", "2 classes", SOCIAL, 144033, 4.03, 4.98, PAN_2015, NULL),
    TU("UACC257", "2 classes", MOLECULES, 39988, 26.09, 28.12, YAN, NULL),
    TU("UACC257H", "2 classes", MOLECULES, 39988, 46.68, 48.71, YAN, NULL),
    TU("Yeast", "2 classes", MOLECULES, 79601, 21.54, 22.84, YAN, NULL),
    TU("YeastH", "2 classes", MOLECULES, 79601, 39.44, 40.74, YAN, NULL),
    TU("ZINC_full", "regression, 1 target", MOLECULES, 249456, 23.14, 24.91, BRESSON, NULL),
    TU("ZINC_test", "regression, 1 target", MOLECULES, 5000, 23.10, 24.83, BRESSON, NULL),
    TU("ZINC_train", "regression, 1 target", MOLECULES, 220011, 23.15, 24.91, BRESSON, NULL),
    TU("ZINC_val", "regression, 1 target", MOLECULES, 24445, 23.13, 24.88, BRESSON, NULL),
};

size_t rg_catalogue_size(void)
{
    return sizeof entries / sizeof *entries;
}

const rg_catalogue_entry *rg_catalogue_entry_at(size_t k)
{
    return k < rg_catalogue_size() ? &entries[k] : NULL;
}

const rg_catalogue_entry *rg_catalogue_find(const char *name)
{
    for (size_t k = 0; k < rg_catalogue_size(); k++)
        if (strcmp(entries[k].name, name) == 0)
            return &entries[k];
    return NULL;
}
