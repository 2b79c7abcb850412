/* test_file.c - files that are whole or not there, whatever fails on the way. */
/* threads */
#define _GNU_SOURCE
#include "support/support.h"

#include "base/alloc.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t n_entries(const char *directory)
{
    DIR *listing = opendir(directory);
    assert_non_null(listing);
    size_t n = 0;
    for (struct dirent *e; (e = readdir(listing));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(listing);
    return n;
}

static void assert_content(const char *path, const char *expected)
{
    char *text = test_read(path, NULL);
    assert_string_equal(text, expected);
    free(text);
}

static rg_status write_text(const char *path, const char *text, rg_error *err)
{
    rg_file *file = NULL;
    rg_status status = rg_file_create(&file, path, err);
    if (status) {
        assert_null(file);
        return status;
    }
    rg_file_text(file, text);
    return rg_file_commit(file, err);
}

static void what_is_written_is_there_after_the_commit(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    rg_file *file = NULL;
    ASSERT_OK(rg_file_create(&file, path, err));
    rg_file_text(file, "x ");
    rg_file_int(file, 0);
    rg_file_text(file, " ");
    rg_file_int(file, INT64_MIN);
    rg_file_text(file, " ");
    rg_file_int(file, INT64_MAX);
    rg_file_text(file, " ");
    rg_file_real(file, -0.1);
    rg_file_bytes(file, "\n", 1);
    rg_file_bytes(file, NULL, 0);
    assert_false(rg_path_exists(path));
    ASSERT_OK(rg_file_commit(file, err));
    assert_content(path, "x 0 -9223372036854775808 9223372036854775807 -0.1\n");
    assert_int_equal(n_entries(directory), 1);
    free(path);
    test_directory_remove(directory);
}

static void files_of_any_size_come_out_as_they_went_in(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 131072, 300000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t piece = 1; piece <= 100000; piece *= 317) {
            rg_file *file = NULL;
            ASSERT_OK(rg_file_create(&file, path, err));
            char *bytes = malloc(sizes[s] + 1);
            assert_non_null(bytes);
            for (size_t k = 0; k < sizes[s]; k++)
                bytes[k] = (char)(k * 7 / 5);
            for (size_t k = 0; k < sizes[s]; k += piece)
                rg_file_bytes(file, bytes + k, sizes[s] - k < piece ? sizes[s] - k : piece);
            ASSERT_OK(rg_file_commit(file, err));
            size_t n;
            char *back = test_read(path, &n);
            assert_int_equal(n, sizes[s]);
            assert_memory_equal(back, bytes, n);
            free(back);
            free(bytes);
        }
    free(path);
    test_directory_remove(directory);
}

static void a_discarded_file_leaves_nothing(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    rg_file *file = NULL;
    ASSERT_OK(rg_file_create(&file, path, err));
    rg_file_text(file, "text");
    assert_int_equal(n_entries(directory), 1);
    rg_file_discard(file);
    rg_file_discard(NULL);
    assert_int_equal(n_entries(directory), 0);
    free(path);
    test_directory_remove(directory);
}

/* Writes more than one buffer over an old file. A failure must leave the old one, and nothing
 * beside it; only a directory that cannot be flushed is told when the new one is there already. */
static rg_status replace(void *context, rg_error *err)
{
    const char *directory = context;
    char *path = test_format("%s/a", directory), *text = malloc(200001);
    assert_non_null(text);
    memset(text, 'n', 200000);
    text[200000] = '\0';
    test_write(directory, "a", "old");
    rg_status status = write_text(path, text, err);
    bool flushed = !status || !strstr(err->message, "flush directory");
    assert_content(path, status && flushed ? "old" : text);
    assert_int_equal(n_entries(directory), 1);
    free(text);
    free(path);
    return status;
}

static rg_status create_anew(void *context, rg_error *err)
{
    const char *directory = context;
    char *path = test_format("%s/b", directory);
    rg_status status = write_text(path, "new", err);
    bool flushed = !status || !strstr(err->message, "flush directory");
    assert_int_equal(rg_path_exists(path), !status || !flushed);
    unlink(path);
    assert_int_equal(n_entries(directory), 0);
    free(path);
    return status;
}

