#include "annotate/source_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "annotate/nothing_shown.h"
#include "annotate/source_notes.h"
#include "base/memory.h"
#include "base/pair_index.h"
#include "view/file_names.h"
#include "view/percent_limit.h"

/* What programs read. */
enum { SELF, TOTAL, FILE_NAME, LINE_NUMBER, FUNCTION, SOURCE };

enum { TAB_COLUMNS = 4 };

/* One line of a file. */
struct line {
    uint32_t number;   /* 0: not known */
    uint32_t function; /* the heaviest that has it */
    struct weights weights;
};

/* A file that has some. */
struct piece {
    struct slice name;
    uint32_t path;   /* string */
    uint32_t module; /* one that has code of it; PROFILE_NONE: it is not known */
};

struct source_listing {
    const struct profile *profile;
    const bool *chosen;
    const struct listing_look *look;
    struct rows *people;
    struct rows *programs;
    struct file_names names;
    struct source_finder finder;
    struct intern pieces_by_name;
    VEC(struct piece) pieces;  /* the groups of the marks */
    struct pair_index lines;   /* piece, line: the marks */
    struct pair_index members; /* mark, function that has the line */
    VEC(uint32_t) functions;   /* by mark: the heaviest of these */
    struct marks marks;
    struct totals totals;
    const struct weights *piece_weights; /* of the piece that is listed */
    struct source_notes notes;
    struct text scratch;
    size_t left_out; /* lines that weigh something, and are not shown */
};

static void source_listing_done(struct source_listing *listing)
{
    file_names_done(&listing->names);
    source_finder_done(&listing->finder);
    intern_done(&listing->pieces_by_name);
    vec_done(&listing->pieces);
    pair_index_done(&listing->lines);
    pair_index_done(&listing->members);
    vec_done(&listing->functions);
    marks_done(&listing->marks);
    totals_done(&listing->totals);
    text_done(&listing->scratch);
}

/* --- Which lines --------------------------------------------------------------------------------- */

static uint32_t piece_of(struct source_listing *listing, const struct profile_frame *frame, uint32_t module)
{
    struct slice name = file_names_get(&listing->names, frame->file);
    uint32_t piece = intern_add(&listing->pieces_by_name, name);

    if (piece == listing->pieces.count)
        *vec_add(&listing->pieces) =
            (struct piece){intern_text(&listing->pieces_by_name, piece), frame->file, module};
    return piece;
}

static void mark_frame(struct source_listing *listing, uint32_t at, uint32_t module)
{
    const struct profile_frame *frame = &listing->profile->frames.items[at];
    uint32_t piece = 0;
    uint32_t mark = 0;

    if (!listing->chosen[frame->function])
        return;
    piece = piece_of(listing, frame, module);
    mark = pair_index_add(&listing->lines, piece, frame->file == PROFILE_NO_STRING ? 0 : frame->line);
    if (mark == listing->functions.count) {
        *vec_add(&listing->functions) = frame->function;
        *vec_add(&listing->marks.groups) = piece;
    }
    pair_index_add(&listing->members, mark, frame->function);
    listing->marks.of_frames[at] = mark;
}

static void mark(struct source_listing *listing)
{
    const struct profile *profile = listing->profile;

    for (size_t at = 0; at < profile->locations.count; at++) {
        const struct profile_location *location = &profile->locations.items[at];

        for (uint32_t i = 0; i < location->frame_count; i++)
            mark_frame(listing, location->first_frame + i, location->module);
    }
    listing->marks.group_count = listing->pieces.count;
}

static bool is_heavier(const struct source_listing *listing, uint32_t function, uint32_t than)
{
    const struct weights *a = &listing->totals.functions[function];
    const struct weights *b = &listing->totals.functions[than];

    return a->self != b->self ? a->self > b->self : a->total > b->total;
}

