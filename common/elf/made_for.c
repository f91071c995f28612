#include "elf/made_for.h"

#include "elf/constants.h"
#include "elf/notes.h"
#include "elf/program.h"

/* --- Machines -------------------------------------------------------------------------- */

/* As rustc's targets are called. */
static const struct {
    struct slice name;
    uint16_t machine; /* EM_*; EM_NONE: nothing that ELF has */
    uint8_t address_bytes;
    bool big_endian;
} machines[] = {
    {SLICE("x86_64"), EM_X86_64, 8, false},
    {SLICE("x32"), EM_X86_64, 4, false},
    {SLICE("x86"), EM_386, 4, false},
    {SLICE("aarch64"), EM_AARCH64, 8, false},
    {SLICE("aarch64_be"), EM_AARCH64, 8, true},
    {SLICE("aarch64_32"), EM_AARCH64, 4, false},
    {SLICE("arm"), EM_ARM, 4, false},
    {SLICE("armeb"), EM_ARM, 4, true},
    {SLICE("riscv64"), EM_RISCV, 8, false},
    {SLICE("riscv32"), EM_RISCV, 4, false},
    {SLICE("powerpc64"), EM_PPC64, 8, true},
    {SLICE("powerpc64le"), EM_PPC64, 8, false},
    {SLICE("powerpc"), EM_PPC, 4, true},
    {SLICE("s390x"), EM_S390, 8, true},
    {SLICE("loongarch64"), EM_LOONGARCH, 8, false},
    {SLICE("loongarch32"), EM_LOONGARCH, 4, false},
    {SLICE("mips64"), EM_MIPS, 8, true},
    {SLICE("mips64el"), EM_MIPS, 8, false},
    {SLICE("mips"), EM_MIPS, 4, true},
    {SLICE("mipsel"), EM_MIPS, 4, false},
    {SLICE("sparc64"), EM_SPARCV9, 8, true},
    {SLICE("sparc"), EM_SPARC, 4, true},
    {SLICE("m68k"), EM_68K, 4, true},
    {SLICE("csky"), EM_CSKY, 4, false},
    {SLICE("hexagon"), EM_QDSP6, 4, false},
    {SLICE("wasm32"), EM_NONE, 4, false},
    {SLICE("wasm64"), EM_NONE, 8, false},
};

/* How triples begin, where that is not how the machine is called. */
static const struct {
    struct slice start;
    struct slice name;
} other_names[] = {
    {SLICE("i386"), SLICE("x86")},
    {SLICE("i486"), SLICE("x86")},
    {SLICE("i586"), SLICE("x86")},
    {SLICE("i686"), SLICE("x86")},
    {SLICE("amd64"), SLICE("x86_64")},
    {SLICE("arm64"), SLICE("aarch64")},
    {SLICE("arm64_32"), SLICE("aarch64_32")},
    {SLICE("thumb"), SLICE("arm")},
    {SLICE("thumbeb"), SLICE("armeb")},
    {SLICE("ppc"), SLICE("powerpc")},
    {SLICE("ppc64"), SLICE("powerpc64")},
    {SLICE("ppc64le"), SLICE("powerpc64le")},
    {SLICE("mipsisa32r6el"), SLICE("mipsel")},
    {SLICE("mipsisa64r6"), SLICE("mips64")},
    {SLICE("mipsisa64r6el"), SLICE("mips64el")},
    {SLICE("sparcv9"), SLICE("sparc64")},
};

static struct slice machine_of_image(struct arena *arena, const struct image *image)
{
    for (size_t i = 0; i < ARRAY_COUNT(machines); i++)
        if (machines[i].machine == image->machine && machines[i].address_bytes == image->address_bytes &&
            machines[i].big_endian == image->big_endian)
            return machines[i].name;
    return slice_of(arena_format(arena, "the machine %u of %u bits%s", image->machine,
                                 image->address_bytes * 8, image->big_endian ? " (big-endian)" : ""));
}

/* By the longest start that is known: "armeb" of "armebv7r". Empty: none is. */
static struct slice machine_of_triple(struct slice triple)
{
    struct slice found = {0};
    size_t length = 0;

    for (size_t i = 0; i < ARRAY_COUNT(machines); i++)
        if (machines[i].name.length > length && slice_starts_with(triple, machines[i].name)) {
            found = machines[i].name;
            length = found.length;
        }
    for (size_t i = 0; i < ARRAY_COUNT(other_names); i++)
        if (other_names[i].start.length > length && slice_starts_with(triple, other_names[i].start)) {
            found = other_names[i].name;
            length = other_names[i].start.length;
        }
    return found;
}

/* --- What ELF files tell of their C library -------------------------------------------- */

