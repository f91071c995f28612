#include "frame_shapes_fixture.h"

int frame_shapes_set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

int frame_shapes_tear_down(void **state)
{
    struct fixture *f = *state;

    frame_shapes_done(&f->shapes);
    text_done(&f->text);
    return 0;
}

void read_code(struct fixture *f, struct slice bytes)
{
    struct code_bytes function = {.bytes = bytes, .svma = START};
    struct error err = {0};

    assert_int_equal(frame_shapes_read(&function, &f->shapes, &err), 0);
    assert_int_equal(f->shapes.items.items[0].svma, START);
    for (size_t i = 1; i < f->shapes.items.count; i++)
        assert_true(f->shapes.items.items[i - 1].svma < f->shapes.items.items[i].svma);
    assert_null(frame_shapes_find(&f->shapes, START - 1));
    assert_null(frame_shapes_find(&f->shapes, START + bytes.length));
}

static void add_register(struct text *text, const char *name, const struct frame_register *value)
{
    if (value->saved == FRAME_STORED)
        text_format(text, value->is_by_register ? " %s@register%+d" : " %s@%d", name, value->offset);
    else if (value->saved == FRAME_LOST)
        text_format(text, " %s-lost", name);
}

const char *shape_at(struct fixture *f, uint64_t offset)
{
    static const char *const registers[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
                                            "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    const struct frame_shape *shape = frame_shapes_find(&f->shapes, START + offset);

    text_clear(&f->text);
    if (!shape)
        return "?";
    assert_true(shape->cfa_register < ARRAY_COUNT(registers));
    if (shape->is_in_memory)
        text_format(&f->text, "[%s%+d]+%d", registers[shape->cfa_register], shape->cfa_offset,
                    shape->stored_below);
    else
        text_format(&f->text, "%s+%d", registers[shape->cfa_register], shape->cfa_offset);
    add_register(&f->text, "rbp", &shape->frame);
    add_register(&f->text, "rbx", &shape->base);
    return text_string(&f->text);
}
