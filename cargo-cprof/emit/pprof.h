/*
 * A profile for pprof and what else reads its form (`go tool pprof`, Pyroscope, Parca, speedscope): a message
 * of Protocol Buffers. Source of the format: proto/profile.proto of github.com/google/pprof; of how messages
 * are encoded: protobuf.dev, "Encoding".
 */
#ifndef EMIT_PPROF_H
#define EMIT_PPROF_H

#include "base/text.h"
#include "profile/profile.h"

/*
 * Appends the message, not packed, with all series, of which readers show `shown` unless asked for another:
 * of each how many samples there are and, where these stand for something, for how much of it. Samples of one
 * stack and thread are one; their threads are labels. Calls are told by their addresses in files, with names,
 * inlined ones too. All locations are symbolized.
 */
void pprof_add(struct text *text, const struct profile *profile, uint32_t shown);

#endif
