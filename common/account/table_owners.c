#include "account/table_claims.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "base/search.h"

void owned_bytes_add(struct owned_bytes *owned, uint64_t offset, uint64_t size_bytes, uint32_t owner)
{
    if (owner != OWNER_NONE && size_bytes > 0)
        *vec_add(&owned->items) = interval_of(offset, size_bytes, owner);
}

uint32_t table_owners_at(const struct table_owners *tables, uint64_t svma)
{
    uint32_t owner = intervals_find(&tables->exception_rows, svma);

    if (owner == INTERVAL_NONE)
        owner = data_map_owner_at(tables->request->data, svma);
    return owner == OWNER_PADDING ? OWNER_NONE : owner;
}

static int compare_claims(const void *left, const void *right)
{
    const struct claim *a = left;
    const struct claim *b = right;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->owner < b->owner ? -1 : a->owner > b->owner;
}

void claims_add(struct claims *claims, uint64_t offset, uint64_t size_bytes, uint32_t owner)
{
    *vec_add(&claims->items) = (struct claim){offset, size_bytes, owner};
}

void claims_settle(const struct owner_space *space, struct claims *claims)
{
    size_t kept = 0;

    vec_sort(&claims->items, compare_claims);
    for (size_t i = 0; i < claims->items.count; i++) {
        struct claim *claim = &claims->items.items[i];

        if (kept > 0 && claims->items.items[kept - 1].offset == claim->offset)
            claims->items.items[kept - 1].owner =
                owner_join(space, claims->items.items[kept - 1].owner, claim->owner);
        else
            claims->items.items[kept++] = *claim;
    }
    claims->items.count = kept;
}

void claims_take(struct claims *claims, const struct owner_space *space, struct owned_bytes *out)
{
    claims_settle(space, claims);
    for (size_t i = 0; i < claims->items.count; i++)
        owned_bytes_add(out, claims->items.items[i].offset, claims->items.items[i].size_bytes,
                        claims->items.items[i].owner);
    vec_done(&claims->items);
}

static void join_ends(const struct owner_space *space, struct claims *claims)
{
    for (size_t i = 1; i < claims->items.count; i++) {
        struct claim *before = &claims->items.items[i - 1];
        struct claim *claim = &claims->items.items[i];

        if (before->offset + before->size_bytes > claim->offset)
            claim->owner = owner_join(space, before->owner, claim->owner);
    }
}

/* Behind the NUL, or where the data ends. */
static uint64_t end_of_string(struct slice data, uint64_t start)
{
    uint64_t end = start + slice_find_byte(slice_range(data, start, data.length), 0);

    return end < data.length ? end + 1 : end;
}

void claims_take_strings(struct claims *claims, const struct owner_space *space, struct slice data,
                         struct owned_bytes *out)
{
    uint64_t end = 0;

    claims_settle(space, claims);
    for (size_t i = 0; i < claims->items.count; i++) {
        struct claim *claim = &claims->items.items[i];

        if (end <= claim->offset)
            end = end_of_string(data, claim->offset);
        claim->size_bytes = end - claim->offset;
    }
    join_ends(space, claims);
    claims_take(claims, space, out);
}

/* --- Unwinding -------------------------------------------------------------------------- */

static uint64_t entry_bytes_at(const struct frame_entries *frames, uint64_t offset)
{
    size_t low = SEARCH_FROM(frames->items.items, frames->items.count, offset, offset);

    return low < frames->items.count && frames->items.items[low].offset == offset
               ? frames->items.items[low].size_bytes
               : 0;
}

void table_owners_of_frames(const struct table_owners *tables, struct owned_bytes *out)
{
    const struct frame_entries *frames = &tables->frames;
    struct claims common = {0};

    for (size_t i = 0; i < frames->items.count; i++) {
        const struct frame_entry *entry = &frames->items.items[i];
        uint32_t owner = entry->is_description ? table_owners_at(tables, entry->code_svma) : OWNER_NONE;

        owned_bytes_add(out, entry->offset, entry->size_bytes, owner);
        if (entry->is_description)
            claims_add(&common, entry->common, entry_bytes_at(frames, entry->common), owner);
    }
    claims_take(&common, tables->request->space, out);
}

/* LSB Core, "Exception Frame Header": after the four bytes a pointer to .eh_frame and the count. */
void table_owners_of_frame_header(const struct table_owners *tables, const struct section *section,
                                  struct slice data, struct owned_bytes *out)
{
    enum { HEADER_BYTES = 12, ENTRY_BYTES = 8 };
    struct bytes cursor = image_cursor(tables->request->image, data);
    static const char usual[] = {1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
                                 DW_EH_PE_datarel | DW_EH_PE_sdata4};
    bool is_usual = slice_starts_with(data, (struct slice){usual, sizeof(usual)});

