#include "account/account.h"

#include <elf.h>
#include <stdlib.h>

#include "account/debug_owners.h"
#include "base/memory.h"
#include "base/search.h"
#include "elf/relocation_table.h"

/* The account while it is made. */
struct work {
    const struct account_request *request;
    struct table_owners tables;
    struct debug_owners debug;
    struct owned_bytes owned;         /* of the section at hand */
    struct interval_rows rows;        /* the same, flat */
    const struct section *symbols[2]; /* .symtab and .dynsym; NULL without one */
    bool *is_changed;                 /* owned; by section: a table of relocations was looked at for it */
    struct account *out;
};

static void work_done(struct work *work)
{
    table_owners_done(&work->tables);
    debug_owners_done(&work->debug);
    vec_done(&work->owned.items);
    intervals_done(&work->rows);
    free(work->is_changed);
}

static enum account_kind kind_of(const struct section *section)
{
    static const struct {
        struct slice name;
        enum account_kind kind;
    } by_name[] = {
        {SLICE(".eh_frame"), ACCOUNT_UNWIND},         {SLICE(".eh_frame_hdr"), ACCOUNT_UNWIND},
        {SLICE(".gcc_except_table"), ACCOUNT_UNWIND}, {SLICE(".strtab"), ACCOUNT_SYMBOLS},
        {SLICE(".dynstr"), ACCOUNT_SYMBOLS},
    };

    for (size_t i = 0; i < ARRAY_COUNT(by_name); i++)
        if (slice_equal(section_family(section->name), by_name[i].name))
            return by_name[i].kind;
    if (section_is_relative_table(section))
        return ACCOUNT_RELOCATIONS;
    switch (section->type) {
    case SHT_RELA:
    case SHT_REL:
        return ACCOUNT_RELOCATIONS;
    case SHT_SYMTAB:
    case SHT_DYNSYM:
    case SHT_HASH:
    case SHT_GNU_HASH:
    case SHT_GNU_versym:
    case SHT_SYMTAB_SHNDX:
        return ACCOUNT_SYMBOLS;
    default:
        break;
    }
    if (!(section->flags & SHF_ALLOC) && (slice_starts_with(section->name, SLICE(".debug_")) ||
                                          slice_starts_with(section->name, SLICE(".zdebug_"))))
        return ACCOUNT_DEBUG;
    if (references_is_data(section))
        return ACCOUNT_DATA;
    return section_is_code(section) ? ACCOUNT_CODE : ACCOUNT_OTHER;
}

/* --- Owners of one section -------------------------------------------------------------- */

/* The table of symbols that takes its names from this section, or the section itself; else NULL. */
static const struct section *symbols_of(const struct work *work, const struct section *section)
{
    for (size_t i = 0; i < ARRAY_COUNT(work->symbols); i++) {
        const struct section *symbols = work->symbols[i];

        if (symbols && (symbols == section || symbols->link == section->index))
            return symbols;
    }
    return NULL;
}

static int read_symbols(struct work *work, const struct section *section, struct symbol_bytes *out,
                        struct error *err)
{
    struct image *image = work->request->image;

    *out = (struct symbol_bytes){.section = section};
    if (image_read_section(image, section, &out->entries, err) < 0)
        return -1;
    return section->link < image->sections.count
               ? image_read_section(image, &image->sections.items[section->link], &out->names, err)
               : 0;
}

static int own_symbols(struct work *work, const struct section *section, struct owned_bytes *out,
                       struct error *err)
{
    const struct section *table = symbols_of(work, section);
    struct symbol_bytes symbols;

    if (!table)
        return 0;
    if (read_symbols(work, table, &symbols, err) < 0)
        return -1;
    if (table == section)
        table_owners_of_symbols(&work->tables, &symbols, out);
    else
        table_owners_of_names(&work->tables, &symbols, out);
    return 0;
}

static int own_unwinding(struct work *work, const struct section *section, struct owned_bytes *out,
                         struct error *err)
{
    struct slice data;

