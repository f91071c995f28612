#include "symbolize/symbolize.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/workers.h"
#include "process/vdso.h"
#include "symbolize/jit/told_names.h"
#include "symbolize/kernel_ask.h"
#include "symbolize/kernel_symbols.h"
#include "symbolize/library_lines.h"
#include "symbolize/own_allocator.h"
#include "symbolize/resolve.h"
#include "symbolize/versioned_crates.h"

enum { KERNEL_SYMBOLS_MOST_BYTES = 256 << 20 };

/* --- One module --------------------------------------------------------------------------------------- */

/* Ours, unless it was recorded on another kernel, whose own was kept or is not there. */
static void open_vdso(struct symbolizing *work, const struct recorded_file *file, bool is_kept,
                      const struct places *wanted)
{
    struct module_symbols *out = &work->symbols;
    bool is_ours = !work->is_of_other_kernel;

    if (is_kept) {
        module_symbols_open(file, MODULE_LINES, wanted, out);
        return;
    }
    module_symbols_open_bytes(vdso_bytes(), "[vdso]", out);
    if (file->build_id.length > 0 && out->image.build_id.length > 0)
        is_ours = slice_equal(file->build_id, out->image.build_id);
    if (is_ours)
        return;
    module_symbols_close(out);
    out->why_not = "it is of another kernel than the one that runs here";
}

static void open_module(struct symbolizing *work, uint32_t id, const struct places *wanted)
{
    const struct profile_module *module = &work->profile->modules.items[id];
    const struct recorded_file file = recorded_file_of(work->profile, id);

    work->module = recorded_file_called(file.path);
    if (module->kind == MODULE_VDSO)
        open_vdso(work, &file, module->place != PROFILE_NO_STRING, wanted);
    else if (module->is_replaced)
        module_symbols_refuse_replaced(&work->symbols);
    else
        module_symbols_open(&file,
                            library_lines_are_of(work->module) && !work->has_library_lines ? MODULE_NAMES
                                                                                           : MODULE_LINES,
                            wanted, &work->symbols);
}

/* Whether a part of the module's debug information was not read, or could not be. */
static bool has_problem(const struct module_symbols *module, struct error *what)
{
    const struct error *of_split = module->has_debug ? debug_info_problem(&module->debug) : NULL;

    if (!module->has_debug)
        *what = module->problem;
    else if (of_split)
        *what = *of_split;
    else
        return debug_info_is_damaged(&module->debug, what);
    return what->kind != ERROR_NONE;
}

/* Without a part of its debug information code has the names of symbols alone, and lines of what was inlined,
 * or none. */
static void note_missing_calls(struct symbolizing *work, uint32_t module)
{
    const struct recorded_file file = recorded_file_of(work->profile, module);
    struct error problem = {0};
    SCOPED(text_done) struct text why = {0};

    if (work->profile->why_no_calls || !has_problem(&work->symbols, &problem))
        return;
    recorded_file_add_message(&file, problem.message, &why);
    text_format(&why, "%s%s", problem.hint[0] ? "; " : "", problem.hint);
    work->profile->why_no_calls = profile_string(work->profile, text_slice(&why));
}

/* The locations rise by address. */
static void symbolize_module(struct symbolizing *work, uint32_t module, const uint32_t *locations,
                             size_t count, unsigned thread_count)
{
    SCOPED(memory_free_at) uint64_t *svmas = memory_new(count, sizeof(*svmas));

    for (size_t i = 0; i < count; i++)
        svmas[i] = work->profile->locations.items[locations[i]].svma;
    open_module(work, module, &(struct places){svmas, count});
    if (work->symbols.has_debug)
        debug_info_read_places(&work->symbols.debug, svmas, count, thread_count);
    for (size_t i = 0; i < count; i++)
        resolve(work, locations[i]);
    note_missing_calls(work, module);
    stretches_done(&work->stretches);
    stubs_done(&work->stubs);
    module_symbols_close(&work->symbols);
}

/* Where only root may see the kernel's addresses the list is full of zeros. */
static uint32_t hidden_kernel(struct symbolizing *work, const char *why)
{
    uint32_t function = naming_unnamed(&work->naming, SLICE("[kernel]"), SLICE("[kernel]"),
                                       why ? why
                                           : "the kernel hides its symbols from all but root and cap_syslog "
                                             "(sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1)");

    work->profile->functions.items[function].category = CATEGORY_KERNEL;
    return function;
}