static void a_failure_at_any_point_leaves_the_old_file(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    /* create, four times write, flush, rename, flush the directory */
    assert_int_equal(test_io_sweep(replace, directory), 8);
    assert_int_equal(test_allocation_sweep(replace, directory), 4);
    test_directory_remove(directory);
    directory = test_directory_make();
    assert_int_equal(test_io_sweep(create_anew, directory), 5);
    assert_int_equal(test_allocation_sweep(create_anew, directory), 4);
    test_directory_remove(directory);
}

static void new_files_have_the_umask_s_mode_and_replaced_ones_their_own(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    struct stat info;
    mode_t old = umask(027);
    ASSERT_OK(write_text(path, "1", err));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0604), 0);
    ASSERT_OK(write_text(path, "2", err));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0604);
    umask(old);
    free(path);
    test_directory_remove(directory);
}

static void names_may_be_as_long_as_the_system_lets_them(void **state)
{
    (void)state;
    char *directory = test_directory_make(), name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    char *path = test_format("%s/%s", directory, name);
    ASSERT_OK(write_text(path, "1", err));
    assert_content(path, "1");
    free(path);
    test_directory_remove(directory);
}

static void what_cannot_be_written_is_named(void **state)
{
    (void)state;
    char *directory = test_directory_make(), name[300];
    test_write(directory, "file", "x");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const struct {
        const char *name, *action, *reason;
    } cases[] = {
        {"", "create", "Is a directory"},
        {"no/such", "create", "No such file or directory"},
        {"file/x", "create", "Not a directory"},
        {name, "create", "File name too long"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *path = test_format("%s/%s", directory, cases[k].name);
        char *expected = test_format("cannot %s '%s': %s", cases[k].action, path, cases[k].reason);
        rg_error told;
        assert_int_equal(write_text(path, "x", &told), RG_EIO);
        assert_string_equal(told.message, expected);
        assert_int_equal(n_entries(directory), 1);
        free(expected);
        free(path);
    }
    rg_error told;
    assert_int_equal(write_text("", "x", &told), RG_EIO);
    assert_string_equal(told.message, "cannot create '': No such file or directory");
    test_directory_remove(directory);
}

/* Runs body(path) as a user who is not root: its status, or -1 if there is no way to become one. */
static int as_nobody(rg_status (*body)(const char *path), const char *path)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(99);
        _exit((int)body(path));
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result) == 99 ? -1 : WEXITSTATUS(result);
}

static rg_status try_to_write(const char *path)
{
    rg_error told = {""};
    rg_status status = write_text(path, "new", &told);
    if (status && !strstr(told.message, "Permission denied"))
        return RG_EFAIL;
    return status;
}

static void a_read_only_directory_keeps_what_it_has(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    test_write(directory, "a", "old");
    assert_int_equal(chmod(directory, 0555), 0);
    int status = as_nobody(try_to_write, path);
    assert_content(path, "old");
    assert_int_equal(n_entries(directory), 1);
    assert_int_equal(chmod(directory, 0333), 0); /* to be written to, not to be listed */
    int other = as_nobody(try_to_write, path);
    assert_int_equal(chmod(directory, 0755), 0);
    if (other == RG_OK)
        assert_content(path, "new");
    free(path);
    test_directory_remove(directory);
    if (status < 0)
        skip();
    assert_int_equal(status, RG_EIO);
    assert_int_equal(other, RG_OK);
}

