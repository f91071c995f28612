#include "import/pprof_names.h"

#include "dwarf/source_path.h"
#include "import/folded_names.h"
#include "rust/symbol_path.h"
#include "symbolize/names.h"
#include "symbolize/symbolize.h"
#include "symbolize/versioned_crates.h"

/* Locations while they get their names. */
struct pprof_naming {
    const struct pprof_message *message;
    struct profile *profile;
    struct naming naming;
    struct pair_index known; /* the function's place in the message, and the module: */
    VEC(uint32_t) functions; /* those of the profile */
    VEC(struct profile_frame) frames;
    struct text scratch;
};

static void pprof_naming_done(struct pprof_naming *work)
{
    naming_done(&work->naming);
    pair_index_done(&work->known);
    vec_done(&work->functions);
    vec_done(&work->frames);
    text_done(&work->scratch);
}

static struct slice module_name(const struct profile *profile, uint32_t module)
{
    return module == PROFILE_NONE
               ? (struct slice){0}
               : slice_file_name(profile_text(profile, profile->modules.items[module].path));
}

static bool is_of_kernel(const struct profile *profile, uint32_t module)
{
    return module != PROFILE_NONE && profile->modules.items[module].kind == MODULE_KERNEL;
}

/* --- Functions ----------------------------------------------------------------------------------- */

/* The pprof crate writes so what it does not know. */
static struct slice file_of(const struct pprof_message *message, const struct pprof_function *function)
{
    struct slice file = pprof_text(message, function->file);

    return slice_is(file, "Unknown") ? (struct slice){0} : file;
}

/* Names of C++ have such parts, too. */
static bool is_rust(struct slice name, struct slice file)
{
    return slice_has(name, SLICE("::")) && (file.length == 0 || slice_ends_with(file, SLICE(".rs")));
}

/* The name that tells most: a linkage name of Rust tells the crate. */
static struct slice name_of(struct pprof_naming *work, const struct pprof_function *function)
{
    struct slice name = pprof_text(work->message, function->name);
    struct slice linked = pprof_text(work->message, function->system_name);

    if (name.length == 0)
        return linked;
    symbol_parse(&work->naming.symbol, linked);
    return symbol_is_rust(&work->naming.symbol) ? linked : name;
}

static uint32_t function_of(struct pprof_naming *work, const struct pprof_function *function, uint32_t module)
{
    struct slice name = name_of(work, function);
    struct found_name found = {
        .text = name,
        .is_readable = !folded_name_is_mangled(name) && !slice_starts_with(name, SLICE("_Z")),
        .file = file_of(work->message, function),
        .module = module_name(work->profile, module),
    };

    if (is_of_kernel(work->profile, module))
        return naming_kernel(&work->naming, name.length > 0 ? name : SLICE("[kernel]"), (struct slice){0});
    if (name.length == 0 || slice_starts_with(name, SLICE("[")) || folded_name_is_place(name))
        return naming_unnamed(&work->naming, name, found.module, "the profile tells none for it");
    found.is_rust = is_rust(name, found.file);
    if (found.is_rust)
        found.unit_crate = folded_name_crate(name);
    /* A local source is of the crate that the name tells, and not of one that is called like its folder. */
    if (source_path_origin(found.file).kind == SOURCE_LOCAL && !symbol_crate_is_std(found.unit_crate))
        found.unit_root = found.file;
    return naming_function(&work->naming, &found);
}

static uint32_t known_function(struct pprof_naming *work, uint64_t id, uint32_t module)
{
    const struct pprof_function *function = pprof_function_of(work->message, id);
    uint64_t place = function ? (uint64_t)(function - work->message->functions.items) : UINT64_MAX;
    uint32_t known = pair_index_add(&work->known, place, module);
    const struct pprof_function nothing = {0};

    if (known == work->functions.count) {
        uint32_t made = function_of(work, function ? function : &nothing, module);

        *vec_add(&work->functions) = made;
    }
    return work->functions.items[known];
}

/* --- Frames -------------------------------------------------------------------------------------- */

