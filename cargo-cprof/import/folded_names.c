#include "import/folded_names.h"

#include "base/ascii.h"
#include "symbolize/names.h"

/* What names carry behind them, as stackcollapse-perf.pl's --annotate writes it. */
enum mark { MARK_NONE, MARK_KERNEL, MARK_INLINED, MARK_JIT };

static struct slice without_mark(struct slice name, enum mark *mark)
{
    static const struct {
        const char *text;
        enum mark mark;
    } marks[] = {{"_[k]", MARK_KERNEL}, {"_[i]", MARK_INLINED}, {"_[j]", MARK_JIT}};

    *mark = MARK_NONE;
    for (size_t i = 0; i < ARRAY_COUNT(marks); i++)
        if (slice_ends_with(name, slice_of(marks[i].text))) {
            *mark = marks[i].mark;
            return slice_range(name, 0, name.length - slice_of(marks[i].text).length);
        }
    return name;
}

bool folded_name_is_start(struct slice name)
{
    static const char *const starts[] = {
        "_start",  "__libc_start_main", "clone",          "clone3",        "__clone3",
        "__clone", "start_thread",      "_dl_start_user", "ret_from_fork",
    };

    return slice_is_any(name, starts, ARRAY_COUNT(starts));
}

bool folded_name_is_code(struct slice name)
{
    static const char *const others[] = {"[unknown]", "[unwound]", "entry_SYSCALL_64"};
    static const char *const parts[] = {"::", "(", "_[k]", "_[i]"};

    return folded_name_is_start(name) || slice_is_any(name, others, ARRAY_COUNT(others)) ||
           slice_has_any(name, parts, ARRAY_COUNT(parts)) || slice_starts_with(name, SLICE("_ZN")) ||
           slice_starts_with(name, SLICE("_R"));
}

struct slice folded_name_crate(struct slice name)
{
    size_t start = 0;

    for (size_t i = 0; i < name.length; i++) {
        bool is_first = i == 0 || !ascii_is_name(name.data[i - 1]);

        if (!ascii_is_name(name.data[i]))
            continue;
        if (is_first)
            start = i;
        if (slice_starts_with(slice_range(name, i + 1, name.length), SLICE("::")))
            return slice_range(name, start, i + 1);
        /* An argument of a type that has no path tells nothing of the type. */
        if (slice_starts_with(slice_range(name, i + 1, name.length), SLICE("<")))
            return (struct slice){0};
    }
    return (struct slice){0};
}

bool folded_name_is_mangled(struct slice name)
{
    return slice_starts_with(name, SLICE("_ZN")) || slice_starts_with(name, SLICE("_R"));
}

bool folded_name_is_place(struct slice name)
{
    size_t at = name.length;

    while (at > 0 && ascii_is_lower_hex(name.data[at - 1]))
        at--;
    return at < name.length && slice_ends_with(slice_range(name, 0, at), SLICE("+0x"));
}

/* Whether this begins with the rest of "[T: N]", from its ':' on. */
static bool is_array_length(struct slice rest)
{
    size_t at = SLICE(": ").length;

    if (!slice_starts_with(rest, SLICE(": ")))
        return false;
    while (at < rest.length && ascii_is_name(rest.data[at]))
        at++;
    return at > SLICE(": ").length && at < rest.length && rest.data[at] == ']';
}

/* The name, with the ';' of array types that writers of folded stacks have put ':' for: "[u8; 4]". */
static struct slice with_arrays(struct slice name, struct text *out)
{
    if (slice_find_byte(name, '[') == name.length || !slice_has(name, SLICE("::")))
        return name;
    text_add(out, name);
    for (size_t i = 0; i < name.length; i++)
        if (is_array_length(slice_range(name, i, name.length)))
            out->data[i] = ';';
    return text_slice(out);
}

static uint32_t function_of(struct naming *naming, struct slice written, bool *is_inlined)
{
    enum mark mark = MARK_NONE;
    SCOPED(text_done) struct text restored = {0};
    struct found_name found = {.text = with_arrays(without_mark(written, &mark), &restored)};

    *is_inlined = mark == MARK_INLINED;
    if (mark == MARK_KERNEL)
        return naming_kernel(naming, found.text, (struct slice){0});
    if (found.text.length == 0 || slice_starts_with(found.text, SLICE("[")) ||
        folded_name_is_place(found.text))
        return naming_unnamed(naming, found.text, (struct slice){0}, "the folded stacks hold none for it");
    found.is_readable = !folded_name_is_mangled(found.text);
    found.is_rust = slice_has(found.text, SLICE("::"));
    if (found.is_rust)
        found.unit_crate = folded_name_crate(found.text);
    return naming_function(naming, &found);
}

void folded_name_add_own_crate(struct slice name, struct intern *own)
{
    size_t crate_length = slice_find(name, SLICE("::"));

    if (crate_length < name.length &&
        slice_equal(slice_range(name, crate_length, name.length), SLICE("::main")))
        intern_add(own, slice_range(name, 0, crate_length));
}

static void find_own_crates(const struct profile *profile, struct naming *naming, struct intern *own)
{
    for (size_t i = 0; i < profile->locations.count; i++) {
        struct slice name = profile_text(profile, (uint32_t)profile->locations.items[i].svma);

        folded_name_add_own_crate(folded_name_is_mangled(name) ? naming_readable(naming, name) : name, own);
    }
}

void folded_names_set(struct profile *profile)
{
    SCOPED(intern_done) struct intern own = {0};
    SCOPED(naming_done) struct naming naming = {.profile = profile};

    find_own_crates(profile, &naming, &own);
    naming.own_crates = &own;
    for (uint32_t i = 0; i < profile->locations.count; i++) {
        struct slice name = profile_text(profile, (uint32_t)profile->locations.items[i].svma);
        struct profile_frame frame = {0};

        frame.function = function_of(&naming, name, &frame.is_inlined);
        profile_set_frames(profile, i, &frame, 1);
    }
}
