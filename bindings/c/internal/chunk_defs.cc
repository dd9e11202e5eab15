// SPDX-License-Identifier: Apache-2.0
#include "chunk_defs.h"

#include "absl/strings/str_cat.h"

#include "arguments.h"
#include "convert.h"
#include "layouts.h"

namespace fractalray::capi {
namespace {

// Checks the source of a chunk with ids.
absl::Status checkSource(std::int32_t source) {
  if (source == FR_CHUNK_COPY || source == FR_CHUNK_BORROW || source == FR_CHUNK_BORROW_FOR_WRITING)
    return absl::OkStatus();
  return badEnum("source", source,
                 "FR_CHUNK_UNIFORM, FR_CHUNK_COPY, FR_CHUNK_BORROW, FR_CHUNK_BORROW_FOR_WRITING, "
                 "FR_CHUNK_UNLOAD");
}

}  // namespace

absl::StatusOr<Chunk> contentFrom(const frChunkDef& def, const BlockTypeTable& types) {
  if (def.source == FR_CHUNK_UNIFORM) {
    if (types.contains(typeFromC(def.uniform))) {
      return Chunk::uniform(typeFromC(def.uniform), types);
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "uniform is ", def.uniform, "; the world has the block types 0 to ", types.size() - 1));
  }
  absl::Status status = checkSource(def.source);
  if (!status.ok()) return status;
  if (def.ids == nullptr) return badArgument({nullptr, "ids"});
  const absl::StatusOr<IdLayout> layout = layoutFrom(def.layout, def.ids);
  if (!layout.ok()) return layout.status();
  switch (def.source) {
    case FR_CHUNK_COPY:
      return Chunk::fromArray(def.ids, *layout, types);
    case FR_CHUNK_BORROW:
      return Chunk::borrowed(def.ids, *layout, types);
    default:
      return Chunk::borrowedForWriting(def.ids, *layout, types);
  }
}

}  // namespace fractalray::capi
