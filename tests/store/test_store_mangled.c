/* test_store_mangled.c - files that are no stores, and rows that make no sense. */
#include "base/random.h"
#include "support/stores.h"
#include "support/support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A sound store as bytes, and a directory to put what becomes of it in. */
typedef struct mangled_store {
    test_store_plan *t;
    char *root, *bytes;
    size_t n;
} mangled_store;

static mangled_store mangled_store_open(void)
{
    mangled_store s = {test_store_plan_make(2, 2, 3, 2), test_directory_make(), NULL, 0};
    char *path = test_format("%s/%s", s.root, RG_STORE_FILE);
    rg_store *store = NULL;
    test_store_fill(s.root, s.t, 1, 1); /* job 0 waits */
    ASSERT_OK(rg_store_open(&store, s.root, true, err));
    ASSERT_OK(rg_store_put_model(store, &(rg_store_model){1, 0, 0, "m", "d"}, err));
    rg_store_close(store);
    s.bytes = test_read(path, &s.n);
    free(path);
    return s;
}

static void mangled_store_close(mangled_store *s)
{
    test_store_plan_free(s->t);
    free(s->bytes);
    test_directory_remove(s->root);
}

static void restore(const mangled_store *s)
{
    test_write_bytes(s->root, RG_STORE_FILE, s->bytes, s->n);
}

/* Opens, checks and reads all of it. */
static rg_status use(const char *directory, bool write, rg_error *err)
{
    rg_store *store = NULL;
    rg_status status = rg_store_open(&store, directory, write, err);
    if (!status)
        status = rg_store_check(store, err);
    rg_store_close(store);
    return status;
}

static void files_that_are_no_stores_are_refused_and_left_alone(void **state)
{
    (void)state;
    mangled_store s = mangled_store_open();
    static const struct {
        const char *text;
        rg_status status;
        const char *words;
    } cases[] = {
        {"", RG_EDATA, "is damaged: it is empty"},
        {"some text, longer than the head of a file of SQLite would be ............................"
         "........................................................................................",
         RG_EDATA, "is damaged: file is not a database"},
        {"SQLite format 3", RG_EDATA, "is damaged: file is not a database"},
    };
    for (size_t k = 0; k < 2 * COUNT(cases); k++) {
        char *path = test_format("%s/%s", s.root, RG_STORE_FILE);
        test_write(s.root, RG_STORE_FILE, cases[k / 2].text);
        ASSERT_REFUSED(use(s.root, k % 2, err), cases[k / 2].status, cases[k / 2].words);
        rg_store *store = NULL;
        ASSERT_REFUSED(rg_store_create(&store, NULL, s.root, &s.t->plan, err), cases[k / 2].status,
                       cases[k / 2].words);
        char *after = test_read(path, NULL);
        assert_string_equal(after, cases[k / 2].text);
        free(after);
        free(path);
    }
    mangled_store_close(&s);
}

static void places_without_a_store_are_refused(void **state)
{
    (void)state;
    mangled_store s = mangled_store_open();
    char *missing = test_format("%s/missing", s.root), *empty = test_format("%s/empty", s.root);
    char *file = test_format("%s/%s", s.root, RG_STORE_FILE);
    char *folder = test_format("%s/folder", s.root);
    char *inside = test_format("%s/%s", folder, RG_STORE_FILE);
    assert_int_equal(mkdir(empty, 0777), 0);
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(mkfifo(inside, 0777), 0);
    for (int write = 0; write < 2; write++) {
        ASSERT_REFUSED(use(missing, write, err), RG_EIO,
                       "missing' is not a run directory: there is no store");
        ASSERT_REFUSED(use(empty, write, err), RG_EIO,
                       "empty' is not a run directory: there is no store");
        ASSERT_REFUSED(use(file, write, err), RG_EIO,
                       "is not a run directory: there is no store.sqlite");
        ASSERT_REFUSED(use(folder, write, err), RG_EIO, "not a regular file");
    }
    rg_store *store = NULL;
    ASSERT_REFUSED(rg_store_create(&store, NULL, file, &s.t->plan, err), RG_EIO, "make directory");
    assert_int_equal(rmdir(empty), 0); /* nothing was left in it */
    free(missing);
    free(empty);
    free(file);
    free(folder);
    free(inside);
    mangled_store_close(&s);
}

