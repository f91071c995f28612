/* Notes, as files have them in sections and the kernel in /sys/kernel/notes (gABI "Note Section"; elf(5)). */
#ifndef ELF_NOTES_H
#define ELF_NOTES_H

#include "base/bytes.h"

/*
 * What the first note of GNU's of that type (NT_GNU_* in <elf.h>) holds, raw bytes borrowed from the notes;
 * empty when there is none. They are aligned to 8 bytes where `alignment` says so, to 4 else.
 */
struct slice notes_find(struct bytes notes, uint64_t alignment, uint32_t type);

/* The build id among them (NT_GNU_BUILD_ID), likewise. */
struct slice notes_build_id(struct bytes notes, uint64_t alignment);

#endif
