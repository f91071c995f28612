#include <elf.h>

#include "account/data_map.h"
#include "base/memory.h"

/* A piece that another refers to. */
struct edge {
    uint32_t to;
    bool is_doubtful; /* by what may be a mere number */
};

/* Owners on their way from what refers to what is referred to. */
struct flow {
    struct data_map *map;
    const struct image *image;
    const struct references *references;
    const struct owner_space *space;
    const uint32_t *group_of_symbol;
    uint32_t *first_edge; /* owned; by piece: where its edges start in `edges`; one more at the end */
    struct edge *edges;   /* owned */
    bool *is_waiting;     /* owned; by piece */
    bool *is_relocated;   /* owned; by piece: something is put into it when the program is loaded */
    VEC(uint32_t) waiting;
};

static void flow_done(struct flow *flow)
{
    free(flow->first_edge);
    free(flow->edges);
    free(flow->is_waiting);
    free(flow->is_relocated);
    vec_done(&flow->waiting);
}

static uint32_t piece_at(const struct data_map *map, uint64_t svma)
{
    uint32_t id = intervals_find(&map->places, svma);

    return id == INTERVAL_NONE || id < map->function_count ? INTERVAL_NONE : id - map->function_count;
}

/* One data's reference to what is at an address. */
typedef void visit_reference(struct flow *flow, uint64_t place, uint64_t target, bool is_doubtful);

static void walk_references(struct flow *flow, visit_reference *visit)
{
    const struct references *references = flow->references;

    for (size_t i = 0; i < references->relocations.items.count; i++) {
        const struct relocation *relocation = &references->relocations.items.items[i];

        if (relocation->has_target)
            visit(flow, relocation->place_svma, relocation->target_svma, false);
    }
    for (size_t i = 0; i < references->pointers.items.count; i++) {
        const struct pointer *pointer = &references->pointers.items.items[i];

        visit(flow, pointer->place_svma, pointer->target_svma, true);
    }
}

/* The pieces that a reference leads from and to; false when it does not lead from data to other data. */
static bool find_edge(const struct data_map *map, uint64_t place, uint64_t target, uint32_t *from,
                      uint32_t *to)
{
    *from = piece_at(map, place);
    *to = piece_at(map, target);
    return *from != INTERVAL_NONE && *to != INTERVAL_NONE && *from != *to;
}

static void count_edge(struct flow *flow, uint64_t place, uint64_t target, bool is_doubtful)
{
    uint32_t from = 0;
    uint32_t to = 0;

    (void)is_doubtful;
    if (find_edge(flow->map, place, target, &from, &to))
        flow->first_edge[from]++;
}

static void put_edge(struct flow *flow, uint64_t place, uint64_t target, bool is_doubtful)
{
    uint32_t from = 0;
    uint32_t to = 0;

    if (find_edge(flow->map, place, target, &from, &to))
        flow->edges[--flow->first_edge[from]] = (struct edge){to, is_doubtful};
}

/* Edges by the piece that they start from: counted first, then put in place. */
static void make_edges(struct flow *flow)
{
    size_t pieces = flow->map->items.count;

    flow->first_edge = memory_new(pieces + 1, sizeof(uint32_t));
    flow->is_waiting = memory_new(pieces, sizeof(bool));
    walk_references(flow, count_edge);
    for (size_t i = 1; i <= pieces; i++)
        flow->first_edge[i] += flow->first_edge[i - 1];
    flow->edges = memory_new(flow->first_edge[pieces], sizeof(struct edge));
    walk_references(flow, put_edge);
}

/* The group of the piece's own symbol, or OWNER_NONE. */
static uint32_t own_group(const struct flow *flow, const struct data_piece *piece)
{
    return piece->symbol == DATA_NO_SYMBOL ? OWNER_NONE : flow->group_of_symbol[piece->symbol];
}

/* Doubt stays; code is surer than a relocation; what the symbol had to settle is known by it. */
static enum data_known known_of(enum data_known before, enum data_known added)
{
    if (before == DATA_INFERRED || added == DATA_INFERRED)
        return DATA_INFERRED;
    if (before == DATA_FROM_SYMBOL || added == DATA_FROM_SYMBOL)
        return DATA_FROM_SYMBOL;
    return before == DATA_FROM_CODE || added == DATA_FROM_CODE ? DATA_FROM_CODE : added;
}

/* `owner` needs the piece. What it needs itself has to be told when that changes anything. */
static void receive(struct flow *flow, uint32_t index, uint32_t owner, enum data_known known)
{
    struct data_piece *piece = &flow->map->items.items[index];
    uint32_t joined = owner_join(flow->space, piece->owner, owner);

    if (joined == OWNER_SHARED && own_group(flow, piece) != OWNER_NONE) {
        joined = owner_of_group(flow->space, own_group(flow, piece));
        known = known_of(known, DATA_FROM_SYMBOL);
    }
    known = known_of(piece->known, known);
    if (joined == piece->owner && known == piece->known)
        return;
    piece->owner = joined;
    piece->known = known;
    if (!flow->is_waiting[index])
        *vec_add(&flow->waiting) = index;
    flow->is_waiting[index] = true;
}

