#include "elf/foreign.h"

#include <stdint.h>

#include "base/compiler.h"

struct foreign_format {
    struct slice magic;
    const char *description;
    const char *remedy;
};

#define REMEDY_LINUX "build for a Linux target, for example: --target x86_64-unknown-linux-gnu"
#define REMEDY_LINKED "name the program or shared library that it was linked into"

/* Longer magics stand before the shorter ones that start them. */
static const struct foreign_format foreign_formats[] = {
    {SLICE("MZ"), "a Windows program (PE)", REMEDY_LINUX},
    {SLICE("\xcf\xfa\xed\xfe"), "a macOS program (Mach-O)", REMEDY_LINUX},
    {SLICE("\xce\xfa\xed\xfe"), "a 32-bit macOS program (Mach-O)", REMEDY_LINUX},
    {SLICE("\xfe\xed\xfa\xcf"), "a big-endian macOS program (Mach-O)", REMEDY_LINUX},
    {SLICE("\xfe\xed\xfa\xce"), "a big-endian macOS program (Mach-O)", REMEDY_LINUX},
    {SLICE("\xca\xfe\xba\xbf"), "a macOS program for several processors (Mach-O)", REMEDY_LINUX},
    {SLICE("\0asm"), "WebAssembly", REMEDY_LINUX},
    {SLICE("!<arch>\n"), "an archive (an rlib or a static library)", REMEDY_LINKED},
    {SLICE("!<thin>\n"), "a thin archive, which holds no objects but their names",
     "name the objects, or the program that they were linked into"},
    {SLICE("BC\xc0\xde"), "LLVM bitcode", REMEDY_LINKED},
    {SLICE("\xde\xc0\x17\x0b"), "LLVM bitcode", REMEDY_LINKED},
    {SLICE("PK\x03\x04"), "a ZIP archive", "unpack it and name a file inside"},
    {SLICE("\x1f\x8b"), "compressed with gzip", "unpack it first"},
    {SLICE("\x28\xb5\x2f\xfd"), "compressed with zstd", "unpack it first"},
    {SLICE("\xfd"
           "7zXZ"),
     "compressed with xz", "unpack it first"},
    {SLICE("\217cprof\r\n"), "a profile of cargo cprof", "cargo cprof report shows it"},
    {SLICE("PERFILE2"), "a recording of perf", "cargo cprof report shows it"},
    {SLICE("#!"), "a script", NULL},
};

/* Fat Mach-O and Java classes share a magic; the next number is a count of processors or a version. */
static const struct foreign_format fat_macho = {
    SLICE("\xca\xfe\xba\xbe"), "a macOS program for several processors (Mach-O)", REMEDY_LINUX};
static const struct foreign_format java_class = {SLICE("\xca\xfe\xba\xbe"), "a Java class", NULL};

static const struct foreign_format *find_format(struct slice start)
{
    enum { MOST_PROCESSORS = 30 };

    if (slice_starts_with(start, fat_macho.magic))
        return start.length >= 8 && (uint8_t)start.data[7] <= MOST_PROCESSORS ? &fat_macho : &java_class;
    for (size_t i = 0; i < ARRAY_COUNT(foreign_formats); i++)
        if (slice_starts_with(start, foreign_formats[i].magic))
            return &foreign_formats[i];
    return NULL;
}

static bool is_text(struct slice start)
{
    for (size_t i = 0; i < start.length; i++) {
        uint8_t byte = (uint8_t)start.data[i];

        if (byte == 0x7f || (byte < ' ' && byte != '\n' && byte != '\r' && byte != '\t'))
            return false;
    }
    return true;
}

const char *foreign_describe(struct slice start)
{
    const struct foreign_format *format = find_format(start);

    if (start.length == 0)
        return "empty";
    if (format)
        return format->description;
    return is_text(start) ? "text" : "of an unknown format";
}

const char *foreign_remedy(struct slice start)
{
    const struct foreign_format *format = find_format(start);

    return format ? format->remedy : NULL;
}
