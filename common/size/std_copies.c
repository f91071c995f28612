#include "size/std_copies.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/scan.h"
#include "dwarf/units.h"
#include "elf/archive.h"
#include "elf/symbols.h"
#include "rust/std_crates.h"
#include "size/rlibs.h"

/* A crate's name and hash as one string that two crates never share. */
static struct slice copy_key(struct std_copies *copies, struct symbol_crate crate)
{
    text_clear(&copies->scratch);
    text_format(&copies->scratch, "%llx:", (unsigned long long)crate.disambiguator);
    text_add(&copies->scratch, crate.name);
    return text_slice(&copies->scratch);
}

/* What was seen of the name. */
static struct copy_counts *counts_of(struct std_copies *copies, struct slice name)
{
    uint32_t id = intern_add(&copies->names, name);

    if (id == copies->counts.count)
        *vec_add(&copies->counts) = (struct copy_counts){0};
    return &copies->counts.items[id];
}

static void note(struct std_copies *copies, struct symbol_crate crate, enum copy_owner owner)
{
    uint32_t id = 0;

    if (!std_crates_depend_on(crate.name))
        return;
    id = intern_add(&copies->copies, copy_key(copies, crate));
    if (id == copies->owners.count) {
        *vec_add(&copies->owners) = COPY_UNKNOWN;
        counts_of(copies, crate.name)->hashes++;
    }
    if (owner == COPY_UNKNOWN && copies->owners.items[id] == COPY_OF_PROGRAM)
        counts_of(copies, crate.name)->is_met = true;
    if (copies->owners.items[id] != COPY_UNKNOWN)
        return;
    copies->owners.items[id] = owner;
    if (owner == COPY_OF_PROGRAM)
        counts_of(copies, crate.name)->of_program++;
}

static void note_all_shown(struct std_copies *copies, const struct symbol *symbol, enum copy_owner owner)
{
    struct symbol_crate crate = {0};
    uint32_t at = 0;

    while (symbol_next_crate(symbol, &at, &crate))
        note(copies, crate, owner);
}

void std_copies_see(struct std_copies *copies, struct symbol *symbol)
{
    struct symbol_crate crate;
    struct symbol_crate by = {0};
    bool is_instance = false;

    if (symbol->kind == SYMBOL_RUST_LEGACY)
        copies->has_legacy_names = true;
    crate = symbol_defining_crate(symbol).crate;
    copies->has_std |= slice_is(crate.name, "std");
    copies->has_panic_unwind |= slice_is(crate.name, "panic_unwind");
    if (symbol->kind != SYMBOL_RUST_V0)
        return;
    is_instance = symbol_instantiating_crate(symbol, &by);
    if (slice_is(crate.name, "core"))
        copies->core_id = crate.disambiguator;
    note(copies, crate, COPY_UNKNOWN);
    note(copies, by, COPY_UNKNOWN);
    if (symbol_crate_is_std(is_instance ? by.name : crate.name))
        copies->std_is_v0 = true;
    /* std knows no crates but those it was built with. */
    if (is_instance && symbol_crate_is_std(by.name))
        note_all_shown(copies, symbol, COPY_OF_STD);
}

void std_copies_see_map(struct std_copies *copies, const struct code_map *map)
{
    SCOPED(symbol_done) struct symbol symbol = {0};

    for (size_t i = 0; i < map->functions.count; i++) {
        symbol_parse(&symbol, map->functions.items[i].names[0]->name);
        std_copies_see(copies, &symbol);
    }
}

void std_copies_see_archive(struct std_copies *copies, const char *path)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    struct archive archive;
    struct error ignored = {0};

    if (archive_open(path, &archive, &ignored) < 0)
        return;
    for (size_t i = 0; i < archive.symbols.count; i++) {
        symbol_parse(&symbol, archive.symbols.items[i].name);
        std_copies_see(copies, &symbol);
    }
    archive_close(&archive);
}

/* What the library of a crate of this name has made itself; false when the symbol does not tell. */
static bool see_own(struct std_copies *copies, struct symbol *symbol, struct slice name,
                    enum copy_owner owner)
{
    struct symbol_crate by = {0};

    if (symbol->kind != SYMBOL_RUST_V0)
        return false;
    if (!symbol_instantiating_crate(symbol, &by))
        by = symbol_defining_crate(symbol).crate;
    if (!slice_equal(by.name, name))
        return false;
    note(copies, by, owner);
    return true;
}

