/* A module of code that a test gives, as of a file that was opened. */
#ifndef TESTS_CODE_FIXTURE_H
#define TESTS_CODE_FIXTURE_H

#include "cmocka_all.h"

#include "elf_builder.h"
#include "process/modules.h"

struct code_fixture {
    struct elf_builder builder;
    struct image image;
    struct module module;
};

/* The code that is added to `builder`, with builder_code, is the module's once it is opened. */
void code_fixture_begin(struct code_fixture *f, uint16_t machine);
void code_fixture_open(struct code_fixture *f);

void code_fixture_close(struct code_fixture *f);

#endif
