/* Any bytes as a function's code: what is known of its frame is known in order, and within it. */
#include <stdint.h>
#include <stdlib.h>

#include "code/frame_shapes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
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
        require(!shape->is_known || shape->cfa_offset >= 0);
        require(frame_shapes_find(&shapes, shape->svma) == (shape->is_known ? shape : NULL));
    }
    require(!shapes.items.items[shapes.items.count - 1].is_known);
    frame_shapes_done(&shapes);
    return 0;
}
