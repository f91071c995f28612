#include "size/used/locals.h"

#include <elf.h>

#include "base/memory.h"
#include "elf/archive_object.h"
#include "size/rlibs.h"

#define NOTHING UINT32_MAX
#define SEVERAL_CRATES (SIZE_NO_CRATE - 1)

/* One of the crates whose libraries hold a function. */
struct holder {
    uint32_t crate;
    uint32_t next; /* index, or NOTHING */
};

/* All functions of one source, name and size. */
struct local {
    uint32_t first_holder; /* index, or NOTHING */
    size_t in_program;
    size_t in_libraries;
};

/* Those asked for. Zero-initialised is empty. */
struct locals {
    struct intern names; /* "parser 14599 ts_lex" */
    VEC(struct local) items;
    VEC(struct holder) holders;
    struct intern sources; /* "parser" */
    struct text scratch;
};

static void locals_done(struct locals *locals)
{
    intern_done(&locals->names);
    vec_done(&locals->items);
    vec_done(&locals->holders);
    intern_done(&locals->sources);
    text_done(&locals->scratch);
}

static struct slice name_of(struct locals *locals, struct slice source, const struct elf_symbol *symbol)
{
    text_clear(&locals->scratch);
    text_format(&locals->scratch, "%.*s %llu %.*s", SLICE_ARGUMENTS(source),
                (unsigned long long)symbol->size_bytes, SLICE_ARGUMENTS(symbol->name));
    return text_slice(&locals->scratch);
}

/* Tables of constants may stand among code. */
static bool is_code_of_object(const struct elf_symbol *symbol)
{
    return symbol->binding == STB_LOCAL && symbol->size_bytes > 0 &&
           (symbol->type == STT_FUNC || symbol->type == STT_OBJECT);
}

static void want(struct locals *locals, struct slice source, const struct elf_symbol *symbol)
{
    uint32_t id = intern_add(&locals->names, name_of(locals, source, symbol));

    intern_add(&locals->sources, source);
    if (id == locals->items.count)
        *vec_add(&locals->items) = (struct local){.first_holder = NOTHING};
    locals->items.items[id].in_program++;
}

static bool holds(const struct locals *locals, const struct local *local, uint32_t crate)
{
    for (uint32_t at = local->first_holder; at != NOTHING; at = locals->holders.items[at].next)
        if (locals->holders.items[at].crate == crate)
            return true;
    return false;
}

static void note(struct locals *locals, struct slice source, const struct elf_symbol *symbol, uint32_t crate)
{
    uint32_t id = intern_find(&locals->names, name_of(locals, source, symbol));
    struct local *local = NULL;

    if (id == INTERN_NONE)
        return;
    local = &locals->items.items[id];
    local->in_libraries++;
    if (holds(locals, local, crate))
        return;
    *vec_add(&locals->holders) = (struct holder){crate, local->first_holder};
    local->first_holder = (uint32_t)locals->holders.count - 1;
}

static void read_member(struct locals *locals, const struct archive *archive,
                        const struct archive_member *member, uint32_t crate)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error ignored = {0};
    struct image image;
    bool is_object = false;

    if (archive_open_object(archive, member, &arena, &image, &is_object, &ignored) < 0 || !is_object)
        return;
    if (symbols_read(&image, &symbols, &ignored) == 0)
        for (size_t i = 0; i < symbols.count; i++)
            if (is_code_of_object(&symbols.items[i]))
                note(locals, rlib_source_stem(member->name), &symbols.items[i], crate);
    image_close(&image);
}

static void read_library(struct locals *locals, const char *path, uint32_t crate)
{
    struct archive archive;
    struct error ignored = {0};

    if (archive_open(path, &archive, &ignored) < 0)
        return;
    for (size_t i = 0; i < archive.members.count; i++) {
        const struct archive_member *member = &archive.members.items[i];

        if (rlib_member_is_foreign(member->name) &&
            intern_find(&locals->sources, rlib_source_stem(member->name)) != INTERN_NONE)
            read_member(locals, &archive, member, crate);
    }
    archive_close(&archive);
}

