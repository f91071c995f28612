#include "preload/linked/program.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/system.h"

/* The file, and where it is in memory. */
struct program {
    const uint8_t *bytes;
    size_t size;
    uintptr_t bias; /* of its addresses in memory */
    const ElfW(Ehdr) * header;
    const ElfW(Phdr) * segments;
    const ElfW(Shdr) * sections;
};

struct finding {
    struct linked_function *functions;
    size_t count;
    bool is_jemalloc;
};

/* --- The file ------------------------------------------------------------------------------------------ */

static bool map_file(const char *path, struct program *program)
{
    long descriptor = SYSTEM_CALL(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC);
    long size = 0;
    long mapped = 0;

    if (is_failure(descriptor))
        return false;
    size = SYSTEM_CALL(SYS_lseek, descriptor, 0, SEEK_END);
    mapped = size > 0 ? SYSTEM_CALL(SYS_mmap, 0, size, PROT_READ, MAP_PRIVATE, descriptor) : -1;
    SYSTEM_CALL(SYS_close, descriptor);
    if (is_failure(mapped))
        return false;
    program->bytes = pointer_to((uintptr_t)mapped);
    program->size = (size_t)size;
    return true;
}

/* NULL where they are not in the file. */
static const void *part_of(const struct program *program, uint64_t offset, uint64_t count, size_t each)
{
    if (offset > program->size || (program->size - offset) / each < count || offset % sizeof(uint64_t) != 0)
        return NULL;
    return program->bytes + offset;
}

static bool read_headers(struct program *program)
{
    const ElfW(Ehdr) *header = part_of(program, 0, 1, sizeof(*header));

    program->header = header;
    if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phentsize != sizeof(ElfW(Phdr)) ||
        header->e_shentsize != sizeof(ElfW(Shdr)))
        return false;
    program->segments = part_of(program, header->e_phoff, header->e_phnum, sizeof(ElfW(Phdr)));
    program->sections = part_of(program, header->e_shoff, header->e_shnum, sizeof(ElfW(Shdr)));
    return program->segments && program->sections;
}

/* --- Where it is --------------------------------------------------------------------------------------- */

/* Where its program headers are in memory (getauxval(3), AT_PHDR); 0: not known. */
static uintptr_t headers_in_memory(void)
{
    enum { MOST_ENTRIES = 64 };
    ElfW(auxv_t) entries[MOST_ENTRIES] = {0};
    long descriptor = SYSTEM_CALL(SYS_openat, AT_FDCWD, (long)"/proc/self/auxv", O_RDONLY | O_CLOEXEC);

    if (is_failure(descriptor))
        return 0;
    (void)SYSTEM_CALL(SYS_read, descriptor, (long)entries, sizeof(entries) - sizeof(entries[0]));
    SYSTEM_CALL(SYS_close, descriptor);
    for (size_t i = 0; entries[i].a_type != AT_NULL; i++)
        if (entries[i].a_type == AT_PHDR)
            return entries[i].a_un.a_val;
    return 0;
}

static bool find_bias(struct program *program)
{
    uintptr_t headers = headers_in_memory();

    for (size_t i = 0; headers && i < program->header->e_phnum; i++) {
        const ElfW(Phdr) *segment = &program->segments[i];

        if (segment->p_type != PT_LOAD || program->header->e_phoff < segment->p_offset ||
            program->header->e_phoff - segment->p_offset >= segment->p_filesz)
            continue;
        program->bias = headers - (segment->p_vaddr + (program->header->e_phoff - segment->p_offset));
        return true;
    }
    return false;
}

static const uint8_t *code_in_file(const struct program *program, const ElfW(Sym) * symbol)
{
    for (size_t i = 0; i < program->header->e_phnum; i++) {
        const ElfW(Phdr) *segment = &program->segments[i];
        uint64_t offset = symbol->st_value - segment->p_vaddr;

        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || symbol->st_value < segment->p_vaddr ||
            offset > segment->p_filesz || segment->p_filesz - offset < symbol->st_size ||
            segment->p_offset > program->size || program->size - segment->p_offset < segment->p_filesz)
            continue;
        return program->bytes + segment->p_offset + offset;
    }
    return NULL;
}

static bool is_same(const uint8_t *left, const uint8_t *right, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return false;
    return true;
}

/* --- Its symbols --------------------------------------------------------------------------------------- */

static bool is_found(const struct finding *finding, const uint8_t *code)
{
    for (size_t i = 0; i < finding->count; i++)
        if (finding->functions[i].code == code)
            return true;
    return false;
}

static void add(struct finding *finding, const struct program *program, const struct linked_name *name,
                const ElfW(Sym) * symbol)
{
    const uint8_t *in_file = code_in_file(program, symbol);
    uint8_t *code = pointer_to(program->bias + symbol->st_value);

    if (!in_file || finding->count == PROGRAM_MOST_FUNCTIONS || is_found(finding, code) ||
        !is_same(in_file, code, symbol->st_size))
        return;
    finding->functions[finding->count++] = (struct linked_function){name, code, symbol->st_size};
}

/* Names of Rust and C++ begin with `_R` and `_Z`, and are most. */
static bool may_be_of_allocator(const char *name)
{
    return name[0] != '_' || name[1] == 'r';
}

/* `bare`: those of the C library's names, which come last, as others tell whose they are. */
static void find_in_table(const struct program *program, const ElfW(Shdr) * table, bool bare,
                          struct finding *finding)
{
    const ElfW(Sym) *symbols =
        part_of(program, table->sh_offset, table->sh_size / sizeof(ElfW(Sym)), sizeof(ElfW(Sym)));
    const ElfW(Shdr) *strings =
        table->sh_link < program->header->e_shnum ? &program->sections[table->sh_link] : NULL;

    if (!symbols || !strings || strings->sh_size == 0 || strings->sh_offset > program->size ||
        program->size - strings->sh_offset < strings->sh_size ||
        program->bytes[strings->sh_offset + strings->sh_size - 1] != 0)
        return;
    for (size_t i = 0; i < table->sh_size / sizeof(ElfW(Sym)); i++) {
        const ElfW(Sym) *symbol = &symbols[i];
        const char *text = (const char *)program->bytes + strings->sh_offset + symbol->st_name;
        const struct linked_name *name = NULL;
        bool is_bare = false;

        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
            symbol->st_size == 0 || symbol->st_name >= strings->sh_size || !may_be_of_allocator(text))
            continue;
        name = linked_name_find(text, &is_bare);
        finding->is_jemalloc |= linked_name_is_of_jemalloc(text);
        if (name && is_bare == bare)
            add(finding, program, name, symbol);
    }
}

static void find_in_tables(const struct program *program, bool bare, struct finding *finding)
{
    for (size_t i = 0; i < program->header->e_shnum; i++)
        if (program->sections[i].sh_type == SHT_SYMTAB || program->sections[i].sh_type == SHT_DYNSYM)
            find_in_table(program, &program->sections[i], bare, finding);
}

size_t program_find_allocator(struct linked_function out[PROGRAM_MOST_FUNCTIONS])
{
    struct program program = {0};
    struct finding finding = {.functions = out};

    if (!map_file("/proc/self/exe", &program))
        return 0;
    if (read_headers(&program) && find_bias(&program)) {
        find_in_tables(&program, false, &finding);
        if (finding.is_jemalloc)
            find_in_tables(&program, true, &finding);
    }
    SYSTEM_CALL(SYS_munmap, (long)program.bytes, (long)program.size);
    return finding.count;
}
