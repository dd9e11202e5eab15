// SPDX-License-Identifier: Apache-2.0
// The calls that edit worlds and query them.
#include <algorithm>
#include <array>

#include "fuzzer.h"

namespace fractalray::testing {

void Fuzzer::editChunks() {
  std::array<frChunkDef, 2> defs{};
  for (frChunkDef& def : defs) {
    def = v_.sized<frChunkDef>();
    def.source = v_.choice(5);
    for (std::int64_t& each : def.chunk)
      each = v_.wrong() ? v_.coordinate() : v_.rng.in(-1, 0);
    def.layout = v_.rng.oneIn(2) ? given(layout_) : nullptr;
    def.ids = v_.wrong() ? nullptr : v_.ids();
    def.uniform = v_.type();
  }
  switch (v_.rng.below(5)) {
    case 0:
      return check(frWorld_LoadProtoChunk(world(), v_.level(), v_.chunk()));
    case 1:
      return check(frWorld_UnloadChunk(world(), v_.level(), v_.chunk()));
    case 2:
      return check(frWorld_ExpandBlock(world(), v_.level(), v_.chunk()));
    default:
      return check(frWorld_LoadChunks(world(), v_.level(), defs.data(), v_.count(2)));
  }
}

void Fuzzer::editBlocks() {
  switch (v_.rng.below(8)) {
    case 0:
      return check(frWorld_LoadBox(world(), v_.level(), v_.index(), v_.index(),
                                   v_.wrong() ? nullptr : blockType, this));
    case 1: {
      const std::int64_t* const min = v_.index();
      return check(frWorld_LoadBoxIds(world(), v_.level(), min, min, given(layout_), v_.ids()));
    }
    case 2:
      v_.writeIds();
      return check(frWorld_RefreshBlock(world(), v_.level(), v_.index()));
    case 3:
      return check(frWorld_RefreshBox(world(), v_.level(), v_.index(), v_.index()));
    case 4:
      return check(frWorld_FillBox(world(), v_.level(), v_.index(), v_.index(), v_.type()));
    case 5:
      return check(frWorld_MoveBlock(world(), v_.level(), v_.index(), v_.index()));
    default:
      return check(frWorld_SetBlock(world(), v_.level(), v_.index(), v_.type()));
  }
}

void Fuzzer::editEntities() {
  frEntityDef def = v_.sized<frEntityDef>();
  def.level = v_.level();
  def.id = static_cast<std::uint64_t>(v_.rng.below(20));
  def.shape = v_.choice(2);
  def.entity_class = static_cast<std::uint32_t>(v_.rng.below(2));
  def.categories = v_.count(3);
  for (int axis = 0; axis < 3; ++axis) {
    def.position[axis] = v_.number();
    def.half_extents[axis] = v_.wrong() ? v_.number() : v_.rng.below(40) / 8.0;
  }
  frVectors positions{};
  positions.data = def.position;
  positions.format = v_.choice(2);
  switch (v_.rng.below(6)) {
    case 0:
      return check(frWorld_MoveEntities(world(), entity(), v_.to(positions), 1));
    case 1:
      return check(frWorld_RemoveEntities(world(), entity(), v_.count(1)));
    case 2:
      return check(frWorld_UpdateEntities(world(), entity(), &def,
                                          static_cast<std::uint32_t>(v_.choice(32)), 1));
    case 3:
      if (v_.rng.oneIn(2)) return check(frWorld_OptimizeEntities(world(), nullptr));
      return check(frWorld_RefineEntities(world(), v_.count(10), nullptr));
    default: {
      frEntity added = 0;
      const frResult result = frWorld_AddEntities(world(), v_.to(def), 1, v_.to(added));
      if (result == FR_OK && entities_.size() < 100) entities_.push_back(added);
      return check(result);
    }
  }
}

void Fuzzer::query() {
  const frLine line = v_.line();
  frQueryResult result = v_.sized<frQueryResult>();
  frLine image{};
  std::int32_t occlusion = 0;
  const std::size_t capacity = v_.count(4);
  std::array<frHit, 4> hits{};
  switch (v_.rng.below(6)) {
    case 0:
      return check(frWorld_ClosestHit(world(), &line, v_.levels(), options(), v_.to(hits[0]),
                                      v_.to(result)));
    case 1:
      return check(frWorld_Occluded(world(), &line, v_.levels(), options(), v_.to(occlusion),
                                    v_.to(hits[0]), v_.to(result)));
    case 2:
      return check(frWorld_Reflect(world(), &line, &hits_[0], v_.to(image)));
    case 3:
      return orderHits();
    default: {
      frWorld* const shot_at = world();
      const frLevelMask levels = v_.levels();
      const frResult shot =
          frWorld_Shoot(shot_at, &line, levels, options(), hits.data(), capacity, v_.to(result));
      check(shot);
      if (depth_ == 0) {
        hits_ = hits;
        last_line_ = line;
      }
      if (shot != FR_OK || result.struct_size != sizeof result) return;
      ++calls_;
      if (v_.rng.oneIn(8)) v_.damage(hits[0]);
      return check(frWorld_Resume(v_.wrong() ? world() : shot_at, levels, nullptr, hits.data(),
                                  capacity, &result));
    }
  }
}

void Fuzzer::orderHits() {
  // Often the line of the last shot, whose hits are in hits_.
  const frLine line = v_.rng.oneIn(4) ? v_.line() : last_line_;
  if (v_.wrong()) v_.damage(hits_[0]);
  if (v_.rng.oneIn(2)) {
    std::int32_t order = 0;
    return check(frCompareHits(&line, v_.choice(4), v_.choice(3), v_.to(hits_[0]), v_.to(hits_[1]),
                               v_.to(order)));
  }
  std::array<std::uint64_t, 2> ends{v_.count(4), v_.count(4)};
  if (!v_.wrong()) std::sort(ends.begin(), ends.end());
  std::array<frHit, 4> merged{};
  std::size_t count = 0;
  check(frMergeHits(&line, v_.choice(4), v_.choice(3), v_.to(hits_[0]), v_.to(ends[0]), v_.count(2),
                    v_.to(merged[0]), v_.count(4), v_.to(count)));
}

void Fuzzer::searchOrRead() {
  std::array<frFoundEntity, 3> entities{};
  std::array<frFoundBlock, 3> blocks{};
  std::array<std::int64_t, 81> numbers{};
  std::array<frBlockType, FR_BLOCKS_PER_CHUNK> types{};
  std::size_t count = 0;
  frBlockType type = 0;
  frChunkInfo chunk{};
  frLevelInfo level{};
  frEntityInfo info{};
  const double radius = v_.rng.oneIn(50) ? v_.number() : v_.rng.below(5);
  const std::size_t capacity = v_.count(3);
  std::array<std::uint64_t, 3> fingerprints{};
  switch (v_.rng.below(14)) {
    case 12:
      return check(frWorld_Fingerprint(world(), v_.level(), v_.chunk(), v_.chunk(),
                                       v_.to(fingerprints[0]), v_.to(fingerprints[1])));
    case 13:
      return check(frWorld_FingerprintChunks(world(), v_.level(), v_.chunk(), v_.chunk(),
                                             fingerprints.data(), capacity, v_.to(count)));
    case 0:
      return check(frWorld_EntitiesInSphere(world(), v_.point(), radius, v_.levels(), options(),
                                            entities.data(), capacity, v_.to(count)));
    case 1:
      return check(frWorld_EntitiesInBox(world(), v_.point(), v_.point(), v_.levels(), options(),
                                         entities.data(), capacity, &count));
    case 2:
      return check(frWorld_NearestEntities(world(), v_.point(), radius, v_.levels(), options(),
                                           entities.data(), capacity, &count));
    case 3:
      return check(frWorld_BlocksInSphere(world(), v_.point(), radius, v_.levels(), options(),
                                          blocks.data(), capacity, &count));
    case 4:
      return check(frWorld_GetBlock(world(), v_.level(), v_.index(), v_.to(type)));
    case 5:
      return check(frWorld_GetChunk(world(), v_.level(), v_.chunk(), v_.to(chunk)));
    case 6:
      return check(frWorld_GetLevel(world(), v_.level(), v_.to(level)));
    case 7:
      return check(frWorld_GetLoadedChunks(world(), v_.level(), numbers.data(), capacity, &count));
    case 8:
      return check(frWorld_GetChunkBlocks(world(), v_.level(), v_.chunk(), v_.to(types[0])));
    case 11:
      return check(frWorld_BlocksInBox(world(), v_.point(), v_.point(), v_.levels(), options(),
                                       blocks.data(), capacity, &count));
    case 9:
      return check(frWorld_GetEntity(world(), *entity(), v_.to(info)));
    default:
      return check(frWorld_GetEntityChunks(world(), *entity(), numbers.data(), 27, &count));
  }
}

}  // namespace fractalray::testing
