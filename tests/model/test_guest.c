/* test_guest.c - the library as a guest in a program of somebody else: stopped within 100 ms, used by several threads
 * and after fork, without a trace in the process. */
/* threads */
#include "support/graphs.h"
#include "support/support.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- what is looked at: variables of the environment, threads, handlers of signals */

static int n_read; /* variables */

/* In the place of the C library's, for all that is linked. */
char *getenv(const char *name);
char *getenv(const char *name)
{
    extern char **environ;
    size_t n = strlen(name);
    n_read++;
    for (char **at = environ; at && *at; at++)
        if (!strncmp(*at, name, n) && (*at)[n] == '=')
            return *at + n + 1;
    return NULL;
}

static size_t n_threads_now(void)
{
    size_t n = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (struct dirent *entry; (entry = readdir(tasks));)
        n += entry->d_name[0] != '.';
    closedir(tasks);
    return n;
}

/* ---- what is done */

typedef struct job {
    rg_dataset *data; /* many graphs, or a large one */
    rg_recipe *recipe;
    rg_model *model;
} job;

#define NETWORK(depth, epochs)                                                       \
    "labels: {label: \"wl(depth=1, from=degree)\"}\n"                                \
    "layers:\n"                                                                      \
    "  - rule: share label(i), label(j), dist(i,j) when dist(i,j) in 0.." depth "\n" \
    "  - aggregate: share out, label(i)\n"                                           \
    "training: {epochs: " epochs ", batch: 64}\n"

/* Graphs of n nodes, each joined to some before it; every second one to more. */
static rg_dataset *graphs_of(size_t n_graphs, uint32_t n, uint32_t degree)
{
    size_t n_edges = 0, most = n_graphs * n * (degree + 1);
    uint32_t *nodes = malloc(n_graphs * sizeof *nodes), (*edges)[2] = malloc(most * sizeof *edges);
    uint8_t *classes = malloc(n_graphs);
    uint64_t random = 1;
    assert_true(nodes && edges && classes);
    for (size_t g = 0; g < n_graphs; g++) {
        uint32_t first = (uint32_t)g * n;
        nodes[g] = n;
        classes[g] = g % 2;
        for (uint32_t i = 1; i < n; i++)
            for (uint32_t k = 0; k < degree + g % 2; k++) {
                random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
                edges[n_edges][0] = first + i;
                edges[n_edges++][1] = first + (uint32_t)((random >> 33) % i);
            }
    }
    const rg_graph_columns columns[] = {{RG_CLASS, {classes, RG_ITEM_U8, n_graphs, 1, 0, 0}, NULL}};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    rg_dataset *data = NULL;
    arrays.n_graphs = n_graphs;
    arrays.nodes = (rg_matrix){nodes, RG_ITEM_U32, n_graphs, 1, 0, 0};
    arrays.edges = (rg_matrix){edges, RG_ITEM_U32, n_edges, 2, 0, 0};
    arrays.columns = columns;
    arrays.n_columns = 1;
    ASSERT_OK(rg_dataset_from_arrays(&data, &arrays, err));
    free(nodes);
    free(edges);
    free(classes);
    return data;
}

static rg_status train(rg_model **out, rg_train_report *report, const char *network,
                       const rg_dataset *data, const rg_train_options *options, rg_error *err)
{
    rg_recipe *recipe = NULL;
    rg_source source = {data, NULL};
    size_t n = rg_dataset_n_graphs(data);
    uint32_t *all = malloc(n * sizeof *all);
    assert_non_null(all);
    for (size_t k = 0; k < n; k++)
        all[k] = (uint32_t)k;
    rg_fold fold = {{all, n}, {NULL, 0}, {NULL, 0}};
    rg_status status = rg_recipe_parse(&recipe, "network", network, strlen(network), err);
    if (!status)
        status = rg_model_train(out, report, recipe, &source, &fold, options, err);
    rg_recipe_free(recipe);
    free(all);
    return status;
}

static rg_model *model_of(const rg_dataset *data, const char *network)
{
    rg_model *model = NULL;
    rg_train_options options = RG_TRAIN_OPTIONS_INIT;
    options.n_threads = 1;
    ASSERT_OK(train(&model, NULL, network, data, &options, err));
    return model;
}

