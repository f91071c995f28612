#include "code/zydis.h"

#include <stdio.h>
#include <string.h>

#include "base/library.h"

/* Version 4 has taken the operands out of the instruction. */
#ifdef ZYDIS_MAX_OPERAND_COUNT_VISIBLE
#define HAS_OPERANDS_APART 1
#else
#define HAS_OPERANDS_APART 0
#define ZYDIS_STACK_WIDTH_64 ZYDIS_ADDRESS_WIDTH_64
#endif

/* Each does what its name says in Zydis' documentation. Of the process, as the library is. */
static struct {
    __typeof__(&ZydisDecoderInit) init_decoder;
    __typeof__(&ZydisDecoderEnableMode) enable_mode;
#if HAS_OPERANDS_APART
    __typeof__(&ZydisDecoderDecodeInstruction) decode;
    __typeof__(&ZydisDecoderDecodeOperands) decode_operands;
#else
    __typeof__(&ZydisDecoderDecodeBuffer) decode;
#endif
    __typeof__(&ZydisFormatterInit) init_formatter;
    __typeof__(&ZydisFormatterSetProperty) set_property;
    __typeof__(&ZydisFormatterFormatInstruction) format;
    __typeof__(&ZydisMnemonicGetString) name;
} loaded;

/* Of the version whose headers these are: another one may have other structs. */
static int load(const struct library_symbol *symbols, size_t symbol_count, struct error *err)
{
    const unsigned major = ZYDIS_VERSION_MAJOR(ZYDIS_VERSION);
    const unsigned minor = ZYDIS_VERSION_MINOR(ZYDIS_VERSION);
    char soname[sizeof("libZydis.so.65535.65535")];
    char package[sizeof("libzydis65535.65535")];

    snprintf(soname, sizeof(soname), "libZydis.so.%u.%u", major, minor);
    snprintf(package, sizeof(package), "libzydis%u.%u", major, minor);
    return library_load(soname, package, symbols, symbol_count, err);
}

int zydis_load(struct error *err)
{
    const struct library_symbol symbols[] = {
        {"ZydisDecoderInit", (void **)&loaded.init_decoder},
        {"ZydisDecoderEnableMode", (void **)&loaded.enable_mode},
#if HAS_OPERANDS_APART
        {"ZydisDecoderDecodeInstruction", (void **)&loaded.decode},
        {"ZydisDecoderDecodeOperands", (void **)&loaded.decode_operands},
#else
        {"ZydisDecoderDecodeBuffer", (void **)&loaded.decode},
#endif
        {"ZydisFormatterInit", (void **)&loaded.init_formatter},
        {"ZydisFormatterSetProperty", (void **)&loaded.set_property},
        {"ZydisFormatterFormatInstruction", (void **)&loaded.format},
        {"ZydisMnemonicGetString", (void **)&loaded.name},
    };

    if (loaded.name || load(symbols, ARRAY_COUNT(symbols), err) == 0)
        return 0;
    memset(&loaded, 0, sizeof(loaded));
    return -1;
}

ZydisDecoder zydis_decoder(void)
{
    ZydisDecoder decoder;

    loaded.init_decoder(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return decoder;
}

ZydisDecoder zydis_decoder_of_numbers(void)
{
    ZydisDecoder decoder = zydis_decoder();

    loaded.enable_mode(&decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
    return decoder;
}

#if HAS_OPERANDS_APART

bool zydis_read(const ZydisDecoder *decoder, struct slice code, ZydisDecodedInstruction *info,
                ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT], uint8_t *visible_count)
{
    ZydisDecoderContext context;

    if (!ZYAN_SUCCESS(loaded.decode(decoder, &context, code.data, code.length, info)) ||
        !ZYAN_SUCCESS(loaded.decode_operands(decoder, &context, info, operands, info->operand_count)))
        return false;
    *visible_count = info->operand_count_visible;
    return true;
}

bool zydis_read_info(const ZydisDecoder *decoder, struct slice code, ZydisDecodedInstruction *info)
{
    return ZYAN_SUCCESS(loaded.decode(decoder, NULL, code.data, code.length, info));
}

static void format(const ZydisFormatter *formatter, const ZydisDecodedInstruction *info,
                   const ZydisDecodedOperand *operands, uint8_t visible_count, uint64_t svma,
                   char out[ZYDIS_TEXT_BYTES])
{
    loaded.format(formatter, info, operands, visible_count, out, ZYDIS_TEXT_BYTES, svma, NULL);
}

#else

bool zydis_read(const ZydisDecoder *decoder, struct slice code, ZydisDecodedInstruction *info,
                ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT], uint8_t *visible_count)
{
    if (!zydis_read_info(decoder, code, info))
        return false;
    memcpy(operands, info->operands, sizeof(info->operands));
    *visible_count = 0;
    while (*visible_count < info->operand_count &&
           operands[*visible_count].visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN)
        (*visible_count)++;
    return true;
}

bool zydis_read_info(const ZydisDecoder *decoder, struct slice code, ZydisDecodedInstruction *info)
{
    return ZYAN_SUCCESS(loaded.decode(decoder, code.data, code.length, info));
}

static void format(const ZydisFormatter *formatter, const ZydisDecodedInstruction *info,
                   const ZydisDecodedOperand *operands, uint8_t visible_count, uint64_t svma,
                   char out[ZYDIS_TEXT_BYTES])
{
    (void)operands;
    (void)visible_count;
    loaded.format(formatter, info, out, ZYDIS_TEXT_BYTES, svma);
}

#endif

static ZydisFormatter formatter_of(ZydisFormatterStyle style)
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

    loaded.init_formatter(&formatter, style);
    for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
        loaded.set_property(&formatter, settings[i].property, settings[i].value);
    loaded.set_property(&formatter, ZYDIS_FORMATTER_PROP_FORCE_SIZE, style == ZYDIS_FORMATTER_STYLE_INTEL);
    return formatter;
}

void zydis_write(ZydisFormatterStyle style, const ZydisDecodedInstruction *info,
                 const ZydisDecodedOperand *operands, uint8_t visible_count, uint64_t svma,
                 char out[ZYDIS_TEXT_BYTES])
{
    const ZydisFormatter formatter = formatter_of(style);

    out[0] = '\0';
    format(&formatter, info, operands, visible_count, svma, out);
}

const char *zydis_name(const ZydisDecodedInstruction *info)
{
    return loaded.name(info->mnemonic);
}
