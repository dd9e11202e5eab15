// SPDX-License-Identifier: Apache-2.0
// Requests of streamers for chunks, and their answers.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "internal/chunk_defs.h"
#include "internal/stream_objects.h"

namespace fractalray::capi {
namespace {

// Returns the error that the caller answers; INVALID_ARGUMENT in `checked` if it is none.
absl::Status failureFrom(frResult answer, const frChunkDef* chunk, absl::Status& checked) {
  const std::string_view name = frGetResultName(answer);
  if (name == "UNKNOWN") {
    checked = absl::InvalidArgumentError(
        absl::StrCat("answer is ", answer, "; it is FR_OK or one of the errors of frResult"));
  } else if (chunk != nullptr) {
    checked = absl::InvalidArgumentError(
        "a chunk is given with an answer that is an error; give null in place of it");
  }
  return {static_cast<absl::StatusCode>(answer),
          absl::StrCat("the source has answered FR_", std::string(name))};
}

// Checks an answer, and returns it in `content`.
absl::Status readAnswer(frResult answer, const frChunkDef* chunk, const BlockTypeTable& types,
                        absl::StatusOr<Chunk>& content) {
  absl::Status status;
  if (answer != FR_OK) {
    content = failureFrom(answer, chunk, status);
    return status;
  }
  status = checkStruct(chunk, "chunk");
  if (!status.ok()) return status;
  if (chunk->source == FR_CHUNK_UNLOAD) {
    return absl::InvalidArgumentError(
        "chunk->source is FR_CHUNK_UNLOAD, which has no content; if there is no such chunk, answer "
        "FR_NOT_FOUND, with null in place of a chunk");
  }
  content = contentFrom(*chunk, types);
  if (content.ok()) return status;
  return {content.status().code(), absl::StrCat("chunk: ", content.status().message())};
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::Chunk;
using fractalray::ChunkPath;

extern "C" {

frResult frStreamer_TakeRequests(frStreamer* streamer, uint64_t* requests, size_t capacity,
                                 size_t* count) {
  return editingStreamer(__func__, streamer, {{count, "count"}}, [&](Object<frStreamer>& used) {
    absl::Status status = checkArray({requests, "requests"}, capacity);
    if (status.ok()) *count = used.source.take(requests, capacity);
    return status;
  });
}

frResult frStreamer_GetRequestPath(const frStreamer* streamer, uint64_t request, char* path,
                                   size_t capacity, size_t* length) {
  return with(__func__, streamer, "streamer", {},
              [&](const Object<frStreamer>& used) -> absl::Status {
                absl::Status status = checkArray({path, "path"}, capacity);
                if (status.ok()) status = checkOptional({length, "length"});
                if (!status.ok()) return status;
                const absl::StatusOr<ChunkPath> found = used.source.path(request);
                if (!found.ok()) return found.status();
                return copyText(found->text(), path, capacity, length);
              });
}

frResult frStreamer_IsWanted(const frStreamer* streamer, uint64_t request) {
  return with(__func__, streamer, "streamer", {},
              [&](const Object<frStreamer>& used) { return used.source.check(request); });
}

frResult frStreamer_Answer(frStreamer* streamer, uint64_t request, frResult answer,
                           const frChunkDef* chunk) {
  return with(__func__, streamer, "streamer", {}, [&](Object<frStreamer>& used) {
    absl::Status status = used.source.check(request);
    absl::StatusOr<Chunk> content = absl::UnknownError("");
    if (status.ok()) {
      status = readAnswer(answer, chunk, used.state->world().blockTypes(), content);
    }
    return status.ok() ? used.source.answer(request, std::move(content)) : status;
  });
}

}  // extern "C"
