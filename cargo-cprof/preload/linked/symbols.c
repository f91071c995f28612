#include "preload/linked/symbols.h"

#include <elf.h>
#include <string.h>

/* Whose headers are in it. */
struct elf {
    struct symbols_file file;
    const Elf64_Ehdr *header;
    const Elf64_Phdr *segments;
    const Elf64_Shdr *sections;
};

struct finding {
    struct symbols_function *functions;
    size_t count;
    bool is_jemalloc;
};

/* --- Parts of the file --------------------------------------------------------------------------------- */

static bool is_in_file(const struct elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->file.size && elf->file.size - offset >= size;
}

/* `count` of so many bytes each; NULL where they are not in the file. */
static const void *part_of(const struct elf *elf, uint64_t offset, uint64_t count, size_t each)
{
    if (offset % sizeof(uint64_t) != 0 || count > SIZE_MAX / each || !is_in_file(elf, offset, count * each))
        return NULL;
    return elf->file.bytes + offset;
}

static bool read_headers(struct symbols_file file, struct elf *elf)
{
    const Elf64_Ehdr *header = NULL;

    elf->file = file;
    header = part_of(elf, 0, 1, sizeof(*header));
    elf->header = header;
    if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phentsize != sizeof(Elf64_Phdr) ||
        header->e_shentsize != sizeof(Elf64_Shdr))
        return false;
    elf->segments = part_of(elf, header->e_phoff, header->e_phnum, sizeof(Elf64_Phdr));
    elf->sections = part_of(elf, header->e_shoff, header->e_shnum, sizeof(Elf64_Shdr));
    return elf->segments && elf->sections;
}

bool symbols_find_headers(struct symbols_file file, uint64_t *svma)
{
    struct elf elf;

    if (!read_headers(file, &elf))
        return false;
    for (size_t i = 0; i < elf.header->e_phnum; i++) {
        const Elf64_Phdr *segment = &elf.segments[i];

        if (segment->p_type != PT_LOAD || elf.header->e_phoff < segment->p_offset ||
            elf.header->e_phoff - segment->p_offset >= segment->p_filesz)
            continue;
        *svma = segment->p_vaddr + (elf.header->e_phoff - segment->p_offset);
        return true;
    }
    return false;
}

/* --- Symbols ------------------------------------------------------------------------------------------- */

static bool find_code(const struct elf *elf, const Elf64_Sym *symbol, size_t *offset)
{
    for (size_t i = 0; i < elf->header->e_phnum; i++) {
        const Elf64_Phdr *segment = &elf->segments[i];
        uint64_t within = symbol->st_value - segment->p_vaddr;

        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || symbol->st_value < segment->p_vaddr ||
            within > segment->p_filesz || segment->p_filesz - within < symbol->st_size ||
            !is_in_file(elf, segment->p_offset, segment->p_filesz))
            continue;
        *offset = segment->p_offset + within;
        return true;
    }
    return false;
}

static bool is_found(const struct finding *finding, uint64_t svma)
{
    for (size_t i = 0; i < finding->count; i++)
        if (finding->functions[i].svma == svma)
            return true;
    return false;
}

static void add(struct finding *finding, const struct elf *elf, const struct linked_name *name,
                const Elf64_Sym *symbol)
{
    size_t offset = 0;

    if (finding->count < SYMBOLS_MOST_FUNCTIONS && !is_found(finding, symbol->st_value) &&
        find_code(elf, symbol, &offset))
        finding->functions[finding->count++] =
            (struct symbols_function){name, symbol->st_value, symbol->st_size, offset};
}

/* Names of Rust and C++ begin with `_R` and `_Z`, and are most. */
static bool may_be_of_allocator(const char *name)
{
    return name[0] != '_' || name[1] == 'r';
}

/* The names of a table; false where they are not all in the file, each with its end. */
static bool find_names(const struct elf *elf, const Elf64_Shdr *table, struct symbols_file *names)
{
    const Elf64_Shdr *strings = NULL;

    if (table->sh_link >= elf->header->e_shnum)
        return false;
    strings = &elf->sections[table->sh_link];
    if (strings->sh_size == 0 || !is_in_file(elf, strings->sh_offset, strings->sh_size))
        return false;
    *names = (struct symbols_file){elf->file.bytes + strings->sh_offset, strings->sh_size};
    return names->bytes[names->size - 1] == 0;
}

/* `bare`: those of the C library's names, which come last, as others tell whose they are. */
static void find_in_table(const struct elf *elf, const Elf64_Shdr *table, bool bare, struct finding *finding)
{
    size_t count = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *symbols = part_of(elf, table->sh_offset, count, sizeof(Elf64_Sym));
    struct symbols_file names;

    if (!symbols || !find_names(elf, table, &names))
        return;
    for (size_t i = 0; i < count; i++) {
        const Elf64_Sym *symbol = &symbols[i];
        const char *text = (const char *)names.bytes + symbol->st_name;
        const struct linked_name *name = NULL;
        bool is_bare = false;

        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
            symbol->st_size == 0 || symbol->st_name >= names.size || !may_be_of_allocator(text))
            continue;
        name = linked_name_find(text, &is_bare);
        finding->is_jemalloc |= linked_name_is_of_jemalloc(text);
        if (name && is_bare == bare)
            add(finding, elf, name, symbol);
    }
}

static void find_in_tables(const struct elf *elf, bool bare, struct finding *finding)
{
    for (size_t i = 0; i < elf->header->e_shnum; i++)
        if (elf->sections[i].sh_type == SHT_SYMTAB || elf->sections[i].sh_type == SHT_DYNSYM)
            find_in_table(elf, &elf->sections[i], bare, finding);
}

size_t symbols_find_allocator(struct symbols_file file, struct symbols_function out[SYMBOLS_MOST_FUNCTIONS])
{
    struct elf elf;
    struct finding finding = {.functions = out};

    if (!read_headers(file, &elf))
        return 0;
    find_in_tables(&elf, false, &finding);
    if (finding.is_jemalloc)
        find_in_tables(&elf, true, &finding);
    return finding.count;
}