/* ---- stopping: measured in processor time of the thread that waits, so that others do not count */

typedef struct watch {
    double begin, last, longest; /* of the time between two questions */
    double after;                /* when to stop */
    bool stopped;
} watch;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static watch watch_new(double after)
{
    double begin = now();
    return (watch){begin, begin, 0, after, false};
}

static void look(watch *w)
{
    double at = now(), gap = at - w->last;
    w->longest = gap > w->longest ? gap : w->longest;
    w->last = at;
}

static int ask(void *context)
{
    watch *w = context;
    look(w);
    assert_false(w->stopped); /* nobody is asked again */
    w->stopped = w->last - w->begin >= w->after;
    return w->stopped;
}

/* Sanitizers take several times as long. */
static void assert_stopped(watch *w, const char *what, rg_status status, const rg_error *err)
{
    look(w);
    if (status != RG_EFAIL || !strstr(err->message, "stopped by the caller"))
        fail_msg("%d: %s", status, err->message);
    assert_true(w->stopped);
    if (w->longest >= 0.1 * test_sample_step())
        fail_msg("%s: asked after %.3f s, expected 0.1", what, w->longest);
}

static void labels_stop(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "cycles(max=12)",
        "cycles(kind=induced, max=9)",
        "cliques(max=8)",
        "marked(k=3)",
        "wl2",
        "betweenness",
        "walks(max=40)",
    };
    rg_dataset *data = graphs_of(2, 700, 6);
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        for (unsigned threads = 1; threads <= 2; threads++) {
            rg_labeling *labeling = NULL;
            rg_label_options options = RG_LABEL_OPTIONS_INIT;
            rg_error err = {""};
            watch w = watch_new(0);
            options.n_threads = threads;
            options.budget = UINT64_MAX;
            options.cancel = ask;
            options.cancel_context = &w;
            rg_status status =
                rg_labeling_fit(&labeling, NULL, specs[k], data, NULL, 0, &options, &err);
            assert_null(labeling);
            assert_stopped(&w, specs[k], status, &err);
        }
    rg_dataset_free(data);
}

/* Inside of one graph, not only between them. */
static void one_large_graph_stops(void **state)
{
    (void)state;
    static const char *const specs[] = {"cycles(max=12)", "wl2", "betweenness", "walks(max=40)",
                                        "pattern(cycle(9))"};
    rg_dataset *data = graphs_of(1, 700, 6);
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        rg_labeling *labeling = NULL;
        rg_label_options options = RG_LABEL_OPTIONS_INIT;
        rg_error err = {""};
        watch w = watch_new(0.005);
        options.n_threads = 1;
        options.budget = UINT64_MAX;
        options.cancel = ask;
        options.cancel_context = &w;
        assert_stopped(&w, specs[k],
                       rg_labeling_fit(&labeling, NULL, specs[k], data, NULL, 0, &options, &err),
                       &err);
    }
    rg_dataset_free(data);
}

static void tables_stop(void **state)
{
    (void)state;
    rg_dataset *data = graphs_of(1, 3000, 3);
    rg_rule *rule = NULL;
    ASSERT_OK(rg_rule_parse(&rule, "share dist(i,j)", RG_RULE_PAIR, NULL, 0, NULL, err));
    for (unsigned threads = 1; threads <= 2; threads++) {
        rg_rule_keys *keys = NULL;
        rg_connections *connections = NULL;
        rg_rule_input input = RG_RULE_INPUT_INIT;
        rg_rule_options options = RG_RULE_OPTIONS_INIT;
        rg_error err = {""};
        watch w = watch_new(0.03);
        input.data = data;
        options.n_threads = threads;
        options.cancel = ask;
        options.cancel_context = &w;
        assert_stopped(&w, "a table",
                       rg_rule_compile(&keys, &connections, NULL, rule, &input, &options, &err),
                       &err);
        assert_true(!keys && !connections);
    }
    rg_rule_free(rule);
    rg_dataset_free(data);
}

