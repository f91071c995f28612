#include "size/builtins.h"

#include <elf.h>

#include "base/compiler.h"

/* "ti" of "udivti3" is the mode of its operands (GCC internals, "Routines for integer arithmetic"). */
static bool ends_in_mode(struct slice name)
{
    static const char *const modes[] = {"hf", "sf", "df", "tf", "si", "di", "ti", "sc", "dc"};

    return name.length > 2 &&
           slice_is_any(slice_range(name, name.length - 2, name.length), modes, ARRAY_COUNT(modes));
}

/* "__floatuntidf", "__udivti3": what is done, of one mode or two, at most a digit. */
static bool is_arithmetic(struct slice name)
{
    static const char *const operations[] = {
        "abs",  "absv", "add",    "addv", "ashl", "ashr", "bswap",    "clz",     "cmp",  "ctz",  "div",
        "eq",   "ffs",  "divmod", "fix",  "ge",   "gt",   "fixuns",   "float",   "le",   "lshr", "lt",
        "mod",  "mul",  "mulo",   "mulv", "ne",   "neg",  "floatun",  "extend",  "sub",  "negv", "parity",
        "powi", "subv", "trunc",  "ucmp", "udiv", "umod", "popcount", "udivmod", "unord"};
    struct slice rest = slice_range(name, 2, name.length);

    if (!slice_starts_with(name, SLICE("__")))
        return false;
    if (rest.length > 0 && rest.data[rest.length - 1] >= '2' && rest.data[rest.length - 1] <= '5')
        rest.length--;
    if (!ends_in_mode(rest))
        return false;
    rest.length -= 2;
    if (ends_in_mode(rest) && !slice_is_any(rest, operations, ARRAY_COUNT(operations)))
        rest.length -= 2;
    return slice_is_any(rest, operations, ARRAY_COUNT(operations));
}

/* "floorf" and "floorf128" are floor of other floats. */
static bool is_math(struct slice name)
{
    static const char *const functions[] = {"cbrt", "ceil",  "copysign",  "fabs", "fdim",     "floor",
                                            "fma",  "fmax",  "fmaximum",  "fmin", "fminimum", "fmod",
                                            "rint", "round", "roundeven", "sqrt", "trunc"};
    static const char *const floats[] = {"f16", "f128", "f"};

    for (size_t i = 0; i < ARRAY_COUNT(floats); i++)
        if (slice_ends_with(name, slice_of(floats[i]))) {
            name.length -= slice_of(floats[i]).length;
            break;
        }
    return slice_is_any(name, functions, ARRAY_COUNT(functions));
}

static bool is_memory(struct slice name)
{
    static const char *const functions[] = {"bcmp", "memcmp", "memcpy", "memmove", "memset", "strlen"};

    return slice_is_any(name, functions, ARRAY_COUNT(functions));
}

/* Calls of ARM's ABIs (RTABI32), atomics of old AArch64, what compiler-rt and what rustc itself named. */
static bool has_prefix(struct slice name)
{
    static const char *const prefixes[] = {"__aeabi_", "__aarch64_", "__compilerrt_", "__rust_i128_",
                                           "__rust_u128_"};

    return slice_starts_with_any(name, prefixes, ARRAY_COUNT(prefixes));
}

bool builtins_has(struct slice name)
{
    return is_arithmetic(name) || is_math(name) || is_memory(name) || has_prefix(name);
}

/* Whether the STT_FILE symbol names one of the crate's codegen units. */
static bool is_unit(struct slice unit)
{
    struct crate_fact fact;

    return crate_fact_of_codegen_unit(unit, &fact) && slice_is(fact.name, "compiler_builtins");
}

static bool has_unit(const struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->unit_count; i++)
        if (is_unit(symbols->units[i]))
            return true;
    return false;
}

static enum used_source source_of(const struct symbols *symbols, const struct elf_symbol *symbol)
{
    struct slice unit = symbol->unit == SYMBOL_NO_UNIT ? (struct slice){0} : symbols->units[symbol->unit];

    if (!builtins_has(symbol->name) || (symbol->visibility != STV_HIDDEN && symbol->binding != STB_LOCAL))
        return USED_UNKNOWN;
    if (is_unit(unit))
        return USED_FROM_FILE_SYMBOL;
    return unit.length == 0 ? USED_INFERRED : USED_UNKNOWN;
}

void builtins_find(const struct used_request *request, struct size_crates *crates, struct used *out)
{
    struct crate_fact fact = {.name = SLICE("compiler_builtins"), .kind = CRATE_KIND_STD};
    bool is_beside = !has_unit(request->symbols);

    if (is_beside && !request->is_beside_builtins)
        return;
    for (size_t i = 0; i < request->map->functions.count; i++) {
        const struct code_function *function = &request->map->functions.items[i];

        for (size_t n = 0; out[i].source == USED_UNKNOWN && n < function->name_count; n++) {
            enum used_source source = source_of(request->symbols, function->names[n]);

            if (is_beside && !slice_starts_with(function->names[n]->name, SLICE("__")))
                continue;
            if (source != USED_UNKNOWN)
                out[i] = (struct used){size_crates_add(crates, &fact), source};
        }
    }
}
