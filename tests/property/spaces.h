/* spaces.h - a property on the first graph of a set, in one call. */
#ifndef REGULA_TESTS_PROPERTY_SPACES_H
#define REGULA_TESTS_PROPERTY_SPACES_H

#include "support/graphs.h"

/* Standing at graph 0. Owned (rg_property_space_free). */
static inline rg_property_space *test_space(const rg_dataset *data, rg_property property)
{
    rg_property_space *space = NULL;
    ASSERT_OK(rg_property_space_new(&space, &property, data, err));
    ASSERT_OK(rg_property_space_graph(space, 0, err));
    return space;
}

#endif
