/* test_cli_predict.c - regula predict, evaluate and prune as users and scripts meet them. */
#include "support/program.h"

#include "base/alloc.h"
#include "cli/model/predict.h"

#include <jansson.h>
#include <string.h>

static const char rings_network[] = "preset: paper\n"
                                    "input: scaled\n"
                                    "labels: {label: node}\n"
                                    "layers:\n"
                                    "  - rule: share label(i), label(j) when dist(i,j) in {8}\n"
                                    "    bias: share label(i)\n"
                                    "  - aggregate: share out, label(i)\n"
                                    "training: {lr: 0.1, schedule: constant, epochs: 40}\n";

/* Four rings of six nodes, every second one with a chord; labels go round; two classes, one real
 * target, and bits for several answers. */
static void write_chords(const char *directory)
{
    char edges[4096] = "", graphs[256] = "", labels[256] = "";
    for (unsigned g = 0; g < 8; g++)
        for (unsigned i = 0; i < 6; i++) {
            char *at = edges + strlen(edges);
            unsigned first = 6 * g + 1;
            snprintf(at, sizeof edges - (size_t)(at - edges), "%u,%u\n", first + i,
                     first + (i + 1) % 6);
            if (g % 2 && i == 0)
                snprintf(at + strlen(at), 32, "%u,%u\n", first, first + 3);
            snprintf(graphs + strlen(graphs), 8, "%u\n", g + 1);
            snprintf(labels + strlen(labels), 8, "%u\n", 1 + i % 2 + (g == 7 && i == 5));
        }
    static const char *const sets[] = {"chords", "real", "bits", "bare"};
    static const char *const targets[][2] = {
        {"graph_labels", "-1\n5\n-1\n5\n-1\n5\n-1\n5\n"},
        {"graph_attributes", "0.5\n2.5\n0.5\n2.5\n0.5\n2.5\n0.5\n2.5\n"},
        {"graph_labels", "0,1\n1,1\n0,1\n1,0\n0,1\n1,1\n0,0\n1,1\n"},
        {NULL, NULL}};
    for (size_t k = 0; k < 4; k++) {
        const char *files[][2] = {{"A", edges},
                                  {"graph_indicator", graphs},
                                  {"node_labels", labels},
                                  {targets[k][0], targets[k][1]}};
        for (size_t f = 0; f < 4 && files[f][0]; f++) {
            char *name = test_format("%s/X_%s.txt", sets[k], files[f][0]);
            test_write(directory, name, files[f][1]);
            free(name);
        }
    }
    static const char body[] = "labels: {d: degree}\ninput: one-hot(node)\n"
                               "layers:\n  - rule: share d(i), d(j) when edge(i,j)\n"
                               "    heads: 3\n    mix: full\n    bias: share d(i)\n";
    char *graph = test_format("%s  - aggregate: share out, d(i)\n%s", body,
                              "training: {epochs: 60, lr: 0.1, batch: 4}\n");
    char *nodes = test_format("task: node-classification\n%s  - dense: auto\n%s", body,
                              "training: {epochs: 10}\n");
    test_write(directory, "graph.yml", graph);
    test_write(directory, "nodes.yml", nodes);
    free(graph);
    free(nodes);
}

/* rings/, rings.json (4 folds), rings.model (of fold 0); chords/ and its likes with models c.model,
 * r.model (real), b.model (bits), n.model (nodes), k.model (needs no labels). */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "rings.yml", rings_network);
    write_chords(directory);
    expect(directory,
           "regula data generate EvenOddRingsCount --out rings --graphs 120 && "
           "regula data split rings --folds 4 --out rings.json && "
           "regula train rings -n rings.yml -m rings.model --split rings.json && "
           "regula train chords -n graph.yml -m c.model --validation 0 && "
           "regula train real -n graph.yml -m r.model --validation 0 && "
           "regula train bits -n graph.yml -m b.model --validation 0 && "
           "regula train chords -n nodes.yml -m n.model --validation 0 && "
           "sed 's/input: .*/input: constant/' graph.yml > constant.yml && "
           "regula train chords -n constant.yml -m k.model --validation 0",
           0, "k.model", "");
    return 0;
}

