/* Makes small ELF files for tests: 32 and 64 bit, both byte orders, and damaged in any place. */
#ifndef TESTS_ELF_BUILDER_H
#define TESTS_ELF_BUILDER_H

#include <elf.h>
#include <string.h>

#include "base/slice.h"
#include "base/text.h"

enum { BUILDER_SECTIONS = 32 };

struct built_section {
    const char *name;
    uint32_t type;
    uint64_t flags;
    uint64_t svma;
    struct slice data; /* borrowed until builder_finish */
    uint32_t link;
    uint32_t info;
    uint64_t alignment;
    uint64_t entry_bytes;
    uint64_t size_lie;   /* when not 0: what the header says instead of the size */
    uint64_t offset_lie; /* when not 0: what the header says instead of the offset */
};

struct elf_builder {
    bool is_64;
    bool big_endian;
    uint16_t machine;
    uint16_t type;
    struct built_section sections[BUILDER_SECTIONS];
    uint32_t count;
    struct text symbols; /* of .symtab; builder_symbol adds to it */
    struct text strings; /* of .strtab */
    struct text file;
};

/* Appends a number in the byte order of the file. */
void builder_number(const struct elf_builder *builder, struct text *out, uint64_t value, int width);

struct elf_builder builder_new(bool is_64, bool big_endian, uint16_t machine, uint16_t type);

/* st_info of the usual kinds of symbols, and st_other in the 8 bits above. */
#define FUNCTION_LOCAL ELF64_ST_INFO(STB_LOCAL, STT_FUNC)
#define FUNCTION_GLOBAL ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)
#define LABEL_GLOBAL ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)
#define LABEL_HIDDEN (STV_HIDDEN << 8 | ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE))
#define UNIT_NAME ELF64_ST_INFO(STB_LOCAL, STT_FILE)

void builder_done(struct elf_builder *builder);

uint32_t builder_section(struct elf_builder *builder, struct built_section section);

uint32_t builder_code(struct elf_builder *builder, const char *name, uint64_t svma, struct slice bytes);

void builder_symbol(struct elf_builder *builder, const char *name, unsigned info, uint32_t section,
                    uint64_t svma, uint64_t size);

/* Adds .symtab and .strtab of the symbols so far. Returns the index of .symtab. */
uint32_t builder_symtab(struct elf_builder *builder);

/* The whole file; the last section, .shstrtab, is added here. Valid until builder_done. */
struct slice builder_finish(struct elf_builder *builder);

#endif
