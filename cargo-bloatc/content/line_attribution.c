#include "content/line_attribution.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "content/shown_path.h"
#include "rust/demangle.h"
#include "rust/symbol_path.h"
#include "size/lines.h"
#include "size/source_crates.h"

/* What is the same for every piece of a file. */
struct source_file {
    struct slice path; /* in full */
    uint32_t crate;    /* SIZE_NO_CRATE: the path does not tell */
};

/* A unit's own numbers of files and functions, as numbers that all units share; 0 for not known yet. */
struct unit_ids {
    uint32_t *files;
    uint32_t *names;
    uint32_t crate;
};

/* Pieces that are alike, put together. */
struct piece_key {
    uint32_t name;     /* in `names`, or INTERN_NONE: what the function of the map is called */
    uint32_t function; /* of the map, where the name is not known */
    uint32_t file;     /* in `paths`, or INTERN_NONE */
    uint32_t line;
    uint32_t crate;
    enum crate_source source; /* how that is known */
    bool is_paid_by_std;
};

struct collector {
    const struct measure_request *request;
    struct debug_info *debug;
    const struct function_source *functions;
    struct measurement *out;
    struct unit_ids *units;
    struct shown_paths shown;
    struct source_crates sources;
    struct intern paths;           /* in full */
    VEC(struct source_file) files; /* by the path's id */
    struct intern names;           /* as debug information has them, with a mark of the mangled ones before */
    struct intern keys;            /* struct piece_key as bytes */
    VEC(uint64_t) sizes;           /* by the key's id */
    struct text scratch;
};

static void collector_done(struct collector *collector)
{
    for (size_t i = 0; i < collector->debug->units.items.count; i++) {
        free(collector->units[i].files);
        free(collector->units[i].names);
    }
    free(collector->units);
    shown_paths_done(&collector->shown);
    source_crates_done(&collector->sources);
    intern_done(&collector->paths);
    vec_done(&collector->files);
    intern_done(&collector->names);
    intern_done(&collector->keys);
    vec_done(&collector->sizes);
    text_done(&collector->scratch);
}

static uint32_t add_file(struct collector *collector, const struct line_table *table, uint32_t file)
{
    struct source_file *added = NULL;
    uint32_t crate = SIZE_NO_CRATE;
    uint32_t id = INTERN_NONE;

    text_clear(&collector->scratch);
    if (!line_table_add_path(table, file, &collector->scratch))
        return INTERN_NONE;
    id = intern_add(&collector->paths, text_slice(&collector->scratch));
    if (id < collector->files.count)
        return id;
    crate =
        source_crates_find(&collector->sources, intern_text(&collector->paths, id), &collector->out->crates);
    added = vec_add(&collector->files);
    *added = (struct source_file){intern_text(&collector->paths, id), crate};
    return id;
}

static uint32_t file_id(struct collector *collector, uint32_t unit, uint32_t file)
{
    const struct line_table *table = &collector->debug->details[unit].lines;
    struct unit_ids *ids = &collector->units[unit];

    if (file >= table->files.count)
        return INTERN_NONE;
    if (!ids->files)
        ids->files = memory_new(table->files.count, sizeof(uint32_t));
    if (ids->files[file] == 0)
        ids->files[file] = add_file(collector, table, file) + 1;
    return ids->files[file] - 1;
}

static uint32_t add_name(struct collector *collector, const struct function_name *name)
{
    if (name->text.length == 0)
        return INTERN_NONE;
    text_clear(&collector->scratch);
    text_add_byte(&collector->scratch, name->is_mangled ? 'm' : 'p');
    text_add(&collector->scratch, name->text);
    return intern_add(&collector->names, text_slice(&collector->scratch));
}

static uint32_t name_id(struct collector *collector, uint32_t unit, uint32_t name)
{
    const struct functions *functions = &collector->debug->details[unit].functions;
    struct unit_ids *ids = &collector->units[unit];

    if (name >= functions->names.count)
        return INTERN_NONE;
    if (!ids->names)
        ids->names = memory_new(functions->names.count, sizeof(uint32_t));
    if (ids->names[name] == 0)
        ids->names[name] = add_name(collector, &functions->names.items[name]) + 1;
    return ids->names[name] - 1;
}

static bool is_std(const struct collector *collector, uint32_t crate)
{
    return crate != SIZE_NO_CRATE && collector->out->crates.items.items[crate].kind == CRATE_KIND_STD;
}

/*
 * Where the path tells no crate, as of C whose build script takes the package's folder off its paths
 * (-ffile-prefix-map), the unit's name does, or the function as where there are no lines.
 */
static void find_crate(const struct collector *collector, const struct code_piece *piece,
                       struct piece_key *key)
{
    key->source = CRATE_FROM_LINE;
    if (key->file != INTERN_NONE)
        key->crate = collector->files.items[key->file].crate;
    if (key->crate == SIZE_NO_CRATE && key->file != INTERN_NONE)
        key->crate = collector->units[piece->unit].crate;
    if (key->crate != SIZE_NO_CRATE || piece->function >= CODE_UNNAMED)
        return;
    key->crate = collector->functions[piece->function].measured.crate_index;
    key->source = collector->functions[piece->function].measured.crate_source;
}

static struct piece_key key_of(struct collector *collector, const struct code_piece *piece)
{
    struct piece_key key;
    enum measure_grain grain = collector->request->grain;

