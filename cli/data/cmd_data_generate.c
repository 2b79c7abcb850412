/* cmd_data_generate.c - regula data generate: the synthetic sets of the paper, and images. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "regula/generate.h"

#include <string.h>
#include <strings.h>

static const char *generator_words(size_t k)
{
    if (k < RG_N_GENERATORS)
        return rg_generator_name((rg_generator)k);
    static const char *const others[] = {"Shapes", "Switches", "all"};
    k -= RG_N_GENERATORS;
    return k < CLI_COUNT(others) ? others[k] : NULL;
}

static const cli_argument arguments[] = {
    {.metavar = "NAME",
     .choices = generator_words,
     .help = "LongRings, EvenOddRings, EvenOddRingsCount, CSL or Snowflakes; all for these five; "
             "SnowflakeParts; or Shapes or Switches."},
};

static const cli_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "DIR",
     .required = true,
     .help = "Output directory, created if it does not exist; for NAME all, every data set gets a "
             "directory DIR/NAME."},
    {.name = "seed",
     .letter = 's',
     .kind = CLI_SEED,
     .metavar = "S",
     .help = "Random seed: the same seed gives the same bytes."},
    {.name = "graphs",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1e9,
     .otherwise = "as in the paper",
     .help = "Number of graphs, images (default: 2000) or vectors (default: 4000)."},
    {.name = "size",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1e9,
     .otherwise = "as in the paper",
     .help = "Nodes per ring or CSL graph; for Shapes, rows and columns per image (default there: "
             "28); for Switches, values behind the switches (default there: 8)."},
    {.name = "smallest",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1e9,
     .otherwise = "as in the paper",
     .help = "Snowflakes: length of the shortest circle."},
    {.name = "largest",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1e9,
     .otherwise = "as in the paper",
     .help = "Snowflakes: length of the longest circle."},
    {.name = "format",
     .kind = CLI_CHOICE,
     .metavar = "FORMAT",
     .choices = cli_writable_words,
     .help = "Format to write."},
    CLI_THREADS_OPTION,
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula data generate CSL --out csl", "Circular skip link graphs, written to ./csl."},
    {"regula data generate all --out synthetic --seed 7",
     "All five data sets, written to ./synthetic/LongRings and so on."},
    {"regula data generate LongRings --out rings --size 200 --graphs 600",
     "Fewer but longer rings."},
    {"regula data generate Shapes --out shapes --graphs 400",
     "400 images, written as x.npy and y.npy."},
    {"regula data generate Switches --out switches", "Vectors for rules over values."},
};

static const char *const description[] = {
    "Generates the synthetic data sets of the paper: rings whose class depends on long-range "
    "information (LongRings, EvenOddRings, EvenOddRingsCount), and graphs that message passing "
    "cannot tell apart (CSL, Snowflakes). Classes are balanced, except in Snowflakes, where they "
    "are drawn at random. The nodes of every graph are shuffled.",
    "SnowflakeParts are the four graphs M_0 to M_3 that Snowflakes are made of, alone; their root "
    "has label 1.",
    "The options --size, --smallest and --largest apply only to the data sets that their help "
    "names; elsewhere they are errors.",
    "Shapes is a data set of images, for rules on rows and columns: rectangles, ellipses, "
    "triangles and crosses, filled or hollow, of random size and position, with noise. It is "
    "written as x.npy and y.npy.",
    "Switches is a data set of vectors, for rules over values: the signs of the first five values "
    "decide with which signs the others are added up. It is written in the same way.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_generate_options o = rg_generate_options_default();
    cli_default_seed(args, "seed", o.seed);
    cli_default_integer(args, "graphs", (int64_t)o.n_graphs);
    cli_default_integer(args, "size", o.n_nodes);
    cli_default_integer(args, "smallest", o.smallest);
    cli_default_integer(args, "largest", o.largest);
    cli_default_integer(args, "threads", o.n_threads);
    cli_default_choice(args, "format", 0);
}

static json_t *set_json(const rg_dataset *data, const char *directory, uint64_t seed)
{
    char digest[RG_DIGEST_SIZE];
    json_t *object = json_object();
    rg_dataset_digest(data, digest);
    cli_json_set(&object, "name", cli_json_text(rg_dataset_name(data)));
    cli_json_set(&object, "path", cli_json_text(directory));
    cli_json_set(&object, "graphs", cli_json_count(rg_dataset_n_graphs(data)));
    cli_json_set(&object, "nodes", cli_json_count(rg_dataset_n_nodes(data)));
    cli_json_set(&object, "edges", cli_json_count(rg_dataset_n_arcs(data) / 2));
    /* A seed may be past what JSON numbers hold; as text it is always exact. */
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    cli_json_set(&object, "seed", json_string(text));
    cli_json_set(&object, "digest", json_string(digest));
    return object;
}

/* array: NULL for text. */
static void print_set(const rg_dataset *data, const char *directory)
{
    printf("%s: %zu graphs, %llu nodes, %llu edges in ", rg_dataset_name(data),
           rg_dataset_n_graphs(data), (unsigned long long)rg_dataset_n_nodes(data),
           (unsigned long long)(rg_dataset_n_arcs(data) / 2));
    cli_print(directory);
    fputc('\n', stdout);
}

