#include "change_fixture.h"

#include "profile_builder.h"

int change_fixture_set_up(void **state)
{
    static struct change_fixture fixture;

    fixture = (struct change_fixture){0};
    profile_builder_init(&fixture.before);
    profile_builder_init(&fixture.after);
    *state = &fixture;
    return 0;
}

int change_fixture_tear_down(void **state)
{
    struct change_fixture *f = *state;

    changes_done(&f->changes);
    profile_done(&f->before);
    profile_done(&f->after);
    return 0;
}

void change_fixture_fill(struct change_fixture *f)
{
    profile_builder_add(&f->before, 0, SLICE("own app main > own app parse > own app hot"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app old"), 300);
    profile_builder_add(&f->before, 0, SLICE("own app main > dep regex find"), 500);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app parse > own app hot"), 2000);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app fresh"), 280);
    profile_builder_add(&f->after, 0, SLICE("own app main > dep regex find"), 520);
}

void change_fixture_compare(struct change_fixture *f, enum measure_kind kind, enum joined_by by)
{
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};
    struct measure measure;

    changes_done(&f->changes);
    assert_int_equal(measure_make(parts, kind, &measure, &f->err), 0);
    changes_make(parts, by, &measure, &f->changes);
}

const struct change *change_fixture_find(const struct change_fixture *f, const char *name)
{
    for (size_t i = 0; i < f->changes.items.count; i++)
        if (slice_is(change_name(&f->changes, &f->changes.items.items[i]), name))
            return &f->changes.items.items[i];
    return NULL;
}

void assert_changes(const struct change_fixture *f, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    for (size_t i = 0; i < f->changes.items.count; i++) {
        const struct change *change = &f->changes.items.items[i];

        if (i == f->changes.told_count)
            text_add_string(&text, "| ");
        text_add(&text, change_name(&f->changes, change));
        text_format(&text, " %+lld/%+lld%s ", (long long)change_of(&change->self) / 1000000,
                    (long long)change_of(&change->total) / 1000000, change->self.is_noise ? "" : "!");
    }
    assert_string_equal(text_string(&text), expected);
}
