#include "annotate/instruction_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "annotate/source_notes.h"
#include "base/memory.h"
#include "base/pair_index.h"
#include "facts/series_unit.h"
#include "symbolize/symbolize.h"
#include "view/file_names.h"
#include "view/percent_limit.h"

/* What programs read. */
enum { SELF, TOTAL, MODULE, FUNCTION, ADDRESS, INSTRUCTION, INLINED, FILE_NAME, LINE_NUMBER };

/* A source file, read when the first of its lines is shown. */
struct known_source {
    struct source_text text;
    bool was_read;
    uint32_t module;    /* of the profile: whose code it was first shown beside */
    uint32_t last_line; /* that was shown of it */
};

/* A function while its instructions are listed. */
struct listed {
    const struct hot_function *function;
    const struct weights *weights;
    const struct weights *chosen; /* of samples in chosen functions alone */
    bool *shown;                  /* owned; by instruction, whether it is to be seen */
    uint32_t module;              /* of the listing's lines */
    uint32_t file;                /* the line that was shown last, as a string of theirs */
    uint32_t line;
    uint32_t caller_line; /* and that of the function itself, where this one is inlined */
};

struct instruction_listing {
    const struct profile *profile;
    const struct hot_code *code;
    const struct listing_look *look;
    struct rows *people;
    struct rows *programs;
    VEC(struct listed) listed;
    struct profile lines; /* of all instructions that may be shown: locations as they are met */
    struct file_names names;
    struct source_finder finder;
    struct known_source *sources; /* owned, by string of `lines` */
    struct pair_index names_met;  /* module, function: of those that are listed */
    VEC(uint32_t) name_counts;    /* by these, how many of them there are */
    struct text scratch;
    size_t left_out; /* instructions that weigh something, and are not shown */
};

static void instruction_listing_done(struct instruction_listing *listing)
{
    for (size_t i = 0; listing->sources && i < listing->lines.strings.entries.count; i++)
        source_text_done(&listing->sources[i].text);
    free(listing->sources);
    file_names_done(&listing->names);
    source_finder_done(&listing->finder);
    pair_index_done(&listing->names_met);
    vec_done(&listing->name_counts);
    text_done(&listing->scratch);
    profile_done(&listing->lines);
    for (size_t i = 0; i < listing->listed.count; i++)
        free(listing->listed.items[i].shown);
    vec_done(&listing->listed);
}

/* --- What is shown --------------------------------------------------------------------------------- */

/* What samples that `marks` are of weigh at an instruction. */
static struct weights weights_at(const struct marks *marks, const struct hot_function *function, size_t at)
{
    uint32_t mark = function->marks[at];

    return mark == PROFILE_NONE ? (struct weights){0} : marks->weights[mark];
}

static bool is_heavy(const struct instruction_listing *listing, const struct listed *listed, size_t at)
{
    struct weights weights = weights_at(&listing->code->chosen, listed->function, at);

    return listing->look->context == LISTING_ALL ||
           listing_is_heavy(&weights, listed->chosen, listing->look->least_share);
}

/* Which instructions are shown: those that weigh enough and the ones around them. To be freed. */
static bool *choose(const struct instruction_listing *listing, const struct listed *listed)
{
    size_t count = listed->function->code.items.count;
    bool *shown = memory_new(count + 1, sizeof(bool));
    size_t context = listing->look->context;
    size_t shown_to = 0; /* past the last one that is shown */

    for (size_t at = 0; at < count; at++) {
        size_t from = at > context ? at - context : 0;
        size_t to = count - at > context ? at + context + 1 : count;

        if (!is_heavy(listing, listed, at))
            continue;
        for (size_t i = from > shown_to ? from : shown_to; i < to; i++)
            shown[i] = true;
        shown_to = to;
    }
    return shown;
}

/* --- Which lines instructions are of ------------------------------------------------------------- */

/* The module of `lines` that is this one of the profile. */
static uint32_t module_of(struct instruction_listing *listing, uint32_t *known, uint32_t module)
{
    const struct profile *profile = listing->profile;
    const struct profile_module *from = &profile->modules.items[module];

    if (known[module] == PROFILE_NONE)
        known[module] = profile_add_module(&listing->lines, from->kind, profile_text(profile, from->path),
                                           profile_text(profile, from->build_id));
    return known[module];
}

