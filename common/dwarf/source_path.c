#include "dwarf/source_path.h"

#include "base/ascii.h"
#include "base/compiler.h"
#include "base/text.h"
#include "rust/crate_name.h"
#include "rust/std_crates.h"

/* Splits at the first '/': the part before it is given, `path` goes on behind it. False when there is none.
 */
static bool take_folder(struct slice *path, struct slice *folder)
{
    size_t at = slice_find_byte(*path, '/');

    if (at == path->length)
        return false;
    *folder = slice_range(*path, 0, at);
    *path = slice_range(*path, at + 1, path->length);
    return true;
}

/* Whether `text` starts with digits and a dot, twice, and a digit: a full semantic version. */
static bool starts_with_version(struct slice text)
{
    int dots = 0;

    for (size_t i = 0; i < text.length; i++) {
        bool is_digit = ascii_is_digit(text.data[i]);

        if (!is_digit && (text.data[i] != '.' || i == 0 || text.data[i - 1] == '.'))
            return false;
        dots += text.data[i] == '.';
        if (is_digit && dots == 2)
            return true;
    }
    return false;
}

/* "regex-automata-0.4.8": a name may have hyphens, digits and even what looks like a number in it. */
static bool split_version(struct slice folder, struct source_origin *out)
{
    for (size_t i = 1; i < folder.length; i++) {
        struct slice version = slice_range(folder, i + 1, folder.length);

        if (folder.data[i] == '-' && starts_with_version(version)) {
            out->package = slice_range(folder, 0, i);
            out->version = version;
            return true;
        }
    }
    return false;
}

/* The rest of the path behind `mark`, or false. */
static bool find_behind(struct slice path, struct slice mark, struct slice *rest)
{
    size_t at = slice_find(path, mark);

    if (at == path.length)
        return false;
    *rest = slice_range(path, at + mark.length, path.length);
    return true;
}

static bool is_registry(struct slice path, struct source_origin *out)
{
    struct slice folder;

    if (!find_behind(path, SLICE("/registry/src/"), &out->path) || !take_folder(&out->path, &folder) ||
        !take_folder(&out->path, &folder))
        return false;
    out->kind = SOURCE_REGISTRY;
    return split_version(folder, out);
}

static bool is_std_dependency(struct slice path, struct source_origin *out)
{
    struct slice folder;

    if (!slice_starts_with(path, SLICE("/rust/deps/")) || !find_behind(path, SLICE("/deps/"), &out->path) ||
        !take_folder(&out->path, &folder))
        return false;
    out->kind = SOURCE_STD_DEPS;
    return split_version(folder, out);
}

/*
 * As cargo tells of packages where it trims paths, of which std is built so since Rust 1.100. In a program
 * that is, too, hashbrown and the like may be its own.
 */
static bool is_trimmed(struct slice path, struct source_origin *out)
{
    struct slice folder;
    SCOPED(text_done) struct text crate = {0};

    out->path = path;
    if (!slice_skip(&out->path, SLICE("/cargo/registry/")) || !take_folder(&out->path, &folder) ||
        !slice_is_hash(folder) || !take_folder(&out->path, &folder) || !split_version(folder, out))
        return false;
    crate_name_add(&crate, out->package);
    out->kind = std_crates_depend_on(text_slice(&crate)) ? SOURCE_STD_DEPS : SOURCE_REGISTRY;
    return true;
}

static bool is_git(struct slice path, struct source_origin *out)
{
    struct slice repository;
    struct slice revision;

    if (!find_behind(path, SLICE("/git/checkouts/"), &out->path) || !take_folder(&out->path, &repository) ||
        !take_folder(&out->path, &revision))
        return false;
    out->kind = SOURCE_GIT;
    out->package = slice_range(repository, 0, slice_find_last_byte(repository, '-'));
    out->version = revision;
    return true;
}

