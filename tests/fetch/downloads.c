/* downloads.c - see downloads.h. */
#define _GNU_SOURCE
#include "downloads.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

void *download_pack(const pack_file *files, size_t n_files, size_t *n)
{
    packed archive = pack("stored.zip", files, n_files);
    *n = archive.n;
    return archive.bytes;
}

/* The set TOY, two graphs, as TUDataset would pack it, with a README of 100,000 bytes that makes it
 * large enough to break off. Owned (free). */
static void *toy_archive(size_t *n)
{
    char readme[100001];
    for (size_t k = 0; k < sizeof readme - 1; k++)
        readme[k] = (char)(k % 64 == 63 ? '\n' : 'a' + k * k % 26);
    readme[sizeof readme - 1] = '\0';
    const pack_file members[] = {
        {.name = "TOY/README.txt", .text = readme},
        {.name = "TOY/TOY_A.txt", .text = "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n"},
        {.name = "TOY/TOY_graph_indicator.txt", .text = "1\n1\n1\n2\n2\n"},
        {.name = "TOY/TOY_graph_labels.txt", .text = "1\n-1\n"},
        {.name = "TOY/TOY_node_labels.txt", .text = "7\n8\n7\n8\n8\n"},
    };
    return download_pack(members, sizeof members / sizeof *members, n);
}

/* Is there libcurl in this build? Asked without a server, so that the answer comes at once. */
static bool is_without_curl(void)
{
    char *directory = test_directory_make(), *url = http_server_nobody();
    rg_fetch_options options = rg_fetch_options_default();
    rg_fetched got = RG_FETCHED_INIT;
    rg_error err = {""};
    options.url = url;
    options.directory = directory;
    bool without = rg_data_fetch(&got, "TOY", &options, &err) == RG_EUSAGE &&
                   strstr(err.message, "built without libcurl");
    free(url);
    test_directory_remove(directory);
    return without;
}

int download_prepare(void **state)
{
    (void)state;
    static const char *const names[] = {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY",
                                        "all_proxy",  "ALL_PROXY",  "no_proxy",    "NO_PROXY"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unsetenv(names[k]);
    return 0;
}

download *download_open(void)
{
    if (is_without_curl())
        skip();
    download *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->directory = test_directory_make();
    s->body = toy_archive(&s->plan.n);
    s->plan.body = s->body;
    s->plan.etag = ETAG;
    s->plan.ranges = true;
    s->options = rg_fetch_options_default();
    s->got = (rg_fetched)RG_FETCHED_INIT;
    s->options.directory = s->directory;
    return s;
}

void download_start(download *s)
{
    if (!s->server)
        s->server = http_server_start(&s->plan);
    if (!s->options.url)
        s->options.url = http_server_url(s->server);
}

void download_stop(download *s)
{
    if (s->server)
        http_server_stop(s->server);
    s->server = NULL;
    s->options.url = NULL;
}

void download_close(download *s)
{
    download_stop(s);
    test_directory_remove(s->directory);
    free(s->body);
    free(s);
}

rg_status download_fetch(download *s)
{
    download_start(s);
    s->got = (rg_fetched)RG_FETCHED_INIT;
    s->err.message[0] = '\0';
    return rg_data_fetch(&s->got, "TOY", &s->options, &s->err);
}

void download_leave_part(download *s, const void *bytes, size_t n, const char *validator)
{
    download_start(s);
    char *text = test_format("%s\n%s\n", http_server_url(s->server), validator);
    test_write_bytes(s->directory, ".TOY.fetch/part", bytes, n);
    test_write(s->directory, ".TOY.fetch/state", text);
    free(text);
}

bool download_has(const download *s, const char *name)
{
    char *path = test_format("%s/%s", s->directory, name);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

size_t download_entries(const download *s)
{
    DIR *dir = opendir(s->directory);
    assert_non_null(dir);
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(dir));)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return n;
}

void download_assert_whole(const download *s)
{
    assert_true(download_has(s, "TOY/TOY_A.txt"));
    assert_true(download_has(s, "TOY/README.txt"));
    assert_int_equal(download_entries(s), 1);
    rg_dataset *data = NULL;
    char *path = test_format("%s/TOY", s->directory);
    ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
    assert_int_equal(rg_dataset_n_graphs(data), 2);
    assert_int_equal(rg_dataset_n_nodes(data), 5);
    char digest[RG_DIGEST_SIZE];
    rg_dataset_digest(data, digest);
    if (s->got.digest[0])
        assert_string_equal(digest, s->got.digest);
    rg_dataset_free(data);
    free(path);
}
