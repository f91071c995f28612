#include "process/return_rule.h"

#include <elf.h>

#include "code/frame_shapes.h"
#include "process/call_sites.h"

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

bool return_rule_of_module(const struct module *module, uint64_t svma, struct cfi_row *out)
{
    enum { BYTES_BEFORE = 4096 };
    const struct section *section = module->image ? sections_code_at(&module->image->sections, svma) : NULL;
    struct x86_64_reader reader;
    struct error unread = {0};
    char bytes[RETURN_PATH_MOST_BYTES];
    uint64_t start = 0;
    uint64_t length = 0;
    bool is_found = false;

    if (!section || section_is_of_stubs(section) || module->image->machine != EM_X86_64)
        return false;
    start = svma - section->svma > BYTES_BEFORE ? svma - BYTES_BEFORE : section->svma;
    length = section->svma + section->file_bytes - start;
    length = length < sizeof(bytes) ? length : sizeof(bytes);
    if (!module_read_code(module, start, length, bytes) || x86_64_load(&reader, &unread) < 0)
        return false;
    is_found = return_rule_find(&reader, &(struct code_bytes){{bytes, length}, start}, svma, out);
    x86_64_close(&reader);
    return is_found;
}
