#include "elf_builder.h"

void builder_number(const struct elf_builder *builder, struct text *out, uint64_t value, int width)
{
    for (int i = 0; i < width; i++)
        text_add_byte(out, (char)(value >> 8 * (builder->big_endian ? width - 1 - i : i)));
}

static void builder_address(const struct elf_builder *builder, struct text *out, uint64_t value)
{
    builder_number(builder, out, value, builder->is_64 ? 8 : 4);
}

struct elf_builder builder_new(bool is_64, bool big_endian, uint16_t machine, uint16_t type)
{
    struct elf_builder builder = {
        .is_64 = is_64, .big_endian = big_endian, .machine = machine, .type = type, .count = 1};

    builder.sections[0].name = "";
    text_add_byte(&builder.strings, '\0');
    return builder;
}

void builder_done(struct elf_builder *builder)
{
    text_done(&builder->symbols);
    text_done(&builder->strings);
    text_done(&builder->file);
}

uint32_t builder_section(struct elf_builder *builder, struct built_section section)
{
    builder->sections[builder->count] = section;
    return builder->count++;
}

uint32_t builder_code(struct elf_builder *builder, const char *name, uint64_t svma, struct slice bytes)
{
    return builder_section(builder, (struct built_section){.name = name,
                                                           .type = SHT_PROGBITS,
                                                           .flags = SHF_ALLOC | SHF_EXECINSTR,
                                                           .svma = svma,
                                                           .data = bytes,
                                                           .alignment = 16});
}

void builder_symbol(struct elf_builder *builder, const char *name, unsigned info, uint32_t section,
                    uint64_t svma, uint64_t size)
{
    struct text *out = &builder->symbols;

    if (out->length == 0)
        text_add_repeated(out, '\0', builder->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
    builder_number(builder, out, name[0] ? builder->strings.length : 0, 4);
    if (!builder->is_64) {
        builder_number(builder, out, svma, 4);
        builder_number(builder, out, size, 4);
    }
    text_add_byte(out, (char)info);
    text_add_byte(out, (char)(info >> 8));
    builder_number(builder, out, section, 2);
    if (builder->is_64) {
        builder_number(builder, out, svma, 8);
        builder_number(builder, out, size, 8);
    }
    text_add_string(&builder->strings, name);
    text_add_byte(&builder->strings, '\0');
}

uint32_t builder_symtab(struct elf_builder *builder)
{
    uint32_t strings = builder_section(
        builder,
        (struct built_section){.name = ".strtab", .type = SHT_STRTAB, .data = text_slice(&builder->strings)});

    return builder_section(
        builder,
        (struct built_section){.name = ".symtab",
                               .type = SHT_SYMTAB,
                               .data = text_slice(&builder->symbols),
                               .link = strings,
                               .entry_bytes = builder->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)});
}

static void builder_header(struct elf_builder *builder, uint64_t table_offset)
{
    struct text *out = &builder->file;

    text_add(out, SLICE(ELFMAG));
    text_add_byte(out, builder->is_64 ? ELFCLASS64 : ELFCLASS32);
    text_add_byte(out, builder->big_endian ? ELFDATA2MSB : ELFDATA2LSB);
    text_add_byte(out, EV_CURRENT);
    text_add_repeated(out, '\0', EI_NIDENT - out->length);
    builder_number(builder, out, builder->type, 2);
    builder_number(builder, out, builder->machine, 2);
    builder_number(builder, out, EV_CURRENT, 4);
    builder_address(builder, out, 0);
    builder_address(builder, out, 0);
    builder_address(builder, out, table_offset);
    builder_number(builder, out, 0, 4);
    builder_number(builder, out, builder->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 2);
    builder_number(builder, out, builder->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
    builder_number(builder, out, 0, 2);
    builder_number(builder, out, builder->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
    builder_number(builder, out, builder->count, 2);
    builder_number(builder, out, builder->count - 1, 2);
}

static void builder_section_header(struct elf_builder *builder, const struct built_section *section,
                                   uint32_t name_offset, uint64_t offset)
{
    struct text *out = &builder->file;

    builder_number(builder, out, name_offset, 4);
    builder_number(builder, out, section->type, 4);
    builder_address(builder, out, section->flags);
    builder_address(builder, out, section->svma);
    builder_address(builder, out, section->offset_lie ? section->offset_lie : offset);
    builder_address(builder, out, section->size_lie ? section->size_lie : section->data.length);
    builder_number(builder, out, section->link, 4);
    builder_number(builder, out, section->info, 4);
    builder_address(builder, out, section->alignment);
    builder_address(builder, out, section->entry_bytes);
}

struct slice builder_finish(struct elf_builder *builder)
{
    SCOPED(text_done) struct text names = {0};
    uint32_t name_offsets[BUILDER_SECTIONS];
    uint64_t offset = builder->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    uint64_t table_offset = 0;

    builder_section(builder, (struct built_section){.name = ".shstrtab", .type = SHT_STRTAB});
    for (uint32_t i = 0; i < builder->count; i++) {
        name_offsets[i] = (uint32_t)names.length;
        text_add_string(&names, builder->sections[i].name);
        text_add_byte(&names, '\0');
    }
    builder->sections[builder->count - 1].data = text_slice(&names);
    table_offset = offset;
    for (uint32_t i = 0; i < builder->count; i++)
        table_offset += builder->sections[i].data.length;
    builder_header(builder, table_offset);
    for (uint32_t i = 0; i < builder->count; i++)
        text_add(&builder->file, builder->sections[i].data);
    for (uint32_t i = 0; i < builder->count; i++) {
        builder_section_header(builder, &builder->sections[i], name_offsets[i], offset);
        offset += builder->sections[i].data.length;
    }
    return text_slice(&builder->file);
}