static void weigh(struct source_listing *listing, uint32_t series)
{
    const struct profile *profile = listing->profile;

    marks_weigh(&listing->marks, profile, series);
    totals_compute(profile, series, weight_of_series(profile, series), &listing->totals);
    for (size_t i = 0; i < listing->members.pairs.count; i++) {
        const struct pair *member = &listing->members.pairs.items[i];
        uint32_t *heaviest = &listing->functions.items[member->first];

        if (is_heavier(listing, (uint32_t)member->second, *heaviest))
            *heaviest = (uint32_t)member->second;
    }
}

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left;
    const struct line *b = right;

    return (a->number > b->number) - (a->number < b->number);
}

/* Those of the piece that weigh something, rising; to be freed. */
static size_t lines_of(const struct source_listing *listing, uint32_t piece, struct line **out)
{
    VEC(struct line) lines = {0};

    for (uint32_t i = 0; i < listing->functions.count; i++)
        if (listing->marks.groups.items[i] == piece && listing->marks.weights[i].total > 0)
            *vec_add(&lines) = (struct line){(uint32_t)listing->lines.pairs.items[i].second,
                                             listing->functions.items[i], listing->marks.weights[i]};
    vec_sort(&lines, compare_lines);
    *out = lines.items;
    return lines.count;
}

/* --- Rows ---------------------------------------------------------------------------------------- */

static void add_columns(struct rows *people, struct rows *programs)
{
    people->list_key = programs->list_key = "lines";
    people->noun = programs->noun = "line";
    listing_add_columns(people, "Line", "Source");
    rows_add_column(programs, (struct column){COLUMN_COUNT, NULL, "self", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_INCLUSIVE, NULL, "total", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, NULL, "file", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_INCLUSIVE, NULL, "line", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, NULL, "function", 0, 0});
    rows_add_column(programs, (struct column){COLUMN_TEXT, "Source", "source", 0, 0});
}

static void add_for_programs(struct source_listing *listing, const struct piece *piece,
                             const struct line *line, struct slice source)
{
    struct rows *rows = listing->programs;
    union cell *cells = rows_add(rows);
    const struct profile *profile = listing->profile;

    cells[SELF].number = line->weights.self;
    cells[TOTAL].number = line->weights.total;
    cells[FILE_NAME].text = slice_of(arena_copy(&rows->arena, piece->name));
    cells[LINE_NUMBER].number = line->number;
    cells[FUNCTION].text = profile_text(profile, profile->functions.items[line->function].name);
    if (source.data)
        cells[SOURCE].text = arena_slice(&rows->arena, source);
}

/* A line of source as it stands in a column of a table. */
static struct slice without_tabs(struct text *scratch, struct slice line)
{
    text_clear(scratch);
    for (size_t i = 0; i < line.length; i++) {
        if (line.data[i] == '\t')
            text_add_repeated(scratch, ' ', TAB_COLUMNS - scratch->length % TAB_COLUMNS);
        else
            text_add_byte(scratch, line.data[i]);
    }
    return text_slice(scratch);
}

static void show_line(struct source_listing *listing, const struct source_text *source, uint32_t number,
                      const struct weights *weights)
{
    char place[16];

    snprintf(place, sizeof(place), "%u", number);
    listing_add(listing->people, weights, listing->marks.whole, number > 0 ? place : NULL,
                number > 0 ? without_tabs(&listing->scratch, source_text_line(source, number))
                           : SLICE("[no line is known]"));
    if (weights)
        listing_mark_hot(listing->people, weights, listing->piece_weights);
}

/* The lines shown around one, from the first to the last: of one that the file does not have itself alone. */
static uint32_t first_around(const struct source_text *source, uint32_t number, uint32_t context)
{
    if (number > source->lines.count)
        return number;
    return number > context ? number - context : 1;
}

static uint32_t last_around(const struct source_text *source, uint32_t number, uint32_t context)
{
    uint32_t end = (uint32_t)source->lines.count;

    if (number >= end)
        return number;
    return end - number > context ? number + context : end;
}

