#include "unwind/rule_cache.h"

#include "base/memory.h"

enum { CACHE_BITS = 14, CACHE_ENTRIES = 1 << CACHE_BITS };

/* Each takes one line of the processor's cache, where most of a walk's time goes. */
struct entry {
    struct unwind_rule rule;
    uint32_t generation;
    bool is_used;
};

_Static_assert(sizeof(struct entry) == 64, "an entry is one line");

struct rule_cache {
    struct entry entries[CACHE_ENTRIES];
};

struct rule_cache *rule_cache_new(void)
{
    return memory_new_sparse(sizeof(struct rule_cache)); /* begins with a page */
}

void rule_cache_free(struct rule_cache *cache)
{
    if (cache)
        memory_free_sparse(cache, sizeof(*cache));
}

/* Fibonacci hashing: neighbouring addresses go to places far apart. */
static size_t place_of(uint64_t address, uint32_t generation)
{
    return (size_t)((address + ((uint64_t)generation << 48)) * UINT64_C(0x9e3779b97f4a7c15) >>
                    (64 - CACHE_BITS));
}

static struct unwind_rule *find(struct rule_cache *cache, const struct unwind_request *request,
                                uint64_t address)
{
    struct entry *entry = &cache->entries[place_of(address, request->generation)];

    if (entry->is_used && entry->rule.row.svma == address && entry->generation == request->generation)
        return &entry->rule;
    *entry = (struct entry){.generation = request->generation, .is_used = true};
    request->find(request->context, address, &entry->rule);
    entry->rule.row.svma = address;
    return &entry->rule;
}

const struct unwind_rule *rule_cache_find(struct rule_cache *cache, const struct unwind_request *request,
                                          uint64_t address)
{
    return find(cache, request, address);
}

const struct unwind_rule *rule_cache_read(struct rule_cache *cache, const struct unwind_request *request,
                                          uint64_t address, bool has_called)
{
    struct unwind_rule *rule = find(cache, request, address);

    if (!rule->is_unread || !request->read_until_return || (has_called && rule->keeps_frame))
        return rule;
    request->read_until_return(request->context, address, has_called, rule);
    rule->row.svma = address;
    return rule;
}

bool rule_cache_is_before_entry(struct rule_cache *cache, const struct unwind_request *request,
                                uint64_t address)
{
    struct unwind_rule *rule = find(cache, request, address);

    if (!rule->is_asked && request->is_before_entry)
        rule->is_before_entry = request->is_before_entry(request->context, address);
    rule->is_asked = true;
    return rule->is_before_entry;
}