static void classes_with_names_are_printed_by_name(void **state)
{
    static const program_line cases[] = {
        {"for n in 2 3 4 5 6 7 8 9; do c=$(printf \"%${n}s\" | tr ' ' C); echo $c,oil; echo "
         "${c}O,alcohol; done |"
         " (echo smiles,kind; cat) > drinks.csv && regula train drinks.csv --target kind -n "
         "graph.yml -m d.model "
         "--validation 0",
         0, "d.model", ""},
        {"regula predict c.model chords --calibrate chords --confidence 0.5 | head -1", 0,
         "sample\tclass\tprobability\tset\tunseen\n", ""},
        {"regula predict rings.model rings --samples 1 --calibrate rings --split rings.json --json",
         0, "\"unseen_nodes\": 0", ""},
        {"regula evaluate rings.model rings --split rings.json --confidence 0.8", 0,
         "Sets of classes at confidence 0.8: they hold the right class of ", ""},
        {"regula evaluate r.model real --confidence 0.8", 2, "",
         "only classes of graphs can be calibrated\n"},
        {"regula predict c.model chords --confidence 0.9", 2, "",
         "option '--confidence' is for '--calibrate'\n"},
        {"regula predict c.model chords --calibrate nowhere", 4, "", "nowhere"},
        {"regula predict d.model drinks.csv --samples 0-1 --probabilities", 0,
         "sample\tclass\tprobability\tp_alcohol\tp_oil\n0\toil\t0.", ""},
        {"sed 's/oil/\"oil, pure\"/' drinks.csv > pure.csv && regula train pure.csv --target kind "
         "-n "
         "graph.yml -m p.model --validation 0 > /dev/null && "
         "regula predict p.model pure.csv --target kind --targets --format csv | head -n 2 | tail "
         "-n 1 | sed "
         "'s/0[.][0-9]*/p/'",
         0, "0,\"oil, pure\",p,\"oil, pure\"\r\n", ""},
        {"regula predict d.model drinks.csv --samples 1 --json | tr -d ' \\n'", 0,
         "{\"sample\":1,\"class\":0,\"name\":\"alcohol\",\"probability\":0.", ""},
        {"regula evaluate d.model drinks.csv --target kind", 0, "  alcohol\n", ""},
        {"regula evaluate d.model drinks.csv --target kind --json", 0, "\"name\": \"oil\"", ""},
    };
    expect_lines(*state, cases, sizeof cases / sizeof *cases);
}

static void molecules_are_files_or_the_text_itself(void **state)
{
    static const program_line cases[] = {
        {"printf 'smiles,kind\nCC,oil\nCO,alcohol\nCCC,oil\nCCCO,alcohol\nCCO,alcohol\n' > "
         "kinds.csv && "
         "regula train kinds.csv --target kind -n graph.yml -m s.model --validation 0",
         0, "s.model", ""},
        {"regula predict s.model CCCO", 0, "sample\tclass\tprobability\n0\talcohol\t", ""},
        {"regula predict s.model --smiles CCCO | cut -f 1,2", 0, "\n0\talcohol\n", ""},
        {"cp kinds.csv CCCO && regula predict s.model CCCO --smiles | cut -f 1,2 && rm CCCO", 0,
         "class\n0\talcohol\n", ""},
        {"regula predict s.model 'CC(O'", 3, "",
         "regula: SMILES 'CC(O', character 3: found '(' that is never closed, expected ')' (and "
         "there is no file of this name)"},
        {"regula predict s.model nothing.smi", 4, "", "no data set 'nothing.smi'"},
        {"regula predict s.model CC --smiles --smiles", 2, "", "'--smiles' is given twice"},
        {"printf 'CC\nC( two\n[C\nCCO\n' > some.smi && regula predict s.model some.smi | "
         "cut -f 1-3 | sed 's/0[.].*/p/'",
         0,
         "sample\tclass\tprobability\n0\toil\tp\n"
         "-\terror\tsome.smi:2:3: molecule two: found the end, expected an atom\n"
         "-\terror\tsome.smi:3:3: found the end",
         "regula: warning: 2 of 4 molecules could not be read: their rows say why"},
        {"printf 'CC one\\nCCO two\\n' > named.smi; regula predict s.model named.smi | cut -f "
         "1,2,4",
         0, "sample\tclass\tid\n0\toil\tone\n1\talcohol\ttwo\n", ""},
        {"regula predict s.model named.smi --json | tr -d ' \n'", 0,
         "{\"sample\":0,\"id\":\"one\",\"class\":1,\"name\":\"oil\",", ""},
        {"printf 'CC one\\nC( bad\\nCCO two\\n' | regula predict s.model - --input-format smi | "
         "cut -f 1-3 | sed 's/0[.].*/p/'",
         0,
         "sample\tclass\tprobability\n0\toil\tp\n-\terror\tstandard input:2:3: found the end, "
         "expected an atom\n1\talcohol\tp\n",
         "1 lines could not be answered"},
        {"regula predict s.model some.smi --json | tr -d ' \n'", 0,
         "{\"sample\":null,\"error\":\"foundtheend,expectedanatom\",\"file\":\"some.smi\","
         "\"line\":2,\"column\":3,\"name\":\"two\"}",
         "2 of 4"},
        {"regula predict s.model some.smi --samples 1 | grep -c error", 1, "0\n", "2 of 4"},
        {"printf 'C(' > bad.smi; regula predict s.model bad.smi", 0,
         "sample\tclass\tprobability\n-\terror\t", "1 of 1"},
        {"regula explain s.model CCO --out m.svg && grep -c '<svg' m.svg", 0, "1 graph in m.svg",
         ""},
        {"regula explain s.model CCO", 0, "molecule, graph 0: 3 nodes", ""},
        {"regula data draw CCO --out d.svg", 0, "1 graph of molecule in d.svg", ""},
    };
    expect_lines(*state, cases, sizeof cases / sizeof *cases);
}

