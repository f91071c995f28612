#include "cli/suggest.h"

#include <stdint.h>

#include "base/compiler.h"

enum { LONGEST_WORD = 64 };

/*
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of
 * neighbours each count one. Both words are at most LONGEST_WORD bytes.
 */
static size_t edit_distance(struct slice a, struct slice b)
{
    uint8_t rows[3][LONGEST_WORD + 1];

    for (size_t j = 0; j <= b.length; j++)
        rows[0][j] = (uint8_t)j;
    for (size_t i = 1; i <= a.length; i++) {
        uint8_t *row = rows[i % 3];
        const uint8_t *above = rows[(i - 1) % 3];
        const uint8_t *above_that = rows[(i + 1) % 3];

        row[0] = (uint8_t)i;
        for (size_t j = 1; j <= b.length; j++) {
            size_t changed = above[j - 1] + (a.data[i - 1] != b.data[j - 1]);
            size_t best = lesser(changed, lesser(above[j], row[j - 1]) + 1);

            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1])
                best = lesser(best, (size_t)above_that[j - 2] + 1);
            row[j] = (uint8_t)best;
        }
    }
    return rows[a.length % 3][b.length];
}

struct suggestion suggestion_for(struct slice wanted)
{
    size_t accepted = wanted.length < 3 ? 1 : wanted.length / 3;

    return (struct suggestion){.wanted = wanted, .distance = accepted + 1};
}

void suggestion_consider(struct suggestion *suggestion, struct slice candidate)
{
    size_t distance = 0;

    if (suggestion->wanted.length > LONGEST_WORD || candidate.length > LONGEST_WORD)
        return;
    distance = edit_distance(suggestion->wanted, candidate);
    if (distance < suggestion->distance) {
        suggestion->distance = distance;
        suggestion->nearest = candidate;
    }
}

struct slice suggestion_of_verb(const struct command *command, struct slice word)
{
    struct suggestion best = suggestion_for(word);

    for (size_t i = 0; i < command->verb_count; i++)
        suggestion_consider(&best, slice_of(command->verbs[i].command->verb));
    return best.nearest;
}
