/* experiment_files.c - see experiment_files.h. */
#include "experiment_files.h"

#include "regula/model.h"
#include "support/support.h"

#include <dirent.h>
#include <string.h>

rg_experiment *experiment_parse_with(const char *text, const char *const *overrides, size_t n)
{
    rg_experiment *experiment = NULL;
    ASSERT_OK(rg_experiment_parse(&experiment, "exp.yml", text, strlen(text), overrides, n, err));
    return experiment;
}

rg_experiment *experiment_parse(const char *text)
{
    return experiment_parse_with(text, NULL, 0);
}

/* Owned (free). */
static char *choices(const rg_experiment *experiment, size_t c)
{
    char *all = test_format("%s", "");
    for (size_t k = 0; k < rg_experiment_describe(experiment)->n_axes; k++) {
        const char *choice = rg_experiment_choice(experiment, c, k);
        const char *name = rg_experiment_axis(experiment, k);
        char *more = test_format("%s%s%s", all, *all && *choice ? " " : "", choice);
        if (*choice)
            assert_true(strncmp(choice, name, strlen(name)) == 0 && choice[strlen(name)] == '=');
        free(all);
        all = more;
    }
    return all;
}

void experiment_assert_choices(const rg_experiment *experiment, const char *const *expected,
                               size_t n)
{
    rg_experiment_info info = *rg_experiment_describe(experiment);
    for (size_t c = 0; c < info.n_configurations && c < n; c++) {
        char *found = choices(experiment, c);
        assert_string_equal(found, expected[c]);
        free(found);
    }
    assert_int_equal(info.n_configurations, n);
}

void experiment_assert_same_again(const rg_experiment *experiment)
{
    rg_experiment *again = experiment_parse(rg_experiment_text(experiment));
    rg_experiment_info a = *rg_experiment_describe(experiment), b = *rg_experiment_describe(again);
    char one[RG_DIGEST_SIZE], two[RG_DIGEST_SIZE];
    assert_string_equal(rg_experiment_text(again), rg_experiment_text(experiment));
    rg_experiment_digest(experiment, one);
    rg_experiment_digest(again, two);
    assert_string_equal(one, two);
    assert_string_equal(a.name, b.name);
    assert_int_equal(a.keep, b.keep);
    assert_int_equal(a.n_configurations, b.n_configurations);
    assert_int_equal(a.n_equal, b.n_equal);
    for (size_t c = 0; c < a.n_configurations; c++) {
        char *x = choices(experiment, c), *y = choices(again, c);
        assert_string_equal(x, y);
        assert_string_equal(rg_experiment_recipe(experiment, c), rg_experiment_recipe(again, c));
        free(x);
        free(y);
    }
    rg_experiment_free(again);
}

size_t experiment_read_all(const char *directory)
{
    DIR *list = opendir(directory);
    size_t n = 0;
    assert_non_null(list);
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        rg_experiment *e = NULL;
        if (!strstr(entry->d_name, ".yml"))
            continue;
        char *path = test_format("%s/%s", directory, entry->d_name);
        ASSERT_OK(rg_experiment_read(&e, path, NULL, 0, err));
        experiment_assert_same_again(e);
        rg_experiment_free(e);
        free(path);
        n++;
    }
    closedir(list);
    return n;
}

/* A line of a block; an empty one is, if the block goes on behind it. */
static bool is_inside(const char *p)
{
    p += *p == '\n';
    return strncmp(p, "    ", 4) == 0;
}

char *experiment_block(const char **at)
{
    const char *p = strstr(*at, "\n\n    data:");
    if (!p)
        return NULL;
    char *block = test_format("%s", "");
    for (p += 2; is_inside(p);) {
        size_t length = strcspn(p, "\n"), from = length < 4 ? length : 4;
        char *more = test_format("%s%.*s\n", block, (int)(length - from), p + from);
        free(block);
        block = more;
        p += length + 1;
    }
    *at = p - 1;
    return block;
}
