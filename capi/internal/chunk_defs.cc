// SPDX-License-Identifier: Apache-2.0
#include "chunk_defs.h"

#include "absl/strings/str_cat.h"

#include "arguments.h"
#include "convert.h"
#include "layouts.h"

namespace fractalray::capi {

absl::StatusOr<Chunk> contentFrom(const frChunkDef& def, const BlockTypeTable& types) {
  if (def.source == FR_CHUNK_UNIFORM) {
    if (types.contains(typeFromC(def.uniform))) {
      return Chunk::uniform(typeFromC(def.uniform), types);
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "its block type is ", def.uniform, "; the world has the types 0 to ", types.size() - 1));
  }
  if (def.ids == nullptr) return badArgument({nullptr, "its ids"});
  const absl::StatusOr<IdLayout> layout = layoutFrom(def.layout, def.ids);
  if (!layout.ok()) return layout.status();
  switch (def.source) {
    case FR_CHUNK_COPY:
      return Chunk::fromArray(def.ids, *layout, types);
    case FR_CHUNK_BORROW:
      return Chunk::borrowed(def.ids, *layout, types);
    case FR_CHUNK_BORROW_FOR_WRITING:
      return Chunk::borrowedForWriting(def.ids, *layout, types);
    default:
      return badEnum("its source", def.source,
                     "FR_CHUNK_UNIFORM, FR_CHUNK_COPY, FR_CHUNK_BORROW, "
                     "FR_CHUNK_BORROW_FOR_WRITING, FR_CHUNK_UNLOAD");
  }
}

}  // namespace fractalray::capi
