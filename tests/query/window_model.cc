// SPDX-License-Identifier: Apache-2.0
#include "window_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "../../core/units.h"
#include "../../entities/internal/index_inspection.h"

namespace fractalray {
namespace {

using absl::int128;

int128 floorOver16(int128 value) {
  const int128 quotient = value / 16;
  return value % 16 < 0 ? quotient - 1 : quotient;
}

std::int64_t gapBetween(std::int64_t point, std::int64_t min, std::int64_t max) {
  return std::max({min - point, point - max, std::int64_t{0}});
}

bool touches(const FixedShape& shape, const Vec3i& position, const ChunkCoord& chunk,
             std::int64_t width) {
  int128 square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t gap =
        gapBetween(position[axis], chunk[axis] * width, (chunk[axis] + 1) * width);
    if (gap > shape.half_extents[axis]) return false;
    square += int128(gap) * gap;
  }
  return shape.kind == FixedShape::Kind::kBox || square <= int128(shape.radius()) * shape.radius();
}

}  // namespace

BigInt::BigInt(std::int64_t value) {
  for (std::uint8_t& digit : digits_) {
    digit = static_cast<std::uint8_t>(value & 15);
    value >>= 4;
  }
}

BigInt operator+(const BigInt& a, const BigInt& b) {
  BigInt sum;
  int carry = 0;
  for (std::size_t i = 0; i < BigInt::kDigits; ++i) {
    const int digit = a.digits_[i] + b.digits_[i] + carry;
    sum.digits_[i] = static_cast<std::uint8_t>(digit % 16);
    carry = digit / 16;
  }
  return sum;
}

BigInt operator-(const BigInt& a, const BigInt& b) {
  BigInt complement;
  for (std::size_t i = 0; i < BigInt::kDigits; ++i)
    complement.digits_[i] = static_cast<std::uint8_t>(15 - b.digits_[i]);
  return a + complement + BigInt(1);
}

BigInt BigInt::times16(int times) const {
  BigInt product;
  for (std::size_t i = static_cast<std::size_t>(times); i < kDigits; ++i)
    product.digits_[i] = digits_[i - static_cast<std::size_t>(times)];
  return product;
}

BigInt BigInt::over16() const {
  BigInt quotient;
  for (std::size_t i = 0; i + 1 < kDigits; ++i)
    quotient.digits_[i] = digits_[i + 1];
  quotient.digits_[kDigits - 1] = digits_[kDigits - 1];
  return quotient;
}

bool BigInt::fits(int digits) const {
  return std::all_of(digits_.begin() + digits, digits_.end(),
                     [](std::uint8_t digit) { return digit == 0; });
}

std::optional<std::int64_t> BigInt::small() const {
  constexpr std::size_t kSmall = 15;  // 60 bits
  std::int64_t value = digits_[kSmall] < 8 ? 0 : -1;
  for (std::size_t i = kSmall + 1; i-- > 0;)
    value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << 4 | digits_[i]);
  if (BigInt(value) != *this || value > kMaxCoordinate * 2 || value < -kMaxCoordinate * 2) {
    return std::nullopt;
  }
  return value;
}

std::string pathText(const BigCoord& position, int steps) {
  std::string text;
  for (int step = steps - 1; step >= 0; --step) {
    for (const BigInt& axis : position)
      text += "0123456789abcdef"[axis.digit(step)];
    if (step > 0) text += '_';
  }
  return text;
}

BigCoord WindowModel::positionOf(int level, const ChunkCoord& chunk) const {
  BigCoord position;
  for (std::size_t axis = 0; axis < 3; ++axis)
    position[axis] = anchor[axis].times16(level) + BigInt(chunk[static_cast<int>(axis)]);
  return position;
}