/* rustc names the object of a codegen unit after its crate, hash and all, but in incremental builds. */
static bool see_member(struct std_copies *copies, struct slice member, struct slice name,
                       enum copy_owner owner)
{
    struct crate_fact fact = {0};

    if (!rlib_member_crate(member, &fact) || fact.id == 0 || !slice_equal(fact.name, name))
        return false;
    note(copies, (struct symbol_crate){fact.name, fact.id}, owner);
    return true;
}

/* False when nothing in it tells which crate of the name it is. */
static bool see_library(struct std_copies *copies, const char *path, struct slice name, enum copy_owner owner)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    struct archive archive;
    struct error ignored = {0};
    bool is_identified = false;

    if (!path || archive_open(path, &archive, &ignored) < 0)
        return false;
    for (size_t i = 0; i < archive.symbols.count; i++) {
        symbol_parse(&symbol, archive.symbols.items[i].name);
        is_identified |= see_own(copies, &symbol, name, owner);
    }
    for (size_t i = 0; i < archive.members.count; i++)
        is_identified |= see_member(copies, archive.members.items[i].name, name, owner);
    archive_close(&archive);
    return is_identified;
}

void std_copies_see_library(struct std_copies *copies, const char *path, struct slice name)
{
    bool is_identified = false;

    if (!std_crates_depend_on(name))
        return;
    is_identified = see_library(copies, path, name, COPY_OF_PROGRAM);
    counts_of(copies, name)->libraries++;
    counts_of(copies, name)->unidentified += !is_identified;
}

void std_copies_see_library_of_std(struct std_copies *copies, const char *path, struct slice name)
{
    (void)see_library(copies, path, name, COPY_OF_STD);
}

void std_copies_see_units(struct std_copies *copies, const struct units *units)
{
    for (size_t i = 0; units && i < units->items.count; i++) {
        struct crate_fact fact;

        if (!crate_fact_of_unit(&units->items.items[i], &fact) || fact.kind == CRATE_KIND_UNKNOWN)
            continue;
        note(copies, (struct symbol_crate){fact.name, fact.id},
             fact.kind == CRATE_KIND_STD ? COPY_OF_STD : COPY_OF_PROGRAM);
    }
}

/* Of each name the crate that has units among these, where it is one alone. */
static void note_only_ones(struct std_copies *copies, const struct slice *units, size_t count)
{
    SCOPED(intern_done) struct intern names = {0};
    VEC(uint64_t) hashes = {0}; /* by name; 0: of several crates */
    struct crate_fact fact;

    for (size_t i = 0; i < count; i++) {
        uint32_t name = 0;

        if (!crate_fact_of_codegen_unit(units[i], &fact) || !std_crates_depend_on(fact.name))
            continue;
        name = intern_add(&names, fact.name);
        if (name >= hashes.count)
            *vec_add(&hashes) = fact.id;
        else if (hashes.items[name] != fact.id)
            hashes.items[name] = 0;
    }
    for (uint32_t i = 0; i < hashes.count; i++)
        if (hashes.items[i] != 0)
            note(copies, (struct symbol_crate){intern_text(&names, i), hashes.items[i]}, COPY_OF_STD);
    vec_done(&hashes);
}

/* Whether std is made of crates of this name; what unwinds for it may be called as anybody's crate is. */
static bool is_name_within_std(struct slice name)
{
    return std_crates_own(name) || std_crates_depend_on(name) || slice_is(name, "unwind");
}

void std_copies_see_linked(struct std_copies *copies, const struct symbols *symbols)
{
    size_t std = symbols->unit_count;
    bool is_in_order = false;
    struct crate_fact fact;

    for (size_t i = 0; i < symbols->unit_count; i++) {
        if (!crate_fact_of_codegen_unit(symbols->units[i], &fact))
            continue;
        if (std == symbols->unit_count && slice_is(fact.name, "std"))
            std = i;
        if (std < i && !is_name_within_std(fact.name))
            return;
        if (slice_is(fact.name, "core"))
            is_in_order = std < i;
    }
    if (is_in_order)
        note_only_ones(copies, &symbols->units[std], symbols->unit_count - std);
}

bool std_copies_program_is_legacy(const struct std_copies *copies)
{
    return copies->std_is_v0 && copies->has_legacy_names;
}

