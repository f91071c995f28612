#include "counts/ir_collect.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/file.h"
#include "base/intern.h"
#include "base/memory.h"
#include "ir/count.h"

enum { NO_NODE = UINT32_MAX };

/* What is known of a name. */
struct name_facts {
    uint32_t node;    /* that has it, or NO_NODE */
    uint32_t user;    /* the last node that uses it, or NO_NODE */
    bool is_declared; /* a function of another unit */
    bool is_used;     /* by a node that is kept */
};

/* A node as it is read: uses are names, and its own attributes a number. */
struct collector {
    struct intern names;
    struct slice crate_name;        /* in the names' arena; empty: the text does not tell */
    uint64_t crate_disambiguator;   /* 0 likewise */
    VEC(struct name_facts) facts;   /* by name */
    VEC(struct counted_node) nodes; /* symbol is a name */
    VEC(uint32_t) attributes;       /* by node */
    VEC(uint32_t) uses;             /* names */
    size_t open_uses;               /* in uses: those of the node that is being read begin here */
    VEC(uint8_t) inlinings;         /* by number of a group of attributes */
};

static void collector_done(struct collector *collector)
{
    intern_done(&collector->names);
    vec_done(&collector->facts);
    vec_done(&collector->nodes);
    vec_done(&collector->attributes);
    vec_done(&collector->uses);
    vec_done(&collector->inlinings);
}

/* --- Reading --------------------------------------------------------------------------- */

static uint32_t add_name(struct collector *collector, struct slice symbol)
{
    uint32_t name = intern_add(&collector->names, symbol);

    if (name == collector->facts.count)
        *vec_add(&collector->facts) = (struct name_facts){.node = NO_NODE, .user = NO_NODE};
    return name;
}

static void see_reference(void *context, struct slice symbol)
{
    struct collector *collector = context;
    uint32_t user = (uint32_t)collector->nodes.count;
    uint32_t name = 0;

    if (slice_starts_with(symbol, SLICE("llvm.")))
        return;
    name = add_name(collector, symbol);
    /* Each name once, however often the node that is being read uses it. */
    if (collector->facts.items[name].user == user)
        return;
    collector->facts.items[name].user = user;
    *vec_add(&collector->uses) = name;
}

static void close_node(struct collector *collector, struct counted_node node, uint32_t attributes)
{
    struct name_facts *facts = &collector->facts.items[node.symbol];

    node.first_use = collector->open_uses;
    node.use_count = collector->uses.count - collector->open_uses;
    collector->open_uses = collector->uses.count;
    facts->node = (uint32_t)collector->nodes.count;
    *vec_add(&collector->nodes) = node;
    *vec_add(&collector->attributes) = attributes;
}

static void see_function(void *context, const struct ir_function *function)
{
    struct collector *collector = context;
    uint32_t name = add_name(collector, function->symbol);

    close_node(collector,
               (struct counted_node){.symbol = name,
                                     .kind = COUNTED_FUNCTION,
                                     .lines = function->lines,
                                     .switches = function->switches},
               function->attributes);
}

static bool is_rust(struct slice symbol)
{
    return slice_starts_with(symbol, SLICE("_R")) || slice_starts_with(symbol, SLICE("_ZN"));
}

static void see_global(void *context, struct slice symbol)
{
    struct collector *collector = context;
    uint32_t name = add_name(collector, symbol);

    close_node(collector,
               (struct counted_node){.symbol = name, .kind = is_rust(symbol) ? COUNTED_STATIC : COUNTED_DATA},
               IR_NO_ATTRIBUTES);
}

static void see_declaration(void *context, struct slice symbol)
{
    struct collector *collector = context;
    uint32_t name = 0;

    if (slice_starts_with(symbol, SLICE("llvm.")))
        return;
    name = add_name(collector, symbol);
    collector->facts.items[name].is_declared = true;
}

static void see_attributes(void *context, uint32_t number, enum ir_inlining inlining)
{
    struct collector *collector = context;

    /* LLVM numbers them from 0 without a gap; what is written by hand may not, and then says nothing. */
    if (number == collector->inlinings.count)
        *vec_add(&collector->inlinings) = (uint8_t)inlining;
}

