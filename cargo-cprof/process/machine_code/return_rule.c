#include "process/machine_code/return_rule.h"

#include <elf.h>

#include "code/frame_shapes.h"
#include "process/machine_code/call_sites.h"

/* Behind the call that ends at the address: the walk is in a caller. */
static uint64_t next_instruction(const struct code_bytes *code, uint64_t svma)
{
    enum { LONGEST_CALL = 7 };
    size_t end = svma + 1 - code->svma;
    struct slice before = slice_range(code->bytes, end > LONGEST_CALL ? end - LONGEST_CALL : 0, end);

    return call_sites_end_of_made(before) ? svma + 1 : svma;
}

static struct cfi_row row_of(const struct return_path *path)
{
    static const uint8_t frame_rules[] = {
        [CALLER_HAS_SAME] = CFI_SAME, [CALLER_STORED] = CFI_AT_CFA, [CALLER_LOST] = CFI_UNDEFINED};
    enum { RETURN_ADDRESS_BYTES = 8 };

    return (struct cfi_row){.cfa_rule = CFI_CFA_REGISTER,
                            .cfa_register = path->cfa_register,
                            .cfa_offset = path->cfa_offset,
                            .return_rule = CFI_AT_CFA,
                            .return_offset = -RETURN_ADDRESS_BYTES,
                            .frame_rule = frame_rules[path->frame.kind],
                            .frame_offset = path->frame.offset,
                            .base_rule = CFI_UNDEFINED};
}

bool return_rule_find(struct x86_64_reader *reader, const struct code_bytes *code, uint64_t svma,
                      struct cfi_row *out)
{
    struct return_path path;

    if (svma - code->svma >= code->bytes.length ||
        !return_path_find(reader, code, next_instruction(code, svma), &path))
        return false;
    *out = row_of(&path);
    return true;
}

/* The section that is read there; NULL: there is none. */
static const struct section *section_of(const struct module *module, uint64_t svma)
{
    const struct section *section = module->image && module->image->machine == EM_X86_64
                                        ? sections_code_at(&module->image->sections, svma)
                                        : NULL;

    return section && !section_is_of_stubs(section) ? section : NULL;
}

/* The section's code from `start` on, an address of it. False where it cannot be read. */
static bool read_code(const struct module *module, const struct section *section, uint64_t start,
                      uint64_t most_bytes, char *bytes, struct code_bytes *out)
{
    uint64_t left = section->svma + section->file_bytes - start;
    uint64_t length = left < most_bytes ? left : most_bytes;

    *out = (struct code_bytes){{bytes, length}, start};
    return module_read_code(module, start, length, bytes);
}

bool return_rule_of_module(const struct module *module, uint64_t svma, struct cfi_row *out)
{
    enum { BYTES_BEFORE = 4096 };
    const struct section *section = section_of(module, svma);
    uint64_t before = section && svma - section->svma < BYTES_BEFORE ? svma - section->svma : BYTES_BEFORE;
    char bytes[RETURN_PATH_MOST_BYTES];
    struct x86_64_reader reader;
    struct code_bytes code;
    struct error unread = {0};

    return section && read_code(module, section, svma - before, sizeof(bytes), bytes, &code) &&
           x86_64_load(&reader, &unread) == 0 && return_rule_find(&reader, &code, svma, out);
}

/* Whether the code has so many. */
static bool has_entries(struct slice code, size_t wanted)
{
    const struct slice entry = SLICE("\x55\x48\x89\xe5"); /* push %rbp; mov %rsp, %rbp */
    size_t count = 0;

    for (size_t at = 0; count < wanted && at < code.length; at++) {
        at += slice_find_byte(slice_range(code, at, code.length), entry.data[0]);
        count += slice_starts_with(slice_range(code, at, code.length), entry);
    }
    return count >= wanted;
}

static bool area_keeps_frame(const struct module *module, const struct section *section, uint64_t start)
{
    enum { LEAST = 2, BYTES_A_FUNCTION = 1024 };
    char bytes[MODULE_AREA_BYTES];
    struct code_bytes code;
    size_t wanted = 0;

    if (!read_code(module, section, start, sizeof(bytes), bytes, &code))
        return false;
    wanted = code.bytes.length / BYTES_A_FUNCTION;
    return has_entries(code.bytes, wanted > LEAST ? wanted : LEAST);
}

bool return_rule_keeps_frame(const struct module *module, uint64_t svma)
{
    enum { UNKNOWN, KEEPS, KEEPS_NOT };
    const struct section *section = section_of(module, svma);
    uint64_t into = section ? svma - section->svma : 0;
    uint64_t into_area = 0;
    uint8_t *area = NULL;

    if (!section || into >= section->file_bytes)
        return false;
    into_area = (section->file_offset + into) % MODULE_AREA_BYTES;
    area = &module->frame_areas[(section->file_offset + into) / MODULE_AREA_BYTES];
    if (*area == UNKNOWN)
        *area = area_keeps_frame(module, section, svma - (into_area < into ? into_area : into)) ? KEEPS
                                                                                                : KEEPS_NOT;
    return *area == KEEPS;
}
