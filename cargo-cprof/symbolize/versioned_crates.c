#include "symbolize/versioned_crates.h"

#include "base/memory.h"
#include "delta/crate_versions.h"
#include "dwarf/source_path.h"
#include "rust/crate_name.h"

/* Versions are strings of the profile, crates the strings of their names without one. */
struct versioning {
    struct profile *profile;
    size_t function_count;   /* before any is added */
    uint32_t *crates;        /* by function; PROFILE_NO_STRING for what is not Rust */
    struct pair_index files; /* crate and source file */
    VEC(uint32_t) told; /* by these: the version that the file tells of the crate, or PROFILE_NO_STRING */
    struct pair_index pairs; /* crate and version */
    struct pair_index named; /* crates that have versions, beside 0, */
    VEC(uint32_t) counts;    /* and how many */
    uint32_t *versions;      /* by function: of all its frames, as far as they tell; VERSION_MIXED: several */
};

#define VERSION_MIXED UINT32_MAX

static void versioning_done(struct versioning *versioning)
{
    free(versioning->crates);
    free(versioning->versions);
    pair_index_done(&versioning->files);
    vec_done(&versioning->told);
    pair_index_done(&versioning->pairs);
    pair_index_done(&versioning->named);
    vec_done(&versioning->counts);
}

static bool is_rust(enum category category)
{
    return category == CATEGORY_OWN || category == CATEGORY_DEPENDENCY || category == CATEGORY_STD;
}

static void find_crates(struct versioning *versioning)
{
    struct profile *profile = versioning->profile;

    versioning->function_count = profile->functions.count;
    versioning->crates = memory_new(profile->functions.count + 1, sizeof(*versioning->crates));
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct profile_function *function = &profile->functions.items[i];

        if (is_rust(function->category))
            versioning->crates[i] =
                profile_string(profile, crate_without_version(profile_text(profile, function->crate)));
    }
}

/* The version of the crate that the source file is of, if it is of that crate's package. */
static uint32_t version_in(struct versioning *versioning, uint32_t crate, uint32_t file)
{
    struct profile *profile = versioning->profile;
    uint32_t id = pair_index_add(&versioning->files, crate, file);
    struct source_origin origin;
    bool is_told = false;

    if (id < versioning->told.count)
        return versioning->told.items[id];
    origin = source_path_origin(profile_text(profile, file));
    is_told = (origin.kind == SOURCE_REGISTRY || origin.kind == SOURCE_STD_DEPS) &&
              crate_name_is(profile_text(profile, crate), origin.package);
    *vec_add(&versioning->told) = is_told ? profile_string(profile, origin.version) : PROFILE_NO_STRING;
    return versioning->told.items[id];
}

/* PROFILE_NO_STRING where the frame's source file does not tell. */
static uint32_t version_of(struct versioning *versioning, const struct profile_frame *frame)
{
    uint32_t crate = versioning->crates[frame->function];

    return crate == PROFILE_NO_STRING || frame->file == PROFILE_NO_STRING
               ? PROFILE_NO_STRING
               : version_in(versioning, crate, frame->file);
}

static void count_version(struct versioning *versioning, uint32_t crate, uint32_t version)
{
    size_t known = versioning->pairs.pairs.count;
    uint32_t id = 0;

    if (pair_index_add(&versioning->pairs, crate, version) < known)
        return;
    id = pair_index_add(&versioning->named, crate, 0);
    if (id == versioning->counts.count)
        *vec_add(&versioning->counts) = 0;
    versioning->counts.items[id]++;
}

/* Whether some crate has several. */
static bool find_versions(struct versioning *versioning)
{
    const struct profile *profile = versioning->profile;

    versioning->versions = memory_new(versioning->function_count + 1, sizeof(*versioning->versions));
    for (size_t i = 0; i < profile->frames.count; i++) {
        uint32_t function = profile->frames.items[i].function;
        uint32_t version = version_of(versioning, &profile->frames.items[i]);
        uint32_t *of_all = &versioning->versions[function];

        if (version == PROFILE_NO_STRING)
            continue;
        count_version(versioning, versioning->crates[function], version);
        *of_all = *of_all == PROFILE_NO_STRING || *of_all == version ? version : VERSION_MIXED;
    }
    for (size_t i = 0; i < versioning->counts.count; i++)
        if (versioning->counts.items[i] > 1)
            return true;
    return false;
}

static bool has_several(const struct versioning *versioning, uint32_t crate)
{
    uint32_t id = pair_index_find(&versioning->named, crate, 0);

    return id != UINT32_MAX && versioning->counts.items[id] > 1;
}

/* What std was built with is std's, and the other version is not, whichever of them was met first. */
static enum category category_in(const struct profile *profile, const struct profile_frame *frame)
{
    enum category category = profile->functions.items[frame->function].category;
    enum source_kind kind = source_path_origin(profile_text(profile, frame->file)).kind;

    if (kind == SOURCE_STD_DEPS)
        return CATEGORY_STD;
    return category == CATEGORY_STD && kind == SOURCE_REGISTRY ? CATEGORY_DEPENDENCY : category;
}

static void name_frame(struct versioning *versioning, struct profile_frame *frame)
{
    struct profile *profile = versioning->profile;
    uint32_t crate = versioning->crates[frame->function];
    uint32_t version = version_of(versioning, frame);
    struct profile_function function = profile->functions.items[frame->function];
    SCOPED(text_done) struct text label = {0};

    if (version != PROFILE_NO_STRING)
        function.category = category_in(profile, frame);
    else if (versioning->versions[frame->function] != VERSION_MIXED)
        version = versioning->versions[frame->function];
    crate_name_add_versioned(&label, profile_text(profile, crate), profile_text(profile, version));
    function.crate = profile_string(profile, text_slice(&label));
    frame->function = profile_function(profile, function);
}

void versioned_crates_name(struct profile *profile)
{
    SCOPED(versioning_done) struct versioning versioning = {.profile = profile};

    find_crates(&versioning);
    if (!find_versions(&versioning))
        return;
    for (size_t i = 0; i < profile->frames.count; i++)
        if (has_several(&versioning, versioning.crates[profile->frames.items[i].function]))
            name_frame(&versioning, &profile->frames.items[i]);
}
