#include "unwind/walk.h"

#include <string.h>

#include "unwind/rule_cache.h"

const struct unwind_rule *walk_find_rule(const struct unwind_walk *walk, uint64_t address)
{
    return rule_cache_find(walk->unwinder->cache, walk->request, address);
}

const struct unwind_rule *walk_read_rule(const struct unwind_walk *walk, uint64_t address)
{
    return rule_cache_read(walk->unwinder->cache, walk->request, address, !walk->at.is_exact);
}

bool walk_is_before_entry(const struct unwind_walk *walk, uint64_t address)
{
    return rule_cache_is_before_entry(walk->unwinder->cache, walk->request, address);
}

bool walk_read_word(const struct unwind_walk *walk, uint64_t address, uint64_t *out)
{
    const struct unwind_request *request = walk->request;

    if (unwind_is_copied(request, address)) {
        memcpy(out, request->stack.data + (address - request->stack_start), sizeof(*out));
        repeat_note_word(walk->unwinder->repeats, address, *out);
        return true;
    }
    if (!request->read || !request->read(request->read_context, address, out)) {
        repeat_note_other(walk->unwinder->repeats);
        return false;
    }
    repeat_note_word_past_copy(walk->unwinder->repeats, address, *out);
    return true;
}

bool walk_followed_value(const struct unwind_walk *walk, const struct unwind_register *followed,
                         uint64_t *out)
{
    if (followed->kind == REGISTER_STORED)
        return walk_read_word(walk, followed->value, out);
    *out = followed->value;
    return followed->kind == REGISTER_VALUE;
}

bool walk_link_value(const struct unwind_walk *walk, uint64_t *out)
{
    if (walk->at.link.kind != REGISTER_UNKNOWN)
        return walk_followed_value(walk, &walk->at.link, out);
    return walk->at.is_innermost && registers_link(walk->request->registers, out);
}

/* A return address: there is code before it. */
bool walk_is_return_address(const struct unwind_walk *walk, uint64_t ip)
{
    return ip != 0 && walk_is_user_address(ip) && walk_find_rule(walk, ip - 1)->is_code;
}

/* Whether a word is the return address of the call that led to where the walk is. */
bool walk_is_own_return_address(const struct unwind_walk *walk, uint64_t word)
{
    const struct unwind_request *request = walk->request;

    return walk_is_return_address(walk, word) &&
           (!request->is_call || request->is_call(request->context, word - 1, walk_place(walk)) ||
            walk_find_rule(walk, word)->row.is_signal_frame); /* a handler's, which nobody called */
}
