#include "elf/sections.h"

#include "base/compiler.h"
#include "elf/constants.h"

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

struct slice section_family(struct slice name)
{
    static const struct slice families[] = {
        SLICE(".text"),
        SLICE(".rodata"),
        SLICE(".data.rel.ro"),
        SLICE(".data"),
        SLICE(".bss"),
        SLICE(".ltext"), /* of the large code model (x86-64 psABI, "Large Model") */
        SLICE(".lrodata"),
        SLICE(".ldata.rel.ro"),
        SLICE(".ldata"),
        SLICE(".lbss"),
        SLICE(".tdata"),
        SLICE(".tbss"),
        SLICE(".gcc_except_table"),
        SLICE(".init_array"),
        SLICE(".rela.text"),
        SLICE(".rela.data.rel.ro"),
        SLICE(".rela.data"),
        SLICE(".rela.rodata"),
        SLICE(".rela.ltext"),
        SLICE(".rela.ldata.rel.ro"),
        SLICE(".rela.ldata"),
        SLICE(".rela.lrodata"),
        SLICE(".rela.gcc_except_table"),
        SLICE(".rela.tdata"),
        SLICE(".rel.text"),
    };

    for (size_t i = 0; i < ARRAY_COUNT(families); i++)
        if (slice_starts_with(name, families[i]) &&
            (name.length == families[i].length || name.data[families[i].length] == '.'))
            return families[i];
    return name;
}

bool section_is_relative_table(const struct section *section)
{
    enum { SHT_ANDROID_RELR = 0x6fffff00 }; /* Android API 28 and 29; of LLVM's BinaryFormat/ELF.h */

    return section->type == SHT_RELR || section->type == SHT_ANDROID_RELR;
}

bool section_is_of_stubs(const struct section *section)
{
    return slice_starts_with(section->name, SLICE(".plt")) ||
           slice_is(section->name, ".iplt"); /* lld's: of what a file decides as it starts */
}

bool section_is_code(const struct section *section)
{
    const uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;

    return (section->flags & wanted) == wanted && section->type != SHT_NOBITS;
}

const struct section *sections_code_at(const struct sections *sections, uint64_t svma)
{
    for (size_t i = 0; i < sections->count; i++) {
        const struct section *section = &sections->items[i];

        if (section_is_code(section) && svma >= section->svma && svma - section->svma < section->memory_bytes)
            return section;
    }
    return NULL;
}

struct code_bounds sections_code_bounds(const struct sections *sections)
{
    const uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;
    struct code_bounds bounds = {0};

    for (size_t i = 0; i < sections->count; i++) {
        const struct section *section = &sections->items[i];
        uint64_t end = 0;

        if ((section->flags & wanted) != wanted ||
            __builtin_add_overflow(section->svma, section->memory_bytes, &end))
            continue;
        if (bounds.end == 0 || section->svma < bounds.start)
            bounds.start = section->svma;
        if (end > bounds.end)
            bounds.end = end;
    }
    return bounds;
}

bool code_bounds_hold(const struct code_bounds *bounds, uint64_t start, uint64_t end)
{
    return start >= bounds->start && start < end && end <= bounds->end;
}