/* The symbol of a function that is asked for; NULL for others. */
static const struct elf_symbol *wanted(const struct used_request *request, const struct used *out,
                                       size_t function)
{
    const struct elf_symbol *symbol = request->map->functions.items[function].names[0];

    return out[function].source == USED_UNKNOWN && symbol->unit != SYMBOL_NO_UNIT && is_code_of_object(symbol)
               ? symbol
               : NULL;
}

static const struct local *find(struct locals *locals, const struct used_request *request,
                                const struct elf_symbol *symbol)
{
    struct slice source = rlib_source_stem(request->symbols->units[symbol->unit]);

    return &locals->items.items[intern_find(&locals->names, name_of(locals, source, symbol))];
}

/* The crate of the only library that holds it, or SIZE_NO_CRATE. */
static uint32_t only_holder(const struct locals *locals, const struct local *local)
{
    const struct holder *first = NULL;

    if (local->first_holder == NOTHING || local->in_program > local->in_libraries)
        return SIZE_NO_CRATE;
    first = &locals->holders.items[local->first_holder];
    return first->next == NOTHING ? first->crate : SIZE_NO_CRATE;
}

/* Each STT_FILE symbol stands for one object; `of_unit` is by that. */
static void give_sure(struct locals *locals, const struct used_request *request, uint32_t *of_unit,
                      struct used *out)
{
    for (size_t i = 0; i < request->map->functions.count; i++) {
        const struct elf_symbol *symbol = wanted(request, out, i);
        uint32_t crate = symbol ? only_holder(locals, find(locals, request, symbol)) : SIZE_NO_CRATE;

        if (crate == SIZE_NO_CRATE)
            continue;
        out[i] = (struct used){crate, USED_FROM_RLIB};
        of_unit[symbol->unit] =
            of_unit[symbol->unit] == SIZE_NO_CRATE || of_unit[symbol->unit] == crate ? crate : SEVERAL_CRATES;
    }
}

static void give_beside(struct locals *locals, const struct used_request *request, const uint32_t *of_unit,
                        struct used *out)
{
    for (size_t i = 0; i < request->map->functions.count; i++) {
        const struct elf_symbol *symbol = wanted(request, out, i);

        if (symbol && holds(locals, find(locals, request, symbol), of_unit[symbol->unit]))
            out[i] = (struct used){of_unit[symbol->unit], USED_FROM_RLIB};
    }
}

static void give_in_object(const struct used_request *request, struct used *out)
{
    uint32_t crate = SIZE_NO_CRATE;

    for (size_t i = 0; i < request->map->functions.count; i++) {
        if (out[i].source != USED_FROM_RLIB)
            continue;
        if (crate != SIZE_NO_CRATE && crate != out[i].crate)
            return;
        crate = out[i].crate;
    }
    for (size_t i = 0; crate != SIZE_NO_CRATE && i < request->map->functions.count; i++)
        if (out[i].source == USED_UNKNOWN)
            out[i] = (struct used){crate, USED_FROM_RLIB};
}

void used_locals_find(const struct used_request *request, struct size_crates *crates, struct used *out)
{
    SCOPED(locals_done) struct locals locals = {0};
    SCOPED(memory_free_at) uint32_t *of_unit = NULL;

    if (request->is_object && !request->is_merged)
        give_in_object(request, out);
    if (request->package_count == 0 || request->is_object)
        return;
    for (size_t i = 0; i < request->map->functions.count; i++) {
        const struct elf_symbol *symbol = wanted(request, out, i);

        if (symbol)
            want(&locals, rlib_source_stem(request->symbols->units[symbol->unit]), symbol);
    }
    if (locals.items.count == 0)
        return;
    for (size_t i = 0; i < request->package_count; i++) {
        struct crate_fact fact = build_package_crate(&request->packages[i]);

        if (request->packages[i].rlib)
            read_library(&locals, request->packages[i].rlib, size_crates_add(crates, &fact));
    }
    of_unit = memory_new(request->symbols->unit_count, sizeof(*of_unit));
    for (size_t i = 0; i < request->symbols->unit_count; i++)
        of_unit[i] = SIZE_NO_CRATE;
    give_sure(&locals, request, of_unit, out);
    give_beside(&locals, request, of_unit, out);
}