/* Parts of std that live deeper: "library/stdarch/crates/core_arch" is the crate core_arch. */
static bool take_library(struct slice *path, struct slice *package)
{
    static const struct slice groups[] = {SLICE("stdarch/crates/"), SLICE("portable-simd/crates/"),
                                          SLICE("compiler-builtins/")};

    for (size_t i = 0; i < ARRAY_COUNT(groups); i++)
        if (slice_starts_with(*path, groups[i])) {
            struct slice deeper = slice_range(*path, groups[i].length, path->length);

            if (take_folder(&deeper, package) && !slice_is(*package, "src")) {
                *path = deeper;
                return true;
            }
        }
    return take_folder(path, package);
}

/* As rustc has been built. */
static bool is_std(struct slice path, struct source_origin *out)
{
    struct slice hash;

    if (!slice_starts_with(path, SLICE("/rustc/")))
        return false;
    out->path = slice_range(path, 7, path.length);
    if (!take_folder(&out->path, &hash) || !slice_starts_with(out->path, SLICE("library/")))
        return false;
    out->path = slice_range(out->path, 8, out->path.length);
    out->kind = SOURCE_STD;
    return take_library(&out->path, &out->package);
}

/* As it is where a toolchain has its sources. */
static bool is_installed_std(struct slice path, struct source_origin *out)
{
    if (!find_behind(path, SLICE("/rustlib/src/rust/library/"), &out->path))
        return false;
    out->kind = SOURCE_STD;
    return take_library(&out->path, &out->package);
}

struct source_origin source_path_origin(struct slice path)
{
    /* Those first that a look at the start of the path is enough for. */
    static bool (*const readers[])(struct slice, struct source_origin *) = {
        is_std, is_std_dependency, is_trimmed, is_registry, is_git, is_installed_std};

    for (size_t i = 0; i < ARRAY_COUNT(readers); i++) {
        struct source_origin origin = {0};

        if (readers[i](path, &origin))
            return origin;
    }
    return (struct source_origin){.kind = SOURCE_LOCAL, .path = path};
}

struct slice source_path_package_folder(struct slice path)
{
    const struct slice sources = SLICE("/src/");
    struct slice folder = {0};
    size_t next = slice_find(path, sources);

    while (next < path.length) {
        size_t behind = next + sources.length - 1;

        folder = slice_range(path, 0, next);
        next = behind + slice_find(slice_range(path, behind, path.length), sources);
    }
    return folder;
}

/* "NAME-0123456789abcdef/out", or "NAME/0123456789abcdef/out" where each unit has a folder of its own. */
static bool is_of_build_script(struct slice rest, struct slice *package)
{
    enum { HASH = 16 };
    struct slice folder = slice_range(rest, 0, slice_find_byte(rest, '/'));
    struct slice below = slice_range(rest, folder.length + 1, rest.length);

    if (folder.length > HASH + 1 && folder.data[folder.length - HASH - 1] == '-' &&
        slice_starts_with(below, SLICE("out"))) {
        *package = slice_range(folder, 0, folder.length - HASH - 1);
        return true;
    }
    if (folder.length == 0 || !slice_is_hash(slice_range(below, 0, slice_find_byte(below, '/'))) ||
        !slice_starts_with(slice_range(below, HASH, below.length), SLICE("/out")))
        return false;
    *package = folder;
    return true;
}

bool source_path_of_build_script(struct slice path, struct slice *package)
{
    const struct slice mark = SLICE("/build/");
    struct slice rest = path;

    for (;;) {
        size_t at = slice_find(rest, mark);

        if (at == rest.length)
            return false;
        rest = slice_range(rest, at + mark.length, rest.length);
        if (is_of_build_script(rest, package))
            return true;
    }
}

bool source_path_is_below(struct slice path, struct slice folder)
{
    return folder.length > 0 && slice_starts_with(path, folder) && path.length > folder.length &&
           path.data[folder.length] == '/';
}
