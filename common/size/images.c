#include "size/images.h"

#include "elf/archive_object.h"
#include "size/rlibs.h"

/* The crate that all codegen units of the archive are of; without a name when there are others, or none. */
static struct crate_fact crate_of_archive(const struct archive *archive)
{
    struct crate_fact found = {0};

    for (size_t i = 0; i < archive->members.count; i++) {
        struct crate_fact fact;

        if (!rlib_member_crate(archive->members.items[i].name, &fact))
            continue;
        if (found.name.length > 0 && (found.id != fact.id || !slice_equal(found.name, fact.name)))
            return (struct crate_fact){0};
        found = fact;
    }
    return found;
}

static bool has_builtins(const struct archive *archive)
{
    for (size_t i = 0; i < archive->members.count; i++) {
        struct crate_fact fact;

        if (rlib_member_crate(archive->members.items[i].name, &fact) && crate_is_never_merged(fact.name))
            return true;
    }
    return false;
}

/*
 * A static library has all crates, std's among them: with units of one alone, beside those that are never
 * merged, link-time optimisation has put all code into that one's.
 */
static bool is_merged(const struct archive *archive)
{
    struct crate_fact first = {0};

    for (size_t i = 0; i < archive->members.count; i++) {
        struct crate_fact fact;

        if (!rlib_member_crate(archive->members.items[i].name, &fact) || crate_is_never_merged(fact.name))
            continue;
        if (first.name.length > 0 && (first.id != fact.id || !slice_equal(first.name, fact.name)))
            return false;
        first = fact;
    }
    return first.name.length > 0;
}

/* What is no object, or has no code, is no failure. */
static int visit_member(const struct archive *archive, const struct archive_member *member,
                        const struct crate_fact *library, const struct images_visitor *visitor,
                        struct images_seen *seen, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct error refused = {0};
    struct image image;
    bool is_object = false;

    if (archive_open_object(archive, member, &arena, &image, &is_object, err) < 0)
        return -1;
    if (!is_object) {
        seen->foreign_bytes += member->size_bytes;
        seen->bitcode_count += slice_ends_with(member->name, SLICE(".rcgu.o"));
        return 0;
    }
    if (visitor->visit(visitor->context, &image, library, &refused) == 0) {
        seen->image_bytes += member->size_bytes;
        return 0;
    }
    if (refused.kind == ERROR_MISSING)
        return 0;
    *err = refused;
    return error_wrap(err, "member %.*s", SLICE_ARGUMENTS(member->name));
}

static int visit_archive(const struct archive *archive, const struct images_visitor *visitor,
                         struct images_seen *seen, struct error *err)
{
    struct crate_fact library = crate_of_archive(archive);

    seen->is_archive = true;
    seen->has_builtins = has_builtins(archive);
    seen->is_merged = seen->has_builtins && is_merged(archive);
    seen->file_bytes = archive->size_bytes;
    seen->member_count = archive->members.count;
    for (size_t i = 0; i < archive->members.count; i++) {
        const struct archive_member *member = &archive->members.items[i];
        struct crate_fact own;
        /* Of an incremental build the object itself tells less than its name. */
        bool is_hashed = rlib_member_crate(member->name, &own) && own.id == 0;

        if (visit_member(archive, member, is_hashed ? &own : &library, visitor, seen, err) < 0)
            return -1;
    }
    return 0;
}

int images_visit(const char *path, const struct images_visitor *visitor, struct images_seen *seen,
                 struct error *err)
{
    struct crate_fact unknown = {0};
    struct archive archive;
    struct image image;
    int result = 0;

    if (archive_is_at(path)) {
        if (archive_open(path, &archive, err) < 0)
            return -1;
        result = visit_archive(&archive, visitor, seen, err);
        archive_close(&archive);
        return result;
    }
    if (image_open(path, &image, err) < 0)
        return -1;
    seen->file_bytes = seen->image_bytes = image.size_bytes;
    return visitor->visit(visitor->context, &image, &unknown, err);
}