/*
 * Ends: an owner changes at most four times, from none to a function, its group, all of them or the symbol's;
 * what is known of it as often.
 */
static void run(struct flow *flow)
{
    while (flow->waiting.count > 0) {
        uint32_t index = flow->waiting.items[--flow->waiting.count];
        struct data_piece piece = flow->map->items.items[index];

        flow->is_waiting[index] = false;
        for (uint32_t i = flow->first_edge[index]; i < flow->first_edge[index + 1]; i++) {
            const struct edge *edge = &flow->edges[i];
            bool is_doubtful = edge->is_doubtful || piece.known == DATA_INFERRED;

            receive(flow, edge->to, piece.owner, is_doubtful ? DATA_INFERRED : DATA_FROM_RELOCATION);
        }
    }
}

static void start_from_code(struct flow *flow, const struct code_references *references)
{
    for (size_t i = 0; i < references->items.count; i++) {
        const struct code_reference *reference = &references->items.items[i];
        uint32_t piece = piece_at(flow->map, reference->to_svma);
        uint32_t function = intervals_find(&flow->map->places, reference->from_svma);

        if (piece != INTERVAL_NONE && function < flow->map->function_count)
            receive(flow, piece, function, reference->is_absolute ? DATA_INFERRED : DATA_FROM_CODE);
    }
}

static bool is_array_of_functions(const struct flow *flow, uint32_t piece)
{
    uint32_t type = flow->image->sections.items[flow->map->items.items[piece].section].type;

    return type == SHT_INIT_ARRAY || type == SHT_FINI_ARRAY || type == SHT_PREINIT_ARRAY;
}

/* Nothing refers to these arrays; what they hold is why they are there. */
static void start_from_array(struct flow *flow, uint64_t place, uint64_t target, bool is_doubtful)
{
    uint32_t piece = piece_at(flow->map, place);
    uint32_t function = intervals_find(&flow->map->places, target);

    if (piece != INTERVAL_NONE && is_array_of_functions(flow, piece) && function < flow->map->function_count)
        receive(flow, piece, function, is_doubtful ? DATA_INFERRED : DATA_FROM_RELOCATION);
}

/* In objects, and where a linker left relocations in code: the function refers to what is put into it. */
static void start_from_instruction(struct flow *flow, uint64_t place, uint64_t target, bool is_doubtful)
{
    uint32_t piece = piece_at(flow->map, target);
    uint32_t function = intervals_find(&flow->map->places, place);

    if (piece != INTERVAL_NONE && function < flow->map->function_count)
        receive(flow, piece, function, is_doubtful ? DATA_INFERRED : DATA_FROM_RELOCATION);
}

static void mark_relocated(struct flow *flow, const struct relocations *relocations)
{
    flow->is_relocated = memory_new(flow->map->items.count, sizeof(bool));
    for (size_t i = 0; i < relocations->items.count; i++) {
        uint32_t piece = piece_at(flow->map, relocations->items.items[i].place_svma);

        if (piece != INTERVAL_NONE)
            flow->is_relocated[piece] = true;
    }
}

static void start_from_symbols(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->map->items.count; i++) {
        const struct data_piece *piece = &flow->map->items.items[i];
        uint32_t group = own_group(flow, piece);

        if (piece->owner == OWNER_NONE && group != OWNER_NONE)
            receive(flow, i, owner_of_group(flow->space, group), DATA_FROM_SYMBOL);
    }
}

/* Zeros without a name that nothing refers to, and that stay zeros, fill up to an alignment. */
static int mark_padding(const struct flow *flow, struct image *image, struct error *err)
{
    struct data_map *map = flow->map;

    for (size_t i = 0; i < map->items.count; i++) {
        struct data_piece *piece = &map->items.items[i];
        const struct section *section = &image->sections.items[piece->section];
        uint64_t offset = piece->svma - section->svma;
        struct slice data;

        if (piece->owner != OWNER_NONE || piece->symbol != DATA_NO_SYMBOL || flow->is_relocated[i])
            continue;
        if (image_read_section(image, section, &data, err) < 0)
            return -1;
        if (slice_is_zero(slice_range(data, offset, offset + piece->size_bytes)))
            piece->owner = OWNER_PADDING;
    }
    return 0;
}

int data_map_find_owners(struct data_map *map, struct image *image, const struct references *references,
                         const struct data_groups *groups, struct error *err)
{
    SCOPED(flow_done)
    struct flow flow = {.map = map,
                        .image = image,
                        .references = references,
                        .space = &groups->space,
                        .group_of_symbol = groups->of_symbol};

    make_edges(&flow);
    start_from_code(&flow, &references->code);
    walk_references(&flow, start_from_array);
    walk_references(&flow, start_from_instruction);
    run(&flow);
    start_from_symbols(&flow);
    run(&flow);
    mark_relocated(&flow, &references->relocations);
    return mark_padding(&flow, image, err);
}
