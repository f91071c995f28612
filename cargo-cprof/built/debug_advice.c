#include "built/debug_advice.h"

#include <elf.h>

#include "cargo/profile_setting.h"
#include "elf/find_debug.h"

/* Why the program lacks it, and what that costs. */
struct lack {
    const char *cause;   /* "profile X ..." */
    const char *setting; /* that is the cause */
    const char *missing;
    const char *remedy; /* "%s" is the profile */
};

enum lack_kind { NOT_BUILT, NAMES_STRIPPED, STRIPPED, NOTHING };

static const struct lack lacks[] = {
    [NOT_BUILT] = {"has no debug information", "debug", "inlined calls and lines",
                   "--config profile.%s.debug=1 --config profile.%s.strip=false"},
    [NAMES_STRIPPED] = {"strips names and debug information", "strip", "names, inlined calls and lines",
                        "--config profile.%s.strip=false"},
    [STRIPPED] = {"strips debug information", "strip", "inlined calls and lines",
                  "--config profile.%s.strip=false"},
};

static enum lack_kind lack_of_file(const char *path)
{
    enum lack_kind kind = NOTHING;
    struct error ignored = {0};
    struct image image;
    struct image separate;

    if (image_open(path, &image, &ignored) < 0)
        return NOTHING;
    if (!find_debug_is_inside(&image)) {
        kind = sections_find_type(&image.sections, SHT_SYMTAB) ? STRIPPED : NAMES_STRIPPED;
        if (find_debug_open(&image, FIND_DEBUG_ROOT, &separate, &ignored) == 0) {
            kind = NOTHING;
            image_close(&separate);
        }
    }
    image_close(&image);
    return kind;
}

static enum lack_kind lack_of(const struct cargo_built *built)
{
    return slice_is(built->artifact->debuginfo, "0") ? NOT_BUILT : lack_of_file(built->path.data);
}

/* The remedy with the profile in place of each "%s". */
static void add_remedy(struct text *out, const char *remedy, const char *profile)
{
    struct slice rest = slice_of(remedy);

    while (rest.length > 0) {
        size_t mark = slice_find(rest, SLICE("%s"));

        text_add(out, slice_range(rest, 0, mark));
        if (mark < rest.length)
            text_add_string(out, profile);
        rest = slice_range(rest, mark + 2, rest.length);
    }
}

void debug_advice_add(struct text *out, const struct options *options, const struct cargo_built *built)
{
    SCOPED(arena_done) struct arena arena = {0};
    enum lack_kind kind = lack_of(built);
    struct cargo_profile_setting setting;

    if (kind == NOTHING)
        return;
    text_format(out, "profile %s %s", built->selection.profile, lacks[kind].cause);
    if (cargo_profile_setting_find(&arena, options, built, lacks[kind].setting, &setting))
        text_format(out, " (%s)", setting.place);
    text_format(out, ": %s are missing; ", lacks[kind].missing);
    add_remedy(out, lacks[kind].remedy, built->selection.profile);
    text_add_string(out, " adds them");
}
