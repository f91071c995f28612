#include "collect/known_rules.h"

#include "base/memory.h"

enum { RULES = 1 << 14 };

struct known_rule {
    struct unwind_rule rule;
    uint32_t location;
    bool is_known;
};

static struct known_rule *place_of(const struct known_rules *rules, uint32_t location)
{
    return &rules->items[location % RULES];
}

void known_rules_done(struct known_rules *rules)
{
    if (rules->items)
        memory_free_sparse(rules->items, RULES * sizeof(*rules->items));
    *rules = (struct known_rules){0};
}

const struct unwind_rule *known_rules_find(const struct known_rules *rules, uint32_t location)
{
    const struct known_rule *known = rules->items ? place_of(rules, location) : NULL;

    return known && known->is_known && known->location == location ? &known->rule : NULL;
}

void known_rules_add(struct known_rules *rules, uint32_t location, const struct unwind_rule *rule)
{
    if (!rules->items)
        rules->items = memory_new_sparse(RULES * sizeof(*rules->items));
    *place_of(rules, location) = (struct known_rule){*rule, location, true};
}
