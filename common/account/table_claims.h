/* What the files about table owners share: places that several owners may claim. */
#ifndef ACCOUNT_TABLE_CLAIMS_H
#define ACCOUNT_TABLE_CLAIMS_H

#include "account/table_owners.h"

struct claim {
    uint64_t offset;
    uint64_t size_bytes;
    uint32_t owner;
};

/* Zero-initialised is empty. */
struct claims {
    VEC(struct claim) items;
};

void claims_add(struct claims *claims, uint64_t offset, uint64_t size_bytes, uint32_t owner);

/* Leaves one claim for each place, in order, of all its owners joined. */
void claims_settle(const struct owner_space *space, struct claims *claims);

/* Settles the claims, makes owned bytes of them and releases them. */
void claims_take(struct claims *claims, const struct owner_space *space, struct owned_bytes *out);

/*
 * The same of claims on strings of `data`, whatever their sizes: each has its bytes up to the NUL. Linkers
 * put a string that ends another one there: from where it starts on, the end is of both.
 */
void claims_take_strings(struct claims *claims, const struct owner_space *space, struct slice data,
                         struct owned_bytes *out);

/* The owner of what is at the address: code, data, a table for unwinding. Padding has none. */
uint32_t table_owners_at(const struct table_owners *tables, uint64_t svma);

#endif
