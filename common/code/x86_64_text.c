#include "code/x86_64_text.h"

#include <string.h>

bool x86_64_text_is_ours(struct slice code)
{
    enum { EVEX_PREFIX = 0x62 }; /* in 64-bit mode it is nothing else (Intel's manual, volume 2, 2.7) */

    return code.length > 0 && (uint8_t)code.data[0] == EVEX_PREFIX;
}

/* Sums in Intel's syntax as capstone writes them: "[rdx + r8 - 0x40]". */
static void add_operands(const char *operands, struct text *out)
{
    char before = ' ';

    for (const char *at = operands; *at; before = *at++) {
        bool is_of_sum = (*at == '+' || *at == '-') && before != ' ' && before != '[';

        text_format(out, is_of_sum ? " %c " : "%c", *at);
    }
}

/* In AT&T's syntax Zydis marks a size at names that have none there ("vbroadcasti128x"). Prefixes come
 * before. */
void x86_64_text_write(const struct x86_64_reader *reader, enum instruction_syntax syntax, struct text *out)
{
    const struct x86_64_instruction *instruction = &reader->instruction;
    const ZydisFormatterStyle style =
        syntax == SYNTAX_ATT ? ZYDIS_FORMATTER_STYLE_ATT : ZYDIS_FORMATTER_STYLE_INTEL;
    const char *name = zydis_name(&instruction->info);
    char text[ZYDIS_TEXT_BYTES];
    const char *at = NULL;
    const char *operands = NULL;

    text_clear(out);
    zydis_write(style, &instruction->info, instruction->operands, instruction->visible_count,
                instruction->svma, text);
    at = strstr(text, name);
    operands = strchr(at ? at : text, ' ');
    text_add(out, (struct slice){text, at ? (size_t)(at - text) : 0});
    text_add_string(out, name);
    if (operands && syntax == SYNTAX_INTEL)
        add_operands(operands, out);
    else if (operands)
        text_add_string(out, operands);
}
