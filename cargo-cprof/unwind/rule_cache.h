/* The rules that walks have asked for, direct-mapped: most walks go through the same calls. */
#ifndef UNWIND_RULE_CACHE_H
#define UNWIND_RULE_CACHE_H

#include "unwind/unwind.h"

struct rule_cache; /* opaque */

struct rule_cache *rule_cache_new(void);
void rule_cache_free(struct rule_cache *cache);

/*
 * How the request's memory leaves the function at the address, unless that is unread; counts until the next
 * call. Never NULL.
 */
const struct unwind_rule *rule_cache_find(struct rule_cache *cache, const struct unwind_request *request,
                                          uint64_t address);

/* The same where a walk stands, so that what is unread is read; of what has made a call as far as needed. */
const struct unwind_rule *rule_cache_read(struct rule_cache *cache, const struct unwind_request *request,
                                          uint64_t address, bool has_called);

/* What the request tells of the address behind which a function may begin. */
bool rule_cache_is_before_entry(struct rule_cache *cache, const struct unwind_request *request,
                                uint64_t address);

#endif
