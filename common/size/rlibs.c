#include "size/rlibs.h"

#include "elf/archive.h"
#include "rust/crate_name.h"
#include "rust/symbol_path.h"

void rlib_owners_want(struct rlib_owners *owners, struct slice symbol)
{
    uint32_t id = intern_add(&owners->names, symbol);

    if (id < owners->of_name.count)
        return;
    *vec_add(&owners->of_name) = SIZE_NO_CRATE;
    *vec_add(&owners->name_is_shared) = false;
}

struct slice rlib_source_stem(struct slice name)
{
    enum { HASH = 16 };
    struct slice stem = slice_range(name, 0, slice_find_byte(name, '.'));

    return stem.length > HASH && stem.data[HASH] == '-' ? slice_range(stem, HASH + 1, stem.length) : stem;
}

bool rlib_member_is_foreign(struct slice member)
{
    return (slice_ends_with(member, SLICE(".o")) && !slice_ends_with(member, SLICE(".rcgu.o"))) ||
           slice_ends_with(member, SLICE(".lo"));
}

static void add_file(struct rlib_owners *owners, struct slice member, uint32_t crate, bool is_behind)
{
    uint32_t id = intern_add(&owners->files, rlib_source_stem(member));

    if (is_behind && id < owners->of_file.count)
        return;
    if (id == owners->of_file.count) {
        *vec_add(&owners->of_file) = crate;
        *vec_add(&owners->file_is_shared) = false;
    }
    owners->file_is_shared.items[id] |= owners->of_file.items[id] != crate;
}

static void take_symbols(struct rlib_owners *owners, const struct archive *archive, uint32_t crate,
                         bool is_behind)
{
    for (size_t i = 0; i < archive->symbols.count; i++) {
        uint32_t id = intern_find(&owners->names, archive->symbols.items[i].name);

        if (id == INTERN_NONE || (is_behind && owners->of_name.items[id] != SIZE_NO_CRATE))
            continue;
        if (owners->of_name.items[id] != SIZE_NO_CRATE && owners->of_name.items[id] != crate)
            owners->name_is_shared.items[id] = true;
        owners->of_name.items[id] = crate;
    }
}

static bool read_index(struct rlib_owners *owners, const char *path, uint32_t crate, bool is_behind)
{
    struct archive archive;
    struct error ignored = {0};
    bool has_symbols = false;

    if (archive_open(path, &archive, &ignored) < 0)
        return true;
    has_symbols = archive.symbols.count > 0;
    take_symbols(owners, &archive, crate, is_behind);
    for (size_t i = 0; i < archive.members.count; i++)
        if (rlib_member_is_foreign(archive.members.items[i].name))
            add_file(owners, archive.members.items[i].name, crate, is_behind);
    archive_close(&archive);
    return has_symbols;
}

bool rlib_owners_read(struct rlib_owners *owners, const char *path, uint32_t crate)
{
    return read_index(owners, path, crate, false);
}

void rlib_owners_read_behind(struct rlib_owners *owners, const char *path, uint32_t crate)
{
    (void)read_index(owners, path, crate, true);
}

uint32_t rlib_owners_find(const struct rlib_owners *owners, struct slice symbol)
{
    uint32_t id = intern_find(&owners->names, symbol);

    return id == INTERN_NONE || owners->name_is_shared.items[id] ? SIZE_NO_CRATE : owners->of_name.items[id];
}

uint32_t rlib_owners_find_file(const struct rlib_owners *owners, struct slice source)
{
    uint32_t id = intern_find(&owners->files, rlib_source_stem(source));

    return id == INTERN_NONE || owners->file_is_shared.items[id] ? SIZE_NO_CRATE : owners->of_file.items[id];
}

void rlib_owners_done(struct rlib_owners *owners)
{
    intern_done(&owners->names);
    intern_done(&owners->files);
    vec_done(&owners->of_name);
    vec_done(&owners->of_file);
    vec_done(&owners->name_is_shared);
    vec_done(&owners->file_is_shared);
}

bool rlib_member_crate(struct slice member, struct crate_fact *out)
{
    return slice_ends_with(member, SLICE(".o")) && crate_fact_of_object(member, out);
}

/* What symbols of the library tell: who instantiated one, else who defines it, if that has the name. */
static bool find_in_symbols(const struct archive *archive, struct slice name, uint64_t *hash)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    bool is_found = false;

    for (size_t i = 0; i < archive->symbols.count; i++) {
        struct symbol_crate crate = {0};
        bool is_instance = false;

        symbol_parse(&symbol, archive->symbols.items[i].name);
        is_instance = symbol_instantiating_crate(&symbol, &crate);
        if (!is_instance)
            crate = symbol_defining_crate(&symbol).crate;
        if (crate.disambiguator == 0 || !crate_name_is(crate.name, name) || (is_found && !is_instance))
            continue;
        *hash = crate.disambiguator;
        is_found = true;
        if (is_instance)
            break;
    }
    return is_found;
}

bool rlib_find_hash(const char *path, struct slice name, uint64_t *hash)
{
    struct archive archive;
    struct error ignored = {0};
    struct crate_fact fact;
    bool is_found = false;

    if (archive_open(path, &archive, &ignored) < 0)
        return false;
    for (size_t i = 0; i < archive.members.count && !is_found; i++) {
        is_found = rlib_member_crate(archive.members.items[i].name, &fact) && fact.id != 0 &&
                   crate_name_is(fact.name, name);
        if (is_found)
            *hash = fact.id;
    }
    is_found = is_found || find_in_symbols(&archive, name, hash);
    archive_close(&archive);
    return is_found;
}

void rlib_add_crate(const char *path, const struct crate_fact *fact, struct size_crates *crates)
{
    struct crate_fact known = *fact;

    if (rlib_find_hash(path, fact->name, &known.id))
        size_crates_add(crates, &known);
}
