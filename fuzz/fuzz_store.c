/* fuzz_store.c - a run store that somebody changed: refused with a message, or read to its end, and
 * what rg_store_check finds whole is read without a failure. An input that begins with an odd byte
 * is patches of a small store's bytes, any other one changes of its rows, so that the checks of
 * both layers are met. */
#include "base/alloc.h"
#include "scratch.h"
#include "store/store_parts.h"

enum { COLUMNS = 32 };

/* The store that inputs change: where it lies, its bytes, and the columns of its tables. */
typedef struct base {
    char directory[600], path[640];
    unsigned char *bytes, *copy;
    size_t n;
    char *columns[RG_STORE_TABLES][COLUMNS];
    size_t n_columns[RG_STORE_TABLES];
} base;

/* ---- the small store */

static void put_job(rg_store *store)
{
    static const uint32_t samples[] = {3, 5};
    static const uint16_t classes[] = {1, 0};
    static const float numbers[] = {0.25F, 0.75F, 0.5F, 0.5F};
    static const rg_epoch epochs[] = {{1, 0.1, 0.7, 0.5, 0.6, 0.5}, {2, 0.1, 0.6, 0.5, 0.5, 1}};
    rg_store_prediction prediction = {2, 2, samples, classes, numbers};
    rg_store_prediction right = {2, 0, samples, classes, NULL};
    rg_store_prediction values = {2, 2, samples, NULL, numbers};
    rg_store_run run = {.run = {.epochs = 2, .best_epoch = 1, .test_score = 0.5},
                        .epochs = epochs,
                        .prediction = &prediction,
                        .validation = &prediction,
                        .targets = {&right, &values}};
    rg_store_outcome outcome = {.state = RG_JOB_DONE, .n_parameters = 7, .worker = "here"};
    rg_store_model model = {0, 0, 0, "models/0.safetensors", "00"};
    rg_error err = {""};
    CHECK(rg_store_put_job(store, 0, &outcome, &run, &err) == RG_OK);
    CHECK(rg_store_put_model(store, &model, &err) == RG_OK);
    outcome = (rg_store_outcome){.state = RG_JOB_FAILED, .message = "no memory"};
    CHECK(rg_store_put_job(store, 1, &outcome, NULL, &err) == RG_OK);
}

static void make(const char *directory)
{
    static const rg_store_experiment experiment = {.name = "small",
                                                   .file = "data: TOY\n",
                                                   .resolved = "data: TOY\n",
                                                   .data = "TOY",
                                                   .data_path = "TOY",
                                                   .data_digest = "aa",
                                                   .splits = "by seed",
                                                   .splits_digest = "bb",
                                                   .n_runs = 1,
                                                   .n_folds = 2,
                                                   .fit = "all",
                                                   .protocols = "fair"};
    static const rg_store_configuration one = {.choices = "", .recipe = "lr: 0.1\n"};
    static const rg_store_fold folds[2] = {{.number = 0, .n_test = 2}, {.number = 1, .n_test = 2}};
    static const rg_store_job jobs[2] = {{0, 0, 0, 1, 1, {0}}, {0, 1, 0, 1, 1, {0}}};
    rg_store_plan plan = {&experiment, &one, 1, jobs, 2, folds};
    rg_store *store = NULL;
    rg_error err = {""};
    CHECK(rg_store_create(&store, NULL, directory, &plan, &err) == RG_OK);
    put_job(store);
    rg_store_close(store);
}

static void list_columns(base *b, sqlite3 *db, size_t table)
{
    char sql[64];
    sqlite3_stmt *statement = NULL;
    snprintf(sql, sizeof sql, "PRAGMA table_info(%s)", rg_store_tables[table].name);
    CHECK(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW && b->n_columns[table] < COLUMNS)
        b->columns[table][b->n_columns[table]++] =
            strdup((const char *)sqlite3_column_text(statement, 1));
    sqlite3_finalize(statement);
}

static base *base_open(void)
{
    static base b;
    sqlite3 *db = NULL;
    if (b.bytes)
        return &b;
    snprintf(b.directory, sizeof b.directory, "%s/run", fuzz_scratch());
    snprintf(b.path, sizeof b.path, "%s/%s", b.directory, RG_STORE_FILE);
    make(b.directory);
    CHECK(sqlite3_open(b.path, &db) == SQLITE_OK);
    for (size_t k = 0; k < RG_STORE_TABLES; k++)
        list_columns(&b, db, k);
    CHECK(sqlite3_close(db) == SQLITE_OK);
    b.bytes = fuzz_read(b.path, &b.n);
    b.copy = malloc(b.n);
    CHECK(b.copy);
    return &b;
}

/* ---- what an input does to it */

/* Three bytes a patch: where, the least significant first and in steps of 1, and what. */
static void patch(base *b, const uint8_t *bytes, size_t n)
{
    memcpy(b->copy, b->bytes, b->n);
    for (size_t k = 0; k + 3 <= n; k += 3)
        b->copy[(bytes[k] | (size_t)bytes[k + 1] << 8) % b->n] = bytes[k + 2];
    fuzz_write(b->path, b->copy, b->n);
}

