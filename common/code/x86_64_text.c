#include "code/x86_64_text.h"

#include <string.h>

bool x86_64_text_is_ours(struct slice code)
{
    enum { EVEX_PREFIX = 0x62 }; /* in 64-bit mode it is nothing else (Intel's manual, volume 2, 2.7) */

    return code.length > 0 && (uint8_t)code.data[0] == EVEX_PREFIX;
}

static ZydisFormatter formatter_of(const struct zydis *zydis, enum instruction_syntax syntax)
{
    static const struct {
        ZydisFormatterProperty property;
        ZyanUPointer value;
    } settings[] = {
        {ZYDIS_FORMATTER_PROP_FORCE_SCALE_ONE, ZYAN_FALSE},
        {ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE},
        {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE},
    };
    ZydisFormatter formatter;

    zydis->init_formatter(&formatter,
                          syntax == SYNTAX_ATT ? ZYDIS_FORMATTER_STYLE_ATT : ZYDIS_FORMATTER_STYLE_INTEL);
    for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
        zydis->set_property(&formatter, settings[i].property, settings[i].value);
    zydis->set_property(&formatter, ZYDIS_FORMATTER_PROP_FORCE_SIZE, syntax == SYNTAX_INTEL);
    return formatter;
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

/* In AT&T's syntax Zydis marks a size at names that have none there ("vbroadcasti128x"). */
void x86_64_text_write(const struct x86_64_reader *reader, enum instruction_syntax syntax, struct text *out)
{
    const struct x86_64_instruction *instruction = &reader->instruction;
    const ZydisFormatter formatter = formatter_of(reader->zydis, syntax);
    char text[256] = "";
    const char *operands = NULL;

    text_clear(out);
    reader->zydis->format_instruction(&formatter, &instruction->info, instruction->operands,
                                      instruction->info.operand_count_visible, text, sizeof(text),
                                      instruction->svma, NULL);
    operands = strchr(text, ' ');
    text_add_string(out, reader->zydis->mnemonic_string(instruction->info.mnemonic));
    if (operands && syntax == SYNTAX_INTEL)
        add_operands(operands, out);
    else if (operands)
        text_add_string(out, operands);
}
