/*
 * The rule to leave code of which only what stands around an address is known, worked out from what it does
 * until it returns (code/return_path.h).
 */
#ifndef PROCESS_MACHINE_CODE_RETURN_RULE_H
#define PROCESS_MACHINE_CODE_RETURN_RULE_H

#include "code/return_path.h"
#include "process/modules.h"

/*
 * `svma` is an instruction of the code, or less by one than a return address. False where no return is found;
 * `out` is then untouched. It is what the code looks like: where it leads is to be checked.
 */
bool return_rule_find(struct x86_64_reader *reader, const struct code_bytes *code, uint64_t svma,
                      struct cfi_row *out);

/*
 * The same of a file's code: of functions that have neither call frame information nor a symbol to begin at,
 * as those of a C library that was built without the one and stripped of the other. False also for stubs, on
 * other machines than x86-64 and where Zydis is not installed. With the call frame information and symbols
 * of the program left aside 99.7 % of the stacks of one that uses polars were whole, 4 % of GCC's cc1, whose
 * functions are long; calls that no recording with them has were as few as between two of these.
 */
bool return_rule_of_module(const struct module *module, uint64_t svma, struct cfi_row *out);

/*
 * Whether code around there, in the same 16 KiB of its section, sets frame pointers up, as functions of one
 * build do or do not: one in 1,024 bytes at least. Then they tell the callers of all that has made a call,
 * and reading is for what was interrupted. The module keeps the answer.
 */
bool return_rule_keeps_frame(const struct module *module, uint64_t svma);

#endif
