/* Any bytes as code: the way to where it returns is looked for from any of them. */
#include <stdint.h>
#include <stdlib.h>

#include "code/frame_shapes.h"
#include "code/return_path.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { WORD = 8, MOST_STARTS = 64 };
    const struct code_bytes code = {.bytes = {(const char *)data, size}, .svma = UINT64_MAX - size};
    struct x86_64_reader reader;
    struct return_path path;
    struct error err = {0};

    if (x86_64_load(&reader, &err) < 0)
        return 0;
    for (uint64_t i = 0; i <= size && i < MOST_STARTS; i++) {
        if (!return_path_find(&reader, &code, code.svma + i, &path))
            continue;
        require(path.cfa_register == FRAME_RBP ||
                (path.cfa_register == FRAME_RSP && path.cfa_offset >= WORD));
        require(path.frame.kind != CALLER_STORED || path.frame.offset < -WORD);
    }
    return 0;
}
