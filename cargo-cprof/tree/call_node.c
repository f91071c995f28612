#include "tree/call_node.h"

static uint32_t thread_name(struct profile *profile, uint32_t thread)
{
    SCOPED(text_done) struct text text = {0};
    const struct profile_thread *of = &profile->threads.items[thread];

    if (of->name == PROFILE_NO_STRING && of->tid == 0)
        return profile_string(profile, SLICE("all threads"));
    text_add(&text, profile_text(profile, of->name));
    if (of->tid != 0)
        text_format(&text, " (%u)", of->tid);
    return profile_string(profile, text_slice(&text));
}

struct call_node call_node_of_root(struct profile *profile)
{
    return (struct call_node){.parent = PROFILE_NONE,
                              .name =
                                  profile->command ? profile->command : profile_string(profile, SLICE("all")),
                              .function = PROFILE_NONE,
                              .kind = CALL_ROOT};
}

struct call_node call_node_of_one_thread(struct profile *profile, uint32_t thread)
{
    return (struct call_node){
        .name = thread_name(profile, thread), .function = PROFILE_NONE, .kind = CALL_THREAD};
}

struct call_node call_node_of_function(const struct profile *profile, uint32_t function)
{
    return (struct call_node){
        .name = profile->functions.items[function].name, .function = function, .kind = CALL_FUNCTION};
}

struct call_node call_node_unknown(struct profile *profile)
{
    return (struct call_node){
        .name = profile_string(profile, SLICE("[no stack]")), .function = PROFILE_NONE, .kind = CALL_UNKNOWN};
}

struct call_node call_node_of_gap(struct profile *profile)
{
    return (struct call_node){
        .name = profile_string(profile, SLICE("[not waiting]")), .function = PROFILE_NONE, .kind = CALL_GAP};
}

void call_node_add_line(struct call_node *node, const struct profile_frame *frame)
{
    if (node->file == PROFILE_NO_STRING)
        node->file = frame->file;
    /* A macro's lines may be another file's. */
    if (frame->line == 0 || frame->file != node->file)
        return;
    if (node->first_line == 0 || frame->line < node->first_line)
        node->first_line = frame->line;
    if (frame->line > node->last_line)
        node->last_line = frame->line;
}

int call_node_compare(const struct profile *profile, enum call_order order, const struct call_node *a,
                      const struct call_node *b)
{
    int by_name = 0;

    if (order == CALLS_BY_TOTAL && a->weights.total != b->weights.total)
        return a->weights.total > b->weights.total ? -1 : 1;
    by_name = slice_compare(profile_text(profile, a->name), profile_text(profile, b->name));
    if (by_name || a->kind != CALL_FUNCTION || b->kind != CALL_FUNCTION)
        return by_name ? by_name : (int)a->kind - (int)b->kind;
    return slice_compare(profile_text(profile, profile->functions.items[a->function].crate),
                         profile_text(profile, profile->functions.items[b->function].crate));
}
