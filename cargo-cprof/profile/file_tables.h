/*
 * The tables of a profile as bytes, as chunks of a profile file hold them: how many entries, then column
 * after column of LEB128 numbers (docs/formats.md).
 */
#ifndef PROFILE_FILE_TABLES_H
#define PROFILE_FILE_TABLES_H

#include "base/bytes.h"
#include "profile/profile.h"

/* Appends one table. */
typedef void file_table_write(const struct profile *profile, struct text *out);

/*
 * Fills one table of a profile that has none of it yet; those it refers to are there. False when the bytes
 * are not exactly one such table, or refer to what is not there; the profile is then only to be released.
 */
typedef bool file_table_read(struct bytes *bytes, struct profile *profile);

file_table_write file_write_facts;
file_table_read file_read_facts;
file_table_write file_write_strings;
file_table_read file_read_strings;
file_table_write file_write_modules;
file_table_read file_read_modules;
file_table_write file_write_functions;
file_table_read file_read_functions;
file_table_write file_write_locations;
file_table_read file_read_locations;
file_table_write file_write_stacks;
file_table_read file_read_stacks;
file_table_write file_write_futures;
file_table_read file_read_futures;
file_table_write file_write_threads;
file_table_read file_read_threads;
file_table_write file_write_runs; /* nothing where all threads are of one */
file_table_read file_read_runs;

/* What the heap's figures lack: nothing where that is not known. More may follow what is read. */
file_table_write file_write_heap;
file_table_read file_read_heap;

/* What a series is and what its samples add up to; the samples themselves are in blocks. */
void file_write_series(const struct profile_series *series, struct text *out);

/* Adds a series. False as of file_table_read. */
bool file_read_series(struct bytes *bytes, struct profile *profile);

#endif
