/* test_libsvm.c - LIBSVM as a second opinion: the same maximum, the same answers. */
#include "base/random.h"
#include "kernel/counts.h"
#include "kernel/svm_vote.h"
#include "support/networks.h"
#include "support/support.h"

#include <libsvm/svm.h>
#include <math.h>
#include <string.h>

#define EPS 1e-3

static void quiet(const char *text)
{
    (void)text;
}

/* A fold of a set with its matrix. */
typedef struct trial {
    rg_dataset *data;
    rg_baseline_task learned;
    rg_gram gram;
    uint32_t *order;
    rg_part train;
} trial;

/* data: moved. Four of five graphs are for training. */
static trial trial_open(rg_dataset *data, uint32_t depth)
{
    trial t = {.data = data};
    rg_counts *layers[9] = {NULL};
    rg_count_options options = {.label = rg_label_options_default()};
    rg_gram_options wanted = {.normalise = true, .n_threads = 1, .name = "set"};
    rg_source source = {data, NULL};
    uint32_t n = (uint32_t)rg_dataset_n_graphs(data);
    options.label.n_threads = 1;
    ASSERT_OK(rg_counts_wl(layers, depth, false, data, &options, err));
    ASSERT_OK(rg_gram_new(&t.gram, layers, depth + 1, &wanted, err));
    ASSERT_OK(rg_baseline_task_open(&t.learned, &source, err));
    for (size_t l = 0; l <= depth; l++)
        rg_counts_free(layers[l]);
    t.order = calloc(n + 1, sizeof *t.order);
    assert_non_null(t.order);
    for (uint32_t k = 0; k < n; k++)
        t.order[k] = k;
    rg_random_shuffle(1, 2, t.order, n);
    /* By classes: LIBSVM has them in the order in which they come, and ties go by that. */
    uint32_t *chosen = calloc(n + 1, sizeof *chosen);
    assert_non_null(chosen);
    for (uint32_t class = 0; class < t.learned.n_classes; class ++)
        for (uint32_t k = 0; k < n / 5 * 4; k++)
            if (t.learned.classes[t.order[k]] == class)
                chosen[t.train.n++] = t.order[k];
    free(t.order);
    t.order = chosen;
    t.train.graphs = t.order;
    return t;
}

static void trial_close(trial *t)
{
    rg_gram_free(&t->gram);
    rg_dataset_free(t->data);
    free(t->order);
}

/* LIBSVM's rows: the number of the row from 1, then values. Owned (free). */
static struct svm_node *row_of(const trial *t, uint32_t graph, size_t number)
{
    struct svm_node *row = calloc(t->train.n + 2, sizeof *row);
    assert_non_null(row);
    row[0] = (struct svm_node){0, (double)number};
    for (size_t k = 0; k < t->train.n; k++)
        row[k + 1] = (struct svm_node){
            (int)k + 1,
            (double)t->gram.values[(size_t)graph * t->gram.stride + t->train.graphs[k]]};
    row[t->train.n + 1].index = -1;
    return row;
}

typedef struct opinion {
    struct svm_problem problem;
    struct svm_parameter parameter;
    struct svm_model *model;
} opinion;

static opinion opinion_of(const trial *t, double c)
{
    opinion o = {.parameter = {.svm_type = C_SVC,
                               .kernel_type = PRECOMPUTED,
                               .cache_size = 50,
                               .C = c,
                               .eps = EPS,
                               .shrinking = 1}};
    svm_set_print_string_function(quiet);
    o.problem.l = (int)t->train.n;
    o.problem.y = calloc(t->train.n + 1, sizeof *o.problem.y);
    o.problem.x = calloc(t->train.n + 1, sizeof *o.problem.x);
    assert_true(o.problem.y && o.problem.x);
    for (size_t k = 0; k < t->train.n; k++) {
        o.problem.y[k] = t->learned.classes[t->train.graphs[k]];
        o.problem.x[k] = row_of(t, t->train.graphs[k], k + 1);
    }
    assert_null(svm_check_parameter(&o.problem, &o.parameter));
    o.model = svm_train(&o.problem, &o.parameter);
    return o;
}

static void opinion_close(opinion *o)
{
    for (int k = 0; k < o->problem.l; k++)
        free(o->problem.x[k]);
    free(o->problem.x);
    free(o->problem.y);
    svm_free_and_destroy_model(&o->model);
}

/* What both say of all graphs: equal, but where a machine of LIBSVM is undecided to its tolerance.
 */