#define GLIBC SLICE("glibc")
#define MUSL SLICE("musl")
#define BIONIC SLICE("bionic")

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

    return slice_has(names, (struct slice){name, sizeof(name)});
}

/* Of a library by the name that it is loaded by; empty: that is no C library, or none that is known. */
static struct slice library_called(struct slice name)
{
    if (slice_starts_with(name, SLICE("libc.so.6")) || slice_starts_with(name, SLICE("ld-linux")))
        return GLIBC;
    /* Itself musl has no other name than "libc.so"; distributions give it one. */
    if (slice_is(name, "libc.so") || slice_starts_with(name, SLICE("libc.musl-")))
        return MUSL;
    return (struct slice){0};
}

/* The first C library among what it needs (ELF gABI, chapter 5 "Dynamic Section"). */
static struct slice needed_library(struct image *image)
{
    const struct section *section = sections_find_type(&image->sections, SHT_DYNAMIC);
    struct slice content = read_section(image, section);
    struct bytes cursor = image_cursor(image, content);
    struct slice names = {0};
    struct slice found = {0};

    if (content.length == 0 || section->link >= image->sections.count)
        return found;
    names = read_section(image, &image->sections.items[section->link]);
    while (found.length == 0 && bytes_left(&cursor) > 0) {
        uint64_t tag = image_read_address(image, &cursor);
        uint64_t value = image_read_address(image, &cursor);

        if (cursor.failed || tag == DT_NULL)
            break;
        if (tag == DT_NEEDED && value < names.length) {
            struct slice name = slice_range(names, (size_t)value, names.length);

            found = library_called(slice_range(name, 0, slice_find_byte(name, '\0')));
        }
    }
    return found;
}

static struct slice library_of_program(struct image *image)
{
    struct slice loader = loader_name(image);

    if (slice_starts_with(loader, SLICE("ld-musl-")))
        return MUSL;
    if (has_abi_note(image))
        return GLIBC;
    if (loader.length > 0)
        return needed_library(image);
    return has_start_of_musl(image) ? MUSL : (struct slice){0};
}

void made_for_read(struct arena *arena, struct image *image, struct made_for *out)
{
    *out = (struct made_for){.machine = machine_of_image(arena, image)};
    /* Its libc.so is one of Android's own. */
    if (sections_find(&image->sections, SLICE(".note.android.ident")))
        out->c_library = BIONIC;
    else if (image_is_program(image))
        out->c_library = library_of_program(image);
    else if (image->type == ET_DYN)
        out->c_library = needed_library(image);
}

/* --- Triples --------------------------------------------------------------------------- */

static struct slice library_of_triple(struct slice triple)
{
    if (slice_has(triple, SLICE("-musl")))
        return MUSL;
    if (slice_has(triple, SLICE("-android")))
        return BIONIC;
    return slice_has(triple, SLICE("-gnu")) ? GLIBC : (struct slice){0};
}

bool made_for_read_triple(struct slice triple, struct made_for *out)
{
    static const struct {
        const char *part;
        struct slice name;
    } systems[] = {
        {"-linux", SLICE("Linux")},   {"-windows", SLICE("Windows")}, {"-darwin", SLICE("macOS")},
        {"-macos", SLICE("macOS")},   {"-ios", SLICE("iOS")},         {"-freebsd", SLICE("FreeBSD")},
        {"-netbsd", SLICE("NetBSD")}, {"-openbsd", SLICE("OpenBSD")}, {"-wasi", SLICE("WASI")},
    };
    struct made_for read = {.machine = machine_of_triple(triple)};

    if (read.machine.length == 0)
        return false;
    if (slice_has(triple, SLICE("x32")) && slice_is(read.machine, "x86_64"))
        read.machine = SLICE("x32");
    for (size_t i = 0; i < ARRAY_COUNT(systems) && read.system.length == 0; i++)
        if (slice_has(triple, slice_of(systems[i].part)))
            read.system = systems[i].name;
    if (slice_is(read.system, "Linux"))
        read.c_library = library_of_triple(triple);
    *out = read;
    return true;
}

/* --- Two of them ----------------------------------------------------------------------- */

static bool are_unlike(struct slice one, struct slice other)
{
    return one.length > 0 && other.length > 0 && !slice_equal(one, other);
}

bool made_for_differ(const struct made_for *one, const struct made_for *other)
{
    return are_unlike(one->machine, other->machine) || are_unlike(one->c_library, other->c_library) ||
           are_unlike(one->system, other->system);
}

void made_for_add(struct text *text, const struct made_for *made_for)
{
    text_add(text, made_for->machine);
    if (made_for->c_library.length > 0)
        text_format(text, " with %.*s", SLICE_ARGUMENTS(made_for->c_library));
    else if (made_for->system.length > 0)
        text_format(text, " for %.*s", SLICE_ARGUMENTS(made_for->system));
}
