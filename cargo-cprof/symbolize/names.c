#include "symbolize/names.h"

#include "dwarf/source_path.h"
#include "rust/crate_name.h"
#include "rust/demangle.h"
#include "rust/package_prefix.h"
#include "rust/std_crates.h"
#include "rust/symbol_path.h"

void naming_done(struct naming *naming)
{
    intern_done(&naming->texts);
    pair_index_done(&naming->known);
    vec_done(&naming->known_functions);
    symbol_done(&naming->symbol);
    text_done(&naming->text);
    text_done(&naming->path);
    package_files_done(&naming->files);
    crate_sources_done(&naming->sources);
    foreign_code_done(&naming->foreign);
}

void naming_settle(struct naming *naming)
{
    if (!naming->own_crates)
        crate_sources_settle(&naming->sources, naming->profile);
    foreign_code_settle(&naming->foreign, naming->profile);
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
 * What the file tells of where a crate's source is: lines of std are inlined everywhere, and what a build
 * script writes is in the user's folders, whose ever the script is.
 */
static enum crate_source source_of_file(struct slice file)
{
    enum source_kind kind = source_path_origin(file).kind;
    struct slice package;

    if (file.length == 0 || is_std_source(kind) || source_path_of_build_script(file, &package))
        return CRATE_SOURCE_UNKNOWN;
    return kind == SOURCE_LOCAL ? CRATE_SOURCE_LOCAL : CRATE_SOURCE_FETCHED;
}

/* Whether a crate called as one of std's is the user's: a program of the workspace may be called "test". */
static bool is_users_namesake(const struct naming *naming, struct slice crate, const struct found_name *found)
{
    bool is_known =
        naming->own_crates ? is_in(naming->own_crates, crate) : crate_name_is(crate, found->module);

    return is_known && source_of_file(found->file) == CRATE_SOURCE_LOCAL;
}

/*
 * A crate that std was built with may be in the program a second time. Its source file tells which it is;
 * without that it is the program's when the program was built with one of that name.
 */
static bool is_std(const struct naming *naming, struct slice crate, const struct found_name *found)
{
    if (symbol_crate_is_std(crate))
        return !is_users_namesake(naming, crate, found);
    if (!std_crates_depend_on(crate))
        return false;
    if (found->file.length > 0)
        return is_std_source(source_path_origin(found->file).kind);
    return naming->program_crates && !is_in(naming->program_crates, crate);
}

/* Where the source of the crate's function is; where its file does not tell, that of the unit. */
static enum crate_source source_of(struct slice crate, const struct found_name *found)
{
    enum crate_source source = source_of_file(found->file);

    return source == CRATE_SOURCE_UNKNOWN && slice_equal(crate, found->unit_crate)
               ? source_of_file(found->unit_root)
               : source;
}

static enum category category_of(struct naming *naming, struct slice crate, const struct found_name *found)
{
    enum crate_source source = CRATE_SOURCE_UNKNOWN;

    if (crate.length == 0)
        return CATEGORY_UNKNOWN;
    if (is_std(naming, crate, found))
        return CATEGORY_STD;
    if (naming->own_crates)
        return is_in(naming->own_crates, crate) ? CATEGORY_OWN : CATEGORY_DEPENDENCY;
    /* Nobody said which crates are the user's: those that cargo did not fetch, and that of a program that was
     * installed. */
    if (crate_name_is(crate, found->module))
        return CATEGORY_OWN;
    source = source_of(crate, found);
    crate_sources_note(&naming->sources, profile_string(naming->profile, crate), source);
    return source == CRATE_SOURCE_LOCAL ? CATEGORY_OWN : CATEGORY_DEPENDENCY;
}

/* The first part of a readable path: "alloc" of "alloc::vec::Vec<T>::push"; empty when there is none. */
static struct slice first_part(struct slice path)
{
    struct slice first = slice_range(path, 0, slice_find(path, SLICE("::")));
    bool is_name = first.length < path.length && slice_find_byte(first, '<') == first.length &&
                   slice_find_byte(first, '{') == first.length;

    return is_name ? first : (struct slice){0};
}

struct slice naming_last_closure(struct slice path)
{
    size_t start = slice_find_last_byte(path, ':');
    struct slice closure = slice_range(path, start > 0 ? start - 1 : 0, path.length);
    bool is_closure =
        slice_is(closure, "::{{closure}}") ||
        (slice_starts_with(closure, SLICE("::{closure#")) && slice_ends_with(closure, SLICE("}")));

    return is_closure ? closure : (struct slice){0};
}

/* The closure at this place from the end, with the number that is known of it. */
static void add_closure(struct naming *naming, struct slice closure, size_t place,
                        const struct closure_numbers *numbers)
{
    uint32_t number = place < FUNCTION_CLOSURES ? numbers->items[place] : 0;

    if (number > 0 && slice_is(closure, "::{{closure}}"))
        text_format(&naming->path, "::{closure#%u}", number - 1);
    else
        text_add(&naming->path, closure);
}

/* The path of a linkage name without what stands for bodies of async fns, its closures with their numbers. */
static struct slice with_closures_told(struct naming *naming, struct slice path,
                                       const struct found_name *found)
{
    enum { MOST_CLOSURES = 32 };
    struct slice closures[MOST_CLOSURES];
    struct slice rest = path;
    size_t count = 0;

    while (count < MOST_CLOSURES) {
        struct slice closure = naming_last_closure(rest);

        if (closure.length == 0 || closure.length == rest.length)
            break;
        rest = slice_range(rest, 0, rest.length - closure.length);
        closures[count++] = closure;
    }
    /* Debug information that does not fit the name tells nothing. */
    if ((uint64_t)found->async_fns >> count != 0)
        return path;
    text_clear(&naming->path);
    text_add(&naming->path, rest);
    while (count-- > 0)
        if (!(found->async_fns >> count & 1))
            add_closure(naming, closures[count], count, &found->closures);
    return text_slice(&naming->path);
}

/* The same of a readable path: "app::handle::{async_fn#0}::{closure#0}". */
static struct slice readable_without_async_fns(struct naming *naming, struct slice path)
{
    const struct slice wanted = SLICE("::{async_fn#");
    size_t at = slice_find(path, wanted);

    if (at == path.length)
        return path;
    text_clear(&naming->path);
    for (; at < path.length; at = slice_find(path, wanted)) {
        text_add(&naming->path, slice_range(path, 0, at));
        path = slice_range(path, at + wanted.length, path.length);
        path = slice_range(path, slice_find_byte(path, '}') + 1, path.length);
    }
    text_add(&naming->path, path);
    return text_slice(&naming->path);
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

/* Parts of std that have a folder of their own and are modules of core. */
static bool is_part_of_core(struct slice package)
{
    return slice_is(package, "core_arch") || slice_is(package, "core_simd") || slice_is(package, "std_float");
}

/* In the scratch. */
static struct slice crate_of_package(struct naming *naming, struct slice package)
{
    text_clear(&naming->text);
    crate_name_add(&naming->text, package);
    return text_slice(&naming->text);
}

/* A checkout's own folder has a revision for a name, and what is checked out the repository's. */
static struct slice name_of_package(struct slice folder, const struct source_origin *file)
{
    struct slice name = slice_file_name(folder);

    return file->kind == SOURCE_GIT && slice_equal(name, file->version) ? file->package : name;
}

/*
 * The crate of a local source file, or one of a repository, which may hold any number of crates. One of a
 * crate that has no unit is in a package that another crate's unit says nothing of: cargo calls it after its
 * folder if nobody says otherwise.
 */
static struct slice crate_of_local_source(struct naming *naming, const struct found_name *found,
                                          const struct source_origin *file)
{
    struct slice package = source_path_package_folder(found->file);
    struct slice own = source_path_package_folder(found->unit_root);

    if (found->file_crate.length > 0)
        return found->file_crate;
    return package.length == 0 || slice_equal(package, own)
               ? found->unit_crate
               : crate_of_package(naming, name_of_package(package, file));
}

/*
 * Whose function it is where debug information has lines only, and names without their crates: of what other
 * crates have inlined into the unit the source file tells.
 */
static struct slice crate_of_source(struct naming *naming, const struct found_name *found)
{
    struct source_origin source = source_path_origin(found->file);
    struct source_origin unit = source_path_origin(found->unit_root);

    /* #[global_allocator] stands in the user's source: rustc makes __rust_alloc and its like of it. */
    if (slice_starts_with(found->text, SLICE("__rust_")) && slice_ends_with(found->text, SLICE("alloc")))
        return SLICE("__rustc");
    if (source.kind == SOURCE_LOCAL || source.kind == SOURCE_GIT)
        return crate_of_local_source(naming, found, &source);
    if (source.package.length == 0 || (source.kind == unit.kind && slice_equal(source.package, unit.package)))
        return found->unit_crate;
    if (source.kind == SOURCE_STD && is_part_of_core(source.package))
        return SLICE("core");
    return crate_of_package(naming, source.package);
}

/* The crate of C that a package brings along, or its build script writes; empty where none is known to. */
static struct slice crate_of_foreign_path(struct naming *naming, struct slice path, struct slice local_crate)
{
    struct source_origin source = source_path_origin(path);

    /* That lies in the folder of the program's package as a rule, whose ever the script is. */
    if (source_path_of_build_script(path, &source.package))
        return crate_of_package(naming, source.package);
    if (local_crate.length > 0)
        return local_crate;
    if (source.kind != SOURCE_REGISTRY && source.kind != SOURCE_GIT)
        source.package = package_files_find(&naming->files, path);
    return source.package.length > 0 ? crate_of_package(naming, source.package) : (struct slice){0};
}

/* What a header of the system or of the compiler has is of the crate whose C includes it: <immintrin.h>. */
static struct slice crate_of_foreign_source(struct naming *naming, const struct found_name *found)
{
    struct slice crate = crate_of_foreign_path(naming, found->file, found->file_crate);

    return crate.length > 0 || found->is_rust
               ? crate
               : crate_of_foreign_path(naming, found->unit_root, found->unit_crate);
}

/* The crate of C whose symbol tells its package; empty where it does not. */
static struct slice crate_of_foreign_symbol(struct naming *naming, struct slice symbol)
{
    struct slice package = {0};

    text_clear(&naming->text);
    return package_prefix_read(symbol, &package, &naming->text) ? crate_of_package(naming, package) : package;
}

/* Where every program begins, that its author has not written: rustc writes C's main. */
static bool starts_program(struct slice name)
{
    return slice_is(name, "main") || slice_is(name, "_start");
}

/*
 * What is not Rust is the module's, as the program's own name or a library's, but for C that a package brings
 * along.
 */
static uint32_t foreign_function(struct naming *naming, struct slice name, const struct found_name *found)
{
    uint32_t shown = profile_string(naming->profile, name); /* it may be in the scratch */
    struct slice package = crate_of_foreign_source(naming, found);
    struct slice crate = package.length > 0 ? package : crate_of_foreign_symbol(naming, found->text);
    uint32_t function = profile_function(
        naming->profile,
        (struct profile_function){
            .name = shown,
            .crate = profile_string(naming->profile, crate.length > 0 ? crate : found->module),
            .category = CATEGORY_OTHER,
        });

    if (crate.length == 0 && !starts_program(name))
        foreign_code_note(&naming->foreign, function);
    return function;
}

static uint32_t readable_function(struct naming *naming, const struct found_name *found)
{
    struct slice crate = first_part(found->text);
    struct slice name = {0};

    if (!found->is_rust)
        return foreign_function(naming, found->text, found);
    name = readable_without_async_fns(naming, found->text);
    return rust_function(naming, name, crate.length > 0 ? crate : crate_of_source(naming, found), found);
}

struct slice naming_readable(struct naming *naming, struct slice symbol)
{
    symbol_parse(&naming->symbol, symbol);
    text_clear(&naming->text);
    demangle_add(&naming->text, &naming->symbol, DEMANGLE_SHORT);
    return text_slice(&naming->text);
}

/* `*is_sure` tells whether it is the same wherever name, async fns, source file and module are. */
static uint32_t linked_function(struct naming *naming, const struct found_name *found, bool *is_sure)
{
    struct symbol_owner owner;
    struct slice name = naming_readable(naming, found->text);

    *is_sure = false;
    /* #[no_mangle] and #[export_name]. */
    if (!symbol_is_rust(&naming->symbol) && found->is_rust && slice_equal(name, found->text))
        return rust_function(naming, found->text, crate_of_source(naming, found), found);
    if (!symbol_is_rust(&naming->symbol))
        return foreign_function(naming, name, found);
    owner = symbol_defining_crate(&naming->symbol);
    *is_sure = owner.crate.name.length > 0 && found->file.length > 0;
    return rust_function(naming, with_closures_told(naming, name, found),
                         owner.crate.name.length > 0 ? owner.crate.name : found->unit_crate, found);
}

uint32_t naming_function(struct naming *naming, const struct found_name *found)
{
    uint64_t name = 0;
    uint64_t place = 0;
    uint32_t id = 0;
    uint32_t function = 0;
    bool is_sure = false;

    if (found->is_readable)
        return readable_function(naming, found);
    /* What is inlined everywhere is met at hundreds of addresses. */
    name = intern_add(&naming->texts, found->text) | (uint64_t)found->async_fns << 32;
    place = intern_add(&naming->texts, found->file) | (uint64_t)intern_add(&naming->texts, found->module)
                                                          << 32;
    id = pair_index_add(&naming->known, name, place);
    if (id < naming->known_functions.count && naming->known_functions.items[id] != PROFILE_NONE)
        return naming->known_functions.items[id];
    function = linked_function(naming, found, &is_sure);
    if (id == naming->known_functions.count)
        *vec_add(&naming->known_functions) = is_sure ? function : PROFILE_NONE;
    return function;
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
