/* The rules that walks have asked for, direct-mapped: most walks go through the same calls. */
#ifndef UNWIND_RULE_CACHE_H
#define UNWIND_RULE_CACHE_H

#include "unwind/unwind.h"

struct rule_cache; /* opaque */

struct rule_cache *rule_cache_new(void);
void rule_cache_free(struct rule_cache *cache);

/* How the request's memory leaves the function at the address; counts until the next call. Never NULL. */
const struct unwind_rule *rule_cache_find(struct rule_cache *cache, const struct unwind_request *request,
                                          uint64_t address);

/* What the request tells of the address behind which a function may begin. */
bool rule_cache_is_before_entry(struct rule_cache *cache, const struct unwind_request *request,
                                uint64_t address);

#endif