std::optional<std::pair<int, ChunkCoord>> WindowModel::indexOf(const ModelChunk& chunk) const {
  const int level = chunk.depth - depth;
  if (!frame.isActive(level)) return std::nullopt;
  ChunkCoord index;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto small = (chunk.position[axis] - anchor[axis].times16(level)).small();
    if (!small.has_value()) return std::nullopt;
    index[static_cast<int>(axis)] = *small;
    // The closed cube lies within 2^61 units of the origin.
    const int128 width = frame.chunkWidth(level);
    if (*small * width < -kMaxCoordinate || (*small + 1) * width > kMaxCoordinate) {
      return std::nullopt;
    }
  }
  return std::pair{level, index};
}

std::optional<std::string> WindowModel::path(int level, const ChunkCoord& chunk) const {
  const BigCoord position = positionOf(level, chunk);
  for (const BigInt& axis : position) {
    if (!axis.fits(depth + level)) return std::nullopt;
  }
  return pathText(position, depth + level);
}

void WindowModel::copyEntity(const EntityIndex& index, EntityHandle handle) {
  const Entity& entity = *index.find(handle);
  entities[entity.id] = {
      .handle = handle, .level = entity.level, .shape = entity.shape, .position = entity.position};
}

std::optional<WindowModel::Left> WindowModel::descend(const ChunkCoord& chunk) {
  if (!path(1, chunk).has_value()) return std::nullopt;
  anchor = positionOf(1, chunk);
  ++depth;
  const int128 width = frame.chunkWidth(0) / 16;
  return leaveOut(-1, {-width * chunk[0], -width * chunk[1], -width * chunk[2]});
}

std::optional<WindowModel::Left> WindowModel::climb() {
  if (depth == 0) return std::nullopt;
  Vec<int128, 3> offset;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    offset[static_cast<int>(axis)] = int128(frame.chunkWidth(0)) * anchor[axis].digit(0);
    anchor[axis] = anchor[axis].over16();
  }
  --depth;
  return leaveOut(1, offset);
}

std::optional<WindowModel::Left> WindowModel::recenter(const ChunkCoord& chunk) {
  if (!path(0, chunk).has_value()) return std::nullopt;
  anchor = positionOf(0, chunk);
  const int128 width = frame.chunkWidth(0);
  return leaveOut(0, {-width * chunk[0], -width * chunk[1], -width * chunk[2]});
}

WindowModel::Left WindowModel::leaveOut(int levels, const Vec<int128, 3>& offset) {
  Left left;
  const std::size_t before = chunks.size();
  std::erase_if(chunks, [&](const ModelChunk& chunk) { return !indexOf(chunk).has_value(); });
  left.dropped = before - chunks.size();
  const auto scaled = [&](int128 value) {
    return levels == 0 ? value : levels < 0 ? value * 16 : floorOver16(value + 8);
  };
  for (auto it = entities.begin(); it != entities.end();) {
    ModelEntity& entity = it->second;
    entity.level += levels;
    bool stays = frame.isActive(entity.level);
    for (int axis = 0; axis < 3; ++axis) {
      const int128 position = scaled(entity.position[axis] + offset[axis]);
      const int128 extent = scaled(entity.shape.half_extents[axis]);
      const int128 reach = (position < 0 ? -position : position) + extent;
      stays = stays && reach <= kMaxCoordinate && extent < frame.chunkWidth(0);
      if (!stays) break;
      entity.position[axis] = static_cast<std::int64_t>(position);
      entity.shape.half_extents[axis] = static_cast<std::int64_t>(extent);
    }
    if (stays) {
      ++it;
      continue;
    }
    left.evicted.push_back(it->first);
    it = entities.erase(it);
  }
  return left;
}

void WindowModel::expectEqual(const World& world, const EntityIndex& index) const {
  for (int level = 0; level < frame.levels(); ++level)
    ASSERT_NO_FATAL_FAILURE(expectChunks(world, level));
  expectEntities(index);
}

void WindowModel::expectEntities(const EntityIndex& index) const {
  ASSERT_EQ(index.size(), entities.size());
  for (const auto& [id, entity] : entities)
    ASSERT_NO_FATAL_FAILURE(expectEntity(index, id, entity));
}

