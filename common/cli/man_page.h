/* A command as a page of man(7). */
#ifndef CLI_MAN_PAGE_H
#define CLI_MAN_PAGE_H

#include "base/text.h"
#include "cli/command.h"

/* Appends the page of the command, or verb. */
void man_page_add(struct text *text, const struct command *command);

#endif
