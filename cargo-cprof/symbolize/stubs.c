#include "symbolize/stubs.h"

#include <elf.h>

#include "base/bytes.h"
#include "base/error.h"
#include "code/aarch64_flow.h"
#include "code/aarch64_stub.h"

enum {
    STUB_BYTES = 16,
    SHORT_STUB_BYTES = 8, /* that is not bound late: a jump alone */
};

static const struct section *section_of(const struct image *image, uint64_t svma)
{
    const struct section *section = sections_code_at(&image->sections, svma);

    return section && section_is_of_stubs(section) ? section : NULL;
}

bool stubs_are_at(const struct image *image, uint64_t svma)
{
    return section_of(image, svma) != NULL;
}

/*
 * Finds the jump of a stub that begins at `svma`: behind ENDBR64, and with a prefix, where branches are
 * tracked (Intel SDM, "JMP": FF /4, here with a distance to what follows the instruction).
 */
static bool find_jump(struct slice stub, uint64_t svma, uint64_t *place_svma)
{
    static const struct slice marks[] = {SLICE("\xf3\x0f\x1e\xfa"), SLICE("\xf2")};
    struct bytes jump = bytes_of(stub, false);

    for (size_t i = 0; i < ARRAY_COUNT(marks); i++)
        if (slice_starts_with(slice_range(stub, jump.at, stub.length), marks[i]))
            bytes_skip(&jump, marks[i].length);
    if (bytes_u16(&jump) != 0x25ff)
        return false;
    *place_svma = (uint64_t)(int64_t)(int32_t)bytes_u32(&jump);
    *place_svma += svma + jump.at;
    return !jump.failed;
}

/* Linkers say it in the size of entries, or leave that 0 and align the section to it. */
static uint64_t stub_bytes_in(const struct section *section)
{
    uint64_t told = section->entry_bytes > 0 ? section->entry_bytes : section->alignment;

    return told == SHORT_STUB_BYTES ? SHORT_STUB_BYTES : STUB_BYTES;
}

static bool find_place(const struct image *image, const struct section *section, uint64_t svma,
                       uint64_t *place_svma)
{
    char bytes[STUB_BYTES];
    struct error unread = {0};
    uint64_t length = stub_bytes_in(section);
    uint64_t start = (svma - section->svma) / length * length;

    return length <= section->file_bytes - start &&
           image_read_at(image, section->file_offset + start, bytes, length, &unread) == 0 &&
           find_jump((struct slice){bytes, (size_t)length}, section->svma + start, place_svma);
}

/* Sections of AArch64 begin with an entry of another length, and nothing tells which. */
static bool find_aarch64_place(const struct image *image, const struct section *section, uint64_t svma,
                               uint64_t *place_svma)
{
    char bytes[2 * AARCH64_STUB_BYTES];
    struct error unread = {0};
    uint64_t offset = (svma - section->svma) & ~(uint64_t)(AARCH64_INSTRUCTION_BYTES - 1);
    uint64_t start = offset > AARCH64_STUB_BYTES ? offset - AARCH64_STUB_BYTES : 0;
    uint64_t length = section->file_bytes - start;
    struct code_bytes code = {{bytes, 0}, section->svma + start};

    code.bytes.length = length < sizeof(bytes) ? (size_t)length : sizeof(bytes);
    return image_read_at(image, section->file_offset + start, bytes, code.bytes.length, &unread) == 0 &&
           aarch64_stub_place(&code, svma, place_svma);
}

bool stubs_find_place(const struct image *image, uint64_t svma, uint64_t *place_svma)
{
    const struct section *section = section_of(image, svma);

    if (!section || svma - section->svma >= section->file_bytes)
        return false;
    switch (image->machine) {
    case EM_X86_64:
        return find_place(image, section, svma, place_svma);
    case EM_AARCH64:
        return find_aarch64_place(image, section, svma, place_svma);
    default:
        return false;
    }
}

const struct code_slot *stubs_find(struct stubs *stubs, struct image *image, uint64_t svma)
{
    uint64_t place_svma = 0;

    if (!stubs_find_place(image, svma, &place_svma))
        return NULL;
    if (!stubs->is_read)
        code_slots_read(image, CODE_SLOTS_NAMED, &stubs->slots);
    stubs->is_read = true;
    return code_slots_find(&stubs->slots, place_svma);
}

void stubs_done(struct stubs *stubs)
{
    code_slots_done(&stubs->slots);
    *stubs = (struct stubs){0};
}