static void list(struct instruction_listing *listing, const uint32_t *order, size_t count)
{
    SCOPED(memory_free_at)
    uint32_t *modules = memory_new(listing->profile->modules.count + 1, sizeof(uint32_t));

    for (size_t i = 0; i < listing->profile->modules.count; i++)
        modules[i] = PROFILE_NONE;
    for (size_t i = 0; i < count; i++) {
        const struct hot_function *function = &listing->code->functions.items[order[i]];
        struct listed listed = {
            .function = function,
            .weights = &listing->code->marks.group_weights[order[i]],
            .chosen = &listing->code->chosen.group_weights[order[i]],
            .module = module_of(listing, modules, function->module),
        };

        listed.shown = choose(listing, &listed);
        *vec_add(&listing->listed) = listed;
    }
}

/* Names the places of all instructions that are told of, and of nothing else. */
static void find_lines(struct instruction_listing *listing)
{
    for (size_t i = 0; i < listing->listed.count; i++) {
        const struct listed *listed = &listing->listed.items[i];
        const struct instructions *code = &listed->function->code;

        for (size_t at = 0; at < code->items.count; at++)
            if (listed->shown[at] || listing->look->for_programs)
                profile_location(&listing->lines, listed->module, code->items.items[at].svma);
    }
    symbolize_profile(&listing->lines,
                      &(struct symbolize_request){.kernel_symbols = "/dev/null", .has_library_lines = true});
    listing->names = file_names_make(&listing->lines);
    listing->sources = memory_new(listing->lines.strings.entries.count + 1, sizeof(struct known_source));
}

static const struct profile_location *location_at(struct instruction_listing *listing, uint32_t module,
                                                  uint64_t svma)
{
    uint32_t location = profile_location(&listing->lines, module, svma);

    return &listing->lines.locations.items[location];
}

/* The innermost call at an instruction; NULL where no line is known. */
static const struct profile_frame *frame_at(struct instruction_listing *listing, uint32_t module,
                                            uint64_t svma)
{
    const struct profile_location *location = location_at(listing, module, svma);
    const struct profile_frame *frame = NULL;

    if (location->frame_count == 0)
        return NULL;
    frame = &listing->lines.frames.items[location->first_frame];
    return frame->line > 0 && frame->file != PROFILE_NO_STRING ? frame : NULL;
}

/* A line that is to be shown beside code of a module of the profile's. */
static struct slice source_line(struct instruction_listing *listing, const struct profile_frame *frame,
                                uint32_t module)
{
    struct known_source *source = &listing->sources[frame->file];

    if (!source->was_read) {
        source_text_read(&listing->finder, profile_text(&listing->lines, frame->file), &source->text);
        source->module = module;
    }
    source->was_read = true;
    if (frame->line > source->last_line)
        source->last_line = frame->line;
    return source_text_line(&source->text, frame->line);
}

/* Of files that are not here nothing is said: only their lines' texts are missing. */
static void note_changed_sources(struct instruction_listing *listing)
{
    for (uint32_t i = 0; i < listing->lines.strings.entries.count; i++) {
        const struct known_source *source = &listing->sources[i];

        if (source->was_read && source->text.problem.kind == ERROR_NONE)
            source_notes_add_change(listing->profile,
                                    &(struct noted_source){.source = &source->text,
                                                           .name = file_names_get(&listing->names, i),
                                                           .module = source->module,
                                                           .last_line = source->last_line},
                                    listing->people);
    }
}

/* --- Rows ---------------------------------------------------------------------------------------- */

static void add_columns(struct rows *people, struct rows *programs)
{
    people->list_key = programs->list_key = "instructions";
    people->noun = programs->noun = "instruction";
    listing_add_columns(people, "Address", "Instruction");
    rows_add_column(programs, (struct column){COLUMN_COUNT, NULL, "self", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_INCLUSIVE, NULL, "total", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, NULL, "dso", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, NULL, "function", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, NULL, "address", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, "Instruction", "instruction", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, NULL, "inlined", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, NULL, "file", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_INCLUSIVE, NULL, "line", 0, 0});
}

