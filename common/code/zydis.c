#include "code/zydis.h"

#include <stdio.h>

#include "base/library.h"

/* Of the process, as the library is. */
static struct zydis loaded;

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

int zydis_load(const struct zydis **out, struct error *err)
{
    const struct library_symbol symbols[] = {
        {"ZydisDecoderInit", (void **)&loaded.init},
        {"ZydisDecoderDecodeInstruction", (void **)&loaded.decode_instruction},
        {"ZydisDecoderDecodeOperands", (void **)&loaded.decode_operands},
        {"ZydisFormatterInit", (void **)&loaded.init_formatter},
        {"ZydisFormatterSetProperty", (void **)&loaded.set_property},
        {"ZydisFormatterFormatInstruction", (void **)&loaded.format_instruction},
        {"ZydisMnemonicGetString", (void **)&loaded.mnemonic_string},
    };

    if (!loaded.init && load(symbols, ARRAY_COUNT(symbols), err) < 0) {
        loaded = (struct zydis){0};
        return -1;
    }
    *out = &loaded;
    return 0;
}