/* A value from at most 9 bytes: the kind, then a number, or a text or blob of one length or
 * another. Returns how many bytes it took. */
static size_t bind(sqlite3_stmt *statement, const uint8_t *bytes, size_t n)
{
    size_t length = n > 9 ? 8 : n - 1;
    int64_t number = 0;
    double real = 0;
    memcpy(&number, bytes + 1, length);
    memcpy(&real, &number, sizeof real);
    switch (*bytes % 6) {
    case 0:
        sqlite3_bind_null(statement, 1);
        break;
    case 1:
        sqlite3_bind_int64(statement, 1, number);
        break;
    case 2:
        sqlite3_bind_int64(statement, 1, length ? (int8_t)bytes[1] : 0);
        return 2;
    case 3:
        sqlite3_bind_double(statement, 1, real);
        break;
    case 4:
        sqlite3_bind_text(statement, 1, (const char *)bytes + 1, (int)length, SQLITE_STATIC);
        break;
    default:
        sqlite3_bind_blob(statement, 1, bytes + 1, (int)length, SQLITE_STATIC);
        break;
    }
    return 1 + length;
}

/* A change: table and column, which rows or that they go, the value. */
static size_t change(base *b, sqlite3 *db, const uint8_t *bytes, size_t n)
{
    char sql[256];
    sqlite3_stmt *statement = NULL;
    size_t table = bytes[0] % RG_STORE_TABLES;
    const char *name = rg_store_tables[table].name;
    const char *column = b->columns[table][bytes[1] % b->n_columns[table]];
    if (bytes[2] % 8 == 7)
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE ?1 IS NOT %s", name, column);
    else if (bytes[2] % 8 == 6)
        snprintf(sql, sizeof sql, "UPDATE OR IGNORE %s SET %s = %s || ?1", name, column, column);
    else
        snprintf(sql, sizeof sql, "UPDATE OR IGNORE %s SET %s = ?1 WHERE %s <> %d", name, column,
                 b->columns[table][0], bytes[2] % 8);
    CHECK(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
    size_t used = bind(statement, bytes + 3, n - 3);
    sqlite3_step(statement); /* may be refused: types are strict */
    sqlite3_finalize(statement);
    return 3 + used;
}

static void edit(base *b, const uint8_t *bytes, size_t n)
{
    sqlite3 *db = NULL;
    fuzz_write(b->path, b->bytes, b->n);
    CHECK(sqlite3_open(b->path, &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = 1; BEGIN",
                       NULL, NULL, NULL) == SQLITE_OK);
    for (size_t used; n >= 4; bytes += used, n -= used) {
        used = change(b, db, bytes, n);
        used = used < n ? used : n;
    }
    CHECK(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    CHECK(sqlite3_close(db) == SQLITE_OK);
}

/* ---- what must hold */

static rg_status read_run(rg_store *store, const rg_store_run *run, rg_error *err)
{
    rg_epoch *epochs = NULL;
    rg_store_prediction *prediction = NULL;
    rg_status status = rg_store_epochs(&epochs, store, run, err);
    if (!status)
        status = rg_store_prediction_read(&prediction, store, run, err);
    rg_free(epochs);
    rg_free(prediction);
    return status;
}

static rg_status read_all(rg_store *store, rg_error *err)
{
    size_t n = 0, n_jobs;
    rg_store_run *runs = NULL, *of_job = NULL;
    rg_store_model *models = NULL;
    char digest[RG_DIGEST_TEXT];
    const rg_store_job *jobs = rg_store_jobs(store, &n_jobs);
    rg_status status = rg_store_runs(&runs, &n, store, err);
    for (size_t k = 0; k < n && !status; k++)
        status = read_run(store, &runs[k], err);
    rg_store_runs_free(runs, n);
    for (size_t k = 0; k < n_jobs && !status; k++)
        if (jobs[k].outcome.state == RG_JOB_DONE) {
            status = rg_store_job_runs(&of_job, store, k, err);
            rg_store_runs_free(status ? NULL : of_job, jobs[k].n_runs);
        }
    if (!status)
        status = rg_store_models(&models, &n, store, err);
    rg_free(models);
    return status ? status : rg_store_digest(digest, store, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    base *b = base_open();
    rg_store *store = NULL;
    rg_error err = {""}, why = {""};
    if (n < 1 || n > 512)
        return 0;
    if (*bytes % 2)
        patch(b, bytes + 1, n - 1);
    else
        edit(b, bytes + 1, n - 1);
    rg_status status = rg_store_open(&store, b->directory, false, &err);
    if (!status) {
        rg_status whole = rg_store_check(store, &why);
        CHECK(!whole || why.message[0]);
        status = read_all(store, &err);
        CHECK(!status || whole);
        rg_store_close(store);
    } else {
        CHECK(!store);
    }
    CHECK(!status || (err.message[0] && status != RG_ENOMEM && status != RG_EUSAGE));
    static const char *const traces[] = {"-wal", "-shm", "-journal"};
    for (size_t k = 0; k < 3; k++) {
        char path[700];
        snprintf(path, sizeof path, "%s%s", b->path, traces[k]);
        unlink(path);
    }
    return 0;
}