static void files_of_others_are_refused(void **state)
{
    (void)state;
    mangled_store s = mangled_store_open();
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"PRAGMA application_id = 17", "belongs to another program (application id 17)"},
        {"PRAGMA user_version = 2", "was written by a newer regula: its tables have version 2, and "
                                    "this program reads versions up to 1"},
        {"PRAGMA user_version = 0", "its tables are of version 0"},
        {"DROP TABLE model", "there is no table 'model'"},
        {"ALTER TABLE run ADD COLUMN more TEXT", "expected the table that regula makes"},
        {"CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM job; END",
         "sqlite_master t: type: found 'trigger', expected no triggers"},
        {"DELETE FROM experiment", "is damaged: it holds no experiment"},
    };
    for (size_t k = 0; k < 2 * COUNT(cases); k++) {
        restore(&s);
        test_store_sql(s.root, cases[k / 2].sql);
        ASSERT_REFUSED(use(s.root, k % 2, err), RG_EDATA, cases[k / 2].words);
    }
    restore(&s); /* tables and views of one's own do no harm */
    test_store_sql(s.root,
                   "CREATE TABLE notes (x); CREATE VIEW best AS SELECT * FROM run; ANALYZE");
    ASSERT_OK(use(s.root, true, err));
    mangled_store_close(&s);
}

