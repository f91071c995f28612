/* Tells programs from libraries. */
#ifndef ELF_PROGRAM_H
#define ELF_PROGRAM_H

#include <stdbool.h>

#include "elf/image.h"

/*
 * Whether the file is a program, statically linked or not. One that may stand anywhere in memory has the type
 * of a shared library, but a mark of the linker (DF_1_PIE), or of older linkers what loads it (.interp) and
 * no name to be linked by. A library that can be started as well, as glibc's libc.so.6, is no program.
 */
bool image_is_program(struct image *image);

#endif
