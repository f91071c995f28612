/*
 * Which crate a program or shared library was linked for, told by the file alone: rustc gives the linker the
 * units of that crate first, then the one unit that it makes for the whole (the allocator's calls), then the
 * libraries (rustc_codegen_ssa, back/link.rs), and linkers keep STT_FILE symbols in that order.
 */
#ifndef SIZE_LINKED_FOR_H
#define SIZE_LINKED_FOR_H

#include "elf/symbols.h"
#include "size/crates.h"

/*
 * `of_unit` is by STT_FILE symbol, SIZE_NO_CRATE for what names no crate's unit; `merged` is the crate that
 * link-time optimisation made the one unit of, whose symbols are given none, or SIZE_NO_CRATE. SIZE_NO_CRATE
 * where more than C's startup files stands before, as in a program of C's with a library of Rust's, or where
 * several crates stand before the unit that is made for the whole, as after thin LTO, whose units are in the
 * order of their names, or none does, as GNU ld moves some; or where C stands beside what was merged.
 * `*is_beside_c`: there are objects of C's in the file, which may stand anywhere.
 */
uint32_t linked_for_find(const struct symbols *symbols, const uint32_t *of_unit, uint32_t merged,
                         const struct size_crates *crates, bool *is_beside_c);

#endif
