#include "rust/legacy_owner.h"

#include "base/compiler.h"

/* Paths within paths, "<<a::B as C>::m::D as E>::n". */
enum { NESTING_MAX = 50 };

static struct symbol_owner owner_at(struct legacy_path path, unsigned depth);

/* Rust's own crates, those that others depend on after them. */
static const char *const STD_CRATES[] = {
    "core",
    "compiler_builtins",
    "alloc",
    "panic_abort",
    "unwind",
    "panic_unwind",
    "std_detect",
    "std",
    "proc_macro",
    "getopts",
    "test",
    "__rustc",
    "rustc_std_workspace_core",
    "rustc_std_workspace_alloc",
    "rustc_std_workspace_std",
};

/* The place among Rust's own crates, from 0; -1 for others. */
static int std_rank(struct slice name)
{
    for (size_t i = 0; i < ARRAY_COUNT(STD_CRATES); i++)
        if (slice_is(name, STD_CRATES[i]))
            return (int)i;
    return -1;
}

bool symbol_crate_is_std(struct slice name)
{
    return std_rank(name) >= 0;
}

/* The crates that a legacy impl may be in. */
struct candidates {
    struct slice crates[8];
    size_t count;
};

static void add_candidate(struct candidates *candidates, struct slice crate)
{
    if (crate.length == 0 || candidates->count == ARRAY_COUNT(candidates->crates))
        return;
    for (size_t i = 0; i < candidates->count; i++)
        if (slice_equal(candidates->crates[i], crate))
            return;
    candidates->crates[candidates->count++] = crate;
}

/* A type that is no more than a parameter: one word with a capital, "T", "Self". */
static bool is_parameter(struct slice type)
{
    return legacy_type_path(type, true).length == 0 && type.length > 0 && type.data[0] >= 'A' &&
           type.data[0] <= 'Z';
}

/* The crates of the trait's arguments, "Trait<a::B, c::D>". */
static void add_arguments(struct candidates *candidates, struct slice trait)
{
    size_t open = slice_find_byte(trait, '<');
    struct slice rest = slice_range(trait, open + 1, trait.length);

    if (open >= trait.length || rest.length == 0)
        return;
    rest = slice_range(rest, 0, rest.length - 1);
    while (rest.length > 0) {
        size_t end = legacy_find_outside(rest, SLICE(","));
        struct slice argument = slice_trim(slice_range(rest, 0, end));

        if (is_parameter(argument))
            return;
        add_candidate(candidates, legacy_crate_of(legacy_type_path(argument, false)));
        rest = slice_range(rest, end + 1, rest.length);
    }
}

/* Whether code of crate `a` can name crate `b`, as far as is known without the dependency graph. */
static bool may_name(struct slice a, struct slice b)
{
    int rank_a = std_rank(a);

    return rank_a < 0 || (std_rank(b) >= 0 && std_rank(b) <= rank_a);
}

/* Keeps the candidates that can name all others. */
static void keep_possible(struct candidates *candidates)
{
    struct candidates kept = {.count = 0};

    for (size_t i = 0; i < candidates->count; i++) {
        bool is_possible = true;

        for (size_t j = 0; j < candidates->count; j++)
            is_possible = is_possible && may_name(candidates->crates[i], candidates->crates[j]);
        if (is_possible)
            kept.crates[kept.count++] = candidates->crates[i];
    }
    *candidates = kept;
}

static struct symbol_owner owner_of(struct candidates *candidates)
{
    struct symbol_owner owner = {.certainty = SYMBOL_UNKNOWN};

    keep_possible(candidates);
    if (candidates->count == 0)
        return owner;
    owner.certainty = candidates->count == 1 ? SYMBOL_EXACT : SYMBOL_INFERRED;
    owner.crate.name = candidates->crates[0];
    if (candidates->count > 1)
        owner.other.name = candidates->crates[1];
    return owner;
}

/*
 * The crates of "<self as trait>". Of a parameter the impl is the trait's crate's: a crate
 * may implement another's trait for its own types alone.
 */
static struct symbol_owner qualified_owner(const struct legacy_path *path, unsigned depth)
{
    struct candidates candidates = {.count = 0};
    struct slice self = legacy_type_path(path->self, true);

    if (slice_starts_with(self, SLICE("<")) && depth < NESTING_MAX)
        add_candidate(&candidates, owner_at(legacy_path_read(self), depth + 1).crate.name);
    else
        add_candidate(&candidates, legacy_crate_of(self));
    add_candidate(&candidates, legacy_crate_of(path->trait));
    if (path->trait.length > 0 && !is_parameter(path->self))
        add_arguments(&candidates, path->trait);
    return owner_of(&candidates);
}

static struct symbol_owner owner_at(struct legacy_path path, unsigned depth)
{
    struct candidates candidates = {.count = 0};
    struct slice rest = path.before;
    struct slice first = {0};

    if (path.form == LEGACY_QUALIFIED)
        return qualified_owner(&path, depth);
    if (legacy_next_component(&rest, &first))
        add_candidate(&candidates, legacy_without_arguments(first));
    return owner_of(&candidates);
}

struct symbol_owner legacy_owner(struct legacy_path path)
{
    return owner_at(path, 0);
}
