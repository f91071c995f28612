#include <string.h>

#include "base/compiler.h"
#include "rust/key_printers.h"
#include "rust/legacy_owner.h"
#include "rust/legacy_path.h"
#include "rust/v0_printer.h"

/* Paths within paths, "<<a::B as C>::m::D as E>::n"; deeper ones are left out. */
enum { NESTING_MAX = 50 };

static void add_path(struct text *text, struct slice path, unsigned depth);

/* "::name" as v0 names spell it: "{{closure}}" is "{closure}", "f{{vtable.shim}}" "f::{shim:vtable}". */
static void add_component(struct text *text, struct slice component)
{
    struct slice whole = legacy_without_arguments(component);
    size_t open = slice_find(whole, SLICE("{{"));
    struct slice name = slice_range(whole, 0, open);
    struct slice special = slice_range(whole, open + 2, whole.length);

    if (name.length > 0) {
        text_add(text, SLICE("::"));
        text_add(text, name);
    }
    special = slice_range(special, 0, slice_find(special, SLICE("}}")));
    if (special.length == 0 || slice_is(special, "constant") || slice_is(special, "constructor"))
        return;
    text_add(text, SLICE("::{"));
    if (slice_ends_with(special, SLICE(".shim"))) {
        text_add(text, SLICE("shim:"));
        special = slice_range(special, 0, special.length - (sizeof(".shim") - 1));
    }
    text_add(text, special);
    text_add_byte(text, '}');
}

static void add_components(struct text *text, struct slice path)
{
    struct slice component = {0};

    while (legacy_next_component(&path, &component))
        add_component(text, component);
}

static bool starts(struct slice type, const char *word)
{
    return slice_starts_with(type, slice_of(word));
}

static bool is_function(struct slice type)
{
    return starts(type, "fn(") || starts(type, "unsafe ") || starts(type, "extern ") || starts(type, "for<");
}

/* Takes "&", "&'a mut ", "*const ", "[" and tells how a key writes it; empty for none. */
static struct slice take_prefix(struct slice *type)
{
    static const char *const PREFIXES[] = {"&mut ", "&", "*mut ", "*const ", "["};
    size_t space = slice_find_byte(*type, ' ');

    if (starts(*type, "&'") && space < type->length) {
        *type = slice_range(*type, space + 1, type->length);
        if (!starts(*type, "mut "))
            return SLICE("&");
        *type = slice_range(*type, 4, type->length);
        return SLICE("&mut ");
    }
    for (size_t i = 0; i < ARRAY_COUNT(PREFIXES); i++)
        if (starts(*type, PREFIXES[i])) {
            *type = slice_range(*type, strlen(PREFIXES[i]), type->length);
            return slice_of(PREFIXES[i]);
        }
    return (struct slice){0};
}

/* "&" and the path behind it for an impl of a trait, which stands beside it or in another crate than the
 * trait; else "_", perhaps a parameter. */
static void add_prefixed(struct text *text, struct slice prefix, struct slice inner, bool has_trait,
                         unsigned depth)
{
    text_add(text, prefix);
    if (has_trait && legacy_crate_of(inner).length > 0)
        add_path(text, legacy_type_path(inner, false), depth + 1);
    else
        text_add_byte(text, '_');
    if (starts(prefix, "["))
        text_add_byte(text, ']');
}

/* A type without its arguments. */
static void add_head(struct text *text, struct slice type, bool has_trait, unsigned depth)
{
    struct slice inner = type;
    struct slice prefix = take_prefix(&inner);

    if (prefix.length > 0)
        add_prefixed(text, prefix, inner, has_trait, depth);
    else if (starts(type, "(") && !slice_is(type, "()"))
        text_add(text, SLICE("(_)"));
    else if (is_function(type))
        text_add(text, SLICE("fn"));
    else if (starts(type, "dyn ")) {
        text_add(text, SLICE("dyn "));
        add_path(text, legacy_type_path(type, false), depth + 1);
    } else if (starts(type, "<") || legacy_crate_of(type).length > 0)
        add_path(text, type, depth + 1);
    else
        text_add(text, type);
}