static rg_status make_one(json_t **array, rg_generator generator, const rg_generate_options *o,
                          const char *directory, rg_format format, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_status status = rg_dataset_generate(&data, generator, o, err);
    if (!status)
        status = rg_dir_make(directory, err);
    if (!status)
        status = rg_dataset_write(data, directory, NULL, format, err);
    if (!status && array)
        cli_json_add(array, set_json(data, directory, o->seed));
    else if (!status)
        print_set(data, directory);
    rg_dataset_free(data);
    return status;
}

static rg_status make_all(json_t **array, const rg_generate_options *o, const char *out,
                          rg_format format, rg_error *err)
{
    rg_status status = RG_OK;
    for (int g = 0; g <= RG_SNOWFLAKES && !status; g++) {
        char *directory = rg_path_join(out, rg_generator_name((rg_generator)g));
        if (!directory)
            return rg_fail_memory(err, "naming a directory");
        status = make_one(array, (rg_generator)g, o, directory, format, err);
        rg_free(directory);
    }
    return status;
}

static void print_arrays(json_t **array, const rg_arrays *arrays, const char *directory,
                         uint64_t seed)
{
    char digest[RG_DIGEST_SIZE], text[24];
    rg_array_shape shape = rg_arrays_shape(arrays);
    if (!array) {
        printf("%s: %zu %s of %u x %u in ", rg_arrays_name(arrays), rg_arrays_n_samples(arrays),
               shape.rows == 1 ? "vectors" : "images", shape.rows, shape.cols);
        cli_print(directory);
        fputc('\n', stdout);
        return;
    }
    json_t *object = json_object();
    rg_arrays_digest(arrays, digest);
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    cli_json_set(&object, "name", cli_json_text(rg_arrays_name(arrays)));
    cli_json_set(&object, "path", cli_json_text(directory));
    cli_json_set(&object, "samples", cli_json_count(rg_arrays_n_samples(arrays)));
    cli_json_set(&object, "rows", cli_json_count(shape.rows));
    cli_json_set(&object, "cols", cli_json_count(shape.cols));
    cli_json_set(&object, "seed", json_string(text));
    cli_json_set(&object, "digest", json_string(digest));
    cli_json_add(array, object);
}

static rg_status make_shapes(rg_arrays **out, const cli_value *n, const cli_value *size,
                             uint64_t seed, rg_error *err)
{
    rg_shapes_options o = rg_shapes_options_default();
    o.seed = seed;
    if (n->given)
        o.n_images = (size_t)n->integer;
    if (size->given)
        o.side = (uint32_t)size->integer;
    return rg_arrays_generate(out, &o, err);
}

static rg_status make_switches(rg_arrays **out, const cli_value *n, const cli_value *size,
                               uint64_t seed, rg_error *err)
{
    rg_switches_options o = rg_switches_options_default();
    o.seed = seed;
    if (n->given)
        o.n_vectors = (size_t)n->integer;
    if (size->given)
        o.n_values = (uint32_t)size->integer;
    return rg_switches_generate(out, &o, err);
}

/* Options that mean nothing to arrays must not be given. */
static rg_status make_arrays(json_t **array, const cli_arguments *args, bool shapes, rg_error *err)
{
    static const char *const unused[] = {"smallest", "largest", "format"};
    rg_arrays *arrays = NULL;
    const char *out = cli_text(args, "out");
    uint64_t seed = cli_get(args, "seed")->seed;
    for (size_t k = 0; k < CLI_COUNT(unused); k++)
        if (cli_get(args, unused[k])->given)
            return rg_fail(err, RG_EUSAGE, "%s: option '--%s' is for graphs only",
                           shapes ? "Shapes" : "Switches", unused[k]);
    rg_status status = (shapes ? make_shapes : make_switches)(&arrays, cli_get(args, "graphs"),
                                                              cli_get(args, "size"), seed, err);
    if (!status)
        status = rg_arrays_write(arrays, out, err);
    if (!status)
        print_arrays(array, arrays, out, seed);
    rg_arrays_free(arrays);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    rg_generate_options o = rg_generate_options_default();
    const char *name = args->words[0], *out = cli_text(args, "out");
    bool all = strcasecmp(name, "all") == 0, shapes = strcasecmp(name, "Shapes") == 0,
         switches = strcasecmp(name, "Switches") == 0;
    rg_format format = rg_format_find(cli_writable_words(cli_get(args, "format")->choice));
    o.seed = cli_get(args, "seed")->seed;
    o.n_graphs = (size_t)cli_get(args, "graphs")->integer;
    o.n_nodes = (uint32_t)cli_get(args, "size")->integer;
    o.smallest = (uint32_t)cli_get(args, "smallest")->integer;
    o.largest = (uint32_t)cli_get(args, "largest")->integer;
    o.n_threads = (unsigned)cli_get(args, "threads")->integer;
    if (all && (o.n_graphs || o.n_nodes || o.smallest || o.largest))
        return rg_fail(err, RG_EUSAGE,
                       "sizes differ from set to set: with 'all' every set is as in the paper");

    bool json = cli_flag(args, "json");
    json_t *array = json ? json_array() : NULL, **to = json ? &array : NULL;
    rg_status status = shapes || switches ? make_arrays(to, args, shapes, err)
                       : all              ? make_all(to, &o, out, format, err)
                             : make_one(to, rg_generator_find(name), &o, out, format, err);
    if (json && !status)
        return cli_print_json(array, err);
    json_decref(array);
    return status;
}

const cli_command cli_data_generate = {
    .name = "data generate",
    .summary = "generate the paper's synthetic data sets, or images",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .defaults = defaults,
    .run = run,
};