/* Why the list of the kernel's functions does not tell of one; NULL: it hides them. */
static const char *why_not_listed(const struct symbolize_request *request)
{
    if (request->why_no_kernel || !request->is_of_other_kernel)
        return request->why_no_kernel;
    return "it is not in the list that perf keeps of that kernel, or that is of another start";
}

/* --- All of them -------------------------------------------------------------------------------------- */

static int compare_by_module(const void *left, const void *right, void *context)
{
    const struct profile *profile = context;
    const struct profile_location *a = &profile->locations.items[*(const uint32_t *)left];
    const struct profile_location *b = &profile->locations.items[*(const uint32_t *)right];

    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    return a->svma < b->svma ? -1 : a->svma > b->svma;
}

/* Everything that has no frames yet. */
struct pending {
    struct symbolizing *work;
    const struct symbolize_request *request;
    VEC(uint32_t) locations;              /* sorted by module and address */
    struct kernel_symbol *kernel_symbols; /* by index of the location; NULL until some are the kernel's */
    struct text kernel_list;              /* what the symbols are borrowed from, */
    struct arena kernel_names;            /* or this */
};

static void pending_done(struct pending *pending)
{
    vec_done(&pending->locations);
    free(pending->kernel_symbols);
    text_done(&pending->kernel_list);
    arena_done(&pending->kernel_names);
}

static enum module_kind kind_of(const struct pending *pending, size_t at)
{
    const struct profile *profile = pending->work->profile;
    uint32_t module = profile->locations.items[pending->locations.items[at]].module;

    return module == PROFILE_NONE ? MODULE_NONE : profile->modules.items[module].kind;
}

/* Where the locations of the module at `start` end. */
static size_t group_end(const struct pending *pending, size_t start)
{
    const struct profile_location *locations = pending->work->profile->locations.items;
    const uint32_t *ids = pending->locations.items;
    size_t end = start;

    while (end < pending->locations.count && locations[ids[end]].module == locations[ids[start]].module)
        end++;
    return end;
}

static void symbolize_kernel(const struct pending *pending, size_t start, size_t count)
{
    struct symbolizing *work = pending->work;
    const struct kernel_symbol *symbols = pending->kernel_symbols + start;
    const uint32_t *locations = pending->locations.items + start;

    for (size_t i = 0; i < count; i++) {
        const struct kernel_symbol *symbol = &symbols[i];
        struct profile_frame frame = {
            .function = symbol->avma ? naming_kernel(&work->naming, symbol->name, symbol->module)
                                     : hidden_kernel(work, why_not_listed(pending->request))};

        profile_set_frames(work->profile, locations[i], &frame, 1);
    }
}

static void symbolize_group(const struct pending *pending, size_t start, size_t end)
{
    struct symbolizing *work = pending->work;
    const uint32_t *locations = pending->locations.items + start;
    uint32_t module = work->profile->locations.items[locations[0]].module;

    switch (kind_of(pending, start)) {
    case MODULE_NONE:
        told_names_none(work, locations, end - start);
        break;
    case MODULE_JIT:
        told_names_add(work, module, locations, end - start);
        break;
    case MODULE_KERNEL:
        symbolize_kernel(pending, start, end - start);
        break;
    default:
        symbolize_module(work, module, locations, end - start, pending->request->thread_count);
    }
}

static void symbolize_groups(const struct pending *pending, bool of_kernel)
{
    size_t end = 0;

    for (size_t start = 0; start < pending->locations.count; start = end) {
        end = group_end(pending, start);
        if ((kind_of(pending, start) == MODULE_KERNEL) == of_kernel)
            symbolize_group(pending, start, end);
    }
}

/* Where it cannot be read it stays empty: code without names, with the reason. */
static void read_kernel_list(struct pending *pending)
{
    const char *path = pending->request->kernel_symbols;
    struct error unread = {0};

    if (path && pending->kernel_list.length == 0)
        (void)(file_read(path, KERNEL_SYMBOLS_MOST_BYTES, &pending->kernel_list, &unread) == 0);
}

