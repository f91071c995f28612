/* A command with all of cargo's options, for the tests of cargo/. */
#ifndef TESTS_CARGO_COMMAND_H
#define TESTS_CARGO_COMMAND_H

#include "cargo/args.h"

static const struct option_spec own_specs[] = {
    {"color", 0, OPTION_VALUE, "WHEN", "Colour", NULL, NULL},
    {"top", 'n', OPTION_VALUE, "NUM", "Rows", NULL, NULL},
};
static const struct option_table own_table = {"Own", own_specs, ARRAY_COUNT(own_specs)};
static const struct option_table *const all_tables[] = {
    &own_table,
    CARGO_OPTION_TABLES,
    NULL,
};
static const char *const all_usages[] = {"[OPTIONS]", NULL};
static const struct command cargo_command = {
    .name = "bloatc",
    .summary = "A command",
    .description = "Takes cargo's options.",
    .usages = all_usages,
    .tables = all_tables,
};

#endif
