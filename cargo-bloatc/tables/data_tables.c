#include "tables/data_tables.h"

#include "base/units.h"
#include "tables/columns.h"

/* What JSON calls how it is known, what the line below tables says, and the fact that adds it up. */
static const struct {
    struct slice name;
    const char *words;
    const char *fact;
} known_names[] = {
    [DATA_UNKNOWN] = {{0}, "not at all", "data-unknown-size"},
    [DATA_FROM_CODE] = {SLICE("disassembly"), "by disassembly", "data-disassembly-size"},
    [DATA_FROM_RELOCATION] = {SLICE("relocation"), "through relocations", "data-relocation-size"},
    [DATA_FROM_SYMBOL] = {SLICE("symbol"), "by symbols", "data-symbol-size"},
    [DATA_INFERRED] = {SLICE("inferred"), "by numbers that may be addresses", "data-inferred-size"},
};

/* The columns behind those of sizes. */
enum {
    SECTION_COLUMN,
    CRATE_COLUMN,
    KNOWN_COLUMN,
    SHOWN_COLUMN,
    NAME_COLUMN,
    FUNCTION_COLUMN,
    SYMBOL_COLUMN,
    ADDRESS_COLUMN,
    OWNER_COLUMN
};

/* What JSON calls who pays. */
static struct slice owner_word(const struct measured *owner)
{
    switch (owner->kind) {
    case MEASURED_FUNCTION:
        return SLICE("function");
    case MEASURED_OF_CRATE:
        return SLICE("crate");
    case MEASURED_UNNAMED:
        return SLICE("unnamed");
    case MEASURED_PADDING:
        return SLICE("padding");
    case MEASURED_REST:
        break;
    }
    return slice_is(owner->name, DATA_SHARED_NAME) ? SLICE("shared") : SLICE("none");
}

static void add_columns(struct rows *rows, const struct measurement *measurement,
                        const struct bloatc_settings *settings)
{
    rows->list_key = "data";
    rows->noun = "piece";
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Section", "section", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(
        rows, (struct column){COLUMN_WORD, settings->show_known ? "Known from" : NULL, "known-from", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Data", "label", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "function", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "symbol", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "address", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "owner", 0, 0});
}

/*
 * What people see: the piece's name and the function that alone refers to it. Addresses would make everything
 * new in a comparison of two builds.
 */
struct slice data_label(struct arena *arena, const struct measured_data *data, const struct measured *owner)
{
    SCOPED(text_done) struct text text = {0};

    if (owner->kind == MEASURED_PADDING)
        return owner->name;
    text_add(&text, data->name.length > 0 ? data->name : SLICE("(no name)"));
    if (owner->kind == MEASURED_FUNCTION)
        text_format(&text, " in %.*s", SLICE_ARGUMENTS(owner->name));
    else if (owner->kind != MEASURED_OF_CRATE)
        text_format(&text, " %.*s", SLICE_ARGUMENTS(owner->name));
    return arena_slice(arena, text_slice(&text));
}

static void add_piece(struct rows *rows, const struct measured_data *data, const struct measured *owner,
                      struct slice text, const struct bloatc_settings *settings)
{
    struct row_size size = {.size_bytes = data->size_bytes};
    union cell *cells = columns_set_sizes(rows_add(rows), &size, settings);
    struct slice crate = filter_shown_crate(owner, settings->split_std);

    cells[SECTION_COLUMN].text = data->section;
    if (crate.length > 0)
        cells[CRATE_COLUMN].text = crate;
    cells[KNOWN_COLUMN].text = known_names[data->known].name;
    cells[SHOWN_COLUMN].text = text;
    if (data->name.length > 0)
        cells[NAME_COLUMN].text = data->name;
    if (owner->kind == MEASURED_FUNCTION)
        cells[FUNCTION_COLUMN].text = owner->name;
    if (data->symbol.length > 0)
        cells[SYMBOL_COLUMN].text = data->symbol;
    if (data->svma != 0)
        cells[ADDRESS_COLUMN].text =
            slice_of(arena_format(&rows->arena, "0x%llx", (unsigned long long)data->svma));
    cells[OWNER_COLUMN].text = owner_word(owner);
}

int data_filter_takes(const struct filter *filter, const struct measured *owner, struct slice text,
                      struct error *err)
{
    return filter->regex ? regex_matches(filter->regex, text, err) : filter_takes(filter, owner, err);
}

int data_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
              const struct filter *filter, struct rows *rows, struct error *err)
{
    add_columns(rows, measurement, settings);
    for (size_t i = 0; i < measurement->data.count; i++) {
        const struct measured_data *data = &measurement->data.items[i];
        const struct measured *owner = &measurement->items.items[data->owner];
        struct slice text = data_label(&rows->arena, data, owner);
        int taken = data_filter_takes(filter, owner, text, err);

        if (taken < 0)
            return -1;
        if (taken)
            add_piece(rows, data, owner, text, settings);
    }
    return 0;
}

static void add_share(struct text *text, uint64_t bytes, const char *words)
{
    if (bytes == 0)
        return;
    if (text->length > 0)
        text_add_string(text, ", ");
    units_add_bytes(text, bytes);
    text_format(text, " %s", words);
}

void data_add_notes(const struct measurement *measurement, bool is_filtered, struct rows *rows)
{
    static const enum data_known order[] = {DATA_FROM_CODE, DATA_FROM_RELOCATION, DATA_FROM_SYMBOL,
                                            DATA_INFERRED, DATA_UNKNOWN};
    uint64_t known[ARRAY_COUNT(known_names)] = {0};
    SCOPED(text_done) struct text text = {0};

    for (size_t i = 0; i < measurement->data.count; i++)
        if (measurement->items.items[measurement->data.items[i].owner].kind != MEASURED_PADDING)
            known[measurement->data.items[i].known] += measurement->data.items[i].size_bytes;
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        rows_add_fact(rows, known_names[i].fact, known[i]);
    for (size_t i = 0; i < ARRAY_COUNT(order); i++)
        add_share(&text, known[order[i]], known_names[order[i]].words);
    if (text.length > 0)
        *vec_add(&rows->notes) = arena_format(&rows->arena, "How it is known whose the data%s is: %s.",
                                              is_filtered ? " of the whole file" : "", text_string(&text));
    if (measurement->lacks_references)
        *vec_add(&rows->notes) = "Code of this machine is not read for what it refers to: relocations and "
                                 "symbols alone tell whose data it is.";
    if (measurement->has_no_symbols)
        *vec_add(&rows->notes) =
            "The file was stripped: what belongs to functions without a name is in the row [unnamed].";
}
