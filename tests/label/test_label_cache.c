/* test_label_cache.c - counts on disk: used again, never trusted, never in the way. */
#include "support/graphs.h"
#include "support/labelings.h"

#include "base/digest.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct cache_setup {
    char *directory;
    rg_dataset *data;
    rg_label_options options;
} cache_setup;

static cache_setup *cache_setup_open(void)
{
    cache_setup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->directory = test_directory_make();
    s->data = test_random_set(4, 6, 6);
    s->options = rg_label_options_default();
    s->options.n_threads = 1;
    s->options.cache = s->directory;
    return s;
}

static void cache_setup_close(cache_setup *s)
{
    test_directory_remove(s->directory);
    rg_dataset_free(s->data);
    free(s);
}

/* Labels as text, with the cache of the scene or, if options is not NULL, with others. */
static char *label(const cache_setup *s, const char *spec, const rg_label_options *options)
{
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    ASSERT_OK(rg_labeling_fit(&labeling, &labels, spec, s->data, NULL, 0,
                              options ? options : &s->options, err));
    char *text = test_labels_text(s->data, labels);
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    return text;
}

/* Files in the cache; *last: the path of one of them. Owned (free), may be NULL. */
static size_t entries(const cache_setup *s, char **last)
{
    DIR *dir = opendir(s->directory);
    assert_non_null(dir);
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.' && strlen(entry->d_name) < 3)
            continue;
        n++;
        if (last) {
            free(*last);
            *last = test_format("%s/%s", s->directory, entry->d_name);
        }
    }
    closedir(dir);
    return n;
}

static const char counted[] = "cycles(kind=simple, max=6)";

static void a_second_time_nothing_is_counted(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    rg_label_options none = s->options;
    none.cache = NULL;
    char *expected = label(s, counted, &none), *path = NULL;
    assert_int_equal(entries(s, NULL), 0);
    char *first = label(s, counted, NULL);
    assert_int_equal(entries(s, &path), 1);
    assert_int_equal(strlen(strrchr(path, '/') + 1), 64);
    struct stat before, after;
    assert_int_equal(stat(path, &before), 0);
    char *second = label(s, counted, NULL);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* was not written again */
    assert_string_equal(first, expected);
    assert_string_equal(second, expected);
    free(expected);
    free(first);
    free(second);
    free(path);
    cache_setup_close(s);
}

/* Numbers that only the cache can have given, under a check sum that is right: they are used. */
static void what_is_in_the_cache_is_what_is_labelled(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    char *honest = label(s, counted, NULL), *path = NULL;
    assert_int_equal(entries(s, &path), 1);
    size_t n;
    unsigned char *bytes = (unsigned char *)test_read(path, &n);
    bytes[n - 9]++; /* the last node is on one more cycle of length 6 */
    uint64_t sum = rg_hash(bytes, n - 8, 0);
    for (size_t k = 0; k < 8; k++)
        bytes[n - 8 + k] = (unsigned char)(sum >> 8 * k);
    test_write_bytes(s->directory, strrchr(path, '/') + 1, bytes, n);
    char *forged = label(s, counted, NULL);
    assert_string_not_equal(honest, forged);
    free(honest);
    free(forged);
    free(bytes);
    free(path);
    cache_setup_close(s);
}

static void entries_differ_by_all_that_matters(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    free(label(s, counted, NULL));
    free(label(s, "cycles(max=6, min=3, max_labels=3)", NULL)); /* the same counts */
    assert_int_equal(entries(s, NULL), 1);
    free(label(s, "wl(depth=1, from=cycles(max=6))", NULL)); /* and again */
    assert_int_equal(entries(s, NULL), 1);
    free(label(s, "cycles(max=7)", NULL));
    assert_int_equal(entries(s, NULL), 2);
    free(label(s, "cliques(max=4)", NULL));
    assert_int_equal(entries(s, NULL), 3);
    free(label(s, "pattern(triangle)", NULL));
    free(label(s, "pattern(triangle, induced=false)", NULL));
    assert_int_equal(entries(s, NULL), 5);
    s->options.budget--;
    free(label(s, counted, NULL));
    assert_int_equal(entries(s, NULL), 6);
    rg_dataset_free(s->data);
    s->data = test_random_set(4, 6, 7);
    free(label(s, counted, NULL));
    assert_int_equal(entries(s, NULL), 7);
    free(label(s, "combine(degree, node, wl(depth=2))", NULL)); /* nothing that is expensive */
    assert_int_equal(entries(s, NULL), 7);
    cache_setup_close(s);
}

