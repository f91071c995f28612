/* Any bytes as an ELF file whose call frame information is asked for an address at a time. */
#include <stdint.h>

#include "dwarf/cfi_lookup.h"
#include "elf/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(struct image *image, struct cfi_lookup *lookup)
{
    enum { MOST_SECTIONS = 16, MOST_ADDRESSES = 64 };
    uint32_t return_register = 0;

    for (size_t i = 0; i < image->sections.count && i < MOST_SECTIONS; i++)
        for (uint64_t at = 0; at < MOST_ADDRESSES; at++)
            (void)cfi_lookup_find(lookup, image->sections.items[i].svma + at, &return_register);
    (void)cfi_lookup_find(lookup, UINT64_MAX, &return_register);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image;
    struct cfi_lookup *lookup = NULL;
    struct error err = {0};

    if (image_open_bytes((struct slice){(const char *)data, size}, "input", &image, &err) < 0)
        return 0;
    if (cfi_lookup_open(&image, &lookup, &err) == 0) {
        ask(&image, lookup);
        cfi_lookup_close(lookup);
    }
    image_close(&image);
    return 0;
}