static void a_pipe_is_written_to_and_not_replaced(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/pipe", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    int end = open(path, O_RDWR | O_CLOEXEC);
    assert_true(end >= 0);
    ASSERT_OK(write_text(path, "through", err));
    char text[16] = "";
    assert_int_equal(read(end, text, sizeof text - 1), 7);
    assert_string_equal(text, "through");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(n_entries(directory), 1);
    close(end);
    free(path);
    test_directory_remove(directory);
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    if (!rg_path_exists("/dev/full"))
        skip();
    char *directory = test_directory_make(), *path = test_format("%s/full", directory);
    char *expected = test_format("cannot write '%s': No space left on device", path);
    assert_int_equal(symlink("/dev/full", path), 0);
    rg_error told;
    assert_int_equal(write_text(path, "x", &told), RG_EIO);
    assert_string_equal(told.message, expected);
    free(expected);
    free(path);
    test_directory_remove(directory);
}

enum { WRITERS = 4, ROUNDS = 25, BYTES = 100000 };

typedef struct file_writer {
    const char *path;
    char letter;
    rg_status status;
} file_writer;

static void *write_often(void *argument)
{
    file_writer *w = argument;
    for (int round = 0; round < ROUNDS && !w->status; round++) {
        rg_file *file = NULL;
        w->status = rg_file_create(&file, w->path, NULL);
        if (w->status)
            break;
        for (int k = 0; k < BYTES; k++)
            rg_file_bytes(file, &w->letter, 1);
        w->status = rg_file_commit(file, NULL);
    }
    return NULL;
}

static void writers_of_one_path_do_not_mix(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    pthread_t threads[WRITERS];
    file_writer writers[WRITERS];
    test_write(directory, "a", "");
    for (int k = 0; k < WRITERS; k++) {
        writers[k] = (file_writer){path, (char)('a' + k), RG_OK};
        assert_int_equal(pthread_create(&threads[k], NULL, write_often, &writers[k]), 0);
    }
    for (int look = 0; look < 50; look++) { /* whoever reads meanwhile sees one writer's file */
        size_t n;
        char *text = test_read(path, &n);
        assert_true(n == 0 || (n == BYTES && strspn(text, (char[]){text[0], '\0'}) == n));
        free(text);
    }
    for (int k = 0; k < WRITERS; k++) {
        assert_int_equal(pthread_join(threads[k], NULL), 0);
        assert_int_equal(writers[k].status, RG_OK);
    }
    assert_int_equal(n_entries(directory), 1);
    free(path);
    test_directory_remove(directory);
}

/* Processes that are killed while they write `path`, all at once. */
static void leave_behind(const char *path, size_t n)
{
    pid_t children[10];
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    for (size_t k = 0; k < n; k++) {
        children[k] = fork();
        assert_true(children[k] >= 0);
        if (children[k] == 0) {
            rg_file *file = NULL;
            if (rg_file_create(&file, path, NULL) || rg_file_seal(file, NULL) ||
                write(ends[1], "x", 1) != 1)
                _exit(1);
            for (;;)
                pause();
        }
    }
    for (size_t k = 0; k < n; k++)
        assert_int_equal(read(ends[0], &byte, 1), 1);
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(kill(children[k], SIGKILL), 0);
        assert_int_equal(waitpid(children[k], NULL, 0), children[k]);
    }
    close(ends[0]);
    close(ends[1]);
}

static void what_a_killed_writer_leaves_goes_with_the_next(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    char *other = test_format("%s/b", directory);
    for (size_t n = 1; n <= 8; n++) {
        leave_behind(path, n);
        assert_int_equal(n_entries(directory), n == 1 ? 1 : n + 1); /* and `a` */
        ASSERT_OK(write_text(path, "new", err));
        assert_content(path, "new");
        assert_int_equal(n_entries(directory), 1);
    }
    leave_behind(other, 1); /* another file's is left to its next writer */
    ASSERT_OK(write_text(path, "new", err));
    assert_int_equal(n_entries(directory), 2);
    ASSERT_OK(write_text(other, "b", err));
    assert_int_equal(n_entries(directory), 2);
    leave_behind(path, 10); /* more than are looked for: they are in nobody's way */
    ASSERT_OK(write_text(path, "newer", err));
    assert_content(path, "newer");
    assert_int_equal(n_entries(directory), 4);
    free(other);
    free(path);
    test_directory_remove(directory);
}

