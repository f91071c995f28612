#include "symbolize/recorded_file.h"

#include "base/ascii.h"
#include "cargo/unit_folder.h"

struct recorded_file recorded_file_of(const struct profile *profile, uint32_t module)
{
    const struct profile_module *about = &profile->modules.items[module];

    return (struct recorded_file){
        .name = profile_text(profile, about->place == PROFILE_NO_STRING ? about->path : about->place).data,
        .path = profile_text(profile, about->path),
        .root = profile_text(profile, about->root),
        .build_id = profile_text(profile, about->build_id),
    };
}

static const struct slice of_processes = SLICE("/proc/");

/* How much of the text is this path, whole or that of a folder; 0: none. "/proc/self/fd/12" is no fd/1. */
static size_t path_length_at(struct slice text, struct slice path)
{
    if (!slice_starts_with(path, of_processes) || !slice_starts_with(text, path))
        return 0;
    return text.length > path.length && ascii_is_digit(text.data[path.length]) ? 0 : path.length;
}

void recorded_file_add_message(const struct recorded_file *file, const char *message, struct text *out)
{
    struct slice rest = slice_of(message);

    while (rest.length > 0) {
        size_t length = path_length_at(rest, slice_of(file->name));

        if (length > 0) {
            text_add(out, file->path);
        } else {
            length = path_length_at(rest, file->root);
            if (length == 0)
                text_add_byte(out, rest.data[length++]);
        }
        rest = slice_range(rest, length, rest.length);
    }
}

struct slice recorded_file_called(struct slice path)
{
    struct slice name = slice_file_name(path);
    size_t end = slice_find_last_byte(name, '-');
    bool has_hash = end > 0 && slice_is_hash(slice_range(name, end + 1, name.length));

    return has_hash && cargo_unit_folder(slice_folder(path)).length > 0 ? slice_range(name, 0, end) : name;
}