static void counts_of_some_graphs_only_are_not_kept(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    rg_labeling *labeling = NULL;
    ASSERT_OK(rg_labeling_fit(&labeling, NULL, counted, s->data, (uint32_t[]){1, 2}, 2, &s->options,
                              err));
    assert_int_equal(entries(s, NULL), 0);
    rg_labeling_free(labeling);
    cache_setup_close(s);
}

static void damaged_entries_are_counted_again_and_replaced(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    char *expected = label(s, counted, NULL), *path = NULL;
    assert_int_equal(entries(s, &path), 1);
    const char *name = strrchr(path, '/') + 1;
    size_t n, m;
    char *good = test_read(path, &n), *bad = malloc(n + 1);
    assert_non_null(bad);
    for (size_t k = 0; k <= 2 * n; k += k < n || k + 7 > 2 * n ? 1 : 7) {
        size_t size = k < n ? n : k - n; /* flip byte k; past them, cut to k-n bytes */
        memcpy(bad, good, n);
        if (k < n)
            bad[k] = (char)(bad[k] ^ (1 << k % 8));
        if (k == 2 * n)
            bad[size++] = 0; /* one byte too many */
        test_write_bytes(s->directory, name, bad, size);
        char *text = label(s, counted, NULL);
        assert_string_equal(text, expected);
        free(text);
        char *mended = test_read(path, &m);
        assert_int_equal(m, n);
        assert_memory_equal(mended, good, n);
        free(mended);
    }
    assert_int_equal(entries(s, NULL), 1);
    free(good);
    free(bad);
    free(path);
    free(expected);
    cache_setup_close(s);
}

static void capped_graphs_stay_capped(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    test_graph graphs[] = {test_random(30, 0.6, 1, 1, 1), test_random(5, 0, 1, 1, 1)};
    rg_dataset_free(s->data);
    s->data = test_set_of(graphs, 2);
    s->options.budget = 1;
    for (int k = 0; k < 2; k++) {
        rg_labeling *labeling = NULL;
        rg_labels *labels = NULL;
        ASSERT_OK(rg_labeling_fit(&labeling, &labels, "cycles(min=9, max=10)", s->data, NULL, 0,
                                  &s->options, err));
        assert_int_equal(rg_labels_n_capped(labels), 1);
        assert_int_equal(rg_labeling_seen(labeling), 2);
        assert_int_equal(entries(s, NULL), 1);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
    }
    test_graph_free(&graphs[0]);
    test_graph_free(&graphs[1]);
    cache_setup_close(s);
}

/* In the place of an entry: a pipe that nobody reads, a directory. Neither is waited for. */
static void what_is_no_file_is_left_alone(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    char *path = NULL, *expected = label(s, counted, NULL);
    assert_int_equal(entries(s, &path), 1);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(remove(path), 0);
        assert_int_equal(k ? mkdir(path, 0700) : mkfifo(path, 0600), 0);
        char *text = label(s, counted, NULL);
        assert_string_equal(text, expected);
        free(text);
    }
    free(path);
    free(expected);
    cache_setup_close(s);
}