static void find_kernel_group(struct pending *pending, size_t start, size_t end)
{
    const struct profile_location *locations = pending->work->profile->locations.items;
    SCOPED(memory_free_at) uint64_t *avmas = memory_new(end - start, sizeof(*avmas));

    for (size_t i = start; i < end; i++)
        avmas[i - start] = locations[pending->locations.items[i]].svma;
    if (!pending->kernel_symbols)
        pending->kernel_symbols = memory_new(pending->locations.count, sizeof(*pending->kernel_symbols));
    if (pending->request->why_no_kernel)
        return;
    if (pending->request->may_ask_kernel &&
        kernel_ask(avmas, end - start, &pending->kernel_names, pending->kernel_symbols + start))
        return;
    read_kernel_list(pending);
    kernel_symbols_find(text_slice(&pending->kernel_list), avmas, end - start,
                        pending->kernel_symbols + start);
}

static void find_kernel_symbols(struct pending *pending)
{
    size_t end = 0;

    for (size_t start = 0; start < pending->locations.count; start = end) {
        end = group_end(pending, start);
        if (kind_of(pending, start) == MODULE_KERNEL)
            find_kernel_group(pending, start, end);
    }
}

/* As long as the kernel writes its list the debug information of programs can be read. */
static void find_kernel_or_symbolize(void *context, size_t index)
{
    if (index == 0)
        find_kernel_symbols(context);
    else
        symbolize_groups(context, false);
}

static void collect_pending(struct pending *pending)
{
    struct profile *profile = pending->work->profile;

    for (uint32_t i = 0; i < profile->locations.count; i++)
        if (profile->locations.items[i].frame_count == 0)
            *vec_add(&pending->locations) = i;
    if (pending->locations.count == 0)
        return;
    qsort_r(pending->locations.items, pending->locations.count, sizeof(uint32_t), compare_by_module, profile);
}

/* The first series' samples that were taken just there. */
static uint64_t count_samples_in(const struct profile *profile, const uint32_t *locations, size_t count)
{
    SCOPED(memory_free_at) bool *is_one = memory_new(profile->locations.count + 1, sizeof(*is_one));
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[0].samples.sums);
    struct sample_sum sum;
    uint64_t samples = 0;

    for (size_t i = 0; i < count; i++)
        is_one[locations[i]] = true;
    while (sums_cursor_next(&cursor, &sum))
        if (sum.stack != PROFILE_NONE && is_one[profile->stacks.items[sum.stack].location])
            samples += sum.count;
    return samples;
}

void symbolize_profile(struct profile *profile, const struct symbolize_request *request)
{
    SCOPED(symbolizing_done)
    struct symbolizing work = {
        .profile = profile,
        .has_no_inlined = request->has_no_inlined,
        .has_library_lines = request->has_library_lines,
        .is_of_other_kernel = request->is_of_other_kernel,
        .jit_names = request->jit_names,
        .naming = {.profile = profile,
                   .own_crates = request->own_crates,
                   .program_crates = request->program_crates,
                   .files = {.packages = request->packages, .package_count = request->package_count}},
    };
    SCOPED(pending_done) struct pending pending = {.work = &work, .request = request};

    collect_pending(&pending);
    workers_run(2, request->thread_count, find_kernel_or_symbolize, &pending);
    symbolize_groups(&pending, true);
    naming_settle(&work.naming);
    versioned_crates_name(profile);
    if (request->untimed_count)
        *request->untimed_count =
            work.reused.count > 0 ? count_samples_in(profile, work.reused.items, work.reused.count) : 0;
}

int symbolize_recorded(struct profile *profile, const struct jit_dumps *dumps,
                       const struct symbolize_request *request, struct jit_doubts *doubts, struct error *err)
{
    SCOPED(jit_names_done) struct jit_names names = {0};
    struct symbolize_request with_names = *request;

    if (jit_names_find(profile, dumps, &names, err) < 0)
        return -1;
    with_names.jit_names = &names;
    with_names.untimed_count = &doubts->untimed_count;
    doubts->has_newest = names.has_newest;
    doubts->damaged_lines = names.damaged_lines;
    symbolize_profile(profile, &with_names);
    own_allocator_note(profile);
    return 0;
}
