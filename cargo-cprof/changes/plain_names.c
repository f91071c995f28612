#include "changes/plain_names.h"

#include "base/ascii.h"
#include "delta/same_name.h"

/* --- One name ------------------------------------------------------------------------------------ */

/* Where the angle brackets end that begin at `at`: behind the last one, or at the end of the name. */
static size_t skip_brackets(struct slice name, size_t at)
{
    size_t depth = 0;

    for (; at < name.length; at++) {
        bool is_arrow = at > 0 && name.data[at - 1] == '-';

        depth += name.data[at] == '<';
        depth -= name.data[at] == '>' && !is_arrow && depth > 0;
        if (depth == 0)
            return at + 1;
    }
    return name.length;
}

/* Where the word stands outside of angle brackets; the name's length where it does not. */
static size_t find_word(struct slice name, struct slice word)
{
    for (size_t at = 0; at < name.length;) {
        if (slice_starts_with(slice_range(name, at, name.length), word))
            return at;
        at = name.data[at] == '<' ? skip_brackets(name, at) : at + 1;
    }
    return name.length;
}

/* "a::b::{closure}" of "a::b::<u8>::{closure}", "a::W::f" of "a::W<T>::f" */
static void add_path(struct text *text, struct slice path)
{
    for (size_t at = 0; at < path.length;) {
        if (path.data[at] != '<') {
            text_add_byte(text, path.data[at++]);
            continue;
        }
        if (slice_ends_with(text_slice(text), SLICE("::")))
            text->length -= SLICE("::").length;
        at = skip_brackets(path, at);
    }
}

/* What may be a parameter in what a type is made of is "_". */
static void add_type(struct text *text, struct slice type)
{
    static const struct {
        const char *start;
        const char *plain;
    } made[] = {{"&mut ", "&mut _"}, {"&", "&_"},       {"*const ", "*const _"},
                {"*mut ", "*mut _"}, {"(", "(_)"},      {"fn(", "fn"},
                {"unsafe ", "fn"},   {"extern ", "fn"}, {"for<", "fn"}};

    for (size_t i = 0; i < ARRAY_COUNT(made); i++)
        if (slice_starts_with(type, slice_of(made[i].start))) {
            text_add_string(text, made[i].plain);
            return;
        }
    if (slice_starts_with(type, SLICE("[")))
        text_add_string(text, slice_find_byte(type, ';') < type.length ? "[_; _]" : "[_]");
    else
        add_path(text, type);
}

/* The parts of "<SELF as TRAIT>REST" and "PATH::<impl TRAIT for SELF>REST"; of others the trait is empty. */
struct parts {
    struct slice self; /* empty: REST is all of the name */
    struct slice trait;
    struct slice rest;
};

static struct parts parts_of(struct slice name)
{
    static const struct slice as = SLICE(" as ");
    static const struct slice impl = SLICE("::<impl ");
    static const struct slice behind = SLICE(" for ");
    size_t at = slice_find(name, impl);
    struct parts parts = {.rest = name};
    struct slice inner = {0};
    size_t end = 0;

    if (slice_starts_with(name, SLICE("<"))) {
        end = skip_brackets(name, 0);
        inner = slice_range(name, 1, end - 1);
        at = find_word(inner, as);
        parts.self = slice_range(inner, 0, at);
        parts.trait = slice_range(inner, at + as.length, inner.length);
    } else if (at < name.length) {
        end = skip_brackets(name, at + SLICE("::").length);
        inner = slice_range(name, at + impl.length, end - 1);
        at = find_word(inner, behind);
        parts.trait = at < inner.length ? slice_range(inner, 0, at) : (struct slice){0};
        parts.self = at < inner.length ? slice_range(inner, at + behind.length, inner.length) : inner;
    } else {
        return parts;
    }
    parts.rest = slice_range(name, end, name.length);
    return parts;
}

/* "T": types that are none have paths or are in lower case. */
static bool is_parameter(struct slice type)
{
    for (size_t i = 0; i < type.length; i++)
        if (!ascii_is_name(type.data[i]))
            return false;
    return type.length > 0 && type.data[0] >= 'A' && type.data[0] <= 'Z';
}

/* The method as the trait's own, whatever the type. */
static void add_of_trait(struct text *text, const struct parts *parts)
{
    add_path(text, parts->trait);
    add_path(text, parts->rest);
}

/* What calls a closure through a table has a name of its own in each mangling: v0's. */
static void add_shim(struct text *text, struct slice legacy, size_t length)
{
    text_add(text, slice_range(legacy, 0, length));
    text_add_string(text, "::{shim:vtable}");
}

