/* test_search_faults.c - the search over rules while memory fails; one thread, so nothing for TSan.
 */
#include "base/alloc.h"
#include "searches.h"

typedef struct search_sweep {
    rg_source source;
    rg_splits *splits;
    rg_search_options options;
} search_sweep;

static rg_status search_once(void *context, rg_error *err)
{
    search_sweep *s = context;
    rg_search_result result;
    char *text = NULL;
    rg_status status = rg_search_run(&result, &s->source, s->splits, &s->options, err);
    if (status)
        return status;
    status = rg_search_experiment(&text, &result, "a", "b", NULL, &s->options, err);
    rg_free(text);
    rg_search_free(&result);
    return status;
}

static void failing_allocations_end_it_cleanly(void **state)
{
    (void)state;
    rg_dataset *data = searches_rings(4);
    search_sweep s = {.source = {.graphs = data}, .splits = searches_folds(data, 1)};
    s.options = searches_plan(2, 2, 0, 0);
    s.options.epochs = 1;
    s.options.n_runs = 1;
    s.options.n_threads = 1;
    assert_true(test_allocation_sweep(search_once, &s) > 100);
    rg_splits_free(s.splits);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_allocations_end_it_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