/* --- What is kept ---------------------------------------------------------------------- */

/* Whether it is a function, or what another unit has. */
static bool is_end(const struct collector *collector, uint32_t name)
{
    const struct name_facts *facts = &collector->facts.items[name];

    return facts->is_declared ||
           (facts->node != NO_NODE && collector->nodes.items[facts->node].kind == COUNTED_FUNCTION);
}

static bool has_live_use(const struct collector *collector, const struct counted_node *node)
{
    for (size_t i = 0; i < node->use_count; i++) {
        uint32_t name = collector->uses.items[node->first_use + i];

        if (is_end(collector, name) || collector->facts.items[name].is_used)
            return true;
    }
    return false;
}

/*
 * Marks the globals that lead to functions. One may stand before or behind another that it names: the
 * passes end when nothing is new, which takes as many as they are nested.
 */
static void mark_globals(struct collector *collector)
{
    enum { PASSES_MAX = 64 };
    bool is_new = true;

    for (unsigned pass = 0; is_new && pass < PASSES_MAX; pass++) {
        is_new = false;
        for (size_t i = collector->nodes.count; i-- > 0;) {
            const struct counted_node *node = &collector->nodes.items[i];
            struct name_facts *facts = &collector->facts.items[node->symbol];

            if (node->kind != COUNTED_FUNCTION && !facts->is_used && has_live_use(collector, node))
                facts->is_used = is_new = true;
        }
    }
}

static bool is_kept(const struct collector *collector, const struct counted_node *node)
{
    return node->kind == COUNTED_FUNCTION || collector->facts.items[node->symbol].is_used;
}

/* Marks all names that stand in the result. */
static void mark_names(struct collector *collector)
{
    for (size_t i = 0; i < collector->nodes.count; i++) {
        const struct counted_node *node = &collector->nodes.items[i];

        if (!is_kept(collector, node))
            continue;
        collector->facts.items[node->symbol].is_used = true;
        for (size_t use = 0; use < node->use_count; use++) {
            uint32_t name = collector->uses.items[node->first_use + use];

            if (is_end(collector, name))
                collector->facts.items[name].is_used = true;
        }
    }
}

/* --- The result ------------------------------------------------------------------------ */

/* One symbol on its way to its place. */
struct placed {
    struct slice text;
    uint32_t name;
};

static int compare_placed(const void *left, const void *right)
{
    return slice_compare(((const struct placed *)left)->text, ((const struct placed *)right)->text);
}

static struct slice symbol_of(struct collector *collector, uint32_t name, uint32_t *data_count)
{
    uint32_t node = collector->facts.items[name].node;

    if (node == NO_NODE || collector->nodes.items[node].kind != COUNTED_DATA)
        return intern_text(&collector->names, name);
    return slice_of(arena_format(&collector->names.arena, "%c%u", DATA_MARK, (*data_count)++));
}

/* The place of each name in the symbols, which are filled; that of a name that is not kept means nothing. */
static uint32_t *place_symbols(struct collector *collector, struct unit_counts *out)
{
    VEC(struct placed) all = {0};
    uint32_t *places = NULL;
    uint32_t data_count = 0;

    for (uint32_t name = 0; name < collector->facts.count; name++)
        if (collector->facts.items[name].is_used)
            *vec_add(&all) = (struct placed){symbol_of(collector, name, &data_count), name};
    vec_sort(&all, compare_placed);
    places = memory_new(collector->facts.count + 1, sizeof(*places));
    for (size_t i = 0; i < all.count; i++) {
        places[all.items[i].name] = (uint32_t)i;
        *vec_add(&out->symbols) = all.items[i].text;
    }
    vec_done(&all);
    return places;
}

static void add_node(const struct collector *collector, size_t index, const uint32_t *places,
                     struct unit_counts *out)
{
    struct counted_node node = collector->nodes.items[index];
    uint32_t attributes = collector->attributes.items[index];
    size_t first = out->uses.count;
    uint32_t own = node.symbol;

