// SPDX-License-Identifier: Apache-2.0
// The calls of streamers and of what viewers see.
#include <array>

#include "fuzzer.h"

namespace fractalray::testing {

void Fuzzer::onRequest(void* context, std::uint64_t request, const char* path) {
  auto& self = *static_cast<Fuzzer*>(context);
  self.last_request_ = request;
  std::int32_t level = 0;
  std::array<std::int64_t, 3> chunk{};
  self.check(frWorld_FindPath(self.world(), path, &level, chunk.data()));
  if (self.v_.rng.oneIn(2)) self.answerRequest();
  if (self.depth_ == 0 && self.v_.rng.oneIn(10)) self.nested();
}

void Fuzzer::onUnloading(void* context, std::int32_t /*level*/, const std::int64_t* /*chunk*/) {
  auto& self = *static_cast<Fuzzer*>(context);
  if (self.depth_ == 0 && self.v_.rng.oneIn(10)) self.nested();
}

void Fuzzer::onDropped(void* context, const char* /*path*/) {
  auto& self = *static_cast<Fuzzer*>(context);
  if (self.depth_ == 0 && self.v_.rng.oneIn(10)) self.nested();
}

std::int32_t Fuzzer::isFertile(void* context, frBlockType type) {
  auto& self = *static_cast<Fuzzer*>(context);
  if (self.depth_ == 0 && self.v_.rng.oneIn(500)) self.nested();
  return type == 1 ? 1 : 0;
}

frStreamOptions* Fuzzer::streamOptions() {
  stream_radii_ = {{{0.5, 0.5}, {1, v_.wrong() ? v_.number() : 1.5}}};
  if (v_.rng.oneIn(4)) stream_radii_[1].load = -1;
  stream_options_ = v_.sized<frStreamOptions>();
  stream_options_.radii = v_.to(stream_radii_[0]);
  stream_options_.radius_count = v_.wrong() ? v_.rng.pick<std::size_t>({1, kNoCount}) : 2;
  if (v_.rng.oneIn(3)) {
    stream_options_.is_fertile = isFertile;
    stream_options_.fertile_context = this;
  }
  stream_options_.chunks_per_tick = v_.count(8);
  stream_options_.max_pending = v_.count(16);
  stream_options_.max_bytes = v_.rng.oneIn(4) ? v_.count(100000) : 0;
  stream_options_.retry_ticks = 1;
  stream_options_.answer_ticks = 4;
  stream_options_.want_ticks = 4;
  return &stream_options_;
}

void Fuzzer::createStreamer() {
  frChunkSource source = v_.sized<frChunkSource>();
  source.keeps_changes = v_.rng.below(2);
  if (v_.rng.oneIn(2)) source.request = onRequest;
  source.unloading = v_.rng.oneIn(2) ? onUnloading : nullptr;
  source.dropped = v_.rng.oneIn(2) ? onDropped : nullptr;
  if (v_.rng.oneIn(8)) source.changes_path = v_.wrong() ? "/" : changes_file_.c_str();
  source.syncs_changes = v_.rng.oneIn(8) ? 1 : 0;
  source.context = this;
  check(frCreateStreamer(world(), v_.rng.oneIn(4) ? nullptr : &source, streamOptions(),
                         v_.to(streamer_)));
}

void Fuzzer::answerRequest() {
  frChunkDef def = v_.sized<frChunkDef>();
  def.source = v_.choice(5);
  def.ids = v_.wrong() ? nullptr : v_.ids();
  def.uniform = v_.type();
  const std::uint64_t request = v_.wrong() ? v_.rng.next() : last_request_;
  const frResult answer =
      v_.rng.oneIn(4) ? v_.rng.pick<frResult>({FR_NOT_FOUND, FR_INTERNAL, 1, -7}) : FR_OK;
  check(frStreamer_Answer(given(streamer_), request, answer,
                          answer == FR_OK || v_.wrong() ? v_.to(def) : nullptr));
}

void Fuzzer::tickStreamer() {
  const std::array<double, 6> positions = {v_.number(), v_.number(), v_.number(), 0.5, 0.5, 0.5};
  frVectors viewers{};
  viewers.data = positions.data();
  viewers.vector_stride = 24;
  viewers.format = v_.wrong() ? v_.choice(4) : FR_F64;
  check(frStreamer_Tick(given(streamer_), v_.to(viewers), v_.count(2)));
}

void Fuzzer::useStreamer() {
  if (streamer_ == nullptr) return createStreamer();
  std::array<frChunkOfLevel, 4> chunks{};
  for (frChunkOfLevel& each : chunks)
    each = {{v_.coordinate(), v_.rng.in(-1, 1), v_.rng.in(-1, 1)}, v_.level(), 0};
  std::array<char, 32> text{};
  std::array<std::uint64_t, 4> requests{};
  std::size_t count = 0;
  frResult error = FR_OK;
  frStreamStats stats{};
  const frLine line = v_.line();
  switch (v_.rng.below(14)) {
    case 0:
    case 1:
      check(frStreamer_TakeRequests(given(streamer_), requests.data(), v_.count(4), &count));
      if (count > 0) last_request_ = requests[count - 1];
      return;
    case 2:
    case 3:
      return answerRequest();
    case 4:
      return check(frStreamer_GetRequestPath(given(streamer_), last_request_, text.data(),
                                             v_.count(31), &count));
    case 5:
      return check(frStreamer_Want(given(streamer_), v_.to(line), v_.levels(), v_.count(4),
                                   chunks.data(), v_.count(4), &count));
    case 6:
      return check(frStreamer_WantChunks(given(streamer_), chunks.data(), v_.count(4), nullptr));
    case 7:
      return changeStreamed();
    case 8:
      return check(frStreamer_GetError(given(streamer_), v_.level(), v_.chunk(), &error,
                                       text.data(), v_.count(31), nullptr));
    case 9:
      check(frStreamer_GetUnloaded(given(streamer_), chunks.data(), v_.count(4), &count));
      check(
          frStreamer_GetDropped(given(streamer_), v_.count(2), text.data(), v_.count(31), &count));
      return check(frStreamer_GetLoaded(given(streamer_), chunks.data(), v_.count(4), &count));
    case 10:
      check(frStreamer_IsWanted(given(streamer_), last_request_));
      return check(frStreamer_GetStats(given(streamer_), v_.to(stats)));
    case 11:
      return check(frStreamer_SetOptions(given(streamer_), streamOptions()));
    default:
      return tickStreamer();
  }
}

void Fuzzer::changeStreamed() {
  std::array<frBlockChange, 2> changes{};
  for (frBlockChange& change : changes) {
    if (v_.rng.oneIn(2)) change.path = v_.rng.pick({"123_456", "123_456_000", "9", "x"});
    for (std::int64_t& index : change.block)
      index = v_.wrong() ? v_.coordinate() : v_.rng.in(0, 15);
    change.level = v_.level();
    change.type = v_.type();
    change.is_removed = v_.flag();
    change.reverts = v_.flag();
    change.reverts_at = v_.rng.in(0, 100);
  }
  if (v_.rng.oneIn(16)) return check(frStreamer_MaintainChanges(given(streamer_)));
  if (v_.rng.oneIn(4)) {
    return check(
        frStreamer_RevertChanges(given(streamer_), v_.rng.in(-10, 100), v_.count(3), nullptr));
  }
  check(frStreamer_SetBlocks(given(streamer_), changes.data(), v_.count(2)));
}

void Fuzzer::tickVisibility() {
  frViewCone view{};
  for (int axis = 0; axis < 3; ++axis) {
    view.from[axis] = v_.number();
    view.direction[axis] = v_.number();
  }
  view.cos_half_angle = v_.wrong() ? v_.number() : v_.rng.below(3) - 1;
  check(frVisibility_Tick(given(visibility_), world(), v_.to(view)));
}

void Fuzzer::useVisibility() {
  std::array<frSeenBlock, 4> blocks{};
  std::array<frSeenChunk, 4> chunks{};
  std::array<frChunkOfLevel, 4> unknown{};
  std::uint64_t ticks = 0;
  std::size_t count = 0;
  if (visibility_ == nullptr) {
    frVisibilityOptions def = v_.sized<frVisibilityOptions>();
    def.levels = v_.levels();
    def.rays = v_.wrong() ? kNoCount : 16;
    def.distance = v_.rng.oneIn(4) ? v_.number() : 32;
    def.forget_ticks = v_.count(3);
    def.filter = v_.rng.oneIn(2) ? options() : nullptr;
    def.entities_hide = v_.rng.below(2);
    return check(frCreateVisibility(world(), &def, v_.to(visibility_)));
  }
  switch (v_.rng.below(8)) {
    case 0:
      return check(frVisibility_GetBlocks(given(visibility_), v_.choice(3), blocks.data(),
                                          v_.count(4), &count));
    case 1:
      return check(frVisibility_GetChunks(given(visibility_), v_.choice(3), chunks.data(),
                                          v_.count(4), v_.to(count)));
    case 2:
      return check(
          frVisibility_FindBlock(given(visibility_), v_.level(), v_.index(), v_.to(blocks[0])));
    case 3:
      return check(
          frVisibility_FindChunk(given(visibility_), v_.level(), v_.chunk(), v_.to(chunks[0])));
    case 4:
      check(frVisibility_GetEntered(given(visibility_), unknown.data(), v_.count(4), &count));
      return check(
          frVisibility_GetUnknown(given(visibility_), unknown.data(), v_.count(4), &count));
    case 5:
      check(frVisibility_GetTicks(given(visibility_), &ticks));
      return v_.rng.oneIn(8) ? check(frVisibility_Clear(given(visibility_))) : void();
    default:
      return tickVisibility();
  }
}

}  // namespace fractalray::testing