static void training_stops_while_tables_are_built(void **state)
{
    (void)state;
    rg_dataset *data = graphs_of(2, 1500, 3);
    rg_model *model = NULL;
    rg_train_options options = RG_TRAIN_OPTIONS_INIT;
    rg_error err = {""};
    watch w = watch_new(0.05);
    options.n_threads = 1;
    options.cancel = ask;
    options.cancel_context = &w;
    assert_stopped(&w, "tables of a network",
                   train(&model, NULL, NETWORK("9", "1"), data, &options, &err), &err);
    assert_null(model);
    rg_dataset_free(data);
}

/* Asked to stop a little after the first epoch, however long that takes. */
static int first_epoch_done(void *context, const rg_train_state *state)
{
    watch *w = context;
    (void)state;
    if (w->after == INFINITY)
        w->after = now() - w->begin + 0.05;
    return 0;
}

static void training_stops_inside_of_an_epoch(void **state)
{
    (void)state;
    rg_dataset *data = graphs_of(300, 40, 2);
    for (unsigned threads = 1; threads <= 2; threads++) {
        rg_model *model = NULL;
        rg_train_report report = RG_TRAIN_REPORT_INIT;
        rg_train_options options = RG_TRAIN_OPTIONS_INIT;
        rg_error why = {""};
        watch w = watch_new(INFINITY);
        options.n_threads = threads;
        options.cancel = ask;
        options.cancel_context = &w;
        options.progress = first_epoch_done;
        options.context = &w;
        ASSERT_OK(train(&model, &report, NETWORK("3", "1000000"), data, &options, err));
        look(&w);
        assert_true(w.longest < 0.1 * test_sample_step());
        assert_true(report.interrupted && report.epochs < 1000000);
        assert_true(report.epochs > 0 && report.runs[0].best_epoch <= report.epochs);
        assert_true(report.runs[0].train_loss > 0); /* as it was in that epoch */
        rg_model_free(model);
        w = watch_new(0);
        assert_stopped(&w, "an epoch",
                       train(&model, NULL, NETWORK("3", "1000000"), data, &options, &why), &why);
    }
    rg_dataset_free(data);
}

static rg_status no_sample(void *context, const rg_prediction *prediction, rg_error *err)
{
    (void)prediction, (void)err;
    ++*(size_t *)context;
    return RG_OK;
}

static void predictions_stop(void **state)
{
    (void)state;
    rg_dataset *few = graphs_of(4, 20, 2), *data = graphs_of(400, 60, 2);
    rg_model *model = model_of(few, NETWORK("6", "1"));
    rg_source source = {data, NULL};
    static rg_evaluation evaluation = RG_EVALUATION_INIT;
    static double numbers[400 * 2], embedding[400 * 1000];
    for (int what = 0; what < 4; what++) {
        rg_predict_options options = RG_PREDICT_OPTIONS_INIT;
        rg_prediction_arrays arrays = RG_PREDICTION_ARRAYS_INIT;
        rg_error why = {""};
        size_t n = 0;
        watch w = watch_new(0.01);
        options.n_threads = what % 2 ? 1 : 2;
        options.cancel = ask;
        options.cancel_context = &w;
        arrays.n_rows = 400;
        arrays.outputs = numbers;
        if (what == 1) {
            ASSERT_OK(rg_model_embedding_size(&arrays.n_embedding, model, err));
            assert_true(arrays.n_embedding <= 1000);
            arrays.embedding = embedding;
        }
        rg_status status =
            what < 2    ? rg_model_predict_arrays(&arrays, model, &source, &options, NULL, &why)
            : what == 2 ? rg_model_evaluate(&evaluation, model, &source, &options, &why)
                        : rg_model_predict(model, &source, &options, no_sample, &n, NULL, &why);
        assert_stopped(&w, "predictions", status, &why);
    }
    rg_model_free(model);
    rg_dataset_free(few);
    rg_dataset_free(data);
}

