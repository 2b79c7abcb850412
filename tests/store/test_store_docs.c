/* test_store_docs.c - docs/store.md says what the file is. */
#include "support/stores.h"
#include "support/support.h"

#include <stdio.h>

static char *read_page(void)
{
    return test_read(REGULA_SOURCE "/docs/store.md", NULL);
}

/* A store with jobs that are done, one that failed and one that waits. */
static sqlite3 *open_example(const char *directory)
{
    test_store_plan *t = test_store_plan_make(2, 2, 3, 2);
    char *path = test_format("%s/%s", directory, RG_STORE_FILE);
    rg_store *store = NULL;
    sqlite3 *db = NULL;
    test_store_fill(directory, t, 2, 1);
    ASSERT_OK(rg_store_open(&store, directory, true, err));
    rg_store_outcome failed = {.state = RG_JOB_FAILED, .message = "x"};
    ASSERT_OK(rg_store_put_job(store, 1, &failed, NULL, err));
    rg_store_close(store);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    free(path);
    test_store_plan_free(t);
    return db;
}

static int count_rows(void *context, int n, char **values, char **names)
{
    (void)n;
    (void)values;
    (void)names;
    ++*(int *)context;
    return 0;
}

static void every_example_runs_and_answers(void **state)
{
    (void)state;
    char *root = test_directory_make(), *page = read_page(), *rest = page;
    sqlite3 *db = open_example(root);
    size_t n = 0;
    for (char *block; (block = strstr(rest, "```sql\n")); n++) {
        char *end = strstr(block + 7, "```"), *message = NULL;
        int rows = 0;
        assert_non_null(end);
        *end = '\0';
        rest = end + 1;
        if (sqlite3_exec(db, block + 7, count_rows, &rows, &message))
            fail_msg("%s: %s", block + 7, message);
        if (rows == 0)
            fail_msg("%s: no rows", block + 7);
    }
    assert_int_equal(n, 7);
    sqlite3_close(db);
    free(page);
    test_directory_remove(root);
}

static int find_word(void *context, int n, char **values, char **names)
{
    (void)n;
    (void)names;
    char word[80];
    snprintf(word, sizeof word, "`%s`", values[0]);
    if (!strstr(context, word))
        fail_msg("docs/store.md does not tell of %s", word);
    return 0;
}

static void every_table_and_column_is_told_of(void **state)
{
    (void)state;
    char *root = test_directory_make(), *page = read_page();
    sqlite3 *db = open_example(root);
    static const char *const tables[] = {"experiment", "fold",  "configuration",
                                         "job",        "run",   "epoch",
                                         "prediction", "model", "target"};
    int rows = 0;
    assert_int_equal(sqlite3_exec(db, "SELECT 1 FROM sqlite_master WHERE type = 'table'",
                                  count_rows, &rows, NULL),
                     SQLITE_OK);
    assert_int_equal(rows, 10);
    assert_non_null(strstr(page, "\n### validation"));
    for (size_t k = 0; k < 9; k++) {
        char *heading = test_format("\n### %s", tables[k]);
        char *sql = test_format("SELECT name FROM pragma_table_info('%s')", tables[k]);
        char *section = strstr(page, heading);
        assert_non_null(section);
        char *end = strstr(section + 1, "\n##");
        assert_non_null(end);
        *end = '\0';
        /* a key may be told of before the table */
        assert_int_equal(sqlite3_exec(db, sql, find_word, k == 6 ? page : section, NULL),
                         SQLITE_OK);
        *end = '\n';
        free(heading);
        free(sql);
    }
    sqlite3_close(db);
    free(page);
    test_directory_remove(root);
}

static void the_application_is_the_one_written_down(void **state)
{
    (void)state;
    char *root = test_directory_make(), *page = read_page();
    sqlite3 *db = open_example(root);
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA application_id", -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    char *words = test_format("`PRAGMA application_id` is %s (`rgla`)",
                              (const char *)sqlite3_column_text(statement, 0));
    assert_non_null(strstr(page, words));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    free(words);
    free(page);
    test_directory_remove(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_runs_and_answers),
        cmocka_unit_test(every_table_and_column_is_told_of),
        cmocka_unit_test(the_application_is_the_one_written_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
