#include "symbolize/package_files.h"

#include "base/file.h"

static bool is_file(struct package_files *files, struct slice folder, struct slice path)
{
    text_clear(&files->path);
    text_add(&files->path, folder);
    if (!slice_starts_with(path, SLICE("/")))
        text_add_byte(&files->path, '/');
    text_add(&files->path, path);
    return file_is_regular(text_string(&files->path));
}

static struct slice look_for(struct package_files *files, struct slice path)
{
    struct slice found = {0};

    if (path.length == 0 || (slice_starts_with(path, SLICE("/")) && is_file(files, (struct slice){0}, path)))
        return found;
    for (size_t i = 0; i < files->package_count; i++) {
        const struct package_folder *package = &files->packages[i];

        if (slice_equal(package->name, found) || !is_file(files, package->folder, path))
            continue;
        if (found.length > 0)
            return (struct slice){0};
        found = package->name;
    }
    return found;
}

struct slice package_files_find(struct package_files *files, struct slice path)
{
    uint32_t id = 0;

    if (files->package_count == 0)
        return (struct slice){0};
    id = intern_add(&files->paths, path);
    if (id == files->of_path.count) {
        struct slice found = look_for(files, path);

        *vec_add(&files->of_path) = found;
    }
    return files->of_path.items[id];
}

void package_files_done(struct package_files *files)
{
    intern_done(&files->paths);
    vec_done(&files->of_path);
    text_done(&files->path);
}
