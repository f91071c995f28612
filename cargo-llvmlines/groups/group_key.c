#include "groups/group_key.h"

#include "groups/compat_name.h"
#include "rust/crate_name.h"
#include "rust/demangle.h"
#include "rust/drop_glue.h"
#include "rust/std_crates.h"
#include "rust/symbol_key.h"
#include "rust/symbol_path.h"

struct slice group_key_told(struct slice key, struct slice *rest)
{
    size_t mark = slice_find_byte(key, GROUP_KEY_MARK);

    *rest = slice_range(key, mark + 1, key.length);
    return slice_range(key, 0, mark);
}

/* What the compiler makes for a type, and not the source: whose it is depends on whom you ask. */
enum glue { GLUE_NONE, GLUE_DROP, GLUE_SHIM };

static enum glue glue_of(struct symbol *symbol)
{
    SCOPED(text_done) struct text key = {0};
    struct slice name;

    if (!symbol_is_rust(symbol))
        return GLUE_NONE;
    symbol_add_key(&key, symbol, SYMBOL_KEY_COMMON);
    name = text_slice(&key);
    if (slice_is(name, DROP_GLUE_KEY))
        return GLUE_DROP;
    name = slice_range(name, slice_find_last_byte(name, '{'), name.length);
    return slice_starts_with(name, SLICE("{shim:")) ? GLUE_SHIM : GLUE_NONE;
}

/*
 * One instance, in whichever crate. The demangled text leaves out which of several impls it is. Legacy names
 * differ by crate in their hash alone.
 */
static void add_instance_key(struct text *text, struct symbol *symbol)
{
    if (symbol->kind != SYMBOL_RUST_V0) {
        demangle_add(text, symbol, DEMANGLE_SHORT);
        return;
    }
    demangle_add(text, symbol, DEMANGLE_FULL);
    text_add_byte(text, GROUP_KEY_MARK);
    text_add(text, symbol_instance(symbol));
}

/*
 * Crates of std's without a hash: where a program has legacy names, what it compiles of std's inline
 * functions has v0 ones, since Rust 1.95, and its instances of std's generics have not.
 */
void group_key_add_crate(struct text *text, struct symbol_crate crate, bool with_hash)
{
    text_add(text, crate.name);
    if (with_hash && crate.disambiguator != 0 && !std_crates_own(crate.name))
        text_format(text, "[%llx]", (unsigned long long)crate.disambiguator);
}

/* Whose code the function is; for glue that is not kept together, whose type it is for. */
static struct symbol_crate crate_of(struct symbol *symbol, bool by_type)
{
    struct symbol_crate crate;

    if (by_type && symbol_argument_crate(symbol, 0, &crate))
        return crate;
    return symbol_defining_crate(symbol).crate;
}

static void add_module(struct text *text, struct symbol *symbol, bool by_type, bool with_hashes)
{
    SCOPED(text_done) struct text module = {0};
    struct symbol_crate crate = crate_of(symbol, by_type);
    struct slice path;

    if (!by_type || !symbol_add_argument_module(&module, symbol, 0))
        symbol_add_module(&module, symbol);
    path = text_slice(&module);
    group_key_add_crate(text, crate, with_hashes);
    if (slice_starts_with(path, crate.name))
        text_add(text, slice_range(path, crate.name.length, path.length));
}

static void add_owner(struct text *text, struct symbol *symbol, enum grouping by, bool is_split,
                      bool with_hashes)
{
    enum glue glue = glue_of(symbol);

    if (glue != GLUE_NONE && !is_split) {
        text_add_string(text, glue == GLUE_DROP ? "[drop_in_place]" : "[vtable shims]");
        return;
    }
    if (crate_of(symbol, glue != GLUE_NONE).name.length == 0)
        text_add_string(text, CRATE_NAME_UNKNOWN);
    else if (by == GROUP_BY_CRATE)
        group_key_add_crate(text, crate_of(symbol, glue != GLUE_NONE), with_hashes);
    else
        add_module(text, symbol, glue != GLUE_NONE, with_hashes);
}

void group_key_add(struct text *text, struct symbol *symbol, enum grouping by, bool is_split)
{
    if (by == GROUP_AS_PEER)
        compat_add_name(text, symbol);
    else if (by == GROUP_BY_CRATE || by == GROUP_BY_MODULE)
        add_owner(text, symbol, by, is_split, true);
    else if (by == GROUP_BY_FUNCTION || (is_split && glue_of(symbol) != GLUE_NONE))
        add_instance_key(text, symbol);
    else
        symbol_add_key(text, symbol, is_split ? SYMBOL_KEY_EXACT : SYMBOL_KEY_MERGED);
}

void group_key_add_name(struct text *text, struct symbol *symbol, enum grouping by, bool is_split)
{
    if (by == GROUP_AS_PEER)
        compat_add_name(text, symbol);
    else if (by == GROUP_BY_CRATE || by == GROUP_BY_MODULE)
        add_owner(text, symbol, by, is_split, false);
    else if (by == GROUP_BY_FUNCTION || (is_split && glue_of(symbol) != GLUE_NONE))
        demangle_add(text, symbol, DEMANGLE_SHORT);
    else
        symbol_add_key(text, symbol, SYMBOL_KEY_COMMON);
}
