/* Any bytes as a file, objects linked alone: what refers to its data and who pays; all bytes must sum to the
 * file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "account/account.h"
#include "base/memory.h"
#include "dwarf/debug_info.h"
#include "elf/link_alone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says which promise was broken, then crashes. */
#define require(holds) ((holds) ? (void)0 : (fprintf(stderr, "broken: %s\n", #holds), abort()))

struct file {
    struct image image;
    struct symbols symbols;
    struct code_map code;
    struct references references;
    struct data_map data;
    struct account account;
    struct debug_info debug;
    bool has_debug;
};

static void file_done(struct file *file)
{
    account_done(&file->account);
    if (file->has_debug)
        debug_info_close(&file->debug);
    data_map_done(&file->data);
    references_done(&file->references);
    code_map_done(&file->code);
    symbols_done(&file->symbols);
    image_close(&file->image);
}

/* Units are of the group that their name's length says. */
static uint32_t group_of_unit(void *context, struct slice unit)
{
    (void)context;
    return unit.length % 3 == 2 ? OWNER_NONE : (uint32_t)unit.length % 3;
}

/* Functions and symbols are spread over three groups. */
static uint32_t *make_groups(size_t count)
{
    uint32_t *groups = memory_new(count, sizeof(*groups));

    for (size_t i = 0; i < count; i++)
        groups[i] = (uint32_t)(i % 3);
    return groups;
}

static void check(const struct file *file)
{
    uint64_t total = 0;

    for (size_t i = 0; i < file->account.entries.count; i++) {
        const struct account_entry *entry = &file->account.entries.items[i];

        require(entry->size_bytes > 0);
        require(entry->piece == UINT32_MAX || entry->piece < file->data.items.count);
        require(entry->owner >= OWNER_PADDING || entry->owner <= file->code.functions.count + 3);
        total += entry->size_bytes;
    }
    require(total == file->image.size_bytes);
}

static void account_for(struct file *file)
{
    struct error err = {0};
    SCOPED(memory_free_at) uint32_t *functions = make_groups(file->code.functions.count + 1);
    SCOPED(memory_free_at) uint32_t *symbols = make_groups(file->data.symbols.functions.count);
    struct data_groups groups = {{functions, (uint32_t)file->code.functions.count + 1}, symbols};
    SCOPED(memory_free_at) uint32_t *units = NULL;
    struct account_request request = {.image = &file->image,
                                      .code = &file->code,
                                      .data = &file->data,
                                      .references = &file->references,
                                      .space = &groups.space,
                                      .group_of_unit = group_of_unit};

    file->has_debug = debug_info_open(&file->image, DEBUG_WHOLE, &file->debug, &err) == 0;
    units = make_groups(file->debug.units.items.count);
    if (file->has_debug) {
        request.units = &file->debug.units;
        request.group_of_unit_number = units;
    }
    require(data_map_find_owners(&file->data, &file->image, &file->references, &groups, &err) == 0);
    if (account_build(&request, &file->account, &err) == 0)
        check(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct file file = {0};
    struct error err = {0};

    if (image_open_bytes((struct slice){(const char *)data, size}, "input", &file.image, &err) < 0)
        return 0;
    if (link_alone(&file.image, &err) == 0 && symbols_read(&file.image, &file.symbols, &err) == 0 &&
        code_map_build(&file.image, &file.symbols, (struct slice){".text", 5}, &file.code, &err) == 0 &&
        references_find(&file.image, &file.symbols, &file.code, &file.references, &err) == 0 &&
        data_map_build(&file.image, &file.symbols, &file.code, &file.references, &file.data, &err) == 0)
        account_for(&file);
    file_done(&file);
    return 0;
}