/* In MUTAG label 1 is nitrogen, in Mutagenicity oxygen. */
static void data_with_other_names_are_refused(void **state)
{
    static const program_line cases[] = {
        {"for s in MUTAG Mutagenicity; do mkdir $s; for f in chords/X_*; do "
         "cp $f $s/$s${f#chords/X}; done; done; "
         "regula train ./MUTAG -n graph.yml -m u.model --validation 0 > /dev/null; "
         "regula predict u.model ./MUTAG | wc -l",
         0, "9\n", ""},
        {"regula predict u.model ./Mutagenicity", 3, "",
         "regula: 'Mutagenicity' has other labels than the data of the training, MUTAG: node label "
         "1 "
         "was N in training and is O here; --force asks the model all the same\n"},
        {"regula explain u.model ./Mutagenicity", 3, "", "node label 1 was N in training"},
        {"regula evaluate u.model ./Mutagenicity", 3, "", "node label 1 was N in training"},
        {"regula prune u.model ./Mutagenicity", 3, "", "node label 1 was N in training"},
        {"regula predict u.model ./Mutagenicity --force | wc -l", 0, "9\n",
         "regula: warning: 'Mutagenicity' has other labels than the data of the training: node "
         "label"},
        {"regula predict u.model CN", 3, "", "node label 6 was Br in training and is C here"},
        {"sed -i 's/-1/0/;s/5/1/' Mutagenicity/Mutagenicity_graph_labels.txt; "
         "regula train ./Mutagenicity -n graph.yml -m v.model --validation 0 > /dev/null; "
         "regula predict v.model ./Mutagenicity --targets --samples 1 --json | tr -d ' \\n'",
         0, "\"target\":1,\"target_name\":\"nonmutagen\",\"class\":1,\"name\":\"nonmutagen\",", ""},
        {"regula explain v.model ./Mutagenicity --graph 0", 0,
         "predicted class 0 (mutagen), true class 0 (mutagen): correct\n", NULL},
        {"regula predict c.model ./Mutagenicity | wc -l", 0, "9\n", ""}, /* trained without names */
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula predict c.model chords", 0, "sample\tclass\tprobability\n0\t-1\t", ""},
        {"regula predict c.model bare", 0, "\n7\t5\t", ""},
        {"regula predict c.model bare --probabilities", 0,
         "sample\tclass\tprobability\tp_-1\tp_5\n0\t-1\t", ""},
        {"regula predict c.model bare --samples 7,0-1,1 | cut -f 1,2 | paste -s -d ' '", 0,
         "sample\tclass 7\t5 0\t-1 1\t5 1\t5\n", ""},
        {"regula predict c.model bare --out p.tsv && head -n 1 p.tsv", 0,
         "8 samples in p.tsv\nsample\tclass\tprobability\n", ""},
        {"regula predict r.model bare", 0, "sample\tvalue\n0\t", ""},
        {"regula predict b.model bare", 0, "sample\tanswers\n0\tno yes\n", ""},
        {"regula predict b.model bare -p", 0, "sample\tanswers\tprobabilities\n0\tno yes\t0.", ""},
        {"regula predict n.model bare", 0, "sample\tclasses\n0\t", ""},
        {"regula predict n.model bare -p | head -n 2 | tail -n 1 | wc -w", 0, "25\n", ""},
        {"regula predict n.model bare --embed | wc -l", 0, "49\n", ""},
        {"regula predict c.model bare --embed", 0, "sample\te_0\te_1", ""},
        {"regula predict", 2, "", "argument MODEL of 'regula predict' is missing"},
        {"regula predict c.model", 2, "", "argument DATA of 'regula predict' is missing"},
        {"regula predict nowhere bare", 4, "", "nowhere"},
        {"regula predict rings.yml bare", 3, "",
         "regula: rings.yml: not a model: byte 0: found a "},
        {"regula predict c.model nowhere", 4, "", "nowhere"},
        {"regula predict c.model bare --samples 8", 2, "",
         "option '--samples': found '8', expected numbers below 8 and ranges, as in 3,5,9-20"},
        {"regula predict c.model bare --embed -p", 2, "", "exclude each other"},
        {"regula predict c.model bare --out gone/x", 4, "", "cannot create 'gone/x'"},
        {"regula predict c.model - --samples 1", 2, "", "'--samples' is not for standard input"},
        {"regula predict c.model - --input-format tu", 2, "",
         "'--input-format' is not for standard input"},
        {"regula predict c.model - --targets", 2, "", "'--targets' is not for standard input"},
        {"regula predict c.model bare --format tu | head -n 1", 0, "sample\tclass\tprobability\n",
         "regula: '--format tu' is called '--input-format' now\n"},
        {"regula predict c.model chords --targets | cut -f 1,2,4 | head -n 3", 0,
         "sample\tclass\ttarget\n0\t-1\t-1\n1\t5\t5\n", ""},
        {"regula predict c.model bare --targets | cut -f 1,4 | head -n 2", 0,
         "sample\ttarget\n0\t-\n", ""},
        {"regula predict c.model bare --targets --format csv | cut -d , -f 1,4 | head -n 2", 0,
         "sample,target\r\n0,\r\n", ""},
        {"regula predict r.model real --targets | cut -f 1,3 | head -n 3", 0,
         "sample\ttarget\n0\t0.5\n1\t2.5\n", ""},
        {"regula predict b.model bits --targets | cut -f 1,3 | head -n 3", 0,
         "sample\ttarget\n0\tno yes\n1\tyes yes\n", ""},
        {"regula predict n.model chords --targets | cut -f 1,3 | head -n 2", 0,
         "sample\ttarget\n0\t1 2 1 2 1 2\n", ""},
        {"regula predict n.model chords --targets --nodes 0-1 --format csv | cut -d , -f 1,2,5 | "
         "head -n 3",
         0, "sample,node,target\r\n0,0,1\r\n0,1,2\r\n", ""},
        {"regula predict c.model chords --targets --samples 1 --json | tr -d ' \\n'", 0,
         "[{\"sample\":1,\"target\":5,\"class\":5,", ""},
        {"regula predict c.model bare --json --format csv", 2, "", "exclude each other"},
        {"REGULA_CPU=x regula predict c.model bare", 2, "", "REGULA_CPU: found 'x'"},
        {"mkdir new; for f in A graph_indicator; do cp bare/X_$f.txt new; done; "
         "sed s/3/77/ bare/X_node_labels.txt > new/X_node_labels.txt; regula predict c.model new",
         0, "\n7\t5\t",
         "regula: warning: not in the model: 1 nodes with a node label unseen in training (of 48 "
         "nodes)\n"},
        {"regula predict c.model new --unseen | cut -f 1,4,5 | tail -n 2", 0, "6\t0\t0\n7\t1\t0\n",
         "not in the model"},
        {"regula predict c.model new --json 2>/dev/null | tr -d ' \\n'", 0,
         "{\"sample\":7,\"unknown_labels\":1,\"unseen_labels\":0,\"unseen_pairs\":0,\"class\":5,",
         ""},
        {"regula explain c.model new --graph 7", 0,
         "  Not in the model: 1 nodes with a node label unseen in training.\n", NULL},
        {"regula predict rings.model chords --unseen --quiet 2>/dev/null | "
         "awk 'NR > 1 { labels += $5; pairs += $6 } END { print labels, pairs }' > sums; "
         "regula predict rings.model chords --json 2>/dev/null | "
         "sed -n 's/^  \"unseen_\\(labels\\|pairs\\)\": \\([0-9]*\\).*/\\2/p' | paste -s -d ' ' | "
         "cmp - sums && echo same",
         0, "same\n", ""},
        {"head -c 700 c.model > cut; regula predict cut bare", 3, "", "regula: cut: "},
        {"(head -c 1500 c.model; printf x; tail -c +1502 c.model) > odd; regula predict odd bare",
         3, "", "regula: odd: "},
        {"regula evaluate c.model chords", 0,
         "accuracy           100.00 % (most frequent class: 50.00 %)\n", ""},
        {"regula evaluate c.model chords", 0, "          -1       4       0\n", ""},
        {"regula evaluate r.model real", 0, "   value          n          MAE", ""},
        {"regula evaluate b.model bits", 0, "   label          n   precision", ""},
        {"regula evaluate n.model chords", 0, "nodes              48\n", ""},
        {"regula evaluate rings.model rings --split rings.json", 0,
         "EvenOddRingsCount, test set of fold 0\n\nsamples            30\n", ""},
        {"regula evaluate rings.model rings --split rings.json --part train", 0,
         ", train set of fold 0\n\nsamples            81\n", ""},
        {"regula evaluate c.model bare", 3, "", "does not have the targets of the task"},
        {"regula evaluate c.model real", 3, "", "does not have the targets of the task"},
        {"regula evaluate c.model bits", 3, "", "which the model does not know"},
        {"regula evaluate c.model chords --part test", 2, "", "option '--part' is for '--split'"},
        {"regula evaluate c.model chords --fold 1", 2, "", "option '--fold' is for '--split'"},
        {"regula evaluate rings.model rings --split rings.json --fold 9", 2, "",
         "rings.json: found 4 folds, expected one with number 9"},
        {"regula evaluate rings.model rings --split rings.json --part tst", 2, "",
         "did you mean 'test'?"},
        {"regula evaluate c.model chords --split rings.json", 3, "", "rings.json"},
        {"regula prune c.model chords", 0, " dropped      weights", ""},
        {"regula prune r.model real --parts 0.5", 0, "error\n  0.00 %", ""},
        {"regula prune c.model chords --parts 0.9,0.5", 2, "", "expected ascending numbers"},
        {"regula prune c.model chords --parts 0.5,1", 2, "", "at least 0 and below 1"},
        {"regula prune c.model chords --parts 0.5,", 2, "", "found '0.5,'"},
        {"regula prune c.model chords --tolerance 0.1", 2, "", "'--tolerance' is for '--out'"},
        {"regula prune c.model chords --out s --part-of 0.5 --keep-score", 2, "",
         "exclude each other"},
        {"regula prune c.model chords --out gone/s", 4, "", "cannot create 'gone/s'"},
        {"regula prune c.model bare", 3, "", "does not have the targets of the task"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

static void predictions_are_json_of_the_task(void **state)
{
    static const struct {
        const char *line, *format;
    } cases[] = {
        {"regula predict c.model bare --json", "{s:I, s:I, s:F !}"},
        {"regula predict c.model bare --json -p", "{s:I, s:I, s:F, s:[FF!] !}"},
        {"regula predict r.model bare --json", "{s:I, s:[F!] !}"},
        {"regula predict b.model bare --json -p", "{s:I, s:[bb!], s:[FF!] !}"},
        {"regula predict n.model bare --json", "{s:I, s:[IIIIII!] !}"},
        {"regula predict n.model bare --json --embed", "{s:I, s:[[FFF!]ooooo!] !}"},
    };
    static const char *const keys[][4] = {{"sample", "class", "probability"},
                                          {"sample", "class", "probability", "probabilities"},
                                          {"sample", "values"},
                                          {"sample", "answers", "probabilities"},
                                          {"sample", "classes"},
                                          {"sample", "embedding"}};
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        json_t *root = run_json(*state, cases[k].line);
        json_t *list = json_object_get(root, "predictions"), *first = json_array_get(list, 0);
        assert_int_equal(json_array_size(list), 8);
        for (size_t j = 0; j < 4 && keys[k][j]; j++)
            if (!json_object_get(first, keys[k][j]))
                fail_msg("%s: %s is missing", cases[k].line, keys[k][j]);
        assert_int_equal(json_integer_value(json_object_get(root, "unseen_pairs")), 0);
        json_decref(root);
    }
    json_t *root = run_json(*state, "regula predict c.model bare --json --out q.tsv");
    assert_null(json_object_get(root, "predictions"));
    assert_string_equal(json_string_value(json_object_get(root, "out")), "q.tsv");
    json_decref(root);
}

static void answers_do_not_depend_on_threads_memory_or_processor(void **state)
{
    static const char *const same[] = {"--threads 1", "--threads 4", "--memory 20K", "--quiet"};
    static const char *const what[] = {"--probabilities", "--embed"};
    for (size_t w = 0; w < 2; w++) {
        char *line = test_format("regula predict rings.model rings %s > first && "
                                 "REGULA_CPU=portable regula predict rings.model rings %s | "
                                 "cmp - first",
                                 what[w], what[w]);
        expect(*state, line, 0, "", "");
        free(line);
        for (size_t k = 0; k < CLI_COUNT(same); k++) {
            line = test_format("regula predict rings.model rings %s %s | cmp - first", what[w],
                               same[k]);
            expect(*state, line, 0, "", "");
            free(line);
        }
    }
}

/* chords/ as lines of JSON. */
static char *chord_lines(const char *directory)
{
    char *path = test_format("%s/chords/X_A.txt", directory);
    char *edges = test_read(path, NULL), *at = edges, *out = calloc(1, 8192);
    for (unsigned g = 0; g < 8; g++) {
        unsigned first = 6 * g + 1, a, b;
        int used;
        sprintf(out + strlen(out),
                "{\"nodes\": 6, \"node_labels\": [1, 2, 1, 2, 1, %d], \"edges\": [",
                g == 7 ? 3 : 2);
        for (unsigned n = 0; sscanf(at, "%u,%u%n", &a, &b, &used) == 2 && a < first + 6; n++) {
            sprintf(out + strlen(out), "%s[%u, %u]", n ? ", " : "", a - first, b - first);
            at += used;
        }
        strcat(out, "]}\n");
    }
    free(edges);
    free(path);
    return out;
}

static void lines_are_answered_as_files_are(void **state)
{
    char *lines = chord_lines(*state);
    test_write(*state, "chords.jsonl", lines);
    static const char *const more[] = {"", "--probabilities", "--embed"};
    for (size_t k = 0; k < CLI_COUNT(more); k++) {
        char *line =
            test_format("regula predict c.model bare %s > whole && "
                        "regula predict c.model - %s < chords.jsonl | cmp - whole && "
                        "while read l; do echo \"$l\"; sleep 0.02; done < chords.jsonl | "
                        "regula predict c.model - %s | cmp - whole && "
                        "regula predict c.model - %s --out w < chords.jsonl && cmp w whole",
                        more[k], more[k], more[k], more[k]);
        expect(*state, line, 0, "8 samples in w\n", "");
        free(line);
    }
    expect(*state, "regula predict c.model - --json < chords.jsonl | tail -n 1 | cut -c 1-23", 0,
           "{\"sample\":7,\"class\":5,\"", "");
    expect(*state,
           "for i in 1 2 3 4 5 6 7 8 9; do cat chords.jsonl chords.jsonl chords.jsonl "
           "chords.jsonl chords.jsonl; echo; done | regula predict c.model - | tail -n 1 | "
           "cut -f 1,2",
           0, "359\t5\n", "");
    /* a ring of six nodes and one with a chord, to a model that needs no labels */
    expect(*state, "printf 'EhEG\\nElEG' | regula predict k.model - | cut -f 1,2 | paste -s -d ' '",
           0, "sample\tclass 0\t-1 1\t5\n", "");
    expect(*state, "printf EhEG | regula predict c.model - --strict", 3, "", "standard input:1: ");
    free(lines);
}

/* The answer to a line is there before the next line is. */
static void a_line_is_answered_at_once(void **state)
{
    expect(*state,
           "mkfifo there; (regula predict c.model - --json < there > answers; echo done > ended) & "
           "exec 3> there; for k in 1 2 3; do sed -n ${k}p chords.jsonl >&3; n=0; "
           "until [ $(wc -l < answers) = $k ] || [ $n = 500 ]; do sleep 0.02; n=$((n + 1)); done; "
           "wc -l < answers; done; ls ended; exec 3>&-; wait; cat ended",
           0, "1\n2\n3\ndone\n", "ended");
}

static void a_bad_line_is_answered_and_the_next_are_read(void **state)
{
    static const program_line cases[] = {
        {"(head -n 3 chords.jsonl; echo; echo '{\"nodes\": 2}'; cat chords.jsonl) | "
         "regula predict c.model - | cut -f 1 | paste -s -d ' '; ",
         0, "sample 0 1 2 - 3 4 5 6 7 8 9 10\n",
         "regula: warning: 1 lines could not be answered: their rows say why\n"},
        {"(head -n 1 chords.jsonl; echo '{\"nodes\": 2}') | regula predict c.model - | tail -n 1",
         0, "-\terror\tstandard input:2: edges: found nothing, expected a list", "1 lines"},
        {"(head -n 1 chords.jsonl; echo '{\"nodes\": 2}'; head -n 1 chords.jsonl) | "
         "regula predict c.model - --strict | cut -f 1 | paste -s -d ' '",
         0, "sample 0\n", "regula: standard input:2: edges: found nothing, expected a list"},
        {"echo '{\"nodes\": 2, \"edges\": []}' | regula predict c.model - --json", 0,
         "{\"sample\":null,\"error\":\"standard input:1: ", "1 lines"},
        {"(head -n 2 chords.jsonl; echo C~) | regula predict c.model - --format csv | tail -n 1 | "
         "cut -c 1-26",
         0, "-,error,standard input:3: \n", "1 lines"},
        {"regula predict c.model - < /dev/null", 0, "sample\tclass\tprobability\n", ""},
        {"printf '\\n \\n' | regula predict c.model - --json", 0, "", ""},
        {"printf '{\"nodes\": 1, \"edges\": [], \"node_labels\": [77]}' | "
         "regula predict c.model - | wc -l",
         0, "2\n",
         "regula: warning: not in the model: 1 nodes with a node label unseen in training"},
        {"cat chords.jsonl | regula predict c.model - > /dev/full", 4, "", "No space left"},
        {"cat chords.jsonl | regula predict c.model - | true", 0, "", ""},
        {"regula predict c.model - < .", 4, "", "standard input"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

static void scores_agree_with_those_of_training(void **state)
{
    static const char *const parts[] = {"train", "validation", "test"};
    json_t *trained = run_json(*state, "regula train rings -n rings.yml -m f1 --split rings.json "
                                       "--fold 1 --json");
    for (size_t k = 0; k < 3; k++) {
        char *line = test_format("regula evaluate f1 rings --split rings.json --fold 1 --part %s "
                                 "--json",
                                 parts[k]);
        char *accuracy = test_format("%s_accuracy", parts[k]);
        char *loss = test_format("%s_loss", parts[k]);
        json_t *root = run_json(*state, line);
        double found = json_number_value(json_object_get(root, "loss")),
               expected = json_number_value(json_object_get(trained, loss));
        assert_true(
            json_equal(json_object_get(root, "accuracy"), json_object_get(trained, accuracy)));
        assert_true(found - expected < 1e-5 && expected - found < 1e-5);
        assert_true(json_equal(json_object_get(root, "model_digest"),
                               json_object_get(trained, "model_digest")));
        assert_int_equal(json_array_size(json_object_get(root, "confusion")), 2);
        free(line);
        free(accuracy);
        free(loss);
        json_decref(root);
    }
    json_decref(trained);
}

static void smaller_models_are_as_good_as_asked(void **state)
{
    json_t *root = run_json(*state, "regula prune rings.model rings --split rings.json --part test "
                                    "--out small --json --parts 0,0.1,0.2,0.5");
    json_t *points = json_object_get(root, "points"), *full = json_array_get(points, 0);
    double part = json_number_value(json_object_get(root, "part"));
    assert_int_equal(json_array_size(points), 4);
    json_t *scored = run_json(*state, "regula evaluate small rings --split rings.json --json");
    assert_true(json_number_value(json_object_get(scored, "accuracy")) >=
                json_number_value(json_object_get(full, "score")));
    assert_true(
        json_equal(json_object_get(root, "model_digest"), json_object_get(scored, "model_digest")));
    assert_true(part == 0 || json_integer_value(json_object_get(root, "weights")) <
                                 json_integer_value(json_object_get(full, "weights")));
    json_decref(scored);
    json_decref(root);
    root = run_json(*state, "regula prune rings.model rings --out half --part-of 0.5 --json");
    points = json_object_get(root, "points");
    for (size_t k = 0; k < json_array_size(points); k++) {
        json_t *point = json_array_get(points, k);
        if (json_number_value(json_object_get(point, "part")) == 0.5)
            assert_true(
                json_equal(json_object_get(point, "weights"), json_object_get(root, "weights")));
    }
    json_decref(root);
    /* any loss is fine: the last part it is */
    root = run_json(*state, "regula prune r.model real --out tiny --tolerance 1000 --json");
    assert_true(json_number_value(json_object_get(root, "part")) == 0.99);
    json_decref(root);
    expect(*state, "regula prune rings.model rings --out half --part-of 0.5", 0,
           " weights, without 50 %, in half\n", "");
}

static void lists_of_samples_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n; /* 0: refused */
        uint32_t first, last;
    } cases[] = {
        {"0", 1, 0, 0},   {"9", 1, 9, 9},    {"3,5,7-9", 5, 3, 9},
        {"9,0", 2, 9, 0}, {"0-9", 10, 0, 9}, {"2-2", 1, 2, 2},
        {"10", 0, 0, 0},  {"", 0, 0, 0},     {",", 0, 0, 0},
        {"1,", 0, 0, 0},  {"-1", 0, 0, 0},   {"1-", 0, 0, 0},
        {"3-2", 0, 0, 0}, {"1 2", 0, 0, 0},  {"1-2-3", 0, 0, 0},
        {"x", 0, 0, 0},   {"0-10", 0, 0, 0}, {"18446744073709551616", 0, 0, 0},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        uint32_t *list = NULL;
        size_t n = 77;
        rg_error err = {""};
        rg_status status = cli_sample_list(&list, &n, "samples", cases[k].text, 10, &err);
        if (cases[k].n == 0) {
            assert_int_equal(status, RG_EUSAGE);
            assert_null(list);
            continue;
        }
        assert_int_equal(status, RG_OK);
        assert_int_equal(n, cases[k].n);
        assert_int_equal(list[0], cases[k].first);
        assert_int_equal(list[n - 1], cases[k].last);
        rg_free(list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_with_other_names_are_refused),
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(molecules_are_files_or_the_text_itself),
        cmocka_unit_test(classes_with_names_are_printed_by_name),
        cmocka_unit_test(predictions_are_json_of_the_task),
        cmocka_unit_test(answers_do_not_depend_on_threads_memory_or_processor),
        cmocka_unit_test(lines_are_answered_as_files_are),
        cmocka_unit_test(a_line_is_answered_at_once),
        cmocka_unit_test(a_bad_line_is_answered_and_the_next_are_read),
        cmocka_unit_test(scores_agree_with_those_of_training),
        cmocka_unit_test(smaller_models_are_as_good_as_asked),
        cmocka_unit_test(lists_of_samples_are_read),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
