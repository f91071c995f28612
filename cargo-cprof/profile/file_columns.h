/* Numbers in the columns of a profile file's tables. */
#ifndef PROFILE_FILE_COLUMNS_H
#define PROFILE_FILE_COLUMNS_H

#include "base/bytes.h"
#include "profile/profile.h"

/* How many entries a table has: each takes a byte or more, so a number that is too large is seen at once. */
bool file_read_count(struct bytes *bytes, size_t *count);

/* A number below `limit` and 2^32; 0 with the cursor failed when it is none. */
uint32_t file_read_below(struct bytes *bytes, size_t limit);

/* A string of the profile; failures likewise. */
uint32_t file_read_string(struct bytes *bytes, const struct profile *profile);

/* An id below `limit`, or PROFILE_NONE; failures likewise. */
uint32_t file_read_optional(struct bytes *bytes, size_t limit);

/* How far `now` lies from `before`, the sign in bit 0; they differ by less than 2^63. */
void file_add_signed(struct text *out, uint64_t now, uint64_t before);
uint64_t file_read_signed(struct bytes *bytes, uint64_t before);

/* Whether all was read, and nothing beyond. */
bool file_is_at_end(const struct bytes *bytes);

#endif
