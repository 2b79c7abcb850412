/* fuzz_label_cache.c - any bytes as an entry of the cache of labels: not found, or numbers that are
 * stored and found again. The first byte says how much is made right, so that what lies behind the
 * name and the checksum is reached: nothing, the header but for the width of a number, the checksum
 * too. */
#include "base/digest.h"
#include "graphs.h"
#include "label/cache.h"
#include "scratch.h"

#include <dirent.h>

enum { WIDTH = 8 + RG_DIGEST_TEXT - 1 + 24, HEADER = WIDTH + 8, SUM = 8, MOST = 4096 };

/* A labeling of a few graphs, and its entry. */
typedef struct scene {
    rg_label_options options;
    rg_label_spec *spec;
    rg_label_frame frame;
    size_t count; /* numbers of an entry */
    char path[1024];
    unsigned char *entry; /* as it is stored */
} scene;

static void find_entry(scene *s)
{
    DIR *directory = opendir(s->options.cache);
    CHECK(directory);
    for (struct dirent *e; (e = readdir(directory));)
        if (e->d_name[0] != '.')
            snprintf(s->path, sizeof s->path, "%s/%s", s->options.cache, e->d_name);
    closedir(directory);
    size_t n;
    s->entry = fuzz_read(s->path, &n);
    CHECK(n > HEADER + SUM);
}

static scene *open_scene(void)
{
    static scene s;
    static int64_t zeros[64];
    if (s.entry)
        return &s;
    rg_dataset *graphs = fuzz_graphs();
    s.options = (rg_label_options){
        .size = sizeof(rg_label_options), .n_threads = 1, .budget = 1000, .cache = fuzz_scratch()};
    CHECK(rg_label_spec_parse(&s.spec, "cycles(max=4)", NULL) == RG_OK);
    s.frame = (rg_label_frame){.data = graphs, .options = &s.options};
    s.frame.capped = calloc(rg_dataset_n_graphs(graphs), sizeof *s.frame.capped);
    CHECK(s.frame.capped);
    rg_dataset_digest(graphs, s.frame.digest);
    s.count = (size_t)rg_dataset_n_nodes(graphs) * rg_label_spec_dims(s.spec);
    CHECK(s.count <= 64 && rg_cache_store(zeros, s.spec, &s.frame, NULL) == RG_OK);
    find_entry(&s);
    return &s;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static unsigned char file[MOST];
    int64_t numbers[64], again[64];
    rg_error err = {""};
    bool found;
    scene *s = open_scene();
    if (n < 1 || n > MOST)
        return 0;
    int right = *bytes++ % 3;
    memcpy(file, bytes, --n);
    if (right && n >= HEADER + SUM)
        memcpy(file, s->entry, WIDTH);
    if (right == 2 && n >= HEADER + SUM) {
        uint64_t sum = rg_hash(file, n - SUM, 0);
        for (size_t k = 0; k < SUM; k++)
            file[n - SUM + k] = (unsigned char)(sum >> (8 * k));
    }
    fuzz_write(s->path, file, n);
    CHECK(rg_cache_load(&found, numbers, s->spec, &s->frame, &err) == RG_OK);
    if (found) {
        CHECK(rg_cache_store(numbers, s->spec, &s->frame, &err) == RG_OK);
        CHECK(rg_cache_load(&found, again, s->spec, &s->frame, &err) == RG_OK && found);
        CHECK(memcmp(numbers, again, s->count * sizeof *numbers) == 0);
    }
    unlink(s->path);
    return 0;
}
