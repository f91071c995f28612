#include "elf/notes.h"

#include <elf.h>

struct slice notes_find(struct bytes notes, uint64_t alignment, uint32_t type)
{
    const uint64_t padding = alignment == 8 ? 7 : 3;

    while (bytes_left(&notes) > 0) {
        uint32_t name_bytes = bytes_u32(&notes);
        uint32_t content_bytes = bytes_u32(&notes);
        uint32_t its_type = bytes_u32(&notes);
        struct slice name = bytes_take(&notes, name_bytes);
        struct slice content = {0};

        bytes_seek(&notes, (notes.at + padding) & ~padding);
        content = bytes_take(&notes, content_bytes);
        if (!notes.failed && its_type == type && slice_equal(name, SLICE("GNU\0")))
            return content;
        bytes_seek(&notes, (notes.at + padding) & ~padding);
    }
    return (struct slice){0};
}

struct slice notes_build_id(struct bytes notes, uint64_t alignment)
{
    return notes_find(notes, alignment, NT_GNU_BUILD_ID);
}
