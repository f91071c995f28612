#include "subject/relink.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/copy.h"
#include "base/folder.h"
#include "cargo/flag_wrapper.h"
#include "cargo/unit_folder.h"
#include "elf/image.h"

/* What is copied, and of what. */
struct mirror {
    struct arena *arena;
    const struct cargo_built *shipped;
    const char *crate; /* the last one's name, with '_' */
};

/* Where cargo keeps its own files of the build. It knows of no --target-dir when it tells of that. */
static const char *build_directory(struct arena *arena, const struct cargo_graph *graph, const char *target)
{
    bool is_parted =
        graph->build_directory.length > 0 && !slice_equal(graph->build_directory, graph->target_directory);

    return is_parted ? arena_copy(arena, graph->build_directory) : target;
}

/* Whether cargo keeps units in it, all in the same folders or each in its own (cargo/unit_folder.h). */
static bool has_units(struct arena *arena, const char *profile)
{
    return access(arena_format(arena, "%s/.fingerprint", profile), R_OK | X_OK) == 0 ||
           access(arena_format(arena, "%s/build/.", profile), R_OK | X_OK) == 0;
}

/*
 * The folder of the profile, "/release" or "/TRIPLE/release" below that of the build: the one around the
 * file, which is below `directory`, that has cargo's notes in it there. NULL: there is none.
 */
static const char *profile_folder(struct arena *arena, struct slice path, const char *directory,
                                  const char *build)
{
    struct slice folder = slice_range(path, strlen(directory), path.length);

    if (!slice_starts_with(path, slice_of(directory)) || !slice_starts_with(folder, SLICE("/")))
        return NULL;
    for (folder = slice_folder(folder); folder.length > 1; folder = slice_folder(folder))
        if (has_units(arena, arena_format(arena, "%s%.*s", build, SLICE_ARGUMENTS(folder))))
            return arena_copy(arena, folder);
    return NULL;
}

/* Cargo's notes on a unit are in a folder of theirs, among them a file KIND-NAME. */
static bool is_last_unit(const struct mirror *mirror, const char *notes)
{
    static const char *const kinds[] = {"bin",      "lib",      "example",
                                        "test-bin", "test-lib", "test-integration-test"};
    const struct cargo_target *target = &mirror->shipped->artifact->target;
    SCOPED(text_done) struct text path = {0};

    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        bool is_library = strstr(kinds[i], "lib") != NULL;

        if (is_library != (target->kind == CARGO_LIB) && strncmp(kinds[i], "test", 4) != 0)
            continue;
        text_clear(&path);
        text_format(&path, "%s/%s-%.*s", notes, kinds[i], SLICE_ARGUMENTS(target->name));
        if (access(text_string(&path), F_OK) == 0)
            return true;
    }
    return false;
}

static enum copy_form choose_note(const void *context, const char *path, bool is_folder)
{
    return is_folder && is_last_unit(context, path) ? COPY_SKIP : COPY_BYTES;
}

/* What is to be linked anew, where it is a library: "libNAME.so". */
static bool is_last_file(const struct mirror *mirror, struct slice file)
{
    return mirror->shipped->artifact->target.kind == CARGO_LIB &&
           slice_equal(file, slice_file_name(mirror->shipped->path));
}

/* Libraries, which nobody writes again. Of the last crate's own, which are, copies. */
static enum copy_form choose_library(const void *context, const char *path, bool is_folder)
{
    const struct mirror *mirror = context;
    struct slice file = slice_file_name(slice_of(path));

    if (is_folder || is_last_file(mirror, file) ||
        !(slice_ends_with(file, SLICE(".rlib")) || slice_ends_with(file, SLICE(".rmeta")) ||
          slice_ends_with(file, SLICE(".so"))))
        return COPY_SKIP;
    slice_skip(&file, SLICE("lib"));
    return slice_starts_with(file, slice_of(mirror->crate)) ? COPY_BYTES : COPY_LINK;
}

/* Whether cargo's notes are on a program, which was stripped as the last one was. */
static bool is_program(const char *notes)
{
    static const char *const kinds[] = {"bin-", "example-", "test-", "bench-"};
    SCOPED(folder_close) DIR *folder = opendir(notes);
    const struct dirent *entry = NULL;

    while (folder && (entry = readdir(folder)))
        if (slice_starts_with_any(slice_of(entry->d_name), kinds, ARRAY_COUNT(kinds)))
            return true;
    return false;
}

/*
 * What build scripts made, which they may write again, and of units that have folders of their own libraries
 * but the last crate's. A target directory may be of cargo of before and after.
 */
static enum copy_form choose_in_build(const void *context, const char *path, bool is_folder)
{
    const struct mirror *mirror = context;
    struct slice file = slice_file_name(slice_of(path));
    SCOPED(text_done) struct text notes = {0};

    text_format(&notes, "%s/fingerprint", path);
    if (is_folder)
        return is_last_unit(mirror, text_string(&notes)) || is_program(text_string(&notes)) ? COPY_SKIP
                                                                                            : COPY_BYTES;
    return slice_ends_with(file, SLICE(".rlib")) || slice_ends_with(file, SLICE(".rmeta"))
               ? choose_library(context, path, is_folder)
               : COPY_BYTES;
}

static int mirror_part(const struct mirror *mirror, const char *from, const char *to, const char *part,
                       copy_choose *choose, struct error *err)
{
    const char *source = arena_format(mirror->arena, "%s/%s", from, part);

    /* A build without build scripts has no folder of them. */
    if (access(source, F_OK) != 0)
        return 0;
    return copy_folder(source, arena_format(mirror->arena, "%s/%s", to, part), choose, mirror, err);
}

