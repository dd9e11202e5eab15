// SPDX-License-Identifier: Apache-2.0
#include "fractal_source.h"

#include <tuple>
#include <utility>

namespace fractalray {

void FractalSource::request(ChunkRequest request) {
  const FractalChunk chunk = FractalChunk::at(request.path(), seed_, types_);
  std::ignore = request.answer(chunk.content(types_, table_));
}

}  // namespace fractalray
