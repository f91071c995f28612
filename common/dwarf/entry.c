#include "dwarf/entry.h"

#include <string.h>

const struct abbreviation *entry_begin(struct bytes *cursor, const struct abbreviations *table)
{
    uint64_t code = bytes_uleb128(cursor);
    const struct abbreviation *abbreviation = NULL;

    if (code == 0 || cursor->failed)
        return NULL;
    abbreviation = abbreviations_find(table, code);
    if (!abbreviation)
        cursor->failed = true;
    return abbreviation;
}

/* The first of the abbreviation's attributes; NULL when it has none. */
static const struct abbreviation_attribute *kinds_of(const struct abbreviations *table,
                                                     const struct abbreviation *abbreviation)
{
    return abbreviation->attribute_count > 0 ? &table->attributes.items[abbreviation->first_attribute] : NULL;
}

static uint64_t bytes_of_size(struct value_size size, const struct encoding *encoding)
{
    return (uint64_t)size.bytes + (uint64_t)size.addresses * encoding->address_bytes +
           (uint64_t)size.offsets * encoding->offset_bytes;
}

static void skip_value(struct bytes *cursor, const struct encoding *encoding,
                       const struct abbreviation_attribute *kind)
{
    switch (kind->extent) {
    case VALUE_OF_SIZE:
        bytes_skip(cursor, bytes_of_size(kind->size, encoding));
        break;
    case VALUE_LEB128:
        bytes_uleb128(cursor);
        break;
    case VALUE_BLOCK: /* where variables are: half of what there is */
        bytes_skip(cursor, bytes_uleb128(cursor));
        break;
    case VALUE_OTHER:
        attribute_read(cursor, encoding, kind);
        break;
    }
}

void entry_skip(struct bytes *cursor, const struct encoding *encoding, const struct abbreviations *table,
                const struct abbreviation *abbreviation)
{
    const struct abbreviation_attribute *kinds = kinds_of(table, abbreviation);

    if (!abbreviation->varies) {
        bytes_skip(cursor, bytes_of_size(abbreviation->size, encoding));
        return;
    }
    for (uint32_t i = 0; i < abbreviation->attribute_count && !cursor->failed; i++)
        skip_value(cursor, encoding, &kinds[i]);
}

void entry_read(struct bytes *cursor, const struct encoding *encoding, const struct abbreviations *table,
                const struct abbreviation *abbreviation, uint64_t offset, struct entry *out)
{
    const struct abbreviation_attribute *kinds = kinds_of(table, abbreviation);

    memset(out->attributes, 0, sizeof(out->attributes));
    out->offset = offset;
    out->abbreviation = abbreviation;
    for (uint32_t i = 0; i < abbreviation->attribute_count && !cursor->failed; i++) {
        if (kinds[i].place == ENTRY_ATTRIBUTE_COUNT)
            skip_value(cursor, encoding, &kinds[i]);
        else
            out->attributes[kinds[i].place] = attribute_read(cursor, encoding, &kinds[i]);
    }
}

uint64_t entry_number(const struct entry *entry, enum entry_attribute which, uint64_t otherwise)
{
    const struct attribute *attribute = &entry->attributes[which];

    return attribute->class == ATTRIBUTE_CONSTANT || attribute->class == ATTRIBUTE_OFFSET ? attribute->number
                                                                                          : otherwise;
}
