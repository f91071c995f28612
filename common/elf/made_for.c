#include "elf/made_for.h"

#include <elf.h>

#include "elf/notes.h"
#include "elf/program.h"

/* Empty when there is none or it cannot be read, which tells nothing. */
static struct slice read_section(struct image *image, const struct section *section)
{
    struct error unread = {0};
    struct slice content = {0};

    if (!section || image_read_section(image, section, &content, &unread) < 0)
        return (struct slice){0};
    return content;
}

/* "ld-musl-x86_64.so.1" of the path in .interp, which ends in a NUL. */
static struct slice loader_name(struct image *image)
{
    struct slice path = read_section(image, sections_find(&image->sections, SLICE(".interp")));

    return slice_file_name(slice_range(path, 0, slice_find_byte(path, '\0')));
}

/* crt1.o and its like have it, abi-note.c of glibc (LSB, "ABI note tag"). */
static bool has_abi_note(struct image *image)
{
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section->type == SHT_NOTE && section->flags & SHF_ALLOC &&
            notes_find(image_cursor(image, read_section(image, section)), section->alignment, NT_GNU_ABI_TAG)
                    .length > 0)
            return true;
    }
    return false;
}

/* Called by __libc_start_main, which nothing inlines it into; its name stands between two NULs. */
static bool has_start_of_musl(struct image *image)
{
    static const char name[] = "\0__init_libc";
    struct slice names = read_section(image, sections_find(&image->sections, SLICE(".strtab")));

    return slice_find(names, (struct slice){name, sizeof(name)}) < names.length;
}

static enum c_library library_of(struct image *image)
{
    struct slice loader = loader_name(image);

    if (slice_starts_with(loader, SLICE("ld-musl-")))
        return C_LIBRARY_MUSL;
    if (has_abi_note(image))
        return C_LIBRARY_GLIBC;
    return loader.length == 0 && has_start_of_musl(image) ? C_LIBRARY_MUSL : C_LIBRARY_UNTOLD;
}

void made_for_read(struct image *image, struct made_for *out)
{
    *out = (struct made_for){image->machine, image->address_bytes, image->big_endian, C_LIBRARY_UNTOLD};
    if (image_is_program(image))
        out->c_library = library_of(image);
}

bool made_for_differ(const struct made_for *one, const struct made_for *other)
{
    return one->machine != other->machine || one->address_bytes != other->address_bytes ||
           one->big_endian != other->big_endian ||
           (one->c_library && other->c_library && one->c_library != other->c_library);
}

static void add_machine(struct text *text, const struct made_for *made_for)
{
    /* As rustc's targets are called. */
    static const struct {
        uint16_t machine;
        unsigned address_bytes;
        const char *name;
    } machines[] = {
        {EM_X86_64, 8, "x86_64"},
        {EM_X86_64, 4, "x32"},
        {EM_386, 4, "x86"},
        {EM_AARCH64, 8, "aarch64"},
        {EM_ARM, 4, "arm"},
        {EM_RISCV, 8, "riscv64"},
        {EM_RISCV, 4, "riscv32"},
        {EM_PPC64, 8, "powerpc64"},
        {EM_PPC, 4, "powerpc"},
        {EM_S390, 8, "s390x"},
        {EM_LOONGARCH, 8, "loongarch64"},
    };

    for (size_t i = 0; i < ARRAY_COUNT(machines); i++)
        if (machines[i].machine == made_for->machine &&
            machines[i].address_bytes == made_for->address_bytes) {
            text_add_string(text, machines[i].name);
            return;
        }
    text_format(text, "the machine %u of %u bits", made_for->machine, made_for->address_bytes * 8);
}

void made_for_add(struct text *text, const struct made_for *made_for)
{
    static const char *const libraries[] = {
        [C_LIBRARY_UNTOLD] = "", [C_LIBRARY_GLIBC] = " with glibc", [C_LIBRARY_MUSL] = " with musl"};
    bool is_usually_big =
        made_for->machine == EM_PPC64 || made_for->machine == EM_PPC || made_for->machine == EM_S390;

    add_machine(text, made_for);
    if (made_for->big_endian != is_usually_big)
        text_add_string(text, made_for->big_endian ? " (big-endian)" : " (little-endian)");
    text_add_string(text, libraries[made_for->c_library]);
}