static void a_cache_that_cannot_be_used_is_done_without(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    char *expected = label(s, counted, NULL);
    test_write(s->directory, "file", "");
    const char *const places[] = {"/proc/nowhere", "/dev/null/x", "file", "file/x", "new/deep"};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        rg_label_options options = s->options;
        char *place = *places[k] == '/' ? test_format("%s", places[k])
                                        : test_format("%s/%s", s->directory, places[k]);
        options.cache = place;
        char *text = label(s, counted, &options);
        assert_string_equal(text, expected);
        free(text);
        free(place);
    }
    if (geteuid() != 0) { /* root may write everywhere */
        assert_int_equal(chmod(s->directory, 0555), 0);
        char *text = label(s, "cycles(max=5)", NULL);
        assert_int_equal(chmod(s->directory, 0755), 0);
        free(text);
    }
    assert_int_equal(entries(s, NULL), 3); /* the entry, "file" and "new" */
    free(expected);
    cache_setup_close(s);
}

/* Failing disks: the labels come all the same, and no temporary file stays. */
static void every_failure_of_the_disk_is_survived(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    rg_label_options none = s->options;
    none.cache = NULL;
    char *expected = label(s, counted, &none), *path = NULL;
    bool happened = true;
    for (unsigned long n = 1; happened; n = test_next_fault(n)) {
        rg_fault_set(RG_FAULT_IO, n);
        char *text = label(s, counted, NULL);
        happened = rg_fault_happened(RG_FAULT_IO);
        rg_fault_set(RG_FAULT_IO, 0);
        assert_string_equal(text, expected);
        free(text);
        assert_true(entries(s, &path) <= 1);
        if (path && n % 2) /* every other time the entry has to be made anew */
            unlink(path);
        free(path);
        path = NULL;
        assert_true(n < 100);
    }
    free(expected);
    cache_setup_close(s);
}

/* Counts and keeps, then finds and uses. */
static rg_status use_cache(void *context, rg_error *err)
{
    const cache_setup *s = context;
    rg_status status = RG_OK;
    char *path = NULL;
    for (int k = 0; k < 2 && !status; k++) {
        rg_labeling *labeling = NULL;
        status = rg_labeling_fit(&labeling, NULL, counted, s->data, NULL, 0, &s->options, err);
        rg_labeling_free(labeling);
    }
    entries(s, &path);
    if (path)
        assert_int_equal(unlink(path), 0);
    free(path);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    cache_setup *s = cache_setup_open();
    assert_true(test_allocation_sweep(use_cache, s) > 10); /* with and without an entry */
    cache_setup_close(s);
}

static void the_cache_lies_where_the_xdg_rules_say(void **state)
{
    (void)state;
    static const struct {
        const char *xdg, *home, *path;
    } cases[] = {
        {"/a/b", "/h", "/a/b/regula/labels"},
        {"relative", "/h", "/h/.cache/regula/labels"},
        {"", "/h", "/h/.cache/regula/labels"},
        {NULL, "/h", "/h/.cache/regula/labels"},
        {NULL, NULL, NULL},
        {"relative", "", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *path = NULL;
        rg_error err = {""};
        unsetenv("XDG_CACHE_HOME");
        unsetenv("HOME");
        if (cases[k].xdg)
            setenv("XDG_CACHE_HOME", cases[k].xdg, 1);
        if (cases[k].home)
            setenv("HOME", cases[k].home, 1);
        rg_status status = rg_label_cache_directory(&path, &err);
        assert_int_equal(status, cases[k].path ? RG_OK : RG_EFAIL);
        if (cases[k].path)
            assert_string_equal(path, cases[k].path);
        else
            assert_null(path);
        rg_text_free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_time_nothing_is_counted),
        cmocka_unit_test(what_is_in_the_cache_is_what_is_labelled),
        cmocka_unit_test(entries_differ_by_all_that_matters),
        cmocka_unit_test(counts_of_some_graphs_only_are_not_kept),
        cmocka_unit_test(damaged_entries_are_counted_again_and_replaced),
        cmocka_unit_test(capped_graphs_stay_capped),
        cmocka_unit_test(what_is_no_file_is_left_alone),
        cmocka_unit_test(a_cache_that_cannot_be_used_is_done_without),
        cmocka_unit_test(every_failure_of_the_disk_is_survived),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(the_cache_lies_where_the_xdg_rules_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
