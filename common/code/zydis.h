/*
 * Zydis, which takes instructions of x86-64 apart, loaded by the first that is read: most runs need none. Its
 * types and values are those of its own headers. It reads an instruction in a third of capstone's time, and
 * knows those of AVX-512, which capstone 4 does not. The functions are the same for its versions 3.2 (Ubuntu
 * 22.04) and 4.
 */
#ifndef CODE_ZYDIS_H
#define CODE_ZYDIS_H

#include <Zydis/Zydis.h>

#include "base/error.h"
#include "base/slice.h"

/* Returns 0, or -1 with ERROR_MISSING when it is not installed; the hint names the package. */
MUST_CHECK int zydis_load(struct error *err);

/*
 * What reads instructions, for one thread, once the library is loaded, which all that follows needs. One for
 * numbers alone tells the length and what is `raw` of an instruction, in less time.
 */
ZydisDecoder zydis_decoder(void);
ZydisDecoder zydis_decoder_of_numbers(void);

/*
 * Reads the instruction that the code begins with, and its operands: info.operand_count of them, those that
 * are written first, how many of which `visible_count` tells. False when it is none, or cut.
 */
bool zydis_read(const ZydisDecoder *decoder, struct slice code, ZydisDecodedInstruction *info,
                ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT], uint8_t *visible_count);

/* The same without operands, by either decoder. */
bool zydis_read_info(const ZydisDecoder *decoder, struct slice code, ZydisDecodedInstruction *info);

enum { ZYDIS_TEXT_BYTES = 256 };

/*
 * Writes the instruction that was read, which stands at `svma`, as text: NUL-terminated, as much of it as
 * there is room for. The other is its name alone, static.
 */
void zydis_write(ZydisFormatterStyle style, const ZydisDecodedInstruction *info,
                 const ZydisDecodedOperand *operands, uint8_t visible_count, uint64_t svma,
                 char out[ZYDIS_TEXT_BYTES]);
const char *zydis_name(const ZydisDecodedInstruction *info);

#endif