static void set_lines(struct pprof_naming *work, const struct pprof_location *from, uint32_t location)
{
    uint32_t module = work->profile->locations.items[location].module;

    work->frames.count = 0;
    for (size_t i = 0; i < from->line_count; i++) {
        const struct pprof_line *line = &work->message->lines.items[from->first_line + i];
        const struct pprof_function *function = pprof_function_of(work->message, line->function);
        struct slice file = function ? file_of(work->message, function) : (struct slice){0};
        struct profile_frame frame = {
            .function = known_function(work, line->function, module),
            .file = profile_string(work->profile, file),
            .line = line->line > 0 && line->line <= UINT32_MAX ? (uint32_t)line->line : 0,
            .is_inlined = i + 1 < from->line_count,
        };

        *vec_add(&work->frames) = frame;
    }
    profile_set_frames(work->profile, location, work->frames.items, (uint32_t)work->frames.count);
}

static uint32_t unnamed_kernel(struct pprof_naming *work)
{
    uint32_t function = naming_unnamed(&work->naming, SLICE("[kernel]"), SLICE("[kernel]"),
                                       "the profile does not tell the kernel's");

    work->profile->functions.items[function].category = CATEGORY_KERNEL;
    return function;
}

/* "libfoo.so+0x1f40", and where the file is not known the address. */
static uint32_t function_of_place(struct pprof_naming *work, uint32_t location)
{
    const struct profile_location *at = &work->profile->locations.items[location];
    struct slice module = module_name(work->profile, at->module);

    text_clear(&work->scratch);
    text_add(&work->scratch, module);
    text_add_string(&work->scratch, module.length > 0 ? "+0x" : "0x");
    text_add_hex(&work->scratch, at->svma);
    return naming_unnamed(&work->naming, text_slice(&work->scratch), module,
                          module.length > 0
                              ? "the profile does not tell it, nor is its file here with the same build id"
                              : "the profile tells neither it nor the file that it is in");
}

static void set_place(struct pprof_naming *work, uint32_t location)
{
    bool is_kernels = is_of_kernel(work->profile, work->profile->locations.items[location].module);
    struct profile_frame frame = {.function =
                                      is_kernels ? unnamed_kernel(work) : function_of_place(work, location)};

    profile_set_frames(work->profile, location, &frame, 1);
}

/* Whether any function's source file is known. */
static bool has_files(const struct pprof_message *message)
{
    for (size_t i = 0; i < message->functions.count; i++)
        if (file_of(message, &message->functions.items[i]).length > 0)
            return true;
    return false;
}

static void find_own_crates(struct pprof_naming *work, struct intern *own)
{
    for (size_t i = 0; i < work->message->functions.count; i++) {
        struct slice name = name_of(work, &work->message->functions.items[i]);

        folded_name_add_own_crate(folded_name_is_mangled(name) ? naming_readable(&work->naming, name) : name,
                                  own);
    }
}

void pprof_names_set(struct pprof_modules *modules, const uint32_t *locations)
{
    const struct pprof_message *message = modules->message;
    struct profile *profile = modules->profile;
    SCOPED(pprof_naming_done)
    struct pprof_naming work = {.message = message, .profile = profile, .naming.profile = profile};
    SCOPED(intern_done) struct intern own = {0};
    bool is_left = false;

    if (!has_files(message)) {
        find_own_crates(&work, &own);
        work.naming.own_crates = &own;
    }
    for (size_t i = 0; i < message->locations.count; i++) {
        const struct pprof_location *from = &message->locations.items[i];

        if (locations[i] == PROFILE_NONE || profile->locations.items[locations[i]].frame_count > 0)
            continue;
        if (from->line_count > 0)
            set_lines(&work, from, locations[i]);
        else if (pprof_modules_has_file(modules, profile->locations.items[locations[i]].module))
            is_left = true;
        else
            set_place(&work, locations[i]);
    }
    naming_settle(&work.naming);
    if (is_left)
        symbolize_profile(profile, &(struct symbolize_request){.own_crates = work.naming.own_crates});
    else
        versioned_crates_name(profile);
}