static void files_that_others_write_stay(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    for (int sealed = 0; sealed < 2; sealed++) {
        rg_file *files[20] = {NULL};
        for (int k = 0; k < 20; k++) {
            char text[2] = {(char)('a' + k), '\0'};
            ASSERT_OK(rg_file_create(&files[k], path, err));
            rg_file_text(files[k], text);
            if (sealed)
                ASSERT_OK(rg_file_seal(files[k], err));
        }
        ASSERT_OK(write_text(path, "new", err));
        assert_content(path, "new");
        for (int k = 0; k < 20; k++) {
            char text[2] = {(char)('a' + k), '\0'};
            ASSERT_OK(rg_file_commit(files[k], err));
            assert_content(path, text);
        }
        assert_int_equal(n_entries(directory), 1);
    }
    free(path);
    test_directory_remove(directory);
}

/* Writers who are killed at any moment do not disturb those who are not. */
static void killed_writers_disturb_nobody(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    for (int round = 0; round < 40; round++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            for (;;)
                if (write_text(path, "child", NULL))
                    _exit(1);
        for (int k = 0; k < 5; k++)
            ASSERT_OK(write_text(path, "parent", err));
        int how;
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how)); /* it did not fail before */
    }
    ASSERT_OK(write_text(path, "last", err));
    assert_content(path, "last");
    assert_int_equal(n_entries(directory), 1);
    free(path);
    test_directory_remove(directory);
}

static rg_status make_directories(void *context, rg_error *err)
{
    const char *base = context;
    char *path = test_format("%s/x/y//z/", base);
    rg_status status = rg_dir_make(path, err);
    if (!status)
        assert_true(rg_path_is_directory(path));
    for (const char *const *name = (const char *const[]){"x/y/z", "x/y", "x", NULL}; *name;
         name++) {
        char *made = test_format("%s/%s", base, *name);
        rmdir(made);
        free(made);
    }
    free(path);
    return status;
}

static void directories_are_made_with_those_above(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    ASSERT_OK(make_directories(directory, err));
    assert_true(test_allocation_sweep(make_directories, directory) == 1);
    assert_true(test_io_sweep(make_directories, directory) >= 4);
    ASSERT_OK(rg_dir_make(directory, err)); /* it is there */
    ASSERT_OK(rg_dir_make("/", err));
    ASSERT_OK(rg_dir_make(".", err));
    test_write(directory, "file", "x");
    rg_error told;
    char *path = test_format("%s/file/x/y", directory);
    char *expected = test_format("cannot make directory '%s/file': Not a directory", directory);
    assert_int_equal(rg_dir_make(path, &told), RG_EIO);
    assert_string_equal(told.message, expected);
    assert_int_equal(rg_dir_make("", &told), RG_EIO);
    free(expected);
    free(path);
    test_directory_remove(directory);
}

static rg_status flush_directory(void *directory, rg_error *err)
{
    return rg_dir_sync(directory, err);
}

static void directories_are_flushed_or_the_failure_told(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    assert_int_equal(test_io_sweep(flush_directory, directory), 1);
    rg_error told;
    assert_int_equal(rg_dir_sync("/no/such", &told), RG_EIO);
    assert_string_equal(told.message,
                        "cannot open directory '/no/such': No such file or directory");
    test_directory_remove(directory);
}

static void paths_are_joined_and_cut(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *joined;
    } joins[] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"", "b", "b"},
        {"/", "b", "/b"},  {"a", "", "a/"},    {"", "", ""},
    };
    for (size_t k = 0; k < sizeof joins / sizeof *joins; k++) {
        char *joined = rg_path_join(joins[k].a, joins[k].b);
        assert_string_equal(joined, joins[k].joined);
        rg_free(joined);
    }
    static const char *const cuts[][2] = {{"a/b", "a"}, {"b", "."},     {"/b", "/"}, {"/", "/"},
                                          {"a/", "a"},  {"/a/b", "/a"}, {"", "."}};
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        char *cut = rg_path_directory(cuts[k][0]);
        assert_string_equal(cut, cuts[k][1]);
        rg_free(cut);
    }
    rg_fault_set(RG_FAULT_ALLOC, 1);
    assert_null(rg_path_join("a", "b"));
    rg_fault_set(RG_FAULT_ALLOC, 1);
    assert_null(rg_path_directory("a/b"));
    rg_fault_set(RG_FAULT_ALLOC, 0);
}

