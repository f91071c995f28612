/*
 * Asks the kernel which function stands at an address. Its list of all functions takes it some 50 ms to
 * write, most of what a short recording takes; an answer takes a microsecond.
 *
 * The way to ask is a small program for the kernel's own machine (bpf(2), Linux 5.14) that prints an address
 * as the kernel prints those in its messages ("%pS" of Documentation/core-api/printk-formats.rst). It watches
 * nothing, is run for each address and gone afterwards. That takes root, or CAP_BPF and CAP_PERFMON.
 */
#ifndef SYMBOLIZE_KERNEL_ASK_H
#define SYMBOLIZE_KERNEL_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "symbolize/kernel_symbols.h"

/*
 * Finds the functions at `count` addresses; their names live in `arena`. False when the kernel may not be
 * asked, cannot be, or does not know one of them: the list (symbolize/kernel_symbols.h) then tells what is
 * known. `out` is set in either case, to symbols that need not be right with false.
 */
bool kernel_ask(const uint64_t *avmas, size_t count, struct arena *arena, struct kernel_symbol *out);

/*
 * Takes "name+0x10/0x40" or "name+0x10/0x40 [module]", which is told of `avma`, apart; the symbol borrows
 * from it. False for anything else, such as the address alone, and `out` is untouched.
 */
bool kernel_answer_parse(struct slice answer, uint64_t avma, struct kernel_symbol *out);

#endif
