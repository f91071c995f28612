/* Any bytes as a package of split debug information: its index, and the units that it leads to. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "dwarf/functions.h"
#include "dwarf/package.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says which promise was broken, then crashes. */
#define require(holds) ((holds) ? (void)0 : (fprintf(stderr, "broken: %s\n", #holds), abort()))

static void read_units(struct debug_sections *sections)
{
    struct units units;

    units_read(sections, &units);
    for (uint32_t i = 0; i < units.items.count; i++) {
        struct functions functions = {0};

        functions_read(&units, i, NULL, &functions);
        functions_done(&functions);
    }
    units_close(&units);
}

/* Each place of the index is taken for a unit's id: those that are some are among them. */
static void find_units(const struct package *package)
{
    struct bytes ids = bytes_of(package->index, package->image.big_endian);
    struct debug_sections sections;

    while (bytes_left(&ids) >= sizeof(uint64_t))
        if (package_find(package, bytes_u64(&ids), &sections))
            read_units(&sections);
}

static void read_package(const char *path, enum debug_extent extent)
{
    struct package package;
    struct error err = {0};

    if (package_open(path, extent, &package, &err) < 0)
        return;
    find_units(&package);
    package_close(&package);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int descriptor = memfd_create("input", MFD_CLOEXEC);
    char path[32];

    require(descriptor >= 0 && file_write(descriptor, (struct slice){(const char *)data, size}) == 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
    read_package(path, DEBUG_WHOLE);
    read_package(path, DEBUG_PARTS);
    close(descriptor);
    return 0;
}
