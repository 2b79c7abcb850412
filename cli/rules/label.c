/* label.c - see label.h. */
#include "label.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/output/output.h"

#include <inttypes.h>

enum { MEANING = 200, MEANING_JSON = 2000 }; /* bytes of what a label means */

rg_status cli_label_write(const cli_label *job, rg_error *err)
{
    const uint32_t *labels = rg_labels_data(job->labels);
    rg_file *file = NULL;
    rg_status status = job->out ? rg_file_create(&file, job->out, err) : RG_OK;
    if (status)
        return status;
    for (size_t g = 0; g < rg_dataset_n_graphs(job->data); g++) {
        rg_graph graph = rg_dataset_graph(job->data, g);
        for (uint32_t i = 0; i <= graph.n_nodes; i++) {
            char text[16] = "\n";
            size_t n = 1;
            if (i < graph.n_nodes)
                n = (size_t)snprintf(text, sizeof text, "%s%" PRIu32, i ? " " : "",
                                     labels[graph.first_node + i]);
            if (file)
                rg_file_bytes(file, text, n);
            else
                fwrite(text, 1, n, stdout);
        }
    }
    return file ? rg_file_commit(file, err) : RG_OK;
}

/* Nodes of this set with each label. Owned (rg_free); NULL if memory is short. */
static uint64_t *count_labels(const cli_label *job)
{
    const uint32_t *labels = rg_labels_data(job->labels);
    uint64_t *counts = rg_alloc_zero(rg_labeling_size(job->labeling), sizeof *counts);
    for (uint64_t k = 0; counts && k < rg_labels_n_nodes(job->labels); k++)
        counts[labels[k]]++;
    return counts;
}

static rg_status print_histogram(const cli_label *job, const uint64_t *counts, rg_error *err)
{
    double n = (double)rg_labels_n_nodes(job->labels);
    cli_bold(stdout, true);
    printf("%8s %10s %7s  %s", "label", "nodes", "share", "meaning");
    cli_bold(stdout, false);
    fputc('\n', stdout);
    for (uint32_t k = 0; k < rg_labeling_size(job->labeling); k++) {
        char meaning[MEANING];
        if (!counts[k])
            continue;
        rg_status status = rg_labeling_describe(meaning, sizeof meaning, job->labeling, k, err);
        if (status)
            return status;
        printf("%8" PRIu32 " %10" PRIu64 " %6.2f%%  %s\n", k, counts[k],
               100 * (double)counts[k] / n, meaning);
    }
    return RG_OK;
}

rg_status cli_label_print_text(const cli_label *job, rg_error *err)
{
    uint64_t unseen = rg_labels_n_unseen(job->labels);
    if (job->out) {
        cli_print(rg_dataset_name(job->data));
        printf(": %" PRIu32 " labels for %" PRIu64 " nodes", rg_labeling_seen(job->labeling),
               rg_labels_n_nodes(job->labels));
        if (unseen)
            printf(", %" PRIu64 " of them unseen", unseen);
        fputs(", in ", stdout);
        cli_print(job->out);
        putchar('\n');
    }
    if (!job->describe)
        return RG_OK;
    uint64_t *counts = count_labels(job);
    if (!counts)
        return rg_fail_memory(err, "counting labels");
    rg_status status = print_histogram(job, counts, err);
    rg_free(counts);
    return status;
}

/* NULL if memory is short. */
static json_t *histogram_json(const cli_label *job, const uint64_t *counts)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < rg_labeling_size(job->labeling); k++) {
        char meaning[MEANING_JSON];
        rg_error ignored;
        if (!counts[k] || rg_labeling_describe(meaning, sizeof meaning, job->labeling, k, &ignored))
            continue; /* the label is there, so it has a meaning */
        json_t *item = json_object();
        cli_json_set(&item, "label", cli_json_count(k));
        cli_json_set(&item, "nodes", cli_json_count(counts[k]));
        cli_json_set(&item, "fitted", cli_json_count(rg_labeling_count(job->labeling, k)));
        cli_json_set(&item, "meaning", cli_json_text(meaning));
        cli_json_add(&list, item);
    }
    return list;
}

/* SHA-256 of the labels, graph by graph. */
static void labels_digest(const cli_label *job, char out[RG_DIGEST_TEXT])
{
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_u64(&digest, rg_dataset_n_graphs(job->data));
    for (size_t g = 0; g < rg_dataset_n_graphs(job->data); g++) {
        rg_graph graph = rg_dataset_graph(job->data, g);
        rg_digest_u64(&digest, graph.n_nodes);
        rg_digest_u32_array(&digest, rg_labels_data(job->labels) + graph.first_node, graph.n_nodes);
    }
    rg_digest_finish(&digest, out);
}

rg_status cli_label_print_json(const cli_label *job, rg_error *err)
{
    const rg_labeling *labeling = job->labeling;
    uint64_t *counts = count_labels(job), seen = 0, unseen = rg_labels_n_unseen(job->labels);
    if (!counts)
        return rg_fail_memory(err, "counting labels");
    for (uint32_t k = 0; k < rg_labeling_seen(labeling); k++)
        seen += counts[k];
    char digest[RG_DIGEST_TEXT];
    labels_digest(job, digest);
    json_t *root = json_object();
    cli_json_set(&root, "name", cli_json_text(rg_dataset_name(job->data)));
    cli_json_set(&root, "path", cli_json_text(job->path));
    cli_json_set(&root, "spec", cli_json_text(rg_labeling_spec(labeling)));
    cli_json_set(&root, "graphs", cli_json_count(rg_dataset_n_graphs(job->data)));
    cli_json_set(&root, "nodes", cli_json_count(rg_labels_n_nodes(job->labels)));
    cli_json_set(&root, "labels", cli_json_count(rg_labeling_seen(labeling)));
    cli_json_set(&root, "size", cli_json_count(rg_labeling_size(labeling)));
    cli_json_set(&root, "seen", cli_json_count(seen));
    cli_json_set(&root, "backoff", cli_json_count(rg_labels_n_nodes(job->labels) - seen - unseen));
    cli_json_set(&root, "unseen", cli_json_count(unseen));
    cli_json_set(&root, "capped_graphs", cli_json_count(rg_labels_n_capped(job->labels)));
    cli_json_set(&root, "budget", cli_json_count(rg_labeling_budget(labeling)));
    cli_json_set(&root, "digest", json_string(digest));
    if (job->out)
        cli_json_set(&root, "out", cli_json_text(job->out));
    if (job->describe)
        cli_json_set(&root, "histogram", histogram_json(job, counts));
    cli_json_set(&root, "read_seconds", cli_json_real(job->read_seconds));
    cli_json_set(&root, "seconds", cli_json_real(job->seconds));
    rg_free(counts);
    return cli_print_json(root, err);
}
