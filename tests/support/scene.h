/* scene.h - a directory, a server with a set, and the call that fetches it: where most tests of
 * fetching start from. */
#ifndef REGULA_TESTS_SUPPORT_SCENE_H
#define REGULA_TESTS_SUPPORT_SCENE_H

#include "server.h"
#include "support.h"
#include "toy.h"

#include <stdbool.h>

#define ETAG "\"one\""

typedef struct test_scene {
    char *directory;
    void *body; /* the set TOY */
    test_plan plan;
    test_server *server; /* NULL: not started */
    rg_fetch_options options;
    rg_fetched got;
    rg_error err;
} test_scene;

/* For the whole group of tests: the environment must not lead us elsewhere. */
int test_scene_prepare(void **state);

/* A server that knows ranges and versions, with a set that is whole. Skips the test in a build
 * without libcurl. Ends with test_scene_close. */
test_scene *test_scene_open(void);
void test_scene_close(test_scene *s);

/* Starts the server if it does not run yet; plans may only be changed while it does not. */
void test_scene_start(test_scene *s);
void test_scene_stop(test_scene *s);
rg_status test_scene_fetch(test_scene *s);

/* Puts n bytes there as a call that was killed leaves them, of the version `validator`. */
void test_scene_leave_part(test_scene *s, const void *bytes, size_t n, const char *validator);

bool test_scene_has(const test_scene *s, const char *name); /* in the directory */
size_t test_scene_entries(const test_scene *s);
/* The set is there and can be read, and nothing else is. */
void test_scene_assert_whole(const test_scene *s);

#define ASSERT_FETCHED(s)                                  \
    do {                                                   \
        rg_status status_ = test_scene_fetch(s);           \
        if (status_)                                       \
            fail_msg("%d: %s", status_, (s)->err.message); \
        test_scene_assert_whole(s);                        \
    } while (0)

#endif
