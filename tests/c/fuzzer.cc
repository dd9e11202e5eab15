// SPDX-License-Identifier: Apache-2.0
#include "fuzzer.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <string_view>

namespace fractalray::testing {
namespace {

// Returns a path that no other process uses.
std::string newFile(const char* extension) {
  return ::testing::TempDir() + "capi_fuzz_" + std::to_string(std::random_device{}()) + extension;
}

}  // namespace

Fuzzer::Fuzzer(std::uint64_t seed)
    : v_(seed), changes_file_(newFile(".changes")), log_file_(newFile(".log")) {
  for (std::size_t i = 0; i + 1 < kWorlds; ++i)
    createWorld(worlds_[i]);
  check(frWorld_Snapshot(worlds_[0], &worlds_.back()));
  check(frCreateShotBatch(&batch_));
  check(frCreateRules(&rules_));
  for (double& each : coordinates_)
    each = v_.number();
}

Fuzzer::~Fuzzer() {
  ++depth_;  // callbacks make no more calls
  check(frDestroyCursor(cursor_));
  check(frDestroyChunkCursor(chunk_cursor_));
  check(frDestroyWalk(walk_));
  check(frDestroyBindings(bindings_));
  check(frDestroyStreamer(streamer_));
  check(frDestroyVisibility(visibility_));
  check(frDestroyReplay(replay_));
  check(frDestroyExecutor(executor_));
  check(frDestroyShotBatch(batch_));
  check(frDestroySightHistory(history_));
  check(frDestroyRules(rules_));
  check(frDestroyIdLayout(layout_));
  for (frWorld* const world : worlds_)
    check(frDestroyWorld(world));
  check(frDestroyEngineChunks(engine_chunks_));
  for (const char* const suffix : {"", "-wal", "-shm"})
    std::remove((changes_file_ + suffix).c_str());
  std::remove(log_file_.c_str());
}

void Fuzzer::call() {
  ++calls_;
  switch (v_.rng.below(15)) {
    case 0:
      return editChunks();
    case 1:
      return editBlocks();
    case 2:
      return editEntities();
    case 3:
    case 4:
      if (v_.rng.oneIn(8)) return queryBlast();
      return v_.rng.oneIn(4) ? querySight() : query();
    case 5:
      return searchOrRead();
    case 6:
      return useCursors();
    case 7:
      if (v_.rng.oneIn(3)) return useLogs();
      return v_.rng.oneIn(2) ? useBindings() : useEngineChunks();
    case 8:
      return v_.rng.oneIn(4) ? moveFrame() : convertMove();
    case 9:
      return batches();
    case 11:
    case 12:
      return useStreamer();
    case 13:
      return useVisibility();
    case 14:
      if (v_.rng.oneIn(6)) return useRemote();
      return v_.rng.oneIn(3) ? readNames() : readWorld();
    default:
      return configure();
  }
}

void Fuzzer::check(frResult result) {
  if (result == FR_OK) {
    ++successes_;
    return;
  }
  ASSERT_NE(std::string_view(frGetResultName(result)), "UNKNOWN") << result;
  ASSERT_NE(result, FR_INTERNAL) << frGetLastError();
  ASSERT_EQ(std::string_view(frGetLastError()).substr(0, 2), "fr");
}

void Fuzzer::createWorld(frWorld*& world) {
  frWorldDef def = v_.sized<frWorldDef>();
  def.struct_size = sizeof(def);
  def.version = FR_VERSION;
  def.levels = 2;
  def.anchor = "123_456";
  check(frCreateWorld(&def, &world));
  for (const char* const name : {"stone", "water"}) {
    frBlockTypeDef type = v_.sized<frBlockTypeDef>();
    type.struct_size = sizeof(type);
    type.name = name;
    type.kind = name[0] == 's' ? FR_SOLID : FR_PERMEABLE;
    frBlockType added = 0;
    check(frWorld_AddBlockType(world, &type, &added));
  }
}

frWorld* Fuzzer::world() {
  return given(worlds_[static_cast<std::size_t>(v_.rng.below(4))]);
}

void* Fuzzer::wrongHandle() {
  switch (v_.rng.below(5)) {
    case 0:
      return nullptr;
    case 1:
      return rules_;
    case 2:
      return batch_;
    case 3:
      return reinterpret_cast<void*>(static_cast<std::uintptr_t>(v_.rng.next()));
    default:
      if (stale_.empty()) return nullptr;
      return stale_[static_cast<std::size_t>(v_.rng.below(static_cast<int>(stale_.size())))];
  }
}

frEntity* Fuzzer::entity() {
  if (v_.wrong()) garbage_ = v_.rng.oneIn(2) ? v_.rng.next() : 0;
  if (v_.wrong() || entities_.empty()) return &garbage_;
  return &entities_[static_cast<std::size_t>(v_.rng.below(static_cast<int>(entities_.size())))];
}

std::int32_t Fuzzer::filter(void* context, const frHit* hit) {
  auto& self = *static_cast<Fuzzer*>(context);
  if (self.depth_ == 0 && self.v_.rng.oneIn(10)) self.nested();
  return hit->level == 0 || self.v_.rng.oneIn(2) ? 1 : 0;
}

std::int32_t Fuzzer::effect(void* context, const frHit* /*hit*/) {
  auto& self = *static_cast<Fuzzer*>(context);
  if (self.depth_ == 0 && self.v_.rng.oneIn(3)) self.nested();
  return self.v_.wrong() ? 99 : self.v_.rng.below(3);
}

void Fuzzer::nested() {
  ++depth_;
  call();
  --depth_;
}

frBlockType Fuzzer::blockType(void* context, const std::int64_t* /*block*/) {
  return static_cast<Fuzzer*>(context)->v_.type();
}

void* Fuzzer::findChunk(void* context, const std::int64_t* chunk) {
  auto& self = *static_cast<Fuzzer*>(context);
  return chunk[0] < -1 || chunk[0] > 0 ? nullptr : self.v_.ids();
}

frQueryOptions* Fuzzer::options() {
  if (v_.rng.oneIn(4)) return nullptr;
  options_ = v_.sized<frQueryOptions>();
  options_.corner = v_.choice(3);
  options_.ignore = ignored_.data();
  options_.ignore_count = v_.count(2);
  if (v_.rng.oneIn(4)) {
    if (v_.wrong()) v_.damage(hits_[0]);
    options_.after = hits_.data();
    options_.after_count = v_.count(2);
  }
  if (v_.rng.oneIn(4)) options_.rules = given(rules_);
  if (v_.rng.oneIn(8)) options_.budgets = budgets_.data();
  if (v_.rng.oneIn(6)) options_.block_filter = filter;
  if (v_.rng.oneIn(6)) options_.entity_filter = filter;
  if (v_.rng.oneIn(6)) options_.on_hit = effect;
  options_.filter_context = options_.hit_context = this;
  options_.max_hits = v_.count(3);
  if (v_.rng.oneIn(6)) options_.max_steps = v_.count(100);
  if (v_.rng.oneIn(6)) options_.max_batch_steps = v_.count(100);
  options_.channel = static_cast<frChannel>(v_.choice(1));
  options_.no_blocks = v_.flag();
  options_.no_entities = v_.flag();
  options_.solid_only = v_.flag();
  options_.skip_start_inside = v_.flag();
  options_.report_unknown = v_.flag();
  options_.stop_at_unknown = v_.flag();
  options_.entities_block = v_.flag();
  options_.after_by_id = v_.flag();
  return &options_;
}

}  // namespace fractalray::testing