/* What plain SQL can do to rows. */
static void rows_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    mangled_store s = mangled_store_open();
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"UPDATE experiment SET n_folds = 0", "experiment: n_folds: found '0', expected a whole "
                                              "number from 1 to 100000000"},
        {"UPDATE experiment SET n_runs = -1", "n_runs: found '-1'"},
        {"UPDATE experiment SET n_configurations = 3", "found 2 configurations, expected 3"},
        {"UPDATE experiment SET resolved = 'x'", "digest: found '"},
        {"UPDATE experiment SET name = 'a' || char(0) || 'b'", "a text without zero bytes"},
        {"UPDATE experiment SET score = 'f1'",
         "experiment: score: found 'f1', expected 'accuracy', 'absolute error' or a metric"},
        {"DELETE FROM fold WHERE fold = 0", "fold 1: fold: found '1', expected a whole number"},
        {"DELETE FROM fold WHERE fold = 1", "found 1 folds, expected 2"},
        {"UPDATE fold SET n_test = -1 WHERE fold = 1", "fold 1: n_test: found '-1'"},
        {"UPDATE fold SET validation_is_test = 2 WHERE fold = 1",
         "fold 1: validation_is_test: found '2', expected a whole number from 0 to 1"},
        {"UPDATE configuration SET number = 7 WHERE number = 1",
         "configuration 7: number: found '7', expected a whole number from 1 to 1"},
        {"UPDATE configuration SET recipe = 'x' WHERE number = 1",
         "configuration 1: digest: found '"},
        {"DELETE FROM job WHERE id = 2", "job 3: id: found '3', expected a whole number from 2"},
        {"UPDATE job SET fold = 2 WHERE id = 1", "job 1: there is no such fold"},
        {"UPDATE job SET lanes = 9 WHERE id = 1", "job 1: lanes are 1 to 8"},
        {"UPDATE job SET first_run = 1 WHERE id = 1", "job 1: a run is in the job before it too"},
        {"UPDATE job SET peak_rss = -5 WHERE id = 1",
         "job 1: peak_rss: found '-5', expected a whole number from 0"},
        {"UPDATE job SET finished = NULL WHERE id = 1", "finished: found nothing, expected a text"},
        {"PRAGMA ignore_check_constraints = 1; UPDATE job SET state = 'lost' WHERE id = 1",
         "job 1: state: found 'lost', expected waiting, done or failed"},
        {"UPDATE job SET state = 'failed' WHERE id = 1", "message: found nothing, expected a text"},
        {"UPDATE job SET state = 'waiting' WHERE id = 1", "not the runs that belong to job 1"},
        {"UPDATE job SET state = 'done', n_parameters = 1, connections = 1, weights_possible = 1, "
         "weights_used = 1, peak_rss = 1, version = '', finished = '' WHERE id = 0",
         "not the runs that belong to job 0"},
        {"DELETE FROM run WHERE configuration = 1 AND fold = 0 AND run = 1",
         "not the runs that belong to job 4"},
        {"INSERT INTO run SELECT configuration, fold, 3, epochs, best_epoch, stopped, failed, "
         "NULL, NULL, NULL, NULL, NULL, NULL FROM run WHERE configuration = 1 AND fold = 0 AND "
         "run = 0",
         "in no job: run 1/0/3"},
        {"UPDATE run SET best_epoch = 99 WHERE configuration = 1 AND fold = 0 AND run = 1",
         "run 1/0/1: best_epoch: found '99', expected a whole number from 0 to"},
        {"UPDATE run SET stopped = 2 WHERE configuration = 1 AND fold = 0 AND run = 1",
         "run 1/0/1: stopped: found '2', expected a whole number from 0 to 1"},
        {"UPDATE run SET epochs = 4000000000 WHERE configuration = 1 AND fold = 0 AND run = 1",
         "not the epochs that belong to run 1/0/1"},
        {"UPDATE run SET epochs = -1 WHERE configuration = 1 AND fold = 0 AND run = 1",
         "not the epochs that belong to run 1/0/1"},
        {"DELETE FROM epoch WHERE configuration = 1 AND fold = 0 AND run = 1 AND epoch = 2",
         "not the epochs that belong to run 1/0/1"},
        {"UPDATE epoch SET epoch = 77 WHERE configuration = 1 AND fold = 0 AND run = 1 AND "
         "epoch = 3",
         "not the epochs that belong to run 1/0/1"},
        {"INSERT INTO epoch VALUES (1, 0, 1, 77, 0, 0, 0, 0, 0)", "of no run: epoch 1/0/1/77"},
        {"INSERT INTO epoch VALUES (1, 1, 9, 1, 0, 0, 0, 0, 0)", "of no run: epoch 1/1/9/1"},
        {"UPDATE prediction SET n_rows = 6 WHERE configuration = 1 AND fold = 0 AND run = 0",
         "prediction 1/0/0: samples: found 20 bytes, expected 24 bytes"},
        {"UPDATE prediction SET n_rows = -1 WHERE configuration = 1 AND fold = 0 AND run = 0",
         "n_rows: found '-1'"},
        {"UPDATE prediction SET width = 2147483647 WHERE configuration = 1 AND fold = 0 AND run = "
         "0",
         "numbers: found 40 bytes, expected 42949672940 bytes"},
        {"UPDATE prediction SET width = 0 WHERE configuration = 1 AND fold = 0 AND run = 0",
         "numbers: found 40 bytes, expected NULL"},
        {"UPDATE prediction SET classes = x'00' WHERE configuration = 1 AND fold = 0 AND run = 0",
         "classes: found 1 bytes, expected 10 bytes"},
        {"UPDATE prediction SET numbers = NULL WHERE configuration = 1 AND fold = 0 AND run = 0",
         "numbers: found nothing, expected 40 bytes"},
        {"UPDATE prediction SET run = 5 WHERE configuration = 1 AND fold = 0 AND run = 0",
         "a key that leads nowhere in table prediction"},
        {"UPDATE model SET fold = 9", "a key that leads nowhere in table model"},
        {"UPDATE model SET file = 'a' || char(0)", "model 1/0/0: file: found 'a'"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        restore(&s);
        ASSERT_OK(use(s.root, true, err));
        test_store_sql(s.root, cases[k].sql);
        ASSERT_REFUSED(use(s.root, k % 2, err), RG_EDATA, cases[k].words);
    }
    mangled_store_close(&s);
}

