#include "code_fixture.h"

#include <elf.h>
#include <stdlib.h>

#include "base/memory.h"

void code_fixture_begin(struct code_fixture *f, uint16_t machine)
{
    *f = (struct code_fixture){.builder = builder_new(true, false, machine, ET_DYN)};
}

void code_fixture_open(struct code_fixture *f)
{
    struct error err = {0};

    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "code", &f->image, &err), 0);
    f->module.image = &f->image;
    f->module.blocks = code_blocks_new();
    f->module.frame_areas = memory_new(f->image.size_bytes / MODULE_AREA_BYTES + 1, 1);
    for (size_t i = 0; i < f->image.sections.count; i++) {
        const struct section *section = &f->image.sections.items[i];

        if (section_is_code(section))
            *vec_add(&f->module.code) =
                (struct module_code){section->svma, section->file_offset, section->file_bytes};
    }
}

void code_fixture_close(struct code_fixture *f)
{
    vec_done(&f->module.code);
    code_blocks_free(f->module.blocks);
    free(f->module.frame_areas);
    image_close(&f->image);
    builder_done(&f->builder);
}