/* Whether the impl is sure to be beside its trait alone, so that v0 keys have no self type. */
static bool is_away_from_self(const struct legacy_path *path)
{
    struct slice crate = legacy_crate_of(legacy_type_path(path->self, true));
    struct symbol_owner owner = legacy_owner(*path);

    if (starts(path->self, "<"))
        return false;
    return crate.length == 0 || (owner.certainty == SYMBOL_EXACT && !slice_equal(crate, owner.crate.name));
}

/*
 * Whether the impl is in another crate than its trait: only then can v0 names tell its self type from a
 * parameter (the orphan rule).
 */
static bool is_of_foreign_trait(const struct legacy_path *path)
{
    struct slice before = path->before;
    struct slice crate = {0};

    return legacy_next_component(&before, &crate) && path->trait.length > 0 &&
           !slice_equal(legacy_without_arguments(crate), legacy_crate_of(path->trait));
}

static bool is_basic(struct slice type)
{
    for (int tag = 'a'; tag <= 'z'; tag++)
        if (slice_equal(v0_basic_type_name((uint8_t)tag), type))
            return true;
    return false;
}

/* "Trait for Type" of an impl that is beside neither, or "Type"; "Trait" where the type may be a parameter.
 */
static void add_impl_away(struct text *text, const struct legacy_path *path, unsigned depth)
{
    bool is_reference = starts(path->self, "&");

    if (path->trait.length == 0) {
        add_head(text, path->self, false, depth);
        return;
    }
    add_path(text, path->trait, depth + 1);
    if (!is_of_foreign_trait(path) && !is_basic(path->self))
        return;
    text_add(text, SLICE(" for "));
    add_head(text, path->self, is_reference, depth);
}

static void add_impl(struct text *text, const struct legacy_path *path, unsigned depth)
{
    bool has_trait = path->trait.length > 0;

    if (path->form == LEGACY_IMPL) {
        text_add(text, SLICE("::<impl "));
        add_impl_away(text, path, depth);
        text_add_byte(text, '>');
        return;
    }
    text_add_byte(text, '<');
    if (has_trait && is_away_from_self(path))
        text_add_byte(text, '_');
    else
        add_head(text, path->self, has_trait, depth);
    if (has_trait) {
        text_add(text, SLICE(" as "));
        add_path(text, path->trait, depth + 1);
    }
    text_add_byte(text, '>');
}

static void add_path(struct text *text, struct slice path, unsigned depth)
{
    struct legacy_path parts = legacy_path_read(path);
    struct slice first = {0};

    if (depth > NESTING_MAX)
        return;
    if (legacy_next_component(&parts.before, &first)) {
        text_add(text, legacy_without_arguments(first));
        add_components(text, parts.before);
    }
    parts = legacy_path_read(path);
    if (parts.form != LEGACY_PLAIN)
        add_impl(text, &parts, depth);
    add_components(text, parts.after);
}

/* Types begin with a capital and keep their arguments, which are the impl's. */
static void add_exact_component(struct text *text, struct slice component)
{
    bool is_type = component.length > 0 && component.data[0] >= 'A' && component.data[0] <= 'Z';

    text_add(text, is_type ? component : legacy_without_arguments(component));
}

static void add_exact_legacy(struct text *text, struct symbol *symbol)
{
    struct legacy_path path = legacy_path_of(symbol);
    struct slice all = text_slice(&symbol->scratch);
    struct slice component = {0};
    bool is_first = true;

    if (path.form != LEGACY_PLAIN) {
        text_add(text, all);
        return;
    }
    while (legacy_next_component(&all, &component)) {
        if (!is_first)
            text_add(text, SLICE("::"));
        add_exact_component(text, component);
        is_first = false;
    }
}

void legacy_add_key(struct text *text, struct symbol *symbol, enum symbol_key key)
{
    if (key == SYMBOL_KEY_EXACT) {
        add_exact_legacy(text, symbol);
        return;
    }
    legacy_path_of(symbol);
    add_path(text, text_slice(&symbol->scratch), 0);
}

void symbol_add_key_of_demangled(struct text *text, struct slice name)
{
    add_path(text, name, 0);
}
