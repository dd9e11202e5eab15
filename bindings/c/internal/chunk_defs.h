// SPDX-License-Identifier: Apache-2.0
// The content of chunks, as functions receive it.
#pragma once

#include "absl/status/statusor.h"

#include "../../../levels/block_type.h"
#include "../../../levels/chunk.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// Returns the chunk that a definition describes; its index is not read. Errors name the member.
// Requires: the source is not FR_CHUNK_UNLOAD, which has no content.
absl::StatusOr<Chunk> contentFrom(const frChunkDef& def, const BlockTypeTable& types);

}  // namespace fractalray::capi
