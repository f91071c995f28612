#include "elf/program.h"

#include <elf.h>

/* What the table for the dynamic loader says of the file (ELF gABI, chapter 5 "Dynamic Section"). */
struct dynamic_facts {
    uint64_t flags; /* DF_1_* */
    bool is_named;  /* to be linked by, as libraries are */
};

static struct dynamic_facts read_dynamic(struct image *image)
{
    const struct section *section = sections_find_type(&image->sections, SHT_DYNAMIC);
    struct dynamic_facts facts = {0};
    struct error unread = {0};
    struct slice content = {0};
    struct bytes cursor;

    if (!section || image_read_section(image, section, &content, &unread) < 0)
        return facts;
    cursor = image_cursor(image, content);
    while (bytes_left(&cursor) > 0) {
        uint64_t tag = image_read_address(image, &cursor);
        uint64_t value = image_read_address(image, &cursor);

        if (cursor.failed || tag == DT_NULL)
            break;
        if (tag == DT_FLAGS_1)
            facts.flags = value;
        facts.is_named = facts.is_named || tag == DT_SONAME;
    }
    return facts;
}

bool image_is_program(struct image *image)
{
    struct dynamic_facts facts;

    if (image->type != ET_DYN)
        return image->type == ET_EXEC;
    facts = read_dynamic(image);
    return facts.flags & DF_1_PIE || (!facts.is_named && sections_find(&image->sections, SLICE(".interp")));
}
