#include "annotate/hot_code.h"

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
}

/* The function that the location's code was compiled for is its last frame. */
static const struct profile_frame *outermost(const struct profile *profile,
                                             const struct profile_location *location)
{
    return &profile->frames.items[location->first_frame + location->frame_count - 1];
}

static bool is_wanted(const struct finding *finding, const struct profile_location *location,
                      bool inlined_too)
{
    const struct profile *profile = finding->profile;

    if (location->frame_count == 0)
        return false;
    if (finding->chosen[outermost(profile, location)->function])
        return true;
    for (uint32_t i = 0; inlined_too && i < location->frame_count; i++)
        if (finding->chosen[profile->frames.items[location->first_frame + i].function])
            return true;
    return false;
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
        return "it is the kernel's";
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
    SCOPED(text_done) struct text path = {0};
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
    text_add(&path, profile_text(profile, profile->modules.items[location->module].path));
    finding->is_open =
        module_code_open(text_string(&path),
                         profile_text(profile, profile->modules.items[location->module].build_id),
                         &finding->code, &err) == 0;
    if (!finding->is_open)
        tell_problem(finding, location, err.message);
    return finding->is_open;
}

static int add_function(struct finding *finding, const struct profile_location *location,
                        struct code_extent extent, struct error *err)
{
    struct hot_function function = {
        .module = location->module,
        .function = outermost(finding->profile, location)->function,
        .extent = extent,
    };

    if (module_code_read(&finding->code, extent, finding->syntax, &function.code, err) < 0) {
        instructions_done(&function.code);
        return -1;
    }
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

static void mark_location(struct finding *finding, const struct profile_location *location, uint32_t index)
{
    struct hot_function *function = &finding->out->functions.items[index];
    struct marks *marks = &finding->out->marks;
    size_t instruction = instruction_at(&function->code, location->svma);
    uint32_t mark = pair_index_add(&finding->marks, index, instruction);

    if (mark == marks->groups.count)
        *vec_add(&marks->groups) = index;
    function->marks[instruction] = mark;
    for (uint32_t i = 0; i < location->frame_count; i++)
        marks->of_frames[location->first_frame + i] = mark;
}

static int add_location(struct finding *finding, const struct profile_location *location, struct error *err)
{
    struct code_extent extent;
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
    mark_location(finding, location, index);
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

static int add_locations(struct finding *finding, bool inlined_too, struct error *err)
{
    const struct profile *profile = finding->profile;
    VEC(struct wanted_location) wanted = {0};
    int result = 0;

    for (uint32_t i = 0; i < profile->locations.count; i++)
        if (is_wanted(finding, &profile->locations.items[i], inlined_too))
            *vec_add(&wanted) = (struct wanted_location){profile->locations.items[i].module, i};
    vec_sort(&wanted, compare_modules);
    for (size_t i = 0; i < wanted.count && result == 0; i++)
        result = add_location(finding, &profile->locations.items[wanted.items[i].location], err);
    vec_done(&wanted);
    return result;
}

static int refuse_nothing(const struct hot_code *code, struct error *err)
{
    if (code->functions.count > 0)
        return 0;
    if (code->problem.kind == ERROR_NONE)
        return error_set(err, ERROR_MISSING, "no sample is in a function that matches");
    error_hint(err, "without --asm its source is shown");
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
    if (add_locations(&finding, false, err) < 0 ||
        (out->functions.count == 0 && add_locations(&finding, true, err) < 0) ||
        refuse_nothing(out, err) < 0) {
        hot_code_done(out);
        return -1;
    }
    out->marks.group_count = out->functions.count;
    marks_weigh(&out->marks, profile, series);
    return 0;
}