/* Whether it is the function of "__rustc" with that name, mangled ("7___rustc17rust_begin_unwind") or not. */
static bool is_internal(struct slice symbol, const char *name)
{
    char mangled[64];

    if (!slice_ends_with(symbol, slice_of(name)))
        return false;
    /* Before a name that begins with "_" there is one more (rustc's RFC 2603, "Identifiers"). */
    snprintf(mangled, sizeof(mangled), "7___rustc%zu%s%s", strlen(name), name[0] == '_' ? "_" : "", name);
    return slice_is(symbol, name) || slice_ends_with(symbol, slice_of(mangled));
}

bool std_copies_is_panic_internal(struct slice symbol)
{
    static const char *const names[] = {
        "__rust_drop_panic", "__rust_foreign_exception", "__rust_panic_cleanup", "__rust_start_panic",
        "rust_begin_unwind", "rust_eh_personality",      "rust_panic",
    };

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (is_internal(symbol, names[i]))
            return true;
    return false;
}

bool std_copies_is_plain_internal(struct slice symbol)
{
    return !slice_starts_with(symbol, SLICE("_R")) &&
           (std_copies_is_panic_internal(symbol) || slice_starts_with(symbol, SLICE("__rdl_")));
}

bool std_copies_is_panic_handler(struct slice symbol)
{
    return is_internal(symbol, "rust_begin_unwind");
}

/*
 * Each of the two panic runtimes defines two of them, and a program has one runtime. Unwinders call a
 * function of panic_unwind's by its address (exception_cleanup), so that it is never inlined; panic_abort has
 * no other.
 */
struct slice std_copies_crate_of_internal(const struct std_copies *copies, struct slice symbol)
{
    if (!is_internal(symbol, "__rust_start_panic") && !is_internal(symbol, "__rust_panic_cleanup"))
        return SLICE("std");
    return copies->has_panic_unwind ? SLICE("panic_unwind") : SLICE("panic_abort");
}

bool std_copies_is_for_backtraces(struct slice name)
{
    static const char *const names[] = {"addr2line",   "adler2", "gimli",
                                        "miniz_oxide", "object", "rustc_demangle"};

    return slice_is_any(name, names, ARRAY_COUNT(names));
}

/*
 * Of several crates of the name nothing tells which is std's; the only one that is not known to be the
 * program's is, as every program has that. So it surely is where the program has another.
 */
static bool is_likely_stds(const struct std_copies *copies, struct slice name, bool *is_sure)
{
    uint32_t id = intern_find(&copies->names, name);
    const struct copy_counts *counts = NULL;

    if (!std_copies_is_for_backtraces(name) || !copies->std_is_v0 || id == INTERN_NONE)
        return false;
    counts = &copies->counts.items[id];
    if (counts->hashes - counts->of_program != 1)
        return false;
    *is_sure = counts->of_program > 0;
    return true;
}

/*
 * Whether it is known which crates of the name are the program's, so that any other is std's. Where another
 * build tells it, the file has to show one of them: else its program has another version.
 */
static bool are_all_programs_known(const struct std_copies *copies, struct slice name)
{
    uint32_t id = intern_find(&copies->names, name);

    return copies->std_is_v0 && id != INTERN_NONE && copies->counts.items[id].libraries > 0 &&
           copies->counts.items[id].unidentified == 0 &&
           (copies->counts.items[id].is_met || !copies->is_other_build);
}

static bool is_not_programs(const struct std_copies *copies, struct slice name)
{
    return copies->program_crates && intern_find(copies->program_crates, name) == INTERN_NONE;
}

/* Whether std's own types are made of the crate's, so that programs make instances of std's copy, too: its
 * HashMap and HashSet are hashbrown's. */
static bool has_generics_of_std(struct slice name)
{
    return slice_is(name, "hashbrown");
}

bool std_copies_has_generic(const struct std_copies *copies, struct slice name)
{
    return copies->std_is_v0 &&
           (symbol_crate_is_std(name) || (std_crates_depend_on(name) && is_not_programs(copies, name) &&
                                          (!copies->is_other_build || has_generics_of_std(name))));
}

/*
 * Whether a crate is std's for sure where the build's are all known, and it is none of them. Those of another
 * build may lack what the program has; but there is one copy that every program has of std.
 */
static bool is_surely_stds(const struct std_copies *copies, struct slice name)
{
    uint32_t id = intern_find(&copies->names, name);

    return !copies->is_other_build ||
           (!has_generics_of_std(name) && id != INTERN_NONE &&
            copies->counts.items[id].hashes - copies->counts.items[id].of_program == 1);
}

