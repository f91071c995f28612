#include "annotate/hot_code.h"

#include "annotate/nothing_shown.h"
#include "base/memory.h"

/* While the locations of a profile are gone through. */
struct finding {
    const struct profile *profile;
    const bool *chosen;
    enum instruction_syntax syntax;
    struct hot_code *out;
    struct pair_index functions; /* module, first address: the hot function */
    struct pair_index marks;     /* hot function, instruction: the mark */
    struct module_code code;     /* of `module`, when is_open */
    uint32_t module;
    bool is_open;
};

static void finding_done(struct finding *finding)
{
    pair_index_done(&finding->functions);
    pair_index_done(&finding->marks);
    if (finding->is_open)
        module_code_close(&finding->code);
}

void hot_code_done(struct hot_code *code)
{
    for (size_t i = 0; i < code->functions.count; i++) {
        instructions_done(&code->functions.items[i].code);
        free(code->functions.items[i].marks);
    }
    vec_done(&code->functions);
    marks_done(&code->marks);
    marks_done(&code->chosen);
}

/* The function that the location's code was compiled for is its last frame. */
static const struct profile_frame *outermost(const struct profile *profile,
                                             const struct profile_location *location)
{
    return &profile->frames.items[location->first_frame + location->frame_count - 1];
}

/* The chosen function that the location is of, itself before what is inlined into it; PROFILE_NONE: none. */
static uint32_t chosen_at(const struct finding *finding, const struct profile_location *location)
{
    const struct profile *profile = finding->profile;

    for (uint32_t i = location->frame_count; i > 0; i--) {
        uint32_t function = profile->frames.items[location->first_frame + i - 1].function;

        if (finding->chosen[function])
            return function;
    }
    return PROFILE_NONE;
}

/* Why there is no machine code of a module, or NULL: there is a file. */
static const char *why_no_file(const struct profile *profile, uint32_t module)
{
    if (module == PROFILE_NONE)
        return "it is in no file";
    switch (profile->modules.items[module].kind) {
    case MODULE_EXECUTABLE:
    case MODULE_LIBRARY:
        return NULL;
    case MODULE_KERNEL:
        return "it is " NOTHING_OF_KERNEL;
    case MODULE_VDSO:
        return "it is in no file, but the kernel's gift to the process";
    default:
        return "it was made while the program ran";
    }
}

static void tell_problem(struct finding *finding, const struct profile_location *location, const char *why)
{
    const struct profile *profile = finding->profile;
    uint32_t function = outermost(profile, location)->function;
    struct slice name = profile_text(profile, profile->functions.items[function].name);

    if (finding->out->problem.kind == ERROR_NONE)
        (void)error_set(&finding->out->problem, ERROR_MISSING, "no machine code of %.*s: %s",
                        SLICE_ARGUMENTS(name), why);
}

/* Opens the module instead of the one before; false with `problem` when it cannot be. */
static bool open_module(struct finding *finding, const struct profile_location *location)
{
    const struct profile *profile = finding->profile;
    const char *why = why_no_file(profile, location->module);
    struct recorded_file file;
    struct error err = {0};

    if (why) {
        tell_problem(finding, location, why);
        return false;
    }
    if (finding->module == location->module)
        return finding->is_open;
    if (finding->is_open)
        module_code_close(&finding->code);
    finding->module = location->module;
    file = recorded_file_of(profile, location->module);
    finding->is_open = module_code_open(&file, &finding->code, &err) == 0;
    if (!finding->is_open)
        tell_problem(finding, location, err.message);
    return finding->is_open;
}

static void name_symbol(const struct finding *finding, struct hot_function *function)
{
    const struct profile *profile = finding->profile;
    SCOPED(text_done) struct text symbol = {0};

    module_code_add_symbol(&finding->code, function->extent.start_svma,
                           profile_text(profile, profile->functions.items[function->function].name), &symbol);
    function->symbol = arena_slice(&function->code.arena, text_slice(&symbol));
}

static int add_function(struct finding *finding, const struct profile_location *location,
                        struct code_extent extent, struct error *err)
{
    uint32_t own = outermost(finding->profile, location)->function;
    uint32_t chosen = chosen_at(finding, location);
    struct hot_function function = {
        .module = location->module,
        .function = own,
        .inlined = chosen == own ? PROFILE_NONE : chosen,
        .extent = extent,
    };

    if (module_code_read(&finding->code, extent, finding->syntax, &function.code, err) < 0) {
        instructions_done(&function.code);
        return -1;
    }
    name_symbol(finding, &function);
    function.marks = memory_new_unset((function.code.items.count + 1) * sizeof(uint32_t));
    for (size_t i = 0; i < function.code.items.count; i++)
        function.marks[i] = PROFILE_NONE;
    *vec_add(&finding->out->functions) = function;
    return 0;
}

