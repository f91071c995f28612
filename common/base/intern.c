#include "base/intern.h"

#include <string.h>

#include "base/memory.h"

/* Multiplies in up to eight bytes and folds the halves (the idea of wyhash's mixing step). */
static uint64_t mix(uint64_t hash, const char *bytes, size_t count)
{
    uint64_t word = 0;
    unsigned __int128 product = 0;

    memcpy(&word, bytes, count);
    product = (unsigned __int128)(hash ^ word) * 0xa0761d6478bd642fU;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint32_t hash_bytes(struct slice text)
{
    enum { WORD = sizeof(uint64_t) };
    uint64_t hash = 0x9e3779b97f4a7c15U ^ text.length;
    size_t at = 0;

    /* A count that is known when this is compiled makes the copy one load. */
    for (; text.length - at >= WORD; at += WORD)
        hash = mix(hash, text.data + at, WORD);
    if (at < text.length)
        hash = mix(hash, text.data + at, text.length - at);
    return (uint32_t)(hash ^ (hash >> 32));
}

/* The place in the table where `text` stands or would stand. The table has a free place. */
static uint32_t find_place(const struct intern *intern, struct slice text, uint32_t hash)
{
    uint32_t mask = intern->table_size - 1;
    uint32_t place = hash & mask;

    for (; intern->table[place]; place = (place + 1) & mask) {
        const struct intern_entry *entry = &intern->entries.items[intern->table[place] - 1];

        if (entry->hash == hash && slice_equal(entry->text, text))
            break;
    }
    return place;
}

static void grow_table(struct intern *intern)
{
    uint32_t mask = 0;

    free(intern->table);
    intern->table_size = intern->table_size ? intern->table_size * 2 : 64;
    intern->table = memory_new(intern->table_size, sizeof(*intern->table));
    mask = intern->table_size - 1;
    for (uint32_t id = 0; id < intern->entries.count; id++) {
        uint32_t place = intern->entries.items[id].hash & mask;

        while (intern->table[place])
            place = (place + 1) & mask;
        intern->table[place] = id + 1;
    }
}

void intern_done(struct intern *intern)
{
    arena_done(&intern->arena);
    vec_done(&intern->entries);
    free(intern->table);
    *intern = (struct intern){0};
}

uint32_t intern_add(struct intern *intern, struct slice text)
{
    uint32_t hash = hash_bytes(text);
    uint32_t place = 0;

    if (intern->entries.count * 2 >= intern->table_size)
        grow_table(intern);
    place = find_place(intern, text, hash);
    if (!intern->table[place]) {
        struct slice copy = arena_slice(&intern->arena, text);

        *vec_add(&intern->entries) = (struct intern_entry){copy, hash};
        intern->table[place] = (uint32_t)intern->entries.count;
    }
    return intern->table[place] - 1;
}

uint32_t intern_find(const struct intern *intern, struct slice text)
{
    if (!intern->table)
        return INTERN_NONE;
    /* A free place holds 0, and 0 - 1 is INTERN_NONE. */
    return intern->table[find_place(intern, text, hash_bytes(text))] - 1;
}

struct slice intern_text(const struct intern *intern, uint32_t id)
{
    return intern->entries.items[id].text;
}