    if (section == work->tables.frames.section) {
        table_owners_of_frames(&work->tables, out);
        return 0;
    }
    if (!slice_starts_with(section->name, SLICE(".eh_frame"))) {
        table_owners_of_exceptions(&work->tables, section, out);
        return 0;
    }
    if (image_read_section(work->request->image, section, &data, err) < 0)
        return -1;
    if (slice_is(section->name, ".eh_frame_hdr"))
        table_owners_of_frame_header(&work->tables, section, data, out);
    return 0;
}

static int own_debug(struct work *work, const struct section *section, struct owned_bytes *out,
                     struct error *err)
{
    struct slice data;

    if (image_read_section(work->request->image, section, &data, err) < 0)
        return -1;
    debug_owners_of_section(&work->debug, section, data, out);
    return 0;
}

static void own_code(struct work *work, const struct section *section, struct owned_bytes *out)
{
    const struct code_map *code = work->request->code;

    for (size_t i = SEARCH_FROM(code->ranges.items, code->ranges.count, section, section->index);
         i < code->ranges.count && code->ranges.items[i].section == section->index; i++) {
        const struct code_range *range = &code->ranges.items[i];
        uint32_t owner = range->function;

        if (owner == CODE_PADDING)
            owner = OWNER_PADDING;
        else if (owner == CODE_UNNAMED)
            owner = (uint32_t)code->functions.count;
        owned_bytes_add(out, range->svma - section->svma, range->size_bytes, owner);
    }
}

static void own_data(struct work *work, const struct section *section, struct owned_bytes *out)
{
    const struct data_map *data = work->request->data;

    for (size_t i = SEARCH_FROM(data->items.items, data->items.count, section, section->index);
         i < data->items.count && data->items.items[i].section == section->index; i++)
        owned_bytes_add(out, data->items.items[i].svma - section->svma, data->items.items[i].size_bytes,
                        (uint32_t)i);
}

/* Owners of what no relocations are in; the ids of data are its pieces. */
static int own_content(struct work *work, const struct section *section, struct owned_bytes *out,
                       struct error *err)
{
    switch (kind_of(section)) {
    case ACCOUNT_CODE:
        own_code(work, section, out);
        return 0;
    case ACCOUNT_DATA:
        own_data(work, section, out);
        return 0;
    case ACCOUNT_UNWIND:
        return own_unwinding(work, section, out, err);
    case ACCOUNT_SYMBOLS:
        return own_symbols(work, section, out, err);
    case ACCOUNT_DEBUG:
        return own_debug(work, section, out, err);
    case ACCOUNT_RELOCATIONS:
    case ACCOUNT_OTHER:
    case ACCOUNT_KINDS:
        break;
    }
    return 0;
}

/* What the owner is of an id that own_content gave to bytes of a section. */
static uint32_t owner_of_id(const struct work *work, enum account_kind kind, uint32_t id)
{
    return kind == ACCOUNT_DATA && id != OWNER_NONE ? work->request->data->items.items[id].owner : id;
}

/* The section that a table counts places from; each is looked at once, whatever tables claim. */
static const struct section *take_changed(struct work *work, const struct section *table)
{
    const struct image *image = work->request->image;
    const struct section *changed = relocation_table_base(image, table);

    if (!changed || work->is_changed[changed->index])
        return NULL;
    work->is_changed[changed->index] = true;
    return changed;
}

/* A relocation is of whoever has what it changes, loaded or not. */
static int own_relocations(struct work *work, const struct section *section, struct error *err)
{
    const struct section *changed = take_changed(work, section);
    struct owned_bytes owned = {0};
    struct interval_rows rows = {0};
    int result = 0;

    if (changed)
        result = own_content(work, changed, &owned, err);
    for (size_t i = 0; changed && i < owned.items.count; i++) {
        uint32_t owner = owner_of_id(work, kind_of(changed), owned.items.items[i].id);

        owned.items.items[i].id = owner == OWNER_PADDING ? OWNER_NONE : owner;
    }
    rows = intervals_flatten(owned.items.items, owned.items.count);
    if (result == 0)
        table_owners_of_relocations(&work->tables, section, changed ? &rows : NULL, &work->owned);
    intervals_done(&rows);
    vec_done(&owned.items);
    return result;
}

