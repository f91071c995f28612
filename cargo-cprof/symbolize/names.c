#include "symbolize/names.h"

#include "dwarf/source_path.h"
#include "rust/demangle.h"
#include "rust/std_crates.h"
#include "rust/symbol_path.h"

void naming_done(struct naming *naming)
{
    symbol_done(&naming->symbol);
    text_done(&naming->text);
}

static bool is_in(const struct intern *crates, struct slice crate)
{
    return crates && intern_find(crates, crate) != INTERN_NONE;
}

static bool is_std_source(enum source_kind kind)
{
    return kind == SOURCE_STD || kind == SOURCE_STD_DEPS;
}

/*
 * A crate that std was built with may be in the program a second time. Its source file tells which it is;
 * without that it is the program's when the program was built with one of that name.
 */
static bool is_std(const struct naming *naming, struct slice crate, const struct found_name *found)
{
    if (symbol_crate_is_std(crate))
        return true;
    if (!std_crates_depend_on(crate))
        return false;
    if (found->file.length > 0)
        return is_std_source(source_path_origin(found->file).kind);
    return naming->program_crates && !is_in(naming->program_crates, crate);
}

static enum category category_of(const struct naming *naming, struct slice crate,
                                 const struct found_name *found)
{
    if (crate.length == 0)
        return CATEGORY_UNKNOWN;
    if (is_std(naming, crate, found))
        return CATEGORY_STD;
    if (naming->own_crates)
        return is_in(naming->own_crates, crate) ? CATEGORY_OWN : CATEGORY_DEPENDENCY;
    /* Nobody said which crates are the user's: those that cargo did not fetch. */
    return found->file.length > 0 && source_path_origin(found->file).kind == SOURCE_LOCAL
               ? CATEGORY_OWN
               : CATEGORY_DEPENDENCY;
}

/* The first part of a readable path: "alloc" of "alloc::vec::Vec<T>::push"; empty when there is none. */
static struct slice first_part(struct slice path)
{
    size_t end = slice_find(path, SLICE("::"));

    return end < path.length && path.data[0] != '<' && path.data[0] != '{' ? slice_range(path, 0, end)
                                                                           : (struct slice){0};
}

static uint32_t rust_function(struct naming *naming, struct slice name, struct slice crate,
                              const struct found_name *found)
{
    return profile_function(naming->profile, (struct profile_function){
                                                 .name = profile_string(naming->profile, name),
                                                 .crate = profile_string(naming->profile, crate),
                                                 .category = category_of(naming, crate, found),
                                             });
}

static uint32_t readable_function(struct naming *naming, const struct found_name *found)
{
    struct slice crate = first_part(found->text);

    if (!found->is_rust)
        return profile_function(naming->profile, (struct profile_function){
                                                     .name = profile_string(naming->profile, found->text),
                                                     .crate = profile_string(naming->profile, found->module),
                                                     .category = CATEGORY_OTHER,
                                                 });
    return rust_function(naming, found->text, crate.length > 0 ? crate : found->unit_crate, found);
}

struct slice naming_readable(struct naming *naming, struct slice symbol)
{
    symbol_parse(&naming->symbol, symbol);
    text_clear(&naming->text);
    demangle_add(&naming->text, &naming->symbol, DEMANGLE_SHORT);
    return text_slice(&naming->text);
}

uint32_t naming_function(struct naming *naming, const struct found_name *found)
{
    struct symbol_owner owner;
    struct slice crate = found->unit_crate;
    struct slice name = {0};

    if (found->is_readable)
        return readable_function(naming, found);
    name = naming_readable(naming, found->text);
    if (!symbol_is_rust(&naming->symbol))
        return profile_function(naming->profile, (struct profile_function){
                                                     .name = profile_string(naming->profile, name),
                                                     .crate = profile_string(naming->profile, found->module),
                                                     .category = CATEGORY_OTHER,
                                                 });
    owner = symbol_defining_crate(&naming->symbol);
    if (owner.crate.name.length > 0)
        crate = owner.crate.name;
    return rust_function(naming, name, crate, found);
}

uint32_t naming_unnamed(struct naming *naming, struct slice name, struct slice module, const char *why)
{
    return profile_function(
        naming->profile,
        (struct profile_function){
            .name = profile_string(naming->profile, name.length > 0 ? name : SLICE("[unknown]")),
            .crate = profile_string(naming->profile, module),
            .category = CATEGORY_UNKNOWN,
            .why_unnamed = profile_string(naming->profile, slice_of(why)),
        });
}

uint32_t naming_kernel(struct naming *naming, struct slice name, struct slice module)
{
    return profile_function(
        naming->profile,
        (struct profile_function){
            .name = profile_string(naming->profile, name),
            .crate = profile_string(naming->profile, module.length > 0 ? module : SLICE("[kernel]")),
            .category = CATEGORY_KERNEL,
        });
}
