#include "process/machine_code/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { BLOCK_BYTES = 4096, BLOCKS = 1024, MOST_BLOCKS_KEPT = 4 };

/* Each block where its number says. */
struct code_blocks {
    struct block {
        uint64_t end; /* offset in the file past it; 0: it is not there */
        char *bytes;  /* owned; NULL: none was there yet */
    } items[BLOCKS];
};

struct code_blocks *code_blocks_new(void)
{
    return memory_new(1, sizeof(struct code_blocks));
}

void code_blocks_free(struct code_blocks *blocks)
{
    for (size_t i = 0; blocks && i < BLOCKS; i++)
        free(blocks->items[i].bytes);
    free(blocks);
}

/* The block that holds the byte at `offset`; NULL where there is none. */
static const struct block *find_block(struct code_blocks *blocks, const struct image *image, uint64_t offset)
{
    struct block *block = &blocks->items[offset / BLOCK_BYTES % BLOCKS];
    uint64_t start = offset - offset % BLOCK_BYTES;
    uint64_t end = image->size_bytes - start < BLOCK_BYTES ? image->size_bytes : start + BLOCK_BYTES;
    struct error unread = {0};

    if (offset >= image->size_bytes)
        return NULL;
    if (block->end == end)
        return block;
    if (!block->bytes)
        block->bytes = memory_new_unset(BLOCK_BYTES);
    block->end = image_read_at(image, start, block->bytes, end - start, &unread) == 0 ? end : 0;
    return block->end > 0 ? block : NULL;
}

bool code_blocks_read(struct code_blocks *blocks, const struct image *image, uint64_t offset, size_t length,
                      char *out)
{
    struct error unread = {0};

    if (length > MOST_BLOCKS_KEPT * (size_t)BLOCK_BYTES)
        return image_read_at(image, offset, out, length, &unread) == 0;
    while (length > 0) {
        const struct block *block = find_block(blocks, image, offset);
        size_t taken = block && block->end - offset < length ? (size_t)(block->end - offset) : length;

        if (!block)
            return false;
        memcpy(out, block->bytes + offset % BLOCK_BYTES, taken);
        out += taken;
        offset += taken;
        length -= taken;
    }
    return true;
}