static bool has_same_time(const char *path, const char *other)
{
    struct stat one;
    struct stat two;

    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_mtim.tv_sec == two.st_mtim.tv_sec &&
           one.st_mtim.tv_nsec == two.st_mtim.tv_nsec;
}

/* A library that is to be linked anew, and may stand in folders of ours. */
struct copies {
    const struct mirror *mirror;
    const char *from;
    const char *to;
    int result; /* -1 with `err` where one could not be removed */
    struct error *err;
};

/*
 * A library that another program uses came along with that one, stripped, and cargo would take it for what it
 * is to make. A copy has the time of its original.
 */
static void remove_copy(void *context, const char *folder)
{
    struct copies *copies = context;
    const struct mirror *mirror = copies->mirror;
    struct slice file = slice_file_name(mirror->shipped->path);
    const char *copy = arena_format(mirror->arena, "%s/%.*s", folder, SLICE_ARGUMENTS(file));
    const char *original = arena_format(mirror->arena, "%s%s", copies->from, copy + strlen(copies->to));

    if (is_last_file(mirror, file) && has_same_time(original, copy) && unlink(copy) < 0)
        copies->result = error_set(copies->err, ERROR_IO, "remove %s: %s", copy, strerror(errno));
}

static int remove_copies(const struct mirror *mirror, const char *from, const char *to, struct error *err)
{
    struct copies copies = {mirror, from, to, 0, err};

    cargo_unit_folders_visit(slice_of(to), remove_copy, &copies);
    return copies.result;
}

static int mirror_profile(const struct mirror *mirror, const char *from, const char *to, struct error *err)
{
    if (remove_copies(mirror, from, to, err) < 0 ||
        mirror_part(mirror, from, to, ".fingerprint", choose_note, err) < 0 ||
        mirror_part(mirror, from, to, "build", choose_in_build, err) < 0 ||
        mirror_part(mirror, from, to, "deps", choose_library, err) < 0)
        return -1;
    return 0;
}

/* With --target the build scripts and procedural macros stand in a folder of their own. */
static int mirror_all(const struct mirror *mirror, const char *build, const char *ours, const char *profile,
                      struct error *err)
{
    const char *host = strrchr(profile, '/');

    if (mirror_profile(mirror, arena_format(mirror->arena, "%s%s", build, profile),
                       arena_format(mirror->arena, "%s%s", ours, profile), err) < 0)
        return -1;
    if (host == profile || !host)
        return 0;
    return mirror_profile(mirror, arena_format(mirror->arena, "%s%s", build, host),
                          arena_format(mirror->arena, "%s%s", ours, host), err);
}

static int mirror_build(struct arena *arena, const struct options *options, const struct cargo_built *shipped,
                        struct error *err)
{
    char *crate = arena_copy(arena, shipped->artifact->target.name);
    struct mirror mirror = {arena, shipped, crate};
    const char *ours = cargo_own_directory(arena, options, shipped->graph, RELINK_DIRECTORY);
    const char *target = arena_copy(arena, slice_folder(slice_of(ours)));
    const char *build = build_directory(arena, shipped->graph, target);
    const char *profile = profile_folder(arena, shipped->path, target, build);

    /* Tests are no files for the user: they stand among cargo's own. */
    if (!profile)
        profile = profile_folder(arena, shipped->path, build, build);
    for (char *at = crate; *at; at++)
        if (*at == '-')
            *at = '_';
    if (!profile)
        return error_set(err, ERROR_MISSING, "cargo's own files of this build are not below %s", build);
    return mirror_all(&mirror, build, ours, profile, err);
}

int relink(const struct options *options, const struct cargo_built *shipped, struct cargo_built *out,
           struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *variables[FLAG_WRAPPER_VARIABLES];
    struct cargo_request request = {.verb = "bloatc",
                                    .options = options,
                                    .graph = shipped->graph,
                                    .environment = variables,
                                    .own_directory = RELINK_DIRECTORY};

    if (mirror_build(&arena, options, shipped, err) < 0 ||
        flag_wrapper_set_variables(&arena, options, FLAG_WRAPPER_RELINK, variables, err) < 0)
        return -1;
    return cargo_build(&request, out, err);
}

static int compare_code(struct image *shipped, struct image *relinked, bool *is_same, struct error *err)
{
    for (size_t i = 0; i < shipped->sections.count; i++) {
        const struct section *section = &shipped->sections.items[i];
        const struct section *other = sections_find(&relinked->sections, section->name);
        struct slice bytes = {0};
        struct slice others = {0};

        if (!section_is_code(section))
            continue;
        *is_same = false;
        if (!other || other->svma != section->svma)
            return 0;
        if (image_read_section(shipped, section, &bytes, err) < 0 ||
            image_read_section(relinked, other, &others, err) < 0)
            return -1;
        if (!slice_equal(bytes, others))
            return 0;
    }
    *is_same = true;
    return 0;
}

int relink_compare(const char *shipped, const char *relinked, bool *is_same, struct error *err)
{
    struct image one;
    struct image other;
    int result = 0;

    if (image_open(shipped, &one, err) < 0)
        return -1;
    if (image_open(relinked, &other, err) < 0) {
        image_close(&one);
        return -1;
    }
    result = compare_code(&one, &other, is_same, err);
    image_close(&one);
    image_close(&other);
    return result;
}
