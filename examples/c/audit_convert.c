/* audit_convert.c - read a data set, audit it, and write it in another format.
 *
 *     cc audit_convert.c $(pkg-config --cflags --libs regula) -o audit_convert
 *     ./audit_convert DATA DIRECTORY
 *
 * DATA is a directory, an archive or a .g6 file in any format that regula reads; DIRECTORY gets
 * NAME_Nodes.txt, NAME_Edges.txt and NAME_Labels.txt. The copy must have the digest of the data. */
#include <regula/regula.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_audit(const rg_dataset *data, const rg_audit *audit)
{
    const rg_quirks *quirks = rg_dataset_quirks(data);
    printf("%s: %zu graphs, %" PRIu64 " nodes, %" PRIu64 " edges\n", rg_dataset_name(data),
           rg_dataset_n_graphs(data), audit->nodes.total, audit->edges.total);
    printf("largest graph: %" PRIu64 " nodes; largest degree: %" PRIu64 "; largest diameter: %"
           PRIu64 "\n",
           audit->nodes.max, audit->max_degree, audit->diameter.max);
    printf("isomorphic copies: %" PRIu64 ", of another class: %" PRIu64 "\n",
           audit->isomorphic_copies, audit->copies_other_class);
    printf("dropped while reading: %" PRIu64 " repeated edges, %" PRIu64 " loops\n",
           quirks->duplicate_edges, quirks->self_loops);
}

/* Reads what was written and compares the contents. */
static rg_status compare(const char *directory, const char *digest, rg_error *err)
{
    rg_dataset *copy = NULL;
    char other[RG_DIGEST_SIZE] = "";
    rg_status status = rg_dataset_read(&copy, directory, NULL, err);
    if (status)
        return status;
    rg_dataset_digest(copy, other);
    rg_dataset_free(copy);
    printf("the copy is %s\n", strcmp(digest, other) == 0 ? "the same" : "different");
    return RG_OK;
}

int main(int argc, char **argv)
{
    rg_error err = {""};
    rg_dataset *data = NULL;
    rg_audit audit = RG_AUDIT_INIT;
    rg_audit_options options = RG_AUDIT_OPTIONS_INIT;
    options.copies = 1;
    if (argc != 3) {
        fprintf(stderr, "usage: audit_convert DATA DIRECTORY\n");
        return RG_EUSAGE;
    }
    rg_status status = rg_dataset_read(&data, argv[1], NULL, &err);
    if (!status)
        status = rg_audit_run(&audit, data, &options, &err);
    if (!status)
        print_audit(data, &audit);
    if (!status)
        status = rg_dataset_write(data, argv[2], NULL, RG_FORMAT_THREE, &err);
    if (!status)
        status = compare(argv[2], audit.digest, &err);
    if (status)
        fprintf(stderr, "audit_convert: %s\n", err.message);
    rg_dataset_free(data);
    return (int)status;
}