static enum crate_kind kind_of_v0(struct std_copies *copies, struct symbol_crate crate, bool *is_sure);

/* Two crates never have one hash: it is of name, version, features and compiler. */
static bool is_stds_elsewhere(struct std_copies *copies, struct symbol_crate crate)
{
    struct std_copies *other = copies->other;
    bool is_sure = true;

    return other && intern_find(&other->copies, copy_key(other, crate)) != INTERN_NONE &&
           kind_of_v0(other, crate, &is_sure) == CRATE_KIND_STD && is_sure;
}

/*
 * Whether std's copy of the crate is known to be another one: that of a program which the same std was linked
 * into. There is one of each name.
 */
static bool std_has_another(const struct std_copies *copies, struct slice name)
{
    struct std_copies *other = copies->other;

    if (!other || copies->core_id == 0 || copies->core_id != other->core_id)
        return false;
    for (uint32_t i = 0; i < other->owners.count; i++) {
        struct slice key = intern_text(&other->copies, i);
        size_t colon = slice_find_byte(key, ':');
        struct symbol_crate crate = {.name = slice_range(key, colon + 1, key.length)};
        struct scan scan = scan_of(slice_range(key, 0, colon));
        bool is_sure = true;

        if (slice_equal(crate.name, name) && scan_hex(&scan, &crate.disambiguator) &&
            kind_of_v0(other, crate, &is_sure) == CRATE_KIND_STD && is_sure)
            return true;
    }
    return false;
}

static enum crate_kind kind_of_v0(struct std_copies *copies, struct symbol_crate crate, bool *is_sure)
{
    uint32_t id = intern_find(&copies->copies, copy_key(copies, crate));
    enum copy_owner owner = id == INTERN_NONE ? COPY_UNKNOWN : copies->owners.items[id];

    if (owner == COPY_UNKNOWN && copies->has_legacy_names)
        owner = copies->std_is_v0 ? COPY_OF_STD : COPY_OF_PROGRAM;
    if (owner == COPY_UNKNOWN && is_stds_elsewhere(copies, crate))
        owner = COPY_OF_STD;
    else if (owner == COPY_UNKNOWN && std_has_another(copies, crate.name))
        owner = COPY_OF_PROGRAM;
    if (owner == COPY_UNKNOWN &&
        (is_not_programs(copies, crate.name) || are_all_programs_known(copies, crate.name))) {
        *is_sure = is_surely_stds(copies, crate.name);
        return CRATE_KIND_STD;
    }
    if (owner != COPY_UNKNOWN)
        return owner == COPY_OF_STD ? CRATE_KIND_STD : CRATE_KIND_DEPENDENCY;
    *is_sure = false;
    return is_likely_stds(copies, crate.name, is_sure) ? CRATE_KIND_STD : CRATE_KIND_UNKNOWN;
}

enum crate_kind std_copies_kind(struct std_copies *copies, struct symbol_crate crate, bool is_v0,
                                bool *is_sure)
{
    *is_sure = true;
    if (symbol_crate_is_std(crate.name))
        return CRATE_KIND_STD;
    if (!std_crates_depend_on(crate.name))
        return CRATE_KIND_UNKNOWN;
    if (is_v0)
        return kind_of_v0(copies, crate, is_sure);
    if (std_copies_has_generic(copies, crate.name)) {
        *is_sure = !copies->is_other_build;
        return CRATE_KIND_STD;
    }
    if (copies->std_is_v0) {
        *is_sure = !has_generics_of_std(crate.name);
        return CRATE_KIND_DEPENDENCY;
    }
    *is_sure =
        is_not_programs(copies, crate.name) && (!copies->is_other_build || !has_generics_of_std(crate.name));
    return is_not_programs(copies, crate.name) ? CRATE_KIND_STD : CRATE_KIND_UNKNOWN;
}

enum crate_kind std_copies_kind_of_unit(struct std_copies *copies, const struct crate_fact *unit)
{
    struct symbol_crate crate = {unit->name, unit->id};
    bool is_known = intern_find(&copies->copies, copy_key(copies, crate)) != INTERN_NONE ||
                    are_all_programs_known(copies, crate.name);
    bool is_sure = false;

    return std_copies_kind(copies, crate, is_known, &is_sure);
}

void std_copies_done(struct std_copies *copies)
{
    intern_done(&copies->copies);
    vec_done(&copies->owners);
    intern_done(&copies->names);
    vec_done(&copies->counts);
    text_done(&copies->scratch);
}
