/*
 * The symbol table that some distributions leave in stripped files, as Fedora does: .gnu_debugdata, an ELF
 * file packed with xz, has the functions that .dynsym lacks (GDB manual, "MiniDebugInfo").
 */
#ifndef ELF_MINI_DEBUG_H
#define ELF_MINI_DEBUG_H

#include "base/text.h"
#include "elf/image.h"

/* The file inside. */
struct mini_debug {
    struct image image;
    struct text content; /* its bytes */
};

/*
 * Unpacks and opens it. Returns 0 with `out` owned by the caller, or NULL where `image` has none; -1 with
 * ERROR_FORMAT when it is damaged or larger than symbols are, ERROR_MISSING when xz's library is not
 * installed, ERROR_IO when the file cannot be read. Every message names the file.
 */
MUST_CHECK int mini_debug_open(struct image *image, struct mini_debug **out, struct error *err);

/* NULL is nothing to close. */
void mini_debug_close(struct mini_debug *mini);

#endif
