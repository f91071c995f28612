/* What is told of a place in code that a process made: its name, and where its source is. */
#ifndef SYMBOLIZE_JIT_TOLD_H
#define SYMBOLIZE_JIT_TOLD_H

#include "symbolize/jit/code.h"
#include "symbolize/jit/names.h"

/* So many places have lines, and so many bytes of records of lines are read, whatever files say. */
enum { JIT_LINES_MOST = 4 << 20, JIT_LINES_MOST_GIB = 2 };

/* The profile's string of the name of a module's code; PROFILE_NO_STRING for JIT_CODE_NONE. */
uint32_t jit_told_text(struct jit_code_files *code, struct jit_module *module, uint32_t number);

/*
 * Where the source is of the address with that number, which is in that code: the id of a line in `lines` of
 * `code`. 0: it is not told.
 */
uint32_t jit_told_line(struct jit_code_files *code, struct jit_module *module, uint32_t number,
                       uint32_t address);

/* Both together. */
struct jit_name jit_told_name(const struct jit_code_files *code, uint32_t text, uint32_t line);

#endif
