/* The objects among an archive's members, beside which stand LLVM's bitcode, metadata of crates and texts. */
#ifndef ELF_ARCHIVE_OBJECT_H
#define ELF_ARCHIVE_OBJECT_H

#include "elf/archive.h"
#include "elf/image.h"

/*
 * Opens a member, whose data `arena` gets, as an image. `*is_object` is false, and `out` untouched, for one
 * that is no ELF file by how it begins, which is no failure. Returns 0, or -1: ERROR_IO, or as of
 * image_open_bytes with the member's name for an ELF file that is damaged.
 */
MUST_CHECK int archive_open_object(const struct archive *archive, const struct archive_member *member,
                                   struct arena *arena, struct image *out, bool *is_object,
                                   struct error *err);

#endif