/* Types that SQLite keeps out of strict tables come in while the table claims not to be strict. */
static void values_of_another_type_are_refused(void **state)
{
    (void)state;
    mangled_store s = mangled_store_open();
    static const struct {
        const char *table, *sql, *words;
    } cases[] = {
        {"experiment", "UPDATE experiment SET seed = 'x'", "seed: found 'x', expected a whole"},
        {"experiment", "UPDATE experiment SET name = x'41'",
         "name: found 1 bytes, expected a text"},
        {"job", "UPDATE job SET seconds = 'long' WHERE id = 1",
         "job 1: seconds: found 'long', expected a number or NULL"},
        {"job", "UPDATE job SET n_runs = 1.5 WHERE id = 1", "job 1: n_runs: found '1.5'"},
        {"run", "UPDATE run SET test_score = 'good' WHERE configuration = 1",
         "run 1/0/0: test_score: found 'good', expected a number or NULL"},
        {"epoch", "UPDATE epoch SET lr = x'00' WHERE configuration = 1",
         "epoch 1/0/0/1: lr: found 1 bytes, expected a number or NULL"},
        {"prediction", "UPDATE prediction SET samples = 'ten' WHERE configuration = 1",
         "prediction 1/0/0: samples: found 'ten', expected 20 bytes"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        char *loosen = test_format("PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = "
                                   "replace(sql, 'STRICT', '      ') WHERE name = '%s'",
                                   cases[k].table);
        char *tighten = test_format("PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = "
                                    "replace(replace(sql, '      , W', 'STRICT, W'), ')       ', "
                                    "') STRICT') WHERE name = '%s'",
                                    cases[k].table);
        restore(&s);
        test_store_sql(s.root, loosen);
        test_store_sql(s.root, cases[k].sql);
        ASSERT_REFUSED(use(s.root, true, err), RG_EDATA, "expected the table that regula makes");
        test_store_sql(s.root, tighten);
        rg_store *store = NULL;
        rg_error why = {""};
        char digest[RG_DIGEST_TEXT];
        rg_status status = rg_store_open(&store, s.root, false, &why);
        if (!status)
            status = rg_store_digest(digest, store, &why);
        rg_store_close(store);
        if (status != RG_EDATA || !strstr(why.message, cases[k].words))
            fail_msg("%s: '%s', expected '%s'", cases[k].sql, why.message, cases[k].words);
        free(loosen);
        free(tighten);
    }
    mangled_store_close(&s);
}

/* Any damage is told or does not matter; nothing crashes, and reading changes nothing. */
static void damaged_bytes_do_no_harm(void **state)
{
    (void)state;
    mangled_store s = mangled_store_open();
    char *path = test_format("%s/%s", s.root, RG_STORE_FILE), *bad = malloc(s.n);
    assert_non_null(bad);
    size_t refused = 0;
    for (uint32_t k = 0; k < 600; k++) {
        size_t n = k % 5 ? s.n : rg_random_below(1, 0, k, (uint32_t)s.n) + 1, m;
        memcpy(bad, s.bytes, s.n);
        for (uint32_t i = 0; i < k % 5; i++) { /* bits anywhere, or the file is cut */
            uint32_t at = rg_random_below(2, i, k, k % 2 ? 4096 : (uint32_t)s.n);
            bad[at] = (char)(bad[at] ^ (1 << rg_random_below(3, i, k, 8)));
        }
        test_write_bytes(s.root, RG_STORE_FILE, bad, n);
        rg_error why = {""};
        rg_status status = use(s.root, false, &why);
        if (status != RG_OK && status != RG_EDATA)
            fail_msg("%u: status %d '%s'", k, status, why.message);
        assert_int_equal(status == RG_OK, why.message[0] == '\0');
        refused += status != RG_OK;
        char *after = test_read(path, &m);
        assert_int_equal(m, n);
        assert_memory_equal(after, bad, n);
        free(after);
    }
    assert_true(refused > 150);
    free(bad);
    free(path);
    mangled_store_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_are_no_stores_are_refused_and_left_alone),
        cmocka_unit_test(places_without_a_store_are_refused),
        cmocka_unit_test(files_of_others_are_refused),
        cmocka_unit_test(rows_that_make_no_sense_are_refused),
        cmocka_unit_test(values_of_another_type_are_refused),
        cmocka_unit_test(damaged_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
