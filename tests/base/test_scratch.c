/* test_scratch.c - directories for work, and what those who are killed leave of them. */
#include "support/support.h"

#include "base/scratch.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static rg_scratch make(const char *folder)
{
    rg_scratch scratch = {.path = NULL};
    ASSERT_OK(rg_scratch_make(&scratch, folder, err));
    assert_memory_equal(scratch.path, folder, strlen(folder));
    test_write(scratch.path, "deep/er/file", "x");
    return scratch;
}

static void several_live_beside_each_other_and_go_with_all_that_is_in_them(void **state)
{
    (void)state;
    char *folder = test_directory_make();
    rg_scratch a = make(folder), b = make(folder);
    assert_string_not_equal(a.path, b.path);
    char *first = test_format("%s/deep/er/file", a.path), *other = test_format("%s", b.path);
    assert_true(is_there(first));
    rg_scratch_remove(&a);
    assert_null(a.path);
    rg_scratch_remove(&a);
    assert_false(is_there(first));
    rg_scratch_remove(&b);
    assert_false(is_there(other));
    free(first);
    free(other);
    assert_int_equal(rmdir(folder), 0); /* empty */
    free(folder);
}

static void what_a_killed_process_leaves_goes_with_the_next(void **state)
{
    (void)state;
    char *folder = test_directory_make();
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        rg_scratch scratch;
        rg_error err;
        if (rg_scratch_make(&scratch, folder, &err) ||
            write(ready[1], scratch.path, strlen(scratch.path)) < 0)
            _exit(1);
        pause();
    }
    char left[512] = "";
    assert_true(read(ready[0], left, sizeof left - 1) > 0);
    char *file = test_format("%s/file", left);
    test_write(left, "file", "x");
    rg_scratch mine = make(folder); /* the child lives */
    assert_true(is_there(file));
    rg_scratch_remove(&mine);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(is_there(file));
    mine = make(folder);
    assert_false(is_there(left));
    rg_scratch_remove(&mine);
    close(ready[0]);
    close(ready[1]);
    free(file);
    assert_int_equal(rmdir(folder), 0);
    free(folder);
}

/* Other names, links, files, and directories that others may write to. */
static void nothing_else_is_removed(void **state)
{
    (void)state;
    char *folder = test_directory_make(), *outside = test_directory_make();
    static const char *const names[] = {"other", "regula-scratch-link", "regula-scratch-file",
                                        "regula-scratch-open"};
    test_write(outside, "file", "x");
    test_write(folder, "other/file", "x");
    test_write(folder, "regula-scratch-file", "x");
    test_write(folder, "regula-scratch-open/file", "x"); /* everyone may read it */
    char *link = test_format("%s/%s", folder, names[1]), *kept = test_format("%s/file", outside);
    char *open = test_format("%s/%s", folder, names[3]);
    assert_int_equal(chmod(open, 0755), 0);
    assert_int_equal(symlink(outside, link), 0);
    rg_scratch mine = make(folder);
    rg_scratch_remove(&mine);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *path = test_format("%s/%s", folder, names[k]);
        assert_true(is_there(path));
        free(path);
    }
    rg_tree_remove(link); /* the link, not what it leads to */
    assert_false(is_there(link));
    assert_true(is_there(kept));
    free(link);
    free(open);
    free(kept);
    test_directory_remove(outside);
    test_directory_remove(folder);
}

static rg_status make_and_remove(void *context, rg_error *err)
{
    rg_scratch scratch = {.path = NULL};
    rg_status status = rg_scratch_make(&scratch, context, err);
    if (status)
        assert_null(scratch.path);
    rg_scratch_remove(&scratch);
    return status;
}

static void what_cannot_be_made_is_said(void **state)
{
    (void)state;
    char *folder = test_directory_make(), *nowhere = test_format("%s/nowhere", folder);
    rg_scratch scratch = {.path = NULL};
    ASSERT_REFUSED(rg_scratch_make(&scratch, nowhere, err), RG_EIO, "No such file or directory");
    assert_true(test_allocation_sweep(make_and_remove, folder) > 0);
    assert_true(test_io_sweep(make_and_remove, folder) > 0);
    free(nowhere);
    assert_int_equal(rmdir(folder), 0);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_live_beside_each_other_and_go_with_all_that_is_in_them),
        cmocka_unit_test(what_a_killed_process_leaves_goes_with_the_next),
        cmocka_unit_test(nothing_else_is_removed),
        cmocka_unit_test(what_cannot_be_made_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
