#include "elf/sections.h"

#include <elf.h>

const struct section *sections_find(const struct sections *sections, struct slice name)
{
    for (size_t i = 0; i < sections->count; i++)
        if (slice_equal(sections->items[i].name, name))
            return &sections->items[i];
    return NULL;
}

const struct section *sections_find_type(const struct sections *sections, uint32_t type)
{
    for (size_t i = 0; i < sections->count; i++)
        if (sections->items[i].type == type)
            return &sections->items[i];
    return NULL;
}

bool section_is_code(const struct section *section)
{
    const uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;

    return (section->flags & wanted) == wanted && section->type != SHT_NOBITS;
}
