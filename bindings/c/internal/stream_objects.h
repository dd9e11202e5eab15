// SPDX-License-Identifier: Apache-2.0
// Streamers and views, and how functions get at them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "../../../streaming/chunk_streamer.h"
#include "../../../streaming/visibility_stream.h"
#include "caller_source.h"
#include "objects.h"

namespace fractalray::capi {

template <>
struct Object<frStreamer> {
  static constexpr ObjectKind kKind = ObjectKind::kStreamer;
  Object(std::shared_ptr<WorldState> world, const frChunkSource& chunk_source)
      : state(std::move(world)), source(chunk_source) {}

  bool is_busy = false;
  std::shared_ptr<WorldState> state;
  std::unique_ptr<ChunkChanges> changes;  // null if it keeps none
  bool has_changes_in_file = false;
  CallerSource source;
  std::optional<ChunkStreamer> streamer;
};

template <>
struct Object<frVisibility> {
  static constexpr ObjectKind kKind = ObjectKind::kVisibility;
  bool is_busy = false;
  std::shared_ptr<WorldState> state;
  KeptQueryInput input;
  std::optional<VisibilityStream> stream;
};

// Runs the body of a function that changes a streamer, and perhaps its world.
template <class Body>
frResult editingStreamer(const char* function, frStreamer* streamer, Arguments arguments,
                         const Body& body) noexcept {
  return withBusy(function, streamer, "streamer", arguments,
                  [&](Object<frStreamer>& used) -> absl::Status {
                    absl::Status status = checkEditsAllowed();
                    return status.ok() ? body(used) : status;
                  });
}

// Runs the body of a function that reads an object, which none of its callbacks may do.
template <class Handle, class Body>
frResult readingIdle(const char* function, const Handle* handle, const char* name,
                     Arguments arguments, const Body& body) noexcept {
  return with(function, handle, name, arguments, [&](const Object<Handle>& used) -> absl::Status {
    return used.is_busy ? isBusy(name) : body(used);
  });
}

// Copies chunks to the caller's array, which is checked.
inline absl::Status copyChunks(std::span<const ChunkOfLevel> from, frChunkOfLevel* chunks,
                               std::size_t capacity, std::size_t* count) {
  absl::Status status = checkArray({chunks, "chunks"}, capacity);
  if (!status.ok()) return status;
  return copyOut(from.size(), chunks, capacity, count, [&](std::size_t i) {
    frChunkOfLevel chunk{};
    store(from[i].chunk, chunk.chunk);
    chunk.level = from[i].level;
    return chunk;
  });
}

}  // namespace fractalray::capi