void WindowModel::expectChunks(const World& world, int level) const {
  std::map<ChunkCoord, BlockTypeId> loaded;
  std::map<ChunkCoord, std::size_t> children;  // by parent: how many are loaded
  std::size_t proto = 0;
  for (const ModelChunk& chunk : chunks) {
    const auto index = indexOf(chunk);
    ASSERT_TRUE(index.has_value());
    if (index->first == level + 1 && chunk.is_loaded) {
      const BlockCoord parent = parentBlock(index->second);
      ++children[chunkOf(parent)];
      const Chunk* const around = world.chunk(level, chunkOf(parent));
      if (around != nullptr) {
        ASSERT_TRUE(around->hasLoadedChild(indexInChunk(parent)));
      }
    }
    if (index->first != level) continue;
    if (chunk.is_loaded) {
      loaded[index->second] = chunk.type;
      continue;
    }
    ++proto;
    ASSERT_EQ(world.chunkState(level, index->second), ChunkState::kProto);
  }
  ASSERT_EQ(world.protoChunks(level), proto);
  ASSERT_EQ(world.loadedChunks(level), loaded.size());
  std::map<ChunkCoord, BlockTypeId> found;
  std::optional<ChunkBox> box;
  world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
    found[at] = chunk.block(0);
    if (!box.has_value()) box = ChunkBox{at, at};
    for (int axis = 0; axis < 3; ++axis) {
      box->min[axis] = std::min(box->min[axis], at[axis]);
      box->max[axis] = std::max(box->max[axis], at[axis]);
    }
    std::size_t flagged = 0;
    for (int block = 0; chunk.children() != nullptr && block < kBlocksPerChunk; ++block)
      flagged += chunk.hasLoadedChild(block) ? 1U : 0U;
    EXPECT_EQ(flagged, children[at]);
    EXPECT_EQ(world.chunk(level, at), &chunk) << "as look-ups find it";
  });
  ASSERT_EQ(found, loaded);
  const std::optional<ChunkBox> bounds = world.loadedBox(level);
  ASSERT_EQ(bounds.has_value(), box.has_value());
  if (!box.has_value()) return;
  ASSERT_EQ(bounds->min, box->min);
  ASSERT_EQ(bounds->max, box->max);
}

void WindowModel::expectEntity(const EntityIndex& index, EntityId id,
                               const ModelEntity& entity) const {
  const Entity* const found = index.find(entity.handle);
  ASSERT_NE(found, nullptr) << id;
  ASSERT_EQ(found->id, id);
  ASSERT_EQ(index.findId(id), entity.handle);
  ASSERT_EQ(found->level, entity.level);
  ASSERT_EQ(found->position, entity.position);
  ASSERT_EQ(found->shape, entity.shape);
  int index_level = frame.levels() - 1;
  while (entity.shape.radius() >= frame.chunkWidth(index_level))
    --index_level;
  ASSERT_EQ(found->index_level, index_level);
  ASSERT_TRUE(internal::indexLevels(index, LevelMask{entity.level}).contains(index_level));
  const std::int64_t width = frame.chunkWidth(index_level);
  const ChunkCoord center = frame.chunkAt(entity.position, index_level);
  // The radius is below a chunk's width, so the shape touches no chunk farther off.
  std::vector<ChunkCoord> touched;
  for (std::int64_t x = center[0] - 1; x <= center[0] + 1; ++x) {
    for (std::int64_t y = center[1] - 1; y <= center[1] + 1; ++y) {
      for (std::int64_t z = center[2] - 1; z <= center[2] + 1; ++z) {
        const ChunkCoord chunk{x, y, z};
        const bool touches_chunk = touches(entity.shape, entity.position, chunk, width);
        if (touches_chunk) touched.push_back(chunk);
        const std::vector<EntityHandle> there = internal::inChunk(index, index_level, chunk);
        ASSERT_EQ(std::count(there.begin(), there.end(), entity.handle), touches_chunk ? 1 : 0);
        ASSERT_EQ(internal::emptyCubeLog2(index, index_level, chunk).has_value(), there.empty());
      }
    }
  }
  ASSERT_EQ(index.chunks(entity.handle), touched);
}

}  // namespace fractalray
