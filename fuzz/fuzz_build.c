/* fuzz_build.c - any bytes as arrays of graphs. What is built has the numbers that were given; parts
 * and joins of it are built from it. */
#include "check.h"
#include "regula/build.h"

enum { MOST = 64 };

/* Takes the next byte, 0 at the end. */
static unsigned next(const uint8_t **data, size_t *size)
{
    if (!*size)
        return 0;
    --*size;
    return *(*data)++;
}

/* A matrix of any type and shape over bytes or texts that are there: steps stay inside. */
static rg_matrix matrix(const uint8_t **data, size_t *size, const uint64_t *numbers,
                        const char *const *texts)
{
    rg_item type = (rg_item)(next(data, size) % 12);
    size_t rows = next(data, size) % 9, columns = next(data, size) % 4;
    rg_matrix m = {numbers, type, rows, columns, 0, 0};
    if (type == RG_ITEM_TEXT)
        m.data = texts;
    else if (next(data, size) % 2) {
        m.row_step = next(data, size) % 9;
        m.column_step = 8;
    }
    if (next(data, size) % 8 == 7)
        m.data = NULL;
    return m;
}

static void use(const rg_dataset *data)
{
    char digest[RG_DIGEST_SIZE], other[RG_DIGEST_SIZE];
    rg_dataset *part = NULL, *both = NULL;
    rg_error err;
    uint32_t all[MOST];
    size_t n = rg_dataset_n_graphs(data);
    CHECK(n < MOST);
    for (uint32_t g = 0; g < n; g++)
        all[g] = g;
    CHECK(rg_dataset_select(&part, data, all, n, &err) == RG_OK);
    rg_dataset_digest(data, digest);
    rg_dataset_digest(part, other);
    CHECK(strcmp(digest, other) == 0);
    CHECK(rg_dataset_join(&both, NULL, (const rg_dataset *[]){data, part}, 2, &err) == RG_OK);
    CHECK(rg_dataset_n_graphs(both) == 2 * n);
    CHECK(rg_dataset_n_arcs(both) == 2 * rg_dataset_n_arcs(data));
    rg_dataset_free(part);
    rg_dataset_free(both);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t numbers[MOST];
    static const char *const words[] = {"a", "b", NULL, "", "c", "a long text, longer than others"};
    const char *texts[MOST];
    rg_graph_columns columns[3];
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    rg_dataset *like = NULL, *built = NULL;
    rg_error err = {""};
    unsigned kind = next(&data, &size);
    for (size_t k = 0; k < MOST; k++) {
        numbers[k] = next(&data, &size);
        texts[k] = words[numbers[k] % 6];
        if (kind % 4 == 0) /* anything, not small numbers alone */
            numbers[k] = numbers[k] * 0x0101010101010101u;
    }
    arrays.n_graphs = next(&data, &size) % 9;
    arrays.nodes = matrix(&data, &size, numbers, texts);
    arrays.edges = matrix(&data, &size, numbers + 1, texts);
    arrays.edge_counts = matrix(&data, &size, numbers + 2, texts);
    arrays.graph_names = matrix(&data, &size, numbers, texts);
    arrays.columns = columns;
    arrays.n_columns = next(&data, &size) % 4;
    for (size_t k = 0; k < arrays.n_columns; k++)
        columns[k] = (rg_graph_columns){(rg_column)(next(&data, &size) % 14),
                                        matrix(&data, &size, numbers + k, texts), NULL};
    rg_status status = rg_dataset_from_arrays(&like, &arrays, &err);
    CHECK(status == RG_OK || ((status == RG_EDATA || status == RG_EUSAGE) && err.message[0]));
    arrays.like = like;
    if (!status) {
        CHECK(rg_dataset_from_arrays(&built, &arrays, &err) == RG_OK);
        use(built);
    }
    rg_dataset_free(built);
    rg_dataset_free(like);
    return 0;
}
