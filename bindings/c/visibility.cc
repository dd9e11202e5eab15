// SPDX-License-Identifier: Apache-2.0
// The blocks and chunks that viewers see.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "../../core/units.h"
#include "internal/convert.h"
#include "internal/stream_objects.h"

namespace fractalray::capi {
namespace {

frSeenBlock seenOf(const SeenBlock& from) {
  frSeenBlock seen{};
  store(from.block, seen.block);
  seen.since = from.since;
  seen.last = from.last;
  seen.level = from.level;
  seen.type = toC(from.type);
  return seen;
}

frSeenChunk seenOf(const SeenChunk& from) {
  frSeenChunk seen{};
  store(from.chunk, seen.chunk);
  seen.since = from.since;
  seen.last = from.last;
  seen.level = from.level;
  return seen;
}

VisibilityOptions optionsFrom(const frVisibilityOptions& options) {
  VisibilityOptions to;
  if (options.levels != 0) to.levels = levelsFromC(options.levels);
  setLimit(options.rays, to.rays);
  if (options.distance != 0) to.distance = options.distance;
  setLimit(options.forget_ticks, to.forget_ticks);
  return to;
}

absl::Status makeVisibility(const std::shared_ptr<WorldState>& state,
                            const frVisibilityOptions& options, frVisibility** visibility) {
  NewObject<frVisibility> created;
  created->state = state;
  absl::Status status = created->input.read(options.filter, *state);
  if (status.ok() && options.filter != nullptr) {
    status = checkChannel(*state, options.filter->channel);
  }
  if (!status.ok()) return status;
  VisibilityOptions made = optionsFrom(options);
  made.filter = created->input.options().filter;
  made.filter.entities = options.entities_hide != 0;
  absl::StatusOr<VisibilityStream> stream = VisibilityStream::create(state->window(), made);
  if (!stream.ok()) return stream.status();
  created->stream.emplace(*std::move(stream));
  created.giveTo(visibility);
  return status;
}

absl::Status tickView(Object<frVisibility>& used, const frWorld* world, const frViewCone& view) {
  absl::Status status = checkObject(world, "world");
  if (!status.ok()) return status;
  const std::shared_ptr<WorldState> state = find(world)->state;
  if (!used.state->hasFrameOf(*state)) {
    return absl::FailedPreconditionError(
        "world is neither the world of this view nor a snapshot of it since the last move of its "
        "frame");
  }
  const absl::StatusOr<Vec3i> from = toUnits(vectorFrom(view.from), "view->from");
  if (!from.ok()) return from.status();
  const EffectScope in_use(state.get());
  return used.stream->tick(state->service(),
                           {.from = *from,
                            .direction = vectorFrom(view.direction),
                            .cos_half_angle = view.cos_half_angle},
                           state->threads());
}

absl::Status badSet(std::int32_t which) {
  return badEnum("which", which, "FR_IN_SIGHT, FR_CAME_INTO_SIGHT, FR_WENT_OUT_OF_SIGHT");
}

// Copies all in sight: `size` elements, which `for_each` visits.
template <class Seen, class CSeen, class ForEach>
absl::Status copyAll(std::size_t size, const ForEach& for_each, CSeen* to, std::size_t capacity,
                     std::size_t* count) {
  std::size_t i = 0;
  if (capacity > 0) {
    for_each([&](const Seen& seen) {
      if (i < capacity) to[i++] = seenOf(seen);
    });
  }
  *count = size;
  return capacity == 0 || size <= capacity ? absl::OkStatus() : tooShort(size, capacity);
}

template <class Seen, class CSeen>
absl::Status copyChanges(const std::vector<Seen>& from, CSeen* to, std::size_t capacity,
                         std::size_t* count) {
  return copyOut(from.size(), to, capacity, count, [&](std::size_t i) { return seenOf(from[i]); });
}

// Runs the body of a function that reads a view.
template <class Body>
frResult readingView(const char* function, const frVisibility* visibility, Arguments arguments,
                     const Body& body) noexcept {
  return readingIdle(function, visibility, "visibility", arguments, body);
}

// Returns a block or a chunk that was searched for, as a function of its frame.
template <class Seen, class CSeen>
absl::Status copyFound(const std::optional<Seen>& found, CSeen* seen) {
  if (!found.has_value()) return absl::NotFoundError("it is not in sight");
  *seen = seenOf(*found);
  return absl::OkStatus();
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::SeenBlock;
using fractalray::SeenChunk;
using fractalray::VisibilityStream;

extern "C" {

frResult frCreateVisibility(const frWorld* world, const frVisibilityOptions* options,
                            frVisibility** visibility) {
  return reading(
      __func__, world, {{visibility, "visibility"}}, [&](const WorldState& state) -> absl::Status {
        if (state.isSnapshot()) return isSnapshot();
        absl::Status status =
            options == nullptr ? absl::OkStatus() : checkStruct(options, "options");
        if (!status.ok()) return status;
        return makeVisibility(find(world)->state,
                              options == nullptr ? frVisibilityOptions{} : *options, visibility);
      });
}

frResult frDestroyVisibility(frVisibility* visibility) {
  return destroy(__func__, visibility, "visibility");
}

frResult frVisibility_Tick(frVisibility* visibility, const frWorld* world, const frViewCone* view) {
  return withBusy(__func__, visibility, "visibility", {{view, "view"}},
                  [&](Object<frVisibility>& used) { return tickView(used, world, *view); });
}

frResult frVisibility_Clear(frVisibility* visibility) {
  return withBusy(__func__, visibility, "visibility", {}, [](Object<frVisibility>& used) {
    used.stream->clear();
    return absl::OkStatus();
  });
}

frResult frVisibility_GetTicks(const frVisibility* visibility, uint64_t* ticks) {
  return readingView(__func__, visibility, {{ticks, "ticks"}},
                     [&](const Object<frVisibility>& used) {
                       *ticks = used.stream->ticks();
                       return absl::OkStatus();
                     });
}

frResult frVisibility_GetBlocks(const frVisibility* visibility, int32_t which, frSeenBlock* blocks,
                                size_t capacity, size_t* count) {
  return readingView(
      __func__, visibility, {{count, "count"}}, [&](const Object<frVisibility>& used) {
        absl::Status status = checkArray({blocks, "blocks"}, capacity);
        if (!status.ok()) return status;
        const VisibilityStream& stream = *used.stream;
        const auto for_each = [&](const auto& visit) { stream.forEachBlock(visit); };
        switch (which) {
          case FR_IN_SIGHT:
            return copyAll<SeenBlock>(stream.blocks(), for_each, blocks, capacity, count);
          case FR_CAME_INTO_SIGHT:
            return copyChanges(stream.changes().blocks_in, blocks, capacity, count);
          case FR_WENT_OUT_OF_SIGHT:
            return copyChanges(stream.changes().blocks_out, blocks, capacity, count);
          default:
            return badSet(which);
        }
      });
}

frResult frVisibility_GetChunks(const frVisibility* visibility, int32_t which, frSeenChunk* chunks,
                                size_t capacity, size_t* count) {
  return readingView(
      __func__, visibility, {{count, "count"}}, [&](const Object<frVisibility>& used) {
        absl::Status status = checkArray({chunks, "chunks"}, capacity);
        if (!status.ok()) return status;
        const VisibilityStream& stream = *used.stream;
        const auto for_each = [&](const auto& visit) { stream.forEachChunk(visit); };
        switch (which) {
          case FR_IN_SIGHT:
            return copyAll<SeenChunk>(stream.chunks(), for_each, chunks, capacity, count);
          case FR_CAME_INTO_SIGHT:
            return copyChanges(stream.changes().chunks_in, chunks, capacity, count);
          case FR_WENT_OUT_OF_SIGHT:
            return copyChanges(stream.changes().chunks_out, chunks, capacity, count);
          default:
            return badSet(which);
        }
      });
}

frResult frVisibility_FindBlock(const frVisibility* visibility, int32_t level,
                                const int64_t block[3], frSeenBlock* seen) {
  return readingView(__func__, visibility, {{block, "block"}, {seen, "seen"}},
                     [&](const Object<frVisibility>& used) {
                       absl::Status status = checkLevel(*used.state, level);
                       if (!status.ok()) return status;
                       return copyFound(used.stream->seenBlock(level, blockFrom(block)), seen);
                     });
}

frResult frVisibility_FindChunk(const frVisibility* visibility, int32_t level,
                                const int64_t chunk[3], frSeenChunk* seen) {
  return readingView(__func__, visibility, {{chunk, "chunk"}, {seen, "seen"}},
                     [&](const Object<frVisibility>& used) {
                       absl::Status status = checkLevel(*used.state, level);
                       if (!status.ok()) return status;
                       return copyFound(used.stream->seenChunk(level, chunkFrom(chunk)), seen);
                     });
}

frResult frVisibility_GetUnknown(const frVisibility* visibility, frChunkOfLevel* chunks,
                                 size_t capacity, size_t* count) {
  return readingView(__func__, visibility, {{count, "count"}},
                     [&](const Object<frVisibility>& used) {
                       return copyChunks(used.stream->unknown(), chunks, capacity, count);
                     });
}

frResult frVisibility_GetEntered(const frVisibility* visibility, frChunkOfLevel* chunks,
                                 size_t capacity, size_t* count) {
  return readingView(__func__, visibility, {{count, "count"}},
                     [&](const Object<frVisibility>& used) {
                       return copyChunks(used.stream->entered(), chunks, capacity, count);
                     });
}

}  // extern "C"
