// SPDX-License-Identifier: Apache-2.0
// The calls of cursors, bindings and other objects, batches, moves of the frame, and settings.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "fuzzer.h"

namespace fractalray::testing {

void Fuzzer::useCursors() {
  const frLine line = v_.line();
  std::array<frHit, 3> hits{};
  std::array<frLineChunk, 4> chunks{};
  std::array<frWalkCell, 4> cells{};
  std::size_t count = 0;
  std::uint64_t crossings = 0;
  frQueryResult result = v_.sized<frQueryResult>();
  switch (v_.rng.below(9)) {
    case 0:
      if (cursor_ == nullptr) {
        return check(frWorld_HitsAlong(world(), &line, v_.levels(), options(), &cursor_));
      }
      return check(frCursor_GetResult(given(cursor_), v_.to(result)));
    case 1:
    case 2:
      return check(frCursor_Next(given(cursor_), hits.data(), v_.count(3), v_.to(count)));
    case 3:
      if (chunk_cursor_ != nullptr) break;
      return check(frWorld_ChunksOn(world(), &line, v_.levels(), v_.choice(3), v_.choice(2),
                                    &chunk_cursor_));
    case 4:
      return check(
          frChunkCursor_Next(given(chunk_cursor_), chunks.data(), v_.count(4), v_.to(count)));
    case 5:
      if (walk_ != nullptr) break;
      return check(
          frCreateWalk(v_.choice(2) + 2, v_.index(), v_.index(), v_.index(), v_.choice(3), &walk_));
    case 6:
      return check(frWalk_GetCrossings(given(walk_), v_.to(crossings)));
    default:
      return check(frWalk_Next(given(walk_), cells.data(), v_.count(4), v_.to(count)));
  }
  destroyOne();
}

void Fuzzer::useBindings() {
  frBlockOfLevel block{};
  std::array<frEntity, 2> bound{};
  std::size_t count = 0;
  if (bindings_ == nullptr) return check(frCreateBindings(world(), &bindings_));
  switch (v_.rng.below(10)) {
    case 0:
      return check(frBindings_Unbind(given(bindings_), *entity()));
    case 1:
      return check(frBindings_GetBlock(given(bindings_), *entity(), v_.to(block)));
    case 2:
      return check(frBindings_GetEntities(given(bindings_), v_.level(), v_.index(), bound.data(),
                                          v_.count(2), &count));
    case 3:
      return check(frBindings_GetEntitiesInChunk(given(bindings_), v_.level(), v_.chunk(),
                                                 bound.data(), v_.count(2), &count));
    case 4:
      return check(frBindings_MoveBlock(given(bindings_), v_.level(), v_.index(), v_.index()));
    case 5:
      return check(frBindings_RemoveBlock(given(bindings_), v_.level(), v_.index()));
    case 6:
      return check(frBindings_UnloadChunk(given(bindings_), v_.level(), v_.chunk()));
    case 8:
      return v_.rng.oneIn(8) ? check(frBindings_Clear(given(bindings_))) : useExecutor();
    case 7:
      return v_.rng.oneIn(2) ? check(frBindings_RemoveUnloaded(given(bindings_), &count))
                             : check(frBindings_Follow(given(bindings_), &last_move_, bound.data(),
                                                       v_.count(2), &count));
    default:
      return check(frBindings_Bind(given(bindings_), *entity(), v_.level(), v_.index()));
  }
}

void Fuzzer::useEngineChunks() {
  if (engine_chunks_ == nullptr) {
    frEngineChunksDef def = v_.sized<frEngineChunksDef>();
    def.width = v_.rng.pick({0, 16, 24, 32, -1, 2000});
    def.level = v_.level();
    def.source = v_.choice(5);
    def.layout = given(layout_);
    def.find = v_.wrong() ? nullptr : findChunk;
    def.context = this;
    return check(frCreateEngineChunks(world(), &def, &engine_chunks_));
  }
  switch (v_.rng.below(3)) {
    case 0:
      return check(frEngineChunks_Sync(given(engine_chunks_), v_.chunk()));
    case 1:
      return check(frEngineChunks_RefreshBlock(given(engine_chunks_), v_.index()));
    default:
      return check(frEngineChunks_RefreshBox(given(engine_chunks_), v_.index(), v_.index()));
  }
}

void Fuzzer::moveFrame() {
  frWindowMove move = v_.sized<frWindowMove>();
  frLeftOver* left_over = nullptr;
  frLeftOver** const left = v_.rng.oneIn(2) ? &left_over : nullptr;
  frResult result = FR_OK;
  switch (v_.rng.below(3)) {
    case 0:
      result = frWorld_Descend(world(), v_.chunk(), &move, left);
      break;
    case 1:
      result = frWorld_Climb(world(), &move, left);
      break;
    default:
      result = frWorld_Recenter(world(), v_.chunk(), &move, left);
  }
  check(result);
  check(frDestroyLeftOver(left_over));
  if (result == FR_OK) last_move_ = move.frame_move;
}

void Fuzzer::convertMove() {
  frFrameMove move = last_move_;
  if (v_.wrong()) move.kind = v_.choice(4);
  if (v_.wrong()) move.levels = v_.choice(12);
  if (v_.wrong()) move.chunk[1] = v_.coordinate();
  std::array<std::int64_t, 3> after{};
  std::array<std::uint64_t, 3> ids{};
  std::array<char, 32> path{};
  std::int32_t level = 0;
  std::int32_t is_kept = 0;
  std::size_t size = 0;
  switch (v_.rng.below(7)) {
    case 0:
      return check(
          frFrameMove_Chunk(&move, v_.level(), v_.chunk(), &level, after.data(), &is_kept));
    case 1:
      return check(
          frFrameMove_Block(&move, v_.level(), v_.index(), &level, after.data(), v_.to(is_kept)));
    case 2:
      return check(frFrameMove_Point(&move, v_.index(), after.data(), &is_kept));
    case 3:
      return check(frWorld_GetEvicted(world(), ids.data(), v_.count(3), &size));
    case 4:
      return check(frWorld_GetAnchor(world(), path.data(), v_.count(31), &size));
    case 5:
      return check(
          frWorld_GetPath(world(), v_.level(), v_.chunk(), path.data(), v_.count(31), &size));
    default:
      return check(
          frFollowPath(v_.rng.pick({"", "1", "123_fff", "xyz"}), v_.chunk(), after.data(), &level));
  }
}

frLines Fuzzer::lines() {
  coordinates_[static_cast<std::size_t>(v_.rng.below(30))] = v_.number();
  frLines made = v_.sized<frLines>();
  made.is_rays = v_.choice(2);
  made.count = v_.count(5);
  for (frVectors* const vectors : {&made.from, &made.to}) {
    vectors->data = v_.wrong() ? nullptr : coordinates_.data();
    vectors->vector_stride = v_.rng.pick({0, 8, 24});
    vectors->format = v_.choice(3);
  }
  if (v_.rng.oneIn(3)) {
    for (frLine& line : lines_)
      line = v_.line();
    made.lines = lines_.data();
  }
  if (v_.rng.oneIn(4)) made.bounds = coordinates_.data();
  if (v_.rng.oneIn(4)) made.max_distances = coordinates_.data();
  return made;
}

void Fuzzer::runTasks(void* /*context*/, std::size_t tasks, frTaskFcn* task, void* task_context) {
  for (std::size_t i = tasks + 1; i-- > 1;)
    task(task_context, i);
}

void Fuzzer::batches() {
  frLines batch_lines = lines();
  frBatchResult summary = v_.sized<frBatchResult>();
  std::array<frHit, 5> hits{};
  std::array<double, 5> unknown{};
  std::array<frResult, 5> results{};
  std::array<std::uint8_t, 5> answers{};
  std::array<frBlocker, 5> blockers{};
  std::array<frQueryResult, 5> shots{};
  shots[0] = v_.sized<frQueryResult>();
  switch (v_.rng.below(11)) {
    case 10: {
      const frLine line = v_.line();
      std::array<double, 8> spans{};
      std::size_t count = 0;
      return check(frWorld_GetHitSpans(world(), &line, options(), v_.to(hits_[0]), spans.data(),
                                       v_.count(4), v_.to(count)));
    }
    case 9:
      return walkMany(batch_lines);
    case 7: {
      std::array<frCompactHit, 5> compact{};
      check(frWorld_CompactHits(world(), &batch_lines, v_.levels(), options(), compact.data(),
                                v_.to(unknown[0]), v_.to(results[0]), v_.to(summary)));
      compact_ = compact[0];
      return;
    }
    case 8: {
      const frLine line = v_.line();
      if (v_.rng.oneIn(8)) v_.damage(compact_);
      return check(frWorld_GetFullHit(world(), &line, v_.to(compact_), v_.to(hits[0])));
    }
    case 0:
      return check(frWorld_ClosestHits(world(), &batch_lines, v_.levels(), options(), hits.data(),
                                       v_.to(unknown[0]), v_.to(results[0]), v_.to(summary)));
    case 1:
      return check(frWorld_OccludedMany(world(), &batch_lines, v_.levels(), options(),
                                        answers.data(), v_.to(blockers[0]), v_.to(results[0]),
                                        v_.to(summary)));
    case 2:
      return check(frShotBatch_GetSummary(given(batch_), v_.to(summary)));
    case 3:
      return check(frShotBatch_GetResults(given(batch_), v_.count(2), v_.count(5), shots.data()));
    case 4:
      return check(frShotBatch_GetHits(given(batch_), v_.count(2), v_.count(5), hits.data()));
    case 5:
      return check(
          frWorld_ResumeMany(world(), &batch_lines, v_.levels(), options(), given(batch_)));
    default:
      return check(frWorld_ShootMany(world(), &batch_lines, v_.levels(), options(), given(batch_)));
  }
}

void Fuzzer::walkMany(const frLines& batch_lines) {
  // Wide cells, for short walks.
  std::array<std::int64_t, 3> widths{1LL << 50, 1LL << 50, 1LL << 50};
  if (v_.rng.oneIn(4)) widths[1] = v_.choice(3) - 1;
  std::array<std::uint64_t, 5> ends{};
  std::array<std::int64_t, 24> cells{};
  std::array<double, 8> times{};
  std::array<frResult, 5> results{};
  std::size_t count = 0;
  std::size_t errors = 0;
  check(frWalkMany(&batch_lines, widths.data(), v_.choice(3), v_.to(ends[0]), v_.to(cells[0]),
                   v_.to(times[0]), v_.count(8), v_.to(count), v_.to(results[0]), v_.to(errors)));
}

void Fuzzer::setRules() {
  frRule rule{};
  rule.kind = v_.choice(3);
  rule.budget = static_cast<std::uint8_t>(v_.choice(2));
  rule.per_hit = v_.number();
  rule.per_block = v_.rng.below(8) / 4.0;
  std::uint8_t budget = 0;
  switch (v_.rng.below(3)) {
    case 0:
      return check(frRules_AddBudget(given(rules_), v_.number(), &budget));
    case 1:
      return check(frRules_SetBlock(given(rules_), v_.type(), v_.to(rule), v_.levels()));
    default:
      return check(frRules_SetEntities(given(rules_), v_.count(3), v_.to(rule), v_.levels()));
  }
}

void Fuzzer::configure() {
  frChannel channel = 0;
  frBlockType type = 0;
  std::array<char, 8> name{};
  switch (v_.rng.below(10)) {
    case 0:
      return check(frWorld_OnBlockHit(world(), v_.type(), v_.flag() ? filter : nullptr,
                                      v_.flag() ? effect : nullptr, this));
    case 1:
      return check(frWorld_OnEntityHit(world(), v_.flag(), v_.flag() ? filter : nullptr,
                                       v_.flag() ? effect : nullptr, this));
    case 2:
      return v_.rng.oneIn(2)
                 ? check(frWorld_OnAnyBlockHit(world(), v_.flag() ? effect : nullptr, this))
                 : check(frWorld_OnAnyEntityHit(world(), v_.flag() ? effect : nullptr, this));
    case 3:
      return check(frWorld_SetParallelFor(world(), v_.flag() ? runTasks : nullptr, nullptr));
    case 4:
      return check(frWorld_AddChannel(world(), v_.rng.pick({"", "sight", "default"}), &channel));
    case 5:
      return check(frWorld_FindBlockType(world(), v_.rng.pick({"air", "lava"}), v_.to(type)));
    case 6:
      return check(frWorld_GetBlockTypeName(world(), v_.type(), name.data(), v_.count(8), nullptr));
    case 7: {
      if (layout_ != nullptr) break;
      frIdLayoutDef def = v_.sized<frIdLayoutDef>();
      constexpr std::array<frBlockType, 3> kTypes = {0, 1, 2};
      def.id_bytes = v_.rng.pick({1, 2, 4, 3});
      for (std::int64_t& stride : def.strides)
        stride = v_.stride();
      def.types = v_.flag() ? kTypes.data() : nullptr;
      def.type_count = v_.wrong() ? kNoCount : kTypes.size();
      constexpr std::array<frBlockType, 4> kOfStates = {0, 1, 2, 9};
      frIdStates states = v_.sized<frIdStates>();
      states.id = v_.rng.pick({0U, 1U, 2U, 7U});
      states.types = v_.wrong() ? nullptr : kOfStates.data();
      def.states = v_.wrong() ? nullptr : &states;
      def.state_count = v_.wrong() ? kNoCount : 1;
      def.state_offset = v_.rng.pick({-1, 0, 2, 4});
      def.state_bits = v_.rng.pick({0, 0, 1, 2, -1});
      return check(frCreateIdLayout(&def, &layout_));
    }
    case 8:
      return setRules();
    case 9:
      if (v_.rng.oneIn(8)) return openWorld();
      break;
    default:
      break;
  }
  destroyOne();
}

// Opens no world: from a path without one, or with wrong arguments.
void Fuzzer::openWorld() {
  frWorldDef def = v_.sized<frWorldDef>();
  def.version = FR_VERSION;
  def.levels = v_.choice(5);
  def.block_types_of = v_.flag() ? world() : nullptr;
  frOpenOptions options = v_.sized<frOpenOptions>();
  options.node_kinds = v_.rng.pick({"{", R"({"default": "solid"})"});
  options.mapblocks = v_.count(3);
  const std::array<const char*, 2> names = {"air", v_.wrong() ? nullptr : "stone"};
  options.block_types = v_.wrong() ? nullptr : names.data();
  options.block_type_count = v_.wrong() ? kNoCount : v_.count(2);
  frWorld* opened = nullptr;
  check(frOpenWorld(v_.to(def), v_.rng.pick({"", "/no such world"}), v_.flag() ? nullptr : &options,
                    v_.to(opened), nullptr));
  EXPECT_EQ(opened, nullptr);
  readReport();
}

// Destroys an object, which a later call makes again. A world is replaced only outside of
// callbacks, as the calls around use it.
void Fuzzer::destroyOne() {
  const auto drop = [&](auto*& object, auto destroy) {
    auto* const target = given(object);
    const frResult result = destroy(target);
    if (result == FR_OK && target != nullptr) {
      stale_.push_back(object);
      object = nullptr;
    }
    check(result);
  };
  switch (v_.rng.below(12)) {
    case 11:
      return drop(executor_, frDestroyExecutor);
    case 10:
      return drop(replay_, frDestroyReplay);
    case 8:
      return drop(streamer_, frDestroyStreamer);
    case 9:
      return drop(visibility_, frDestroyVisibility);
    case 0:
      return drop(cursor_, frDestroyCursor);
    case 1:
      return drop(chunk_cursor_, frDestroyChunkCursor);
    case 2:
      return drop(walk_, frDestroyWalk);
    case 3:
      return drop(bindings_, frDestroyBindings);
    case 4:
      return drop(layout_, frDestroyIdLayout);
    case 5:
      return drop(engine_chunks_, frDestroyEngineChunks);
    default:
      if (depth_ == 0 && v_.rng.oneIn(20)) replaceWorld();
  }
}

void Fuzzer::replaceWorld() {
  if (v_.rng.oneIn(2)) {
    stale_.push_back(worlds_.back());
    check(frDestroyWorld(worlds_.back()));
    return check(frWorld_Snapshot(worlds_[0], &worlds_.back()));
  }
  frWorld*& replaced = worlds_[static_cast<std::size_t>(v_.rng.below(3))];
  stale_.push_back(replaced);
  check(frDestroyWorld(replaced));
  createWorld(replaced);
}

}  // namespace fractalray::testing