/* The instruction that holds the address, which is in the code. */
static size_t instruction_at(const struct instructions *code, uint64_t svma)
{
    size_t low = 0;
    size_t high = code->items.count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (code->items.items[middle].svma <= svma)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Marks the instruction that the location is at, for samples that `marks` are of. */
static void mark_location(struct finding *finding, const struct profile_location *location, uint32_t index,
                          struct marks *marks)
{
    struct hot_function *function = &finding->out->functions.items[index];
    size_t instruction = instruction_at(&function->code, location->svma);
    uint32_t mark = pair_index_add(&finding->marks, index, instruction);

    function->marks[instruction] = mark;
    for (uint32_t i = 0; i < location->frame_count; i++)
        marks->of_frames[location->first_frame + i] = mark;
}

static void tell_inlined(struct hot_function *function, uint32_t chosen)
{
    if (function->inlined == PROFILE_NONE || chosen == function->inlined)
        return;
    if (chosen == function->function)
        function->inlined = PROFILE_NONE;
    else
        function->has_more_inlined = true;
}

static int add_location(struct finding *finding, const struct profile_location *location, struct error *err)
{
    struct code_extent extent;
    uint32_t chosen = chosen_at(finding, location);
    uint32_t index = 0;

    if (!open_module(finding, location))
        return 0;
    if (!module_code_find(&finding->code, location->svma, &extent)) {
        tell_problem(finding, location, "nothing tells where it begins and ends");
        return 0;
    }
    index = pair_index_add(&finding->functions, location->module, extent.start_svma);
    if (index == finding->out->functions.count && add_function(finding, location, extent, err) < 0)
        return -1;
    tell_inlined(&finding->out->functions.items[index], chosen);
    mark_location(finding, location, index, &finding->out->chosen);
    return 0;
}

struct wanted_location {
    uint32_t module;
    uint32_t location;
};

/* So that each file is opened once. */
static int compare_modules(const void *left, const void *right)
{
    const struct wanted_location *a = left;
    const struct wanted_location *b = right;

    if (a->module != b->module)
        return a->module > b->module ? 1 : -1;
    return (a->location > b->location) - (a->location < b->location);
}

static int add_chosen_locations(struct finding *finding, struct error *err)
{
    const struct profile *profile = finding->profile;
    VEC(struct wanted_location) wanted = {0};
    int result = 0;

    for (uint32_t i = 0; i < profile->locations.count; i++)
        if (chosen_at(finding, &profile->locations.items[i]) != PROFILE_NONE)
            *vec_add(&wanted) = (struct wanted_location){profile->locations.items[i].module, i};
    vec_sort(&wanted, compare_modules);
    for (size_t i = 0; i < wanted.count && result == 0; i++)
        result = add_location(finding, &profile->locations.items[wanted.items[i].location], err);
    vec_done(&wanted);
    return result;
}

/* Where the code of a hot function is. */
struct hot_place {
    uint32_t module;
    uint32_t function; /* of the hot code */
    struct code_extent extent;
};

static int compare_places(const void *left, const void *right)
{
    const struct hot_place *a = left;
    const struct hot_place *b = right;

    if (a->module != b->module)
        return a->module > b->module ? 1 : -1;
    return (a->extent.start_svma > b->extent.start_svma) - (a->extent.start_svma < b->extent.start_svma);
}

/* The place that the location is in, among rising ones; NULL: it is in none. */
static const struct hot_place *place_of(const struct hot_place *places, size_t count,
                                        const struct profile_location *location)
{
    const struct hot_place wanted = {location->module, 0, {location->svma, 0}};
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_places(&places[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || places[low - 1].module != location->module ||
        location->svma >= places[low - 1].extent.end_svma)
        return NULL;
    return &places[low - 1];
}

/* Marks all that is in the functions that were found, whatever is inlined there. */
static void mark_all_locations(struct finding *finding)
{
    const struct profile *profile = finding->profile;
    struct hot_code *out = finding->out;
    VEC(struct hot_place) places = {0};

    for (uint32_t i = 0; i < out->functions.count; i++)
        *vec_add(&places) =
            (struct hot_place){out->functions.items[i].module, i, out->functions.items[i].extent};
    vec_sort(&places, compare_places);
    for (size_t i = 0; i < profile->locations.count; i++) {
        const struct profile_location *location = &profile->locations.items[i];
        const struct hot_place *place = place_of(places.items, places.count, location);

        if (place)
            mark_location(finding, location, place->function, &out->marks);
    }
    vec_done(&places);
}

static void weigh(struct finding *finding, uint32_t series, struct marks *marks)
{
    for (size_t i = 0; i < finding->marks.pairs.count; i++)
        *vec_add(&marks->groups) = (uint32_t)finding->marks.pairs.items[i].first;
    marks->group_count = finding->out->functions.count;
    marks_weigh(marks, finding->profile, series);
}

static bool is_any_line_known(const struct finding *finding)
{
    const struct profile *profile = finding->profile;

    for (size_t i = 0; i < profile->frames.count; i++)
        if (profile->frames.items[i].line > 0 && finding->chosen[profile->frames.items[i].function])
            return true;
    return false;
}

static int refuse_nothing(const struct finding *finding, uint32_t series, struct error *err)
{
    const struct hot_code *code = finding->out;
    uint64_t total = 0;

    for (size_t i = 0; i < code->functions.count; i++)
        weight_add(&total, code->chosen.group_weights[i].total);
    if (total > 0)
        return 0;
    if (code->functions.count > 0 || code->problem.kind == ERROR_NONE)
        return error_set(err, ERROR_MISSING, "no sample is in a function that matches");
    if (is_any_line_known(finding))
        error_hint(err, "without --asm its source is shown");
    else
        nothing_shown_hint(finding->profile, series, "it", err);
    return error_set(err, code->problem.kind, "%s", code->problem.message);
}

int hot_code_find(const struct profile *profile, uint32_t series, const bool *chosen,
                  enum instruction_syntax syntax, struct hot_code *out, struct error *err)
{
    SCOPED(finding_done)
    struct finding finding = {
        .profile = profile,
        .chosen = chosen,
        .syntax = syntax,
        .out = out,
        .module = PROFILE_NONE,
    };

    *out = (struct hot_code){0};
    marks_init(&out->marks, profile);
    marks_init(&out->chosen, profile);
    if (add_chosen_locations(&finding, err) < 0) {
        hot_code_done(out);
        return -1;
    }
    mark_all_locations(&finding);
    weigh(&finding, series, &out->marks);
    weigh(&finding, series, &out->chosen);
    if (refuse_nothing(&finding, series, err) < 0) {
        hot_code_done(out);
        return -1;
    }
    return 0;
}