/* --- All bytes -------------------------------------------------------------------------- */

static void add_entry(struct work *work, const struct file_part *part, enum account_kind kind, uint32_t id,
                      uint64_t size_bytes)
{
    bool is_piece = kind == ACCOUNT_DATA && id != OWNER_NONE;

    if (size_bytes > 0)
        *vec_add(&work->out->entries) = (struct account_entry){
            .part = part,
            .kind = kind,
            .owner = owner_of_id(work, kind, id),
            .piece = is_piece ? id : UINT32_MAX,
            .size_bytes = size_bytes,
        };
}

/* What of the section is the part's own, which may be less where sections overlap: rows cut to that. */
static void add_rows(struct work *work, const struct file_part *part, enum account_kind kind)
{
    uint64_t end = part->section->file_bytes;
    uint64_t at = end - part->file_bytes;

    for (size_t i = intervals_after(&work->rows, at); at < end; i++) {
        uint32_t id = i > 0 ? work->rows.items[i - 1].id : INTERVAL_NONE;
        uint64_t next = i < work->rows.count ? work->rows.items[i].start : end;

        if (next > end)
            next = end;
        add_entry(work, part, kind, id, next - at);
        at = next;
    }
}

static int add_part(struct work *work, const struct file_part *part, struct error *err)
{
    enum account_kind kind = part->section ? kind_of(part->section) : ACCOUNT_OTHER;

    if (part->file_bytes == 0)
        return 0;
    if (!part->section) {
        add_entry(work, part, kind, OWNER_NONE, part->file_bytes);
        return 0;
    }
    work->owned.items.count = 0;
    if ((kind == ACCOUNT_RELOCATIONS ? own_relocations(work, part->section, err)
                                     : own_content(work, part->section, &work->owned, err)) < 0)
        return -1;
    intervals_done(&work->rows);
    work->rows = intervals_flatten(work->owned.items.items, work->owned.items.count);
    add_rows(work, part, kind);
    return 0;
}

/* What is known before the first section is looked at. */
static int prepare(struct work *work, struct error *err)
{
    const struct sections *sections = &work->request->image->sections;
    const struct section *imported = NULL;
    struct symbol_bytes imports;

    work->tables.request = work->request;
    work->is_changed = memory_new(sections->count, sizeof(bool));
    work->symbols[0] = sections_find_type(sections, SHT_SYMTAB);
    work->symbols[1] = sections_find_type(sections, SHT_DYNSYM);
    if (table_owners_prepare(&work->tables, err) < 0 ||
        debug_owners_prepare(&work->debug, work->request, err) < 0)
        return -1;
    imported = work->request->image->is_linked_alone ? work->symbols[0] : work->symbols[1];
    if (!imported)
        return 0;
    if (read_symbols(work, imported, &imports, err) < 0)
        return -1;
    table_owners_add_imports(&work->tables, &imports);
    return 0;
}

int account_build(const struct account_request *request, struct account *out, struct error *err)
{
    struct account account = {0};
    SCOPED(work_done) struct work work = {.request = request, .out = &account};

    if (prepare(&work, err) < 0)
        return -1;
    file_map_build(request->image, &account.file);
    for (size_t i = 0; i < account.file.parts.count; i++)
        if (add_part(&work, &account.file.parts.items[i], err) < 0) {
            account_done(&account);
            return -1;
        }
    *out = account;
    return 0;
}

void account_done(struct account *account)
{
    vec_done(&account->entries);
    file_map_done(&account->file);
    *account = (struct account){0};
}
