/* Any bytes as an archive: members lie within the file, symbols lead to members. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says which promise was broken, then crashes. */
#define require(holds) ((holds) ? (void)0 : (fprintf(stderr, "broken: %s\n", #holds), abort()))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct archive archive;
    struct error err = {0};

    if (archive_open_bytes((struct slice){(const char *)data, size}, "input", &archive, &err) < 0)
        return 0;
    for (size_t i = 0; i < archive.members.count; i++) {
        const struct archive_member *member = &archive.members.items[i];
        struct arena arena = {0};
        struct slice content;

        require(member->data_offset <= size && member->size_bytes <= size - member->data_offset);
        require(archive_read_member(&archive, member, &arena, &content, &err) == 0);
        arena_done(&arena);
    }
    for (size_t i = 0; i < archive.symbols.count; i++)
        require(archive.symbols.items[i].member < archive.members.count);
    archive_close(&archive);
    return 0;
}
