/* Code of a function, and what is read of its frame, as words. */
#ifndef TESTS_FRAME_SHAPES_FIXTURE_H
#define TESTS_FRAME_SHAPES_FIXTURE_H

#include "cmocka_all.h"

#include "base/text.h"
#include "code/frame_shapes.h"

enum { START = 0x1000 };

struct fixture {
    struct frame_shapes shapes;
    struct text text;
};

int frame_shapes_set_up(void **state);
int frame_shapes_tear_down(void **state);

void read_code(struct fixture *f, struct slice bytes);

/*
 * "rsp+16 rbp@-16"; "[rbp-8]+16" where the CFA is 16 above the address stored there; "?" where nothing is
 * known. Valid until the next call.
 */
const char *shape_at(struct fixture *f, uint64_t offset);

#define ASSERT_SHAPE(offset, expected) assert_string_equal(shape_at(f, offset), expected)

#endif
