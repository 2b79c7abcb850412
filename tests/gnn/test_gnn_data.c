/* test_gnn_data.c - one fold of real data for each message passing network. */
#include "gnns.h"

#include <math.h>

/* The part of the largest class. */
static double majority(const rg_dataset *data, const rg_part *part)
{
    size_t ones = 0;
    for (size_t k = 0; k < part->n; k++)
        ones += rg_dataset_ranks(data, RG_CLASS, 0)[part->graphs[k]] == 1;
    return fmax((double)ones, (double)(part->n - ones)) / (double)part->n;
}

static void networks_beat_the_most_frequent_class(void **state)
{
    static const struct {
        const char *set, *model, *training;
    } cases[] = {
        {"DHFR", "{model: gin, layers: 2, width: 16, dropout: 0}", "epochs: 12"},
        {"DHFR", "{model: gsn, layers: 2, width: 16, dropout: 0}", "epochs: 12"},
        {"DHFR", "{model: graphsage, self: own, width: 32}", "epochs: 15, lr: 0.003"},
        {"IMDB-BINARY", "{model: dgcnn, layers: 2, width: 32}", "epochs: 15, lr: 0.001"},
        {"IMDB-BINARY", "{model: gin, layers: 1, width: 16, dropout: 0}", "epochs: 10"},
        {"IMDB-BINARY", "{model: graphsage, self: own, width: 16}", "epochs: 10"},
        {"IMDB-BINARY", "{model: gcn, layers: 2, width: 32, features: degree-one-hot}",
         "epochs: 15, lr: 0.003"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *zip = test_format("%s.zip", cases[k].set);
        char *json = test_format("splits/%s.json", cases[k].set);
        char *path = test_data(zip), *split = test_data(json);
        free(zip);
        free(json);
        if (!path || !split) {
            free(path);
            free(split);
            skip();
        }
        rg_dataset *data = NULL;
        rg_splits *splits = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        ASSERT_OK(rg_splits_read(&splits, split, err));
        rg_fold fold = rg_splits_fold(splits, 0);
        rg_run run = gnn_train(cases[k].model, cases[k].training, data, &fold);
        double least = majority(data, &fold.train) + 0.05;
        if (!(run.train_score > least && run.validation_score > least))
            fail_msg("%s on %s: accuracy %g and %g, expected more than %g", cases[k].model,
                     cases[k].set, run.train_score, run.validation_score, least);
        rg_splits_free(splits);
        rg_dataset_free(data);
        free(path);
        free(split);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_beat_the_most_frequent_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