    bytes_seek(&cursor, HEADER_BYTES);
    while (is_usual && bytes_left(&cursor) >= ENTRY_BYTES) {
        uint64_t offset = cursor.at;
        uint64_t svma = section->svma + (uint64_t)(int64_t)(int32_t)bytes_u32(&cursor);

        bytes_u32(&cursor);
        owned_bytes_add(out, offset, ENTRY_BYTES, table_owners_at(tables, svma));
    }
}

void table_owners_of_exceptions(const struct table_owners *tables, const struct section *section,
                                struct owned_bytes *out)
{
    const struct interval_rows *rows = &tables->exception_rows;
    uint64_t end = section->svma + section->file_bytes;
    uint64_t at = section->svma;

    for (size_t i = intervals_after(rows, at); at < end; i++) {
        uint64_t next = i < rows->count && rows->items[i].start < end ? rows->items[i].start : end;

        owned_bytes_add(out, at - section->svma, next - at, i > 0 ? rows->items[i - 1].id : OWNER_NONE);
        at = next;
    }
}

static bool is_exceptions(const struct section *section)
{
    return section->flags & SHF_ALLOC && slice_is(section_family(section->name), ".gcc_except_table");
}

/* Where these sections are; objects may have one for each function. */
static struct interval_rows map_exception_sections(const struct image *image)
{
    struct owned_bytes found = {0};
    struct interval_rows rows;

    for (uint32_t i = 0; i < image->sections.count; i++)
        if (is_exceptions(&image->sections.items[i]))
            owned_bytes_add(&found, image->sections.items[i].svma, image->sections.items[i].file_bytes, i);
    rows = intervals_flatten(found.items.items, found.items.count);
    vec_done(&found.items);
    return rows;
}

static void claim_exceptions(const struct table_owners *tables, const struct interval_rows *places,
                             struct claims *claims)
{
    const struct frame_entries *frames = &tables->frames;

    for (size_t i = 0; i < frames->items.count; i++) {
        const struct frame_entry *entry = &frames->items.items[i];

        if (entry->table_svma != 0 && intervals_find(places, entry->table_svma) != INTERVAL_NONE)
            claims_add(claims, entry->table_svma, 0, table_owners_at(tables, entry->code_svma));
    }
    claims_settle(tables->request->space, claims);
}

static void map_exceptions(struct table_owners *tables)
{
    const struct sections *sections = &tables->request->image->sections;
    SCOPED(intervals_done) struct interval_rows places = map_exception_sections(tables->request->image);
    struct owned_bytes owned = {0};
    struct claims claims = {0};

    claim_exceptions(tables, &places, &claims);
    for (size_t i = 0; i < claims.items.count; i++) {
        struct claim *claim = &claims.items.items[i];
        const struct section *section = &sections->items[intervals_find(&places, claim->offset)];
        uint64_t end = section->svma + section->file_bytes;

        if (i + 1 < claims.items.count && claims.items.items[i + 1].offset < end)
            end = claims.items.items[i + 1].offset;
        claim->size_bytes = end - claim->offset;
    }
    claims_take(&claims, tables->request->space, &owned);
    tables->exception_rows = intervals_flatten(owned.items.items, owned.items.count);
    vec_done(&owned.items);
}

int table_owners_prepare(struct table_owners *tables, struct error *err)
{
    if (frame_entries_read(tables->request->image, &tables->frames, err) < 0)
        return -1;
    map_exceptions(tables);
    return 0;
}

void table_owners_done(struct table_owners *tables)
{
    frame_entries_done(&tables->frames);
    intervals_done(&tables->exception_rows);
    intern_done(&tables->imports);
    vec_done(&tables->import_owners);
}

/* --- Relocations ------------------------------------------------------------------------ */

void table_owners_of_relocations(const struct table_owners *tables, const struct section *section,
                                 const struct interval_rows *changed, struct owned_bytes *out)
{
    const struct relocations *relocations = &tables->request->references->relocations;
    struct claims entries = {0};

    for (size_t i = SEARCH_FROM(relocations->items.items, relocations->items.count, section, section->index);
         i < relocations->items.count && relocations->items.items[i].section == section->index; i++) {
        const struct relocation *relocation = &relocations->items.items[i];
        uint32_t owner = changed ? intervals_find(changed, relocation->place_offset)
                                 : table_owners_at(tables, relocation->place_svma);

        claims_add(&entries, relocation->entry_offset, relocation->entry_bytes, owner);
    }
    claims_take(&entries, tables->request->space, out);
}