static struct slice name_of(const struct profile *profile, uint32_t function)
{
    return profile_text(profile, profile->functions.items[function].name);
}

static struct slice module_name(const struct profile *profile, uint32_t module)
{
    return slice_file_name(profile_text(profile, profile->modules.items[module].path));
}

static void add_for_programs(struct instruction_listing *listing, const struct listed *listed, size_t at)
{
    const struct instruction *instruction = &listed->function->code.items.items[at];
    const struct profile_frame *frame = frame_at(listing, listed->module, instruction->svma);
    struct weights weights = weights_at(&listing->code->marks, listed->function, at);
    struct rows *rows = listing->programs;
    union cell *cells = rows_add(rows);

    cells[SELF].number = weights.self;
    cells[TOTAL].number = weights.total;
    cells[MODULE].text = module_name(listing->profile, listed->function->module);
    cells[FUNCTION].text = name_of(listing->profile, listed->function->function);
    cells[ADDRESS].text =
        slice_of(arena_format(&rows->arena, "0x%llx", (unsigned long long)instruction->svma));
    cells[INSTRUCTION].text = slice_of(arena_copy(&rows->arena, instruction->text));
    if (!frame)
        return;
    if (frame->is_inlined)
        cells[INLINED].text = slice_of(arena_copy(&rows->arena, name_of(&listing->lines, frame->function)));
    cells[FILE_NAME].text = slice_of(arena_copy(&rows->arena, file_names_get(&listing->names, frame->file)));
    cells[LINE_NUMBER].number = frame->line;
}

/* The line of the compiled function itself that what is inlined at `frame` was called in; NULL: not known. */
static const struct profile_frame *caller_of(struct instruction_listing *listing, uint32_t module,
                                             uint64_t svma, const struct profile_frame *frame)
{
    const struct profile_location *location = location_at(listing, module, svma);
    const struct profile_frame *own =
        &listing->lines.frames.items[location->first_frame + location->frame_count - 1];

    return frame->is_inlined && own->line > 0 && own->file != PROFILE_NO_STRING ? own : NULL;
}

static void add_place(struct instruction_listing *listing, const struct profile_frame *frame)
{
    text_add(&listing->scratch, file_names_get(&listing->names, frame->file));
    text_format(&listing->scratch, ":%u", frame->line);
}

/* Remembers the line, and tells whether it is another one than before. */
static bool move_to(struct listed *listed, const struct profile_frame *frame,
                    const struct profile_frame *caller)
{
    uint32_t caller_line = caller ? caller->line : 0;
    bool is_other =
        frame->file != listed->file || frame->line != listed->line || caller_line != listed->caller_line;

    listed->file = frame->file;
    listed->line = frame->line;
    listed->caller_line = caller_line;
    return is_other;
}

/* "src/lib.rs:40  let x = y;  (inlined app::parse at src/main.rs:7)", where it is another line than before.
 */
static void show_source(struct instruction_listing *listing, struct listed *listed, uint64_t svma)
{
    const struct profile_frame *frame = frame_at(listing, listed->module, svma);
    const struct profile_frame *caller = NULL;
    struct text *text = &listing->scratch;
    struct slice line = {0};

    if (!frame)
        return;
    caller = caller_of(listing, listed->module, svma, frame);
    if (!move_to(listed, frame, caller))
        return;
    line = slice_trim(source_line(listing, frame, listed->function->module));
    text_clear(text);
    add_place(listing, frame);
    if (line.length > 0) {
        text_add_string(text, "  ");
        text_add(text, line);
    }
    if (frame->is_inlined) {
        text_add_string(text, "  (inlined ");
        text_add(text, name_of(&listing->lines, frame->function));
        if (caller) {
            text_add_string(text, " at ");
            add_place(listing, caller);
        }
        text_add_byte(text, ')');
    }
    listing_add(listing->people, NULL, 0, NULL, text_slice(text));
    rows_set_look(listing->people, ROW_FAINT);
}

