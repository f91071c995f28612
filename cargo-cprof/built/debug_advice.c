#include "built/debug_advice.h"

#include <elf.h>

#include "cargo/profile_setting.h"
#include "cargo/rust_flags.h"
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
        if (find_debug_open(&image, &separate, &ignored) == 0) {
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

static bool is_off(struct slice value)
{
    return slice_is(value, "false") || slice_is(value, "none");
}

/* Whether one of rustc's flags has it or the linker strip: "-Cstrip=symbols", "strip=symbols" behind "-C". */
static bool does_strip(struct slice flag)
{
    bool is_for_linker = slice_has(flag, SLICE("link-arg"));

    return slice_starts_with(flag, SLICE("-Cstrip=")) || slice_starts_with(flag, SLICE("strip=")) ||
           (is_for_linker && (slice_has(flag, SLICE("strip")) || slice_ends_with(flag, SLICE("-s")) ||
                              slice_ends_with(flag, SLICE("-S"))));
}

/* The last flag that does, which counts, of those between blanks; empty: none. */
static struct slice stripping_flag(struct slice flags)
{
    struct slice found = {0};

    while (flags.length > 0) {
        size_t end = slice_find_byte(flags, ' ');
        struct slice flag = slice_range(flags, 0, end);

        if (does_strip(flag))
            found = flag;
        flags = slice_range(flags, end + 1, flags.length);
    }
    return found;
}

/* The profile does not strip, and yet what was built is stripped. */
static void add_stripped_by_flags(struct text *out, const struct options *options, const char *profile,
                                  const struct lack *lack)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_configuration_done) struct cargo_configuration configuration = {0};
    SCOPED(text_done) struct text flags = {0};
    struct cargo_platform platform;
    struct error ignored = {0};
    struct slice flag = {0};

    cargo_configuration_read(&arena, options, &configuration);
    if (cargo_platform_find(&arena, options, &configuration, &platform, &ignored) == 0 &&
        cargo_rust_flags_add(&configuration, &platform, &flags, &ignored) == 0)
        flag = stripping_flag(text_slice(&flags));
    text_format(out, "%s are missing, though profile %s does not strip them: ", lack->missing, profile);
    if (flag.length == 0) {
        text_add_string(out, "the linker does, or a flag that it is given");
        return;
    }
    text_add_string(out, slice_starts_with(flag, SLICE("-")) ? "" : "-C ");
    text_add_terminal(out, flag);
    text_add_string(out, " among the flags for rustc (RUSTFLAGS, or rustflags of cargo's configuration) "
                         "does; build without it");
}

void debug_advice_add(struct text *out, const struct options *options, const struct cargo_built *built)
{
    SCOPED(arena_done) struct arena arena = {0};
    enum lack_kind kind = lack_of(built);
    struct cargo_profile_setting setting;
    bool is_set = false;

    if (kind == NOTHING)
        return;
    is_set = cargo_profile_setting_find(&arena, options, built, lacks[kind].setting, &setting);
    if (kind != NOT_BUILT && (!is_set || is_off(setting.value))) {
        add_stripped_by_flags(out, options, built->selection.profile, &lacks[kind]);
        return;
    }
    text_format(out, "profile %s %s", built->selection.profile, lacks[kind].cause);
    if (is_set)
        text_format(out, " (%s)", setting.place);
    text_format(out, ": %s are missing; ", lacks[kind].missing);
    add_remedy(out, lacks[kind].remedy, built->selection.profile);
    text_add_string(out, " adds them");
}
