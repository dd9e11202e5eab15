// SPDX-License-Identifier: Apache-2.0
// Streamers: their ticks, what they are asked to load, and what they report.
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "internal/convert.h"
#include "internal/memory_changes.h"
#include "internal/saved_changes.h"
#include "internal/stream_objects.h"
#include "internal/stream_settings.h"

namespace fractalray::capi {
namespace {

// Opens what keeps changes, if the source says so.
absl::Status openChanges(const frChunkSource& source, Object<frStreamer>& used) {
  if (source.keeps_changes == 0) {
    return source.changes_path == nullptr
               ? absl::OkStatus()
               : absl::InvalidArgumentError(
                     "source->changes_path is set and source->keeps_changes is 0; set it to 1 to "
                     "keep changes in that file");
  }
  if (source.changes_path == nullptr) {
    used.changes = std::make_unique<MemoryChanges>();
    return absl::OkStatus();
  }
  absl::StatusOr<std::unique_ptr<ChunkChanges>> opened = openSavedChanges(
      source.changes_path, used.state->world().blockTypes(), {.sync = source.syncs_changes != 0});
  if (!opened.ok()) return opened.status();
  used.changes = *std::move(opened);
  used.has_changes_in_file = true;
  return absl::OkStatus();
}

absl::Status makeStreamer(const std::shared_ptr<WorldState>& state, const frChunkSource& source,
                          const StreamOptions& options, frStreamer** streamer) {
  NewObject<frStreamer> created(state, source);
  absl::Status status = openChanges(source, *created);
  if (!status.ok()) return status;
  absl::StatusOr<ChunkStreamer> made =
      ChunkStreamer::create(state->window(), created->source, options, created->changes.get());
  if (!made.ok()) return made.status();
  created->streamer.emplace(*std::move(made));
  created.giveTo(streamer);
  return absl::OkStatus();
}

absl::Status tick(Object<frStreamer>& used, std::span<const Vec3i> viewers) {
  const EffectScope in_use(used.state.get());
  // Without a callback for requests there is nothing to share out, and their order is that of need.
  const CallerThreads threads = used.source.isPulled() ? CallerThreads() : used.state->threads();
  const auto run = [&](std::size_t count, absl::FunctionRef<void(std::size_t)> task) {
    const PureScope scope;
    threads(count, task);
  };
  used.source.forgetDropped();
  absl::Status status = used.streamer->tick(viewers, run);
  used.source.dropUnwanted();
  return status;
}

void writeStats(const StreamStats& stats, frStreamStats& to) {
  to = {.ticks = stats.ticks,
        .requested = stats.requested,
        .loaded = stats.loaded,
        .unloaded = stats.unloaded,
        .evicted = stats.evicted,
        .nonexistent = stats.nonexistent,
        .failed = stats.failed,
        .timed_out = stats.timed_out,
        .cancelled = stats.cancelled,
        .pending = stats.pending,
        .failing = stats.failing,
        .chunks = stats.chunks,
        .bytes = stats.bytes};
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::ChunkOfLevel;
using fractalray::StreamOptions;

extern "C" {

frResult frCreateStreamer(frWorld* world, const frChunkSource* source,
                          const frStreamOptions* options, frStreamer** streamer) {
  return editing(__func__, world, {{streamer, "streamer"}}, [&](WorldState& state) -> absl::Status {
    absl::Status status = source == nullptr ? absl::OkStatus() : checkStruct(source, "source");
    if (!status.ok()) return status;
    const absl::StatusOr<StreamOptions> read = streamOptionsFrom(options, state.world().frame());
    if (!read.ok()) return read.status();
    return makeStreamer(find(world)->state, source == nullptr ? frChunkSource{} : *source, *read,
                        streamer);
  });
}

frResult frDestroyStreamer(frStreamer* streamer) {
  if (streamer == nullptr) return FR_OK;
  const frResult checked = guarded(__func__, [] { return checkEditsAllowed(); });
  return checked == FR_OK ? destroy(__func__, streamer, "streamer") : checked;
}

frResult frStreamer_SetOptions(frStreamer* streamer, const frStreamOptions* options) {
  return editingStreamer(__func__, streamer, {}, [&](Object<frStreamer>& used) -> absl::Status {
    const absl::StatusOr<StreamOptions> read =
        streamOptionsFrom(options, used.state->world().frame());
    return read.ok() ? used.streamer->setOptions(*read) : read.status();
  });
}

frResult frStreamer_Tick(frStreamer* streamer, const frVectors* viewers, size_t count) {
  return editingStreamer(__func__, streamer, {}, [&](Object<frStreamer>& used) -> absl::Status {
    const auto positions = viewersFrom(viewers, count);
    return positions.ok() ? tick(used, *positions) : positions.status();
  });
}

frResult frStreamer_Want(frStreamer* streamer, const frLine* line, frLevelMask levels, size_t limit,
                         frChunkOfLevel* named, size_t capacity, size_t* count) {
  return editingStreamer(__func__, streamer, {{line, "line"}, {count, "count"}},
                         [&](Object<frStreamer>& used) -> absl::Status {
                           absl::Status status = checkArray({named, "named"}, capacity);
                           if (!status.ok()) return status;
                           const absl::StatusOr<std::vector<ChunkOfLevel>> chunks =
                               used.streamer->want(fromC(*line), levelsFromC(levels), limit);
                           return chunks.ok() ? copyChunks(*chunks, named, capacity, count)
                                              : chunks.status();
                         });
}

frResult frStreamer_WantChunks(frStreamer* streamer, const frChunkOfLevel* chunks, size_t count,
                               size_t* named) {
  return editingStreamer(__func__, streamer, {}, [&](Object<frStreamer>& used) -> absl::Status {
    absl::Status status = checkArray({chunks, "chunks"}, count);
    if (status.ok()) status = checkOptional({named, "named"});
    if (!status.ok()) return status;
    std::vector<ChunkOfLevel> wanted;
    for (std::size_t i = 0; i < count; ++i) {
      status = checkLevel(*used.state, chunks[i].level);
      if (!status.ok()) return ofElement("chunks", i, status);
      wanted.push_back({.level = chunks[i].level, .chunk = chunkFrom(chunks[i].chunk)});
    }
    const absl::StatusOr<std::size_t> found = used.streamer->want(wanted);
    if (!found.ok()) return found.status();
    if (named != nullptr) *named = *found;
    return status;
  });
}

frResult frStreamer_GetError(const frStreamer* streamer, int32_t level, const int64_t chunk[3],
                             frResult* error, char* text, size_t capacity, size_t* length) {
  return readingIdle(__func__, streamer, "streamer", {{chunk, "chunk"}, {error, "error"}},
                     [&](const Object<frStreamer>& used) {
                       absl::Status status = checkLevel(*used.state, level);
                       if (status.ok()) status = checkArray({text, "text"}, capacity);
                       if (status.ok()) status = checkOptional({length, "length"});
                       if (!status.ok()) return status;
                       const absl::Status failure = used.streamer->error(level, chunkFrom(chunk));
                       *error = resultOf(failure);
                       const absl::string_view message = failure.message();
                       return copyText({message.data(), message.size()}, text, capacity, length);
                     });
}

frResult frStreamer_GetLoaded(const frStreamer* streamer, frChunkOfLevel* chunks, size_t capacity,
                              size_t* count) {
  return readingIdle(__func__, streamer, "streamer", {{count, "count"}},
                     [&](const Object<frStreamer>& used) {
                       return copyChunks(used.streamer->loaded(), chunks, capacity, count);
                     });
}

frResult frStreamer_GetUnloaded(const frStreamer* streamer, frChunkOfLevel* chunks, size_t capacity,
                                size_t* count) {
  return readingIdle(__func__, streamer, "streamer", {{count, "count"}},
                     [&](const Object<frStreamer>& used) {
                       return copyChunks(used.streamer->unloaded(), chunks, capacity, count);
                     });
}

frResult frStreamer_GetDropped(const frStreamer* streamer, size_t index, char* path,
                               size_t capacity, size_t* length) {
  return readingIdle(__func__, streamer, "streamer", {}, [&](const Object<frStreamer>& used) {
    absl::Status status = checkArray({path, "path"}, capacity);
    if (status.ok()) status = checkOptional({length, "length"});
    if (!status.ok()) return status;
    const std::span<const std::string> dropped = used.source.dropped();
    if (index < dropped.size()) return copyText(dropped[index], path, capacity, length);
    return absl::NotFoundError(
        absl::StrCat("index is ", index, "; the last tick dropped ", dropped.size(), " chunks"));
  });
}

frResult frStreamer_GetStats(const frStreamer* streamer, frStreamStats* stats) {
  return readingIdle(__func__, streamer, "streamer", {{stats, "stats"}},
                     [&](const Object<frStreamer>& used) {
                       writeStats(used.streamer->stats(), *stats);
                       return absl::OkStatus();
                     });
}

}  // extern "C"
