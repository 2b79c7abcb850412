/* scene.c - see scene.h. */
#define _GNU_SOURCE
#include "scene.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

/* Is there libcurl in this build? Asked without a server, so that the answer comes at once. */
static bool is_without_curl(void)
{
    char *directory = test_directory_make(), *url = test_server_nobody();
    rg_fetch_options options = rg_fetch_options_default();
    rg_fetched got;
    rg_error err = {""};
    options.url = url;
    options.directory = directory;
    bool without = rg_data_fetch(&got, "TOY", &options, &err) == RG_EUSAGE &&
                   strstr(err.message, "built without libcurl");
    free(url);
    test_directory_remove(directory);
    return without;
}

int test_scene_prepare(void **state)
{
    (void)state;
    static const char *const names[] = {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY",
                                        "all_proxy",  "ALL_PROXY",  "no_proxy",    "NO_PROXY"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unsetenv(names[k]);
    return 0;
}

test_scene *test_scene_open(void)
{
    if (is_without_curl())
        skip();
    test_scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->directory = test_directory_make();
    s->body = test_toy(&s->plan.n);
    s->plan.body = s->body;
    s->plan.etag = ETAG;
    s->plan.ranges = true;
    s->options = rg_fetch_options_default();
    s->options.directory = s->directory;
    return s;
}

void test_scene_start(test_scene *s)
{
    if (!s->server)
        s->server = test_server_start(&s->plan);
    if (!s->options.url)
        s->options.url = test_server_url(s->server);
}

void test_scene_stop(test_scene *s)
{
    if (s->server)
        test_server_stop(s->server);
    s->server = NULL;
    s->options.url = NULL;
}

void test_scene_close(test_scene *s)
{
    test_scene_stop(s);
    test_directory_remove(s->directory);
    free(s->body);
    free(s);
}

rg_status test_scene_fetch(test_scene *s)
{
    test_scene_start(s);
    memset(&s->got, 0, sizeof s->got);
    s->err.message[0] = '\0';
    return rg_data_fetch(&s->got, "TOY", &s->options, &s->err);
}

void test_scene_leave_part(test_scene *s, const void *bytes, size_t n, const char *validator)
{
    test_scene_start(s);
    char *text = test_format("%s\n%s\n", test_server_url(s->server), validator);
    test_write_bytes(s->directory, ".TOY.fetch/part", bytes, n);
    test_write(s->directory, ".TOY.fetch/state", text);
    free(text);
}

bool test_scene_has(const test_scene *s, const char *name)
{
    char *path = test_format("%s/%s", s->directory, name);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

size_t test_scene_entries(const test_scene *s)
{
    DIR *dir = opendir(s->directory);
    assert_non_null(dir);
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(dir));)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return n;
}

void test_scene_assert_whole(const test_scene *s)
{
    assert_true(test_scene_has(s, "TOY/TOY_A.txt"));
    assert_true(test_scene_has(s, "TOY/README.txt"));
    assert_int_equal(test_scene_entries(s), 1);
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
