#include "subject/origins.h"

#include "cargo/artifacts.h"
#include "rust/crate_name.h"

/* Whether both make a crate of one name and version, but are two packages. */
static bool is_double(const struct build_package *one, const struct build_package *other)
{
    return one->id.length > 0 && other->id.length > 0 && !slice_equal(one->id, other->id) &&
           slice_equal(one->version, other->version) && crate_name_is(one->crate, other->crate);
}

/* "util" of "path+file:///home/me/util#0.1.0". */
static struct slice package_name(struct slice id)
{
    return cargo_package_id_read(id).name;
}

/* "path", "registry", "git" */
static struct slice source_kind(struct slice id)
{
    struct slice source = cargo_package_id_read(id).source;

    return slice_range(source, 0, slice_find_byte(source, '+'));
}

/* "https://github.com/serde-rs/serde" of "git+https://github.com/serde-rs/serde?branch=main#serde@1.0.2" */
static struct slice source_url(struct slice id)
{
    struct slice source = cargo_package_id_read(id).source;

    return slice_range(source, slice_find_byte(source, '+') + 1, source.length);
}

typedef struct slice part_of_id(struct slice id);

/* Whether a package with the same crate has the same part of its id, which then does not tell them apart. */
static bool is_shared(const struct build_package *packages, size_t count, size_t package, part_of_id *part)
{
    for (size_t i = 0; i < count; i++)
        if (is_double(&packages[i], &packages[package]) &&
            slice_equal(part(packages[i].id), part(packages[package].id)))
            return true;
    return false;
}

static bool has_double(const struct build_package *packages, size_t count, size_t package)
{
    for (size_t i = 0; i < count; i++)
        if (is_double(&packages[i], &packages[package]))
            return true;
    return false;
}

void origins_find(struct build_package *packages, size_t count, struct arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        const char *word = "from";
        part_of_id *part = source_url;
        struct slice found;

        if (!has_double(packages, count, i))
            continue;
        if (!is_shared(packages, count, i, package_name)) {
            word = "of";
            part = package_name;
        } else if (!is_shared(packages, count, i, source_kind)) {
            part = source_kind;
        }
        found = part(packages[i].id);
        packages[i].origin = slice_of(arena_format(arena, "%s %.*s", word, SLICE_ARGUMENTS(found)));
    }
}
