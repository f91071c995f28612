#include "revision/side_word.h"

#include <sys/stat.h>

static bool is_path(struct slice word)
{
    return slice_starts_with(word, SLICE("/")) || slice_starts_with(word, SLICE("./")) ||
           slice_starts_with(word, SLICE("../"));
}

bool side_word_is_file(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

void side_word_read(struct arena *arena, const char *typed, struct side_word *out)
{
    const struct slice file = SLICE("file:");
    const struct slice revision = SLICE("rev:");
    struct slice word = slice_of(typed);

    *out = (struct side_word){.kind = SIDE_WORD_NAME, .text = typed};
    if (slice_starts_with(word, revision)) {
        out->text += revision.length;
        out->kind = range_read(arena, out->text, &out->range) ? SIDE_WORD_RANGE : SIDE_WORD_REVISION;
    } else if (slice_starts_with(word, file)) {
        out->text += file.length;
        out->kind = SIDE_WORD_FILE;
    } else if (is_path(word)) {
        out->kind = SIDE_WORD_FILE;
    } else if (!side_word_is_file(typed) && range_read(arena, typed, &out->range)) {
        out->kind = SIDE_WORD_RANGE;
    }
}

int side_word_refuse_both(const char *before, const char *name, struct error *err)
{
    error_hint(err, "%s./%s means the file, %srev:%s the revision", before, name, before, name);
    return error_set(err, ERROR_USAGE, "%s%s is both a file and a revision", before, name);
}
