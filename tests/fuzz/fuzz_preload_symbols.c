/* Any bytes as a program's file: what is found of an allocator in it is all in the file, and entries can be
 * planned. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "preload/linked/entry.h"
#include "preload/linked/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_entry(uint8_t *code, size_t size)
{
    static const struct entry_machine *const machines[] = {&entry_x86_64, &entry_aarch64};
    uint8_t way[ENTRY_WAY_BYTES];
    struct entry entry;

    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
        if (machines[i]->plan(code, size, &entry)) {
            if (entry.moved_bytes < machines[i]->jump_bytes || entry.moved_bytes > size)
                abort();
            (void)machines[i]->make_way(&entry, way, 1);
        }
}

static void check(uint8_t *bytes, size_t size)
{
    struct symbols_file file = {bytes, size};
    struct symbols_function found[SYMBOLS_MOST_FUNCTIONS];
    size_t count = symbols_find_allocator(file, found);
    uint64_t svma = 0;

    (void)symbols_find_headers(file, &svma);
    for (size_t i = 0; i < count; i++) {
        if (!found[i].name || found[i].size == 0 || found[i].offset > size ||
            size - found[i].offset < found[i].size)
            abort();
        check_entry(bytes + found[i].offset, found[i].size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    if (!copy)
        return 0;
    if (size > 0)
        memcpy(copy, data, size);
    check(copy, size);
    /* As code alone, too. */
    if (size > 0)
        check_entry(copy, size);
    free(copy);
    return 0;
}
