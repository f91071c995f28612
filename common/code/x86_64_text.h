/*
 * Instructions of x86-64 as text, as far as capstone, whose text is nearer to what assemblers take, cannot
 * write them: capstone 4 knows many of AVX-512 not, and takes an index of others for a vector's register.
 */
#ifndef CODE_X86_64_TEXT_H
#define CODE_X86_64_TEXT_H

#include "base/text.h"
#include "code/instructions.h"
#include "code/x86_64.h"

/* Whether capstone is not to be asked for the instruction that the code begins with: it has an EVEX prefix.
 */
bool x86_64_text_is_ours(struct slice code);

/* Sets the text to the instruction that was read last. */
void x86_64_text_write(const struct x86_64_reader *reader, enum instruction_syntax syntax, struct text *out);

#endif