    /* Keys are compared as bytes, those between the members too. */
    memset(&key, 0, sizeof(key));
    key.function = piece->function;
    key.name = key.file = INTERN_NONE;
    key.crate = SIZE_NO_CRATE;
    if (piece->unit == UNIT_NONE)
        return key;
    key.name = name_id(collector, piece->unit, piece->name);
    key.file = piece->file == LINE_NO_FILE ? INTERN_NONE : file_id(collector, piece->unit, piece->file);
    if (key.file != INTERN_NONE || key.name != INTERN_NONE)
        find_crate(collector, piece, &key);
    if (key.name != INTERN_NONE)
        key.function = 0;
    if (piece->function < CODE_UNNAMED)
        key.is_paid_by_std = is_std(collector, collector->functions[piece->function].used.crate);
    if (grain < GRAIN_FILE)
        key.file = key.file == INTERN_NONE ? INTERN_NONE : 0;
    if (grain == GRAIN_LINE)
        key.line = piece->line;
    return key;
}

static void collect(void *context, const struct code_piece *piece)
{
    struct collector *collector = context;
    struct piece_key key;
    uint32_t id = 0;

    /* Gaps are added where all attributions have them. */
    if (piece->function >= CODE_UNNAMED)
        return;
    key = key_of(collector, piece);
    id = intern_add(&collector->keys, (struct slice){(const char *)&key, sizeof(key)});
    if (id == collector->sizes.count)
        *vec_add(&collector->sizes) = 0;
    collector->sizes.items[id] += piece->size_bytes;
}

static void give_name(struct collector *collector, uint32_t name, struct measured *measured)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    struct slice marked = intern_text(&collector->names, name);
    struct slice text = slice_range(marked, 1, marked.length);
    bool is_mangled = marked.data[0] == 'm';

    text_clear(&collector->scratch);
    if (is_mangled)
        demangle_add_name(&collector->scratch, &symbol, text, DEMANGLE_SHORT);
    else
        text_add(&collector->scratch, text);
    measured->name = arena_slice(&collector->out->arena, text_slice(&collector->scratch));
    measured->symbol = (struct slice){0};
    if (is_mangled)
        measured->symbol = arena_slice(&collector->out->arena, text);
}

static void give_crate(struct collector *collector, const struct piece_key *key, struct measured *measured)
{
    const struct size_crate *crate = &collector->out->crates.items.items[key->crate];

    measured->crate = crate->name;
    measured->version = crate->version;
    measured->is_own = crate->kind == CRATE_KIND_OWN;
    measured->is_std = crate->kind == CRATE_KIND_STD;
    measured->is_instantiated = measured->is_std && !key->is_paid_by_std;
    measured->crate_source = key->source;
    measured->crate_index = key->crate;
}

/* Who has the line defines the function too, unless a macro has put it there: that may be another crate's. */
static uint32_t definer_in_lines(const struct collector *collector, const struct piece_key *key,
                                 struct slice name)
{
    SCOPED(symbol_done) struct symbol symbol = {0};

    if (key->crate == SIZE_NO_CRATE)
        return SIZE_NO_CRATE;
    symbol_parse(&symbol, name);
    return slice_equal(symbol_defining_crate(&symbol).crate.name,
                       collector->out->crates.items.items[key->crate].name)
               ? key->crate
               : SIZE_NO_CRATE;
}

static void add_item(struct collector *collector, const struct piece_key *key, uint64_t size_bytes)
{
    struct measured measured = {
        .kind = MEASURED_FUNCTION, .crate_index = SIZE_NO_CRATE, .definer_index = SIZE_NO_CRATE};

    if (key->name == INTERN_NONE)
        measured = collector->functions[key->function].measured;
    else
        give_name(collector, key->name, &measured);
    if (key->crate != SIZE_NO_CRATE)
        give_crate(collector, key, &measured);
    if (collector->request->tells_definers && key->name != INTERN_NONE)
        measured.definer_index = definer_in_lines(collector, key, measured.symbol);
    if (collector->request->grain >= GRAIN_FILE && key->file != INTERN_NONE) {
        text_clear(&collector->scratch);
        shown_path_add(&collector->scratch, &collector->shown, intern_text(&collector->paths, key->file));
        measured.file = arena_slice(&collector->out->arena, text_slice(&collector->scratch));
        measured.line = key->line;
    }
    measured.size_bytes = size_bytes;
    *vec_add(&collector->out->items) = measured;
}

void line_attribution_apply(const struct measure_request *request, struct source *source,
                            const struct function_source *functions, struct measurement *out)
{
    struct debug_info *debug = &source->debug;
    SCOPED(collector_done)
    struct collector collector = {
        .request = request,
        .debug = debug,
        .functions = functions,
        .out = out,
        .units = memory_new(debug->units.items.count, sizeof(struct unit_ids)),
        .sources = {.packages = request->packages, .package_count = request->package_count},
    };

    for (size_t i = 0; i < debug->units.items.count; i++)
        collector.units[i].crate = source->unit_crates->of_unit[i];
    debug_info_read_all(debug, 0); /* folders of crates are told by names of units, some in other files */
    source_crates_add_units(&collector.sources, &debug->units, source->unit_crates);
    shown_paths_read(&debug->units, &collector.shown);
    lines_walk(debug, &source->map, collect, &collector);
    for (uint32_t id = 0; id < collector.sizes.count; id++) {
        struct piece_key key;

        memcpy(&key, intern_text(&collector.keys, id).data, sizeof(key));
        add_item(&collector, &key, collector.sizes.items[id]);
    }
}
