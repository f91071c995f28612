#include "cargo/unit_folder.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/folder.h"

struct slice cargo_unit_folder(struct slice folder)
{
    struct slice name = slice_file_name(folder);
    struct slice unit = slice_folder(folder);
    struct slice build = slice_folder(slice_folder(unit));

    if (slice_is(name, "deps"))
        return name;
    if (!slice_is(name, "out") || !slice_is_hash(slice_file_name(unit)) ||
        !slice_is(slice_file_name(build), "build"))
        return (struct slice){0};
    return slice_range(folder, build.length - SLICE("build").length, folder.length);
}

bool cargo_unit_own_notes(struct slice file, struct text *notes)
{
    SCOPED(text_done) struct text path = {0};
    struct stat status;

    text_format(&path, "%.*s/fingerprint", SLICE_ARGUMENTS(slice_folder(slice_folder(file))));
    if (cargo_unit_folder(slice_folder(file)).length == 0 || stat(text_string(&path), &status) < 0 ||
        !S_ISDIR(status.st_mode))
        return false;
    text_add(notes, text_slice(&path));
    return true;
}

/* What a folder has, but for itself and the one above it; NULL at its end. */
static const char *next_name(DIR *folder)
{
    const struct dirent *entry = NULL;

    while (folder && (entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            return entry->d_name;
    return NULL;
}

void cargo_unit_folders_visit(struct slice profile, void visit(void *context, const char *folder),
                              void *context)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(folder_close) DIR *build = NULL;
    size_t build_length = 0;

    text_format(&path, "%.*s/deps", SLICE_ARGUMENTS(profile));
    visit(context, text_string(&path));
    text_clear(&path);
    text_format(&path, "%.*s/build", SLICE_ARGUMENTS(profile));
    build_length = path.length;
    build = opendir(text_string(&path));
    for (const char *package = next_name(build); package; package = next_name(build)) {
        SCOPED(folder_close) DIR *units = NULL;
        size_t package_length = 0;

        path.length = build_length;
        text_format(&path, "/%s", package);
        package_length = path.length;
        units = opendir(text_string(&path));
        for (const char *unit = next_name(units); unit; unit = next_name(units)) {
            path.length = package_length;
            text_format(&path, "/%s/out", unit);
            if (slice_is_hash(slice_of(unit)))
                visit(context, text_string(&path));
        }
    }
}