static void audits_stop(void **state)
{
    (void)state;
    rg_dataset *data = graphs_of(300, 200, 2);
    rg_audit_options options = RG_AUDIT_OPTIONS_INIT;
    rg_audit audit = RG_AUDIT_INIT;
    rg_error err = {""};
    watch w = watch_new(0.01);
    options.n_threads = 1;
    options.cancel = ask;
    options.cancel_context = &w;
    assert_stopped(&w, "an audit", rg_audit_run(&audit, data, &options, &err), &err);
    rg_dataset_free(data);
}

/* ---- several threads, and another process */

typedef struct worker {
    pthread_t thread;
    const rg_dataset *data;
    char digest[RG_DIGEST_SIZE];
    unsigned n_threads;
} worker;

static void *fit(void *context)
{
    worker *w = context;
    rg_model *model = NULL, *again = NULL;
    rg_model_info info = RG_MODEL_INFO_INIT;
    rg_train_options options = RG_TRAIN_OPTIONS_INIT;
    rg_error err = {""};
    char path[] = "/tmp/regula_guest_XXXXXX";
    int file = mkstemp(path);
    options.n_threads = w->n_threads;
    if (file >= 0 && !close(file) &&
        !train(&model, NULL, NETWORK("3", "4"), w->data, &options, &err) &&
        !rg_model_save(model, path, &err) && !rg_model_load(&again, path, &err) &&
        !rg_model_describe(&info, again, &err))
        memcpy(w->digest, info.digest, sizeof w->digest);
    unlink(path);
    rg_model_free(model);
    rg_model_free(again);
    return NULL;
}

static void threads_share_data_and_models(void **state)
{
    (void)state;
    enum { N = 4 };
    rg_dataset *data = graphs_of(40, 20, 2);
    worker workers[N] = {{.data = NULL}};
    for (unsigned k = 0; k < N; k++) {
        workers[k].data = data;
        workers[k].n_threads = 1 + k % 2;
        assert_int_equal(pthread_create(&workers[k].thread, NULL, fit, &workers[k]), 0);
    }
    for (unsigned k = 0; k < N; k++)
        pthread_join(workers[k].thread, NULL);
    assert_int_equal(strlen(workers[0].digest), 64);
    for (unsigned k = 1; k < N; k++)
        assert_string_equal(workers[k].digest, workers[0].digest);
    rg_dataset_free(data);
}

static void a_forked_process_goes_on(void **state)
{
    (void)state;
    rg_dataset *data = graphs_of(40, 20, 2);
    worker here = {.data = data, .n_threads = 2}, there = here;
    fit(&here);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
        fit(&there);
        ssize_t n = write(ends[1], there.digest, sizeof there.digest);
        _exit(n == sizeof there.digest ? 0 : 1);
    }
    int status;
    assert_true(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    assert_int_equal(read(ends[0], there.digest, sizeof there.digest), sizeof there.digest);
    assert_string_equal(here.digest, there.digest);
    close(ends[0]);
    close(ends[1]);
    rg_dataset_free(data);
}

/* ---- no trace */

static void nothing_of_the_process_is_touched(void **state)
{
    (void)state;
    struct sigaction before[32], after;
    rg_dataset *data = graphs_of(20, 20, 2);
    worker w = {.data = data, .n_threads = 3};
    for (int k = 1; k < 32; k++)
        sigaction(k, NULL, &before[k]);
    size_t threads = n_threads_now();
    n_read = 0;
    fit(&w);
    assert_int_equal(strlen(w.digest), 64);
    assert_int_equal(n_read, 0);
    assert_int_equal(n_threads_now(), threads);
    for (int k = 1; k < 32; k++) {
        sigaction(k, NULL, &after);
        assert_true(after.sa_handler == before[k].sa_handler);
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_stop),
        cmocka_unit_test(one_large_graph_stops),
        cmocka_unit_test(tables_stop),
        cmocka_unit_test(training_stops_while_tables_are_built),
        cmocka_unit_test(training_stops_inside_of_an_epoch),
        cmocka_unit_test(predictions_stop),
        cmocka_unit_test(audits_stop),
        cmocka_unit_test(threads_share_data_and_models),
        cmocka_unit_test(a_forked_process_goes_on),
        cmocka_unit_test(nothing_of_the_process_is_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
