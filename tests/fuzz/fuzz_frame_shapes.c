/*
 * Any bytes as a function's code: what is known of its frame is known in order, and within it; its calls are
 * looked for from anywhere.
 */
#include <stdint.h>
#include <stdlib.h>

#include "code/calls.h"
#include "code/frame_shapes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_calls(const struct code_bytes *function)
{
    struct call_target target;
    struct error err = {0};
    enum calls_jumps jumps = CALLS_JUMPS_WITHIN;

    for (uint64_t step = 1; step <= function->bytes.length && step < 1024; step *= 3)
        require(calls_target(function, function->svma + step, &target, &err) == 0 &&
                target.kind <= CALL_THROUGH);
    require(calls_find_jumps(function, &jumps, &err) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct code_bytes function = {.bytes = {(const char *)data, size}, .svma = UINT64_MAX - size};
    struct frame_shapes shapes = {0};
    struct error err = {0};

    if (frame_shapes_read(&function, &shapes, &err) < 0)
        return 0;
    require(shapes.items.count > 0 && shapes.items.items[0].svma == function.svma);
    for (size_t i = 0; i < shapes.items.count; i++) {
        const struct frame_shape *shape = &shapes.items.items[i];

        require(i == 0 || shape->svma > shape[-1].svma);
        require(shape->svma - function.svma <= size);
        require(!shape->is_known || shape->is_in_memory || shape->cfa_offset >= 0);
        require(shape->cfa_register < 16 && shape->stored_below >= 0 && shape->stored_below % 8 == 0);
        require(frame_shapes_find(&shapes, shape->svma) == (shape->is_known ? shape : NULL));
    }
    require(!shapes.items.items[shapes.items.count - 1].is_known);
    frame_shapes_done(&shapes);
    read_calls(&function);
    return 0;
}