/* A piece's lines while they are shown. */
struct showing {
    const struct source_text *source;
    const struct line *lines; /* those that weigh something */
    size_t count;
    size_t next;       /* the first of them that is behind what was shown */
    uint32_t shown_to; /* the last number that was shown; 0: none yet */
};

static void show_around(struct source_listing *listing, struct showing *showing, uint32_t number)
{
    uint32_t context = listing->look->context;
    uint64_t from = first_around(showing->source, number, context);

    if (from <= showing->shown_to)
        from = (uint64_t)showing->shown_to + 1;
    else if (showing->shown_to > 0 && from > (uint64_t)showing->shown_to + 1)
        listing_add_gap(listing->people);
    for (; showing->next < showing->count && showing->lines[showing->next].number < from; showing->next++)
        listing->left_out++;
    for (showing->shown_to = last_around(showing->source, number, context); from <= showing->shown_to;
         from++) {
        bool is_known = showing->next < showing->count && showing->lines[showing->next].number == from;

        show_line(listing, showing->source, (uint32_t)from,
                  is_known ? &showing->lines[showing->next].weights : NULL);
        showing->next += is_known;
    }
}

static void show_lines(struct source_listing *listing, struct showing *showing)
{
    if (showing->count > 0 && showing->lines[0].number == 0) {
        show_line(listing, showing->source, 0, &showing->lines[0].weights);
        showing->next = 1;
    }
    for (size_t i = showing->next; i < showing->count; i++)
        if (showing->lines[i].number > showing->shown_to &&
            (listing->look->context == LISTING_ALL ||
             listing_is_heavy(&showing->lines[i].weights, listing->piece_weights,
                              listing->look->least_share)))
            show_around(listing, showing, showing->lines[i].number);
    listing->left_out += showing->count - showing->next;
}

/* How many functions that samples are in have lines of the piece, and the heaviest of them. */
static size_t functions_of(const struct source_listing *listing, uint32_t piece, uint32_t *heaviest)
{
    SCOPED(pair_index_done) struct pair_index functions = {0};

    for (size_t i = 0; i < listing->members.pairs.count; i++) {
        const struct pair *member = &listing->members.pairs.items[i];
        uint32_t function = (uint32_t)member->second;

        if (listing->marks.groups.items[member->first] != piece ||
            listing->totals.functions[function].total == 0)
            continue;
        if (functions.pairs.count == 0 || is_heavier(listing, function, *heaviest))
            *heaviest = function;
        pair_index_add(&functions, function, 0);
    }
    return functions.pairs.count;
}

/* "src/bin/crunch.rs: crunch::insert_path and 2 more functions" */
static void show_heading(struct source_listing *listing, uint32_t index)
{
    const struct profile *profile = listing->profile;
    const struct piece *piece = &listing->pieces.items[index];
    uint32_t heaviest = 0;
    size_t count = functions_of(listing, index, &heaviest);

    if (count == 0)
        return;
    text_clear(&listing->scratch);
    text_add(&listing->scratch, piece->name.length > 0 ? piece->name : SLICE("[no file is known]"));
    text_add_string(&listing->scratch, ": ");
    text_add(&listing->scratch, profile_text(profile, profile->functions.items[heaviest].name));
    if (count > 1)
        text_format(&listing->scratch, " and %zu more function%s", count - 1, count == 2 ? "" : "s");
    listing_add_heading(listing->people, listing->piece_weights, listing->marks.whole,
                        text_slice(&listing->scratch));
}

static void note_source(struct source_listing *listing, const struct piece *piece,
                        const struct source_text *source, uint32_t last_line)
{
    const struct noted_source noted = {source, piece->name, piece->module, last_line};

    if (piece->name.length > 0)
        source_notes_add(&listing->notes, listing->profile, &noted, listing->people);
}

