/*
 * The crates of built code that are std's own copies of crates from elsewhere, memchr or gimli. The program
 * may have one of that name, too.
 */
#ifndef SIZES_STD_IN_CODE_H
#define SIZES_STD_IN_CODE_H

#include "sizes/code_sizes.h"
#include "sizes/crate_match.h"

/*
 * Tells `match` which built crates are std's (crate_match_set_std): by their symbols, and where cargo built
 * the files by the libraries beside them, which have all copies of the program's. Built crates are seen
 * already. What cannot be read tells nothing.
 */
void std_in_code_find(const struct code_sizes *code, struct crate_match *match);

#endif
