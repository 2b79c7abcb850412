/* bench_molecules.c - how long SMILES take: to a molecule each, and to a data set.
 *
 * In processor time, best of N: (a) every line to a molecule with rings, hydrogens and aromaticity;
 * (b) rg_dataset_read of the whole file. With --rdkit PYTHON the same lines by RDKit's MolFromSmiles
 * in the same run, on one thread each. */
#include "molecule/smiles.h"
#include "regula/regula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RATIO_MIN 20.0
#define SECONDS_MAX 1.0

static const char help[] =
    "Usage: bench_molecules [--repeat N] [--rdkit PYTHON] [TABLE.csv]\n"
    "\n"
    "Measures how long a table of SMILES takes, in processor time.\n"
    "\n"
    "  TABLE.csv       [default: molecules/HIV.csv in $REGULA_DATA]; SMILES in the first column\n"
    "  --repeat N      measure N times and take the shortest [default: 5]\n"
    "  --rdkit PYTHON  a Python that has RDKit: MolFromSmiles on the same lines\n"
    "  --help          this text\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void quit(const char *what, const char *why)
{
    fprintf(stderr, "bench_molecules: %s: %s\n", what, why);
    exit(1);
}

static char *load(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        quit(path, "cannot be opened");
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*n + 1);
    if (!text || fread(text, 1, *n, file) != *n)
        quit(path, "cannot be read");
    text[*n] = '\0';
    fclose(file);
    return text;
}

/* The first field of every line but the first. */
static size_t perceive_all(const char *text, size_t *n_lines)
{
    static const rg_mol_options options = {0};
    rg_molecule m = {0};
    rg_smiles_reader reader = {0};
    rg_mol_fault fault;
    size_t n_atoms = 0;
    *n_lines = 0;
    for (const char *p = strchr(text, '\n'); p && p[1]; p = strchr(p + 1, '\n')) {
        size_t n = strcspn(p + 1, ",\r\n");
        rg_status status = rg_smiles_parse(&m, &reader, p + 1, n, &fault);
        if (!status)
            status = rg_molecule_perceive(&m, &options, &fault);
        n_atoms += status ? 0 : m.n_atoms;
        ++*n_lines;
    }
    rg_molecule_free(&m);
    rg_smiles_reader_free(&reader);
    return n_atoms;
}

static double rdkit_seconds(const char *python, const char *path)
{
    char command[8192];
    double seconds = -1;
    snprintf(command, sizeof command,
             "'%s' -c 'import sys, time\n"
             "from rdkit import Chem, RDLogger\n"
             "RDLogger.DisableLog(\"rdApp.*\")\n"
             "lines = [line.split(\",\")[0].strip() for line in open(sys.argv[1])][1:]\n"
             "start = time.process_time()\n"
             "for line in lines: Chem.MolFromSmiles(line)\n"
             "print(time.process_time() - start)' '%s'",
             python, path);
    FILE *pipe = popen(command, "r");
    if (!pipe || fscanf(pipe, "%lf", &seconds) != 1)
        quit(python, "has no RDKit");
    pclose(pipe);
    return seconds;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    static char standard[4096];
    const char *path = NULL, *python = NULL, *folder = getenv("REGULA_DATA");
    int repeats = 5;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (strcmp(argv[k], "--repeat") == 0 && k + 1 < argc)
            repeats = atoi(argv[++k]);
        else if (strcmp(argv[k], "--rdkit") == 0 && k + 1 < argc)
            python = argv[++k];
        else if (argv[k][0] == '-')
            quit(argv[k], "no such option, or its value is missing (see --help)");
        else
            path = argv[k];
    }
    if (!path && folder) {
        snprintf(standard, sizeof standard, "%s/molecules/HIV.csv", folder);
        path = standard;
    }
    if (!path || repeats < 1)
        quit("nothing to do", "give a table, or set REGULA_DATA");
    size_t n, n_lines = 0, n_atoms = 0;
    char *text = load(path, &n);
    double molecules = 1e9, set = 1e9;
    for (int k = 0; k < repeats; k++) {
        double start = now();
        n_atoms = perceive_all(text, &n_lines);
        molecules = least(molecules, now() - start);
        rg_dataset *data = NULL;
        rg_error err = {""};
        start = now();
        if (rg_dataset_read(&data, path, NULL, &err))
            quit(path, err.message);
        set = least(set, now() - start);
        rg_dataset_free(data);
    }
    free(text);
    printf("%zu lines, %zu atoms\n", n_lines, n_atoms);
    printf("molecules  %8.4f s  %6.0f ns per atom\n", molecules, 1e9 * molecules / (double)n_atoms);
    printf("data set   %8.4f s%s\n", set, set > SECONDS_MAX ? " !" : "");
    if (python) {
        double rdkit = rdkit_seconds(python, path);
        printf("RDKit      %8.4f s  %.1f times the molecules%s, %.1f times the data set\n", rdkit,
               rdkit / molecules, rdkit < RATIO_MIN * molecules ? " !" : "", rdkit / set);
    }
    return 0;
}