    for (size_t use = 0; use < node.use_count; use++) {
        uint32_t name = collector->uses.items[node.first_use + use];

        if (collector->facts.items[name].is_used && name != own)
            *vec_add(&out->uses) = places[name];
    }
    node.symbol = places[own];
    node.first_use = first;
    node.use_count = out->uses.count - first;
    if (attributes < collector->inlinings.count)
        node.inlining = collector->inlinings.items[attributes];
    *vec_add(&out->nodes) = node;
}

/* A use and the node that it is of. */
struct edge {
    uint32_t node;
    uint32_t symbol;
};

/* All uses of all nodes, by symbol. */
static struct edge *sort_edges(const struct unit_counts *counts)
{
    SCOPED(memory_free_at) size_t *starts = memory_new(counts->symbols.count + 1, sizeof(*starts));
    struct edge *edges = memory_new(counts->uses.count + 1, sizeof(*edges));

    for (size_t use = 0; use < counts->uses.count; use++)
        starts[counts->uses.items[use] + 1]++;
    for (size_t symbol = 0; symbol < counts->symbols.count; symbol++)
        starts[symbol + 1] += starts[symbol];
    for (uint32_t node = 0; node < counts->nodes.count; node++) {
        const struct counted_node *user = &counts->nodes.items[node];

        for (size_t use = user->first_use; use < user->first_use + user->use_count; use++) {
            uint32_t symbol = counts->uses.items[use];

            edges[starts[symbol]++] = (struct edge){node, symbol};
        }
    }
    return edges;
}

/* Puts each node's uses in the order of symbols: of all nodes together that takes no comparing. */
static void order_uses(struct unit_counts *counts)
{
    SCOPED(memory_free_at) struct edge *edges = sort_edges(counts);
    SCOPED(memory_free_at) size_t *next = memory_new(counts->nodes.count + 1, sizeof(*next));

    for (size_t node = 0; node < counts->nodes.count; node++)
        next[node] = counts->nodes.items[node].first_use;
    for (size_t i = 0; i < counts->uses.count; i++)
        counts->uses.items[next[edges[i].node]++] = edges[i].symbol;
}

static void finish(struct collector *collector, struct unit_counts *out)
{
    SCOPED(memory_free_at) uint32_t *places = NULL;

    mark_globals(collector);
    mark_names(collector);
    places = place_symbols(collector, out);
    for (size_t i = 0; i < collector->nodes.count; i++)
        if (is_kept(collector, &collector->nodes.items[i]))
            add_node(collector, i, places, out);
    order_uses(out);
    /* The bytes of the names go over to the result. */
    out->arena = collector->names.arena;
    out->crate_name = collector->crate_name;
    out->crate_disambiguator = collector->crate_disambiguator;
    collector->names.arena = (struct arena){0};
}

/* ir_visitor.crate */
static void see_crate(void *context, struct slice name, uint64_t disambiguator)
{
    struct collector *collector = context;

    collector->crate_name = arena_slice(&collector->names.arena, name);
    collector->crate_disambiguator = disambiguator;
}

int ir_collect_descriptor(int descriptor, const char *name, struct unit_counts *out,
                          struct ir_sources *sources, struct error *err)
{
    SCOPED(collector_done) struct collector collector = {0};
    const struct ir_visitor visitor = {
        .context = &collector,
        .function = see_function,
        .reference = see_reference,
        .global = see_global,
        .declaration = see_declaration,
        .attributes = see_attributes,
        .crate = see_crate,
        .sources = sources,
    };

    if (ir_count_descriptor(descriptor, name, &visitor, err) < 0)
        return -1;
    finish(&collector, out);
    return 0;
}

int ir_collect_file(const char *path, struct unit_counts *out, struct ir_sources *sources, struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor < 0)
        return error_set(err, ERROR_IO, "open %s: %s", path, strerror(errno));
    return ir_collect_descriptor(descriptor, path, out, sources, err);
}