void plain_name_add(struct text *text, struct slice name)
{
    static const struct slice shim = SLICE("{{vtable.shim}}");
    SCOPED(text_done) struct text with_shim = {0};
    SCOPED(text_done) struct text plain = {0};
    struct parts parts;

    if (slice_ends_with(name, shim)) {
        add_shim(&with_shim, name, name.length - shim.length);
        name = text_slice(&with_shim);
    }
    parts = parts_of(name);
    if (parts.self.length == 0) {
        add_path(&plain, name);
    } else if (parts.trait.length == 0) {
        add_type(&plain, parts.self);
        add_path(&plain, parts.rest);
    } else if (is_parameter(parts.self)) {
        add_of_trait(&plain, &parts);
    } else {
        text_add_byte(&plain, '<');
        add_type(&plain, parts.self);
        text_add_string(&plain, " as ");
        add_path(&plain, parts.trait);
        text_add_byte(&plain, '>');
        add_path(&plain, parts.rest);
    }
    same_name_add(text, text_slice(&plain));
}

/* --- Which mangling ------------------------------------------------------------------------------ */

/* "a::f::<u8>": whether it tells arguments of the function itself, which no legacy name does. */
static bool tells_arguments(struct slice name)
{
    static const struct slice arguments = SLICE("::<");

    for (size_t at = slice_find(name, arguments); at < name.length;) {
        struct slice rest = slice_range(name, at, name.length);

        if (!slice_starts_with(rest, SLICE("::<impl ")))
            return true;
        rest = slice_range(rest, 1, rest.length);
        at = name.length - rest.length + slice_find(rest, arguments);
    }
    return false;
}

static void collect_names(const struct profile *profile, struct intern *out)
{
    SCOPED(text_done) struct text name = {0};

    for (size_t i = 0; i < profile->functions.count; i++) {
        text_clear(&name);
        same_name_add(&name, profile_text(profile, profile->functions.items[i].name));
        intern_add(out, text_slice(&name));
    }
}

/* How many functions have type arguments on this side alone, and none on the other alone. */
static size_t count_with_arguments(const struct profile *profile, const struct intern *own,
                                   const struct intern *others)
{
    SCOPED(text_done) struct text name = {0};
    SCOPED(text_done) struct text whole = {0};
    size_t count = 0;

    for (size_t i = 0; i < profile->functions.count; i++) {
        struct slice written = profile_text(profile, profile->functions.items[i].name);

        if (!tells_arguments(written))
            continue;
        text_clear(&name);
        text_clear(&whole);
        same_name_add(&whole, written);
        plain_name_add(&name, written);
        if (intern_find(others, text_slice(&whole)) == INTERN_NONE &&
            intern_find(own, text_slice(&name)) == INTERN_NONE &&
            intern_find(others, text_slice(&name)) != INTERN_NONE)
            count++;
    }
    return count;
}

/* std has v0 names of its own in programs with legacy ones, so that single ones tell nothing. */
enum joined_side plain_names_side(const struct joined_part parts[JOINED_SIDES])
{
    enum { TELLING = 2 };
    SCOPED(intern_done) struct intern before = {0};
    SCOPED(intern_done) struct intern after = {0};
    size_t told_before = 0;
    size_t told_after = 0;

    collect_names(parts[JOINED_BEFORE].profile, &before);
    collect_names(parts[JOINED_AFTER].profile, &after);
    told_before = count_with_arguments(parts[JOINED_BEFORE].profile, &before, &after);
    told_after = count_with_arguments(parts[JOINED_AFTER].profile, &after, &before);
    if (told_before >= TELLING && told_after == 0)
        return JOINED_AFTER;
    return told_after >= TELLING && told_before == 0 ? JOINED_BEFORE : JOINED_SIDES;
}

/* --- Two sides ----------------------------------------------------------------------------------- */

void plain_names_done(struct plain_names *names)
{
    intern_done(&names->known);
    text_done(&names->scratch);
}

void plain_names_make(struct plain_names *names, const struct joined_part parts[JOINED_SIDES])
{
    const struct profile *profile = NULL;

    names->side = plain_names_side(parts);
    names->is_wanted = names->side != JOINED_SIDES;
    if (!names->is_wanted)
        return;
    profile = parts[names->side].profile;
    for (size_t i = 0; i < profile->functions.count; i++) {
        text_clear(&names->scratch);
        plain_name_add(&names->scratch, profile_text(profile, profile->functions.items[i].name));
        intern_add(&names->known, text_slice(&names->scratch));
    }
}

static bool is_known(const struct plain_names *names, struct slice plain)
{
    return intern_find(&names->known, plain) != INTERN_NONE;
}

/* Calls it by the method of the trait's own where the other side has that. */
static void use_name_of_trait(struct plain_names *names, struct slice name)
{
    const struct parts parts = parts_of(name);
    SCOPED(text_done) struct text written = {0};
    SCOPED(text_done) struct text plain = {0};

    if (parts.trait.length == 0)
        return;
    add_of_trait(&written, &parts);
    same_name_add(&plain, text_slice(&written));
    if (!is_known(names, text_slice(&plain)))
        return;
    text_clear(&names->scratch);
    text_add(&names->scratch, text_slice(&plain));
}

struct slice plain_names_of(struct plain_names *names, enum joined_side side, struct slice name)
{
    if (!names->is_wanted)
        return name;
    text_clear(&names->scratch);
    plain_name_add(&names->scratch, name);
    if (side != names->side && !is_known(names, text_slice(&names->scratch)))
        use_name_of_trait(names, name);
    return text_slice(&names->scratch);
}