static void paths_are_told_apart(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *file = test_format("%s/f", directory);
    test_write(directory, "f", "x");
    assert_true(rg_path_is_directory(directory) && rg_path_exists(directory));
    assert_true(!rg_path_is_directory(file) && rg_path_exists(file));
    assert_true(rg_path_is_file(file) && !rg_path_is_file(directory));
    unlink(file);
    assert_true(!rg_path_is_directory(file) && !rg_path_exists(file));
    free(file);
    test_directory_remove(directory);
}

static rg_status load(void *path, rg_error *err)
{
    void *bytes = NULL;
    size_t n = 7;
    rg_status status = rg_file_load(&bytes, &n, path, "a", 5, err);
    if (status) {
        assert_null(bytes);
        assert_int_equal(n, 7);
    } else {
        assert_int_equal(n, 5);
        assert_memory_equal(bytes, "a\0b\nc", 5);
    }
    rg_free(bytes);
    return status;
}

static void whole_files_are_loaded_or_refused(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *file = test_format("%s/f", directory),
         *pipe = test_format("%s/p", directory);
    test_write_bytes(directory, "f", "a\0b\nc", 5);
    ASSERT_OK(load(file, err));
    assert_int_equal(test_io_sweep(load, file), 1);
    assert_int_equal(test_allocation_sweep(load, file), 1);
    rg_error err = {""};
    test_write_bytes(directory, "f", "a\0b\ncd", 6);
    assert_int_equal(load(file, &err), RG_EDATA);
    assert_non_null(strstr(err.message, "/f: found 6 bytes, expected at most 5"));
    static const char *const others[] = {"b", ""};
    for (size_t k = 0; k < 2; k++) {
        test_write(directory, "f", others[k]);
        assert_int_equal(load(file, &err), RG_EDATA);
        assert_non_null(strstr(err.message, "/f: found other content, expected 'a' first"));
    }
    unlink(file);
    assert_int_equal(load(file, &err), RG_EIO);
    assert_non_null(strstr(err.message, "/f': No such file"));
    assert_int_equal(load(directory, &err), RG_EIO);
    assert_non_null(strstr(err.message, "not a regular file"));
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(load(pipe, &err), RG_EIO); /* and does not wait for a writer */
    free(pipe);
    free(file);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_there_after_the_commit),
        cmocka_unit_test(files_of_any_size_come_out_as_they_went_in),
        cmocka_unit_test(a_discarded_file_leaves_nothing),
        cmocka_unit_test(a_failure_at_any_point_leaves_the_old_file),
        cmocka_unit_test(new_files_have_the_umask_s_mode_and_replaced_ones_their_own),
        cmocka_unit_test(names_may_be_as_long_as_the_system_lets_them),
        cmocka_unit_test(what_cannot_be_written_is_named),
        cmocka_unit_test(a_read_only_directory_keeps_what_it_has),
        cmocka_unit_test(a_pipe_is_written_to_and_not_replaced),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(writers_of_one_path_do_not_mix),
        cmocka_unit_test(what_a_killed_writer_leaves_goes_with_the_next),
        cmocka_unit_test(files_that_others_write_stay),
        cmocka_unit_test(killed_writers_disturb_nobody),
        cmocka_unit_test(directories_are_made_with_those_above),
        cmocka_unit_test(directories_are_flushed_or_the_failure_told),
        cmocka_unit_test(paths_are_joined_and_cut),
        cmocka_unit_test(paths_are_told_apart),
        cmocka_unit_test(whole_files_are_loaded_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