static void list_piece(struct source_listing *listing, uint32_t index)
{
    const struct piece *piece = &listing->pieces.items[index];
    SCOPED(source_text_done) struct source_text source = {0};
    SCOPED(memory_free_at) struct line *lines = NULL;
    struct showing showing = {.source = &source};

    if (piece->name.length > 0)
        source_text_read(&listing->finder, profile_text(listing->profile, piece->path), &source);
    listing->piece_weights = &listing->marks.group_weights[index];
    showing.count = lines_of(listing, index, &lines);
    showing.lines = lines;
    show_heading(listing, index);
    for (size_t i = 0; i < showing.count && listing->look->for_programs; i++)
        add_for_programs(listing, piece, &lines[i], source_text_line(&source, lines[i].number));
    show_lines(listing, &showing);
    note_source(listing, piece, &source, lines ? lines[showing.count - 1].number : 0);
}

static void list_pieces(struct source_listing *listing, const uint32_t *order, size_t count)
{
    add_columns(listing->people, listing->programs);
    for (size_t i = 0; i < count; i++)
        list_piece(listing, order[i]);
    rows_add_fact(listing->programs, "whole", listing->marks.whole);
    percent_limit_tell(listing->left_out, listing->look->least_share, "its file's part", listing->people);
}

static bool is_any_line_known(const struct source_listing *listing)
{
    for (size_t i = 0; i < listing->functions.count; i++)
        if (listing->lines.pairs.items[i].second > 0 && listing->marks.weights[i].total > 0)
            return true;
    return false;
}

/* Whether machine code of a chosen function stands in a file. */
static bool is_any_code_in_files(const struct source_listing *listing)
{
    const struct profile *profile = listing->profile;

    for (size_t i = 0; i < listing->pieces.count; i++) {
        uint32_t module = listing->pieces.items[i].module;

        if (module != PROFILE_NONE && (profile->modules.items[module].kind == MODULE_EXECUTABLE ||
                                       profile->modules.items[module].kind == MODULE_LIBRARY))
            return true;
    }
    return false;
}

static bool is_all_the_kernels(const struct source_listing *listing)
{
    const struct profile *profile = listing->profile;

    for (size_t i = 0; i < listing->pieces.count; i++) {
        uint32_t module = listing->pieces.items[i].module;

        if (module == PROFILE_NONE || profile->modules.items[module].kind != MODULE_KERNEL)
            return false;
    }
    return true;
}

static int refuse_nothing(const struct source_listing *listing, uint32_t series, size_t count,
                          struct error *err)
{
    if (count == 0)
        return error_set(err, ERROR_MISSING, "no sample is in a function that matches");
    if (is_any_line_known(listing))
        return 0;
    if (is_any_code_in_files(listing))
        error_hint(
            err, "debug information tells lines, as cargo cprof builds it; instructions are shown by --asm");
    else
        nothing_shown_hint(listing->profile, series, "them", err);
    return error_set(err, ERROR_MISSING, "no line is known of the functions that match%s",
                     is_all_the_kernels(listing) ? ": they are " NOTHING_OF_KERNEL : "");
}

int source_rows_fill(const struct profile *profile, uint32_t series, const bool *chosen,
                     const struct listing_look *look, struct listing_rows *out, struct error *err)
{
    SCOPED(source_listing_done)
    struct source_listing listing = {
        .profile = profile,
        .chosen = chosen,
        .look = look,
        .people = &out->people,
        .programs = &out->programs,
        .names = file_names_make(profile),
    };
    SCOPED(memory_free_at) uint32_t *order = NULL;
    size_t count = 0;

    marks_init(&listing.marks, profile);
    mark(&listing);
    weigh(&listing, series);
    count = listing_order(&listing.marks, look->least_share, &order);
    if (refuse_nothing(&listing, series, count, err) < 0)
        return -1;
    list_pieces(&listing, order, count);
    return 0;
}