static void show_instruction(struct instruction_listing *listing, struct listed *listed, size_t at)
{
    const struct instruction *instruction = &listed->function->code.items.items[at];
    struct weights weights = weights_at(&listing->code->marks, listed->function, at);
    char place[32];

    show_source(listing, listed, instruction->svma);
    text_clear(&listing->scratch);
    text_add_string(&listing->scratch, "    ");
    text_add(&listing->scratch, instruction->text);
    snprintf(place, sizeof(place), "%llx", (unsigned long long)instruction->svma);
    listing_add(listing->people, &weights, listing->code->marks.whole, place, text_slice(&listing->scratch));
    listing_mark_hot(listing->people, &weights, listed->weights);
}

static void show_instructions(struct instruction_listing *listing, struct listed *listed)
{
    size_t last = 0; /* the last one that was shown, from 1 */

    for (size_t at = 0; at < listed->function->code.items.count; at++) {
        if (!listed->shown[at]) {
            listing->left_out += weights_at(&listing->code->chosen, listed->function, at).total > 0;
            continue;
        }
        if (last > 0 && last < at) {
            listing_add_gap(listing->people);
            listed->line = 0;
        }
        show_instruction(listing, listed, at);
        last = at + 1;
    }
}

static void count_names(struct instruction_listing *listing)
{
    for (size_t i = 0; i < listing->listed.count; i++) {
        const struct hot_function *function = listing->listed.items[i].function;
        uint32_t name = pair_index_add(&listing->names_met, function->module, function->function);

        if (name == listing->name_counts.count)
            *vec_add(&listing->name_counts) = 0;
        listing->name_counts.items[name]++;
    }
}

/* What it is called; of several that are listed and called alike by its symbol. */
static struct slice heading_name(const struct instruction_listing *listing,
                                 const struct hot_function *function)
{
    uint32_t name = pair_index_find(&listing->names_met, function->module, function->function);

    return listing->name_counts.items[name] > 1 && function->symbol.length > 0
               ? function->symbol
               : name_of(listing->profile, function->function);
}

/* "crunch::insert_path in crunch", "crunch::main in crunch, where crunch::step is inlined: 3.1%" */
static void show_heading(struct instruction_listing *listing, const struct listed *listed)
{
    const struct profile *profile = listing->profile;

    text_clear(&listing->scratch);
    text_add(&listing->scratch, heading_name(listing, listed->function));
    text_add_string(&listing->scratch, " in ");
    text_add(&listing->scratch, module_name(profile, listed->function->module));
    if (listed->function->inlined != PROFILE_NONE) {
        text_add_string(&listing->scratch, ", where ");
        text_add(&listing->scratch, name_of(profile, listed->function->inlined));
        text_format(&listing->scratch, " %s inlined: %.1f%%",
                    listed->function->has_more_inlined ? "and more are" : "is",
                    100 * (double)listed->chosen->total / (double)listing->code->marks.whole);
    }
    listing_add_heading(listing->people, listed->weights, listing->code->marks.whole,
                        text_slice(&listing->scratch));
}

void instruction_rows_fill(const struct profile *profile, uint32_t series, const struct hot_code *code,
                           const struct listing_look *look, struct listing_rows *out)
{
    SCOPED(instruction_listing_done)
    struct instruction_listing listing = {
        .profile = profile,
        .code = code,
        .look = look,
        .people = &out->people,
        .programs = &out->programs,
    };
    SCOPED(memory_free_at) uint32_t *order = NULL;
    size_t count = listing_order(&code->chosen, look->least_share, &order);

    profile_init(&listing.lines);
    list(&listing, order, count);
    find_lines(&listing);
    count_names(&listing);
    add_columns(&out->people, &out->programs);
    for (size_t i = 0; i < count; i++) {
        struct listed *listed = &listing.listed.items[i];

        show_heading(&listing, listed);
        for (size_t at = 0; at < listed->function->code.items.count && look->for_programs; at++)
            add_for_programs(&listing, listed, at);
        show_instructions(&listing, listed);
    }
    rows_add_fact(&out->programs, "whole", code->marks.whole);
    percent_limit_tell(listing.left_out, look->least_share, "its function's part", &out->people);
    note_changed_sources(&listing);
    if (code->problem.kind != ERROR_NONE)
        *vec_add(&out->people.notes) =
            arena_format(&out->people.arena, "not shown: %s", code->problem.message);
    if (series_lags(profile, series))
        *vec_add(&out->people.notes) =
            "samples stand at the instruction that was to be done next: what took the time "
            "is that one or, as often, the one before it";
}