static void compare(const trial *t, double c)
{
    opinion o = opinion_of(t, c);
    rg_svm_paths *paths = NULL;
    rg_svm_vote vote = {.numbers = NULL};
    ASSERT_OK(rg_svm_paths_new(&paths, 1 << 24, err));
    rg_svm_vote_task task = {.gram = &t->gram,
                             .learned = &t->learned,
                             .train = &t->train,
                             .c = c,
                             .paths = paths,
                             .cpu = RG_CPU_AVX512};
    ASSERT_OK(rg_svm_vote_train(&vote, &task, err));
    for (size_t g = 0; g < t->learned.n_graphs; g++) {
        struct svm_node *row = row_of(t, (uint32_t)g, 0);
        double values[64], least = INFINITY;
        uint32_t said = 0, theirs = (uint32_t)svm_predict_values(o.model, row, values);
        uint32_t n = (uint32_t)o.model->nr_class;
        for (uint32_t k = 0; k < n * (n - 1) / 2; k++)
            least = fmin(least, fabs(values[k]));
        const float *numbers = vote.numbers + g * t->learned.n_classes;
        for (uint32_t k = 1; k < t->learned.n_classes; k++)
            said = numbers[k] > numbers[said] ? k : said;
        if (n == 2) { /* the number is 1 / (1 + exp(-d)) */
            double d = log((double)numbers[0] / (double)numbers[1]);
            double own = o.model->label[0] == 0 ? values[0] : -values[0];
            if (fabs(own) < 5 && fabs(d - own) > 20 * EPS)
                fail_msg("C %g, graph %zu: %g, LIBSVM has %g", c, g, d, own);
        }
        if (said != theirs && least > 10 * EPS)
            fail_msg("C %g, graph %zu: %u, LIBSVM says %u", c, g, said, theirs);
        free(row);
    }
    rg_svm_vote_free(&vote);
    rg_svm_paths_free(paths);
    opinion_close(&o);
}

/* sum(alpha) - beta K beta / 2 by the coefficients that LIBSVM found. */
static double objective(const trial *t, const struct svm_model *model)
{
    double sum = 0;
    for (int a = 0; a < model->l; a++) {
        size_t x = t->train.graphs[model->sv_indices[a] - 1];
        sum += fabs(model->sv_coef[0][a]);
        for (int b = 0; b < model->l; b++)
            sum -=
                model->sv_coef[0][a] * model->sv_coef[0][b] / 2 *
                (double)
                    t->gram.values[x * t->gram.stride + t->train.graphs[model->sv_indices[b] - 1]];
    }
    return sum;
}

static void compare_maximum(const trial *t, double c)
{
    size_t n = t->learned.n_graphs;
    int8_t *side = calloc(n + 1, 1);
    rg_svm_point point = {.beta = calloc(n + 1, sizeof(double)),
                          .sum = calloc(n + 1, sizeof(double))};
    rg_svm_answer answer;
    assert_true(side && point.beta && point.sum);
    for (size_t k = 0; k < t->train.n; k++)
        side[t->train.graphs[k]] = t->learned.classes[t->train.graphs[k]] ? -1 : 1;
    rg_svm_task task = {.gram = t->gram.values,
                        .n = n,
                        .stride = t->gram.stride,
                        .side = side,
                        .c = c,
                        .eps = EPS,
                        .max_steps = 10000000,
                        .loops = rg_svm_loops_get(RG_CPU_AVX512)};
    rg_svm_start(&point, &task);
    ASSERT_OK(rg_svm_solve(&point, &answer, &task, err));
    opinion o = opinion_of(t, c);
    double theirs = objective(t, o.model);
    if (fabs(answer.objective - theirs) > 1e-3 * theirs)
        fail_msg("C %g: the maximum is %g, LIBSVM has %g", c, answer.objective, theirs);
    opinion_close(&o);
    free(side);
    free(point.beta);
    free(point.sum);
}

static const double grid[] = {0.001, 0.125, 1, 8, 100};
enum { N_GRID = sizeof grid / sizeof *grid };

static void random_sets_get_the_same_answers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        trial two = trial_open(test_dataset_plain(120, 10, seed), 2);
        trial three = trial_open(test_dataset_with_classes(120, 10, seed), 1);
        for (size_t k = 0; k < N_GRID; k++) {
            compare(&two, grid[k]);
            compare_maximum(&two, grid[k]);
            compare(&three, grid[k]);
        }
        trial_close(&two);
        trial_close(&three);
    }
}

static void real_sets_get_the_same_answers(void **state)
{
    (void)state;
    static const char *const sets[] = {"MUTAG.zip", "DHFR.zip", "ENZYMES.zip"};
    size_t checked = 0;
    for (size_t s = 0; s < 3; s++) {
        char *path = test_data(sets[s]);
        if (!path)
            continue;
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        trial t = trial_open(data, 3);
        for (size_t k = 0; k < N_GRID; k++) {
            compare(&t, grid[k]);
            if (t.learned.n_classes == 2)
                compare_maximum(&t, grid[k]);
        }
        trial_close(&t);
        free(path);
        checked++;
    }
    if (!checked)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets_get_the_same_answers),
        cmocka_unit_test(real_sets_get_the_same_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
