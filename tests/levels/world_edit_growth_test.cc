// SPDX-License-Identifier: Apache-2.0
// Checks that no edit of a world costs more because there are, or were, many chunks that it leaves
// alone, wherever they are. Another edit is another row of kEdits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../levels/internal/world_edit.h"
#include "../../levels/world.h"
#include "../oracle/allocations.h"
#include "../oracle/cost_growth.h"

namespace fractalray {
namespace {

using oracle::allocatedBytes;
using oracle::expectNoGrowth;
using oracle::kSpreads;
using oracle::Spread;

// Squares of multiples of 4, so that what lies beyond either world begins regions of its own: their
// memory costs a sanitizer's allocator more than the edit.
constexpr std::int64_t kFew = 24 * 24;
constexpr std::int64_t kMany = 16 * kFew;
constexpr std::size_t kVictims = 16;
constexpr int kLevel = 1;

// A world of two levels with n chunks on the finer one, and some of these that are edited.
class Land {
 public:
  Land(const Spread& spread, std::int64_t n) {
    stone = world.blockTypes().add({.name = "stone"}).value();
    for (std::int64_t i = 0; i < n; ++i) {
      chunks.push_back(spread.chunk(i, n));
      EXPECT_TRUE(world.loadChunk(kLevel, chunks.back(), Chunk()).ok());
    }
    for (std::size_t i = 0; i < kVictims; ++i) {
      const std::int64_t number = n * static_cast<std::int64_t>(i) / std::int64_t{kVictims};
      victims.push_back(chunks[static_cast<std::size_t>(number)]);
      beyond.push_back(spread.chunk(n + static_cast<std::int64_t>(i), n));
    }
    EXPECT_TRUE(world.loadChunk(0, kParent, Chunk::uniform(stone, world.blockTypes())).ok());
    EXPECT_TRUE(
        world.loadChunk(kLevel, kEngine, Chunk::borrowed(ids_, world.blockTypes()).value()).ok());
  }
  Land(const Land&) = delete;
  Land& operator=(const Land&) = delete;

  static constexpr ChunkCoord kParent{1000, 1000, 1000};
  static constexpr ChunkCoord kEngine{-1000, 1000, 1000};  // borrows its ids

  World world{{.levels = 2}};
  BlockTypeId stone{};
  std::vector<ChunkCoord> chunks;
  std::vector<ChunkCoord> victims;
  std::vector<ChunkCoord> beyond;  // not loaded

 private:
  std::array<BlockTypeId, kBlocksPerChunk> ids_{};
};

// An edit and what takes it back.
struct EditRow {
  const char* name;
  bool (*edit)(Land& land);  // true if all was done
};

template <class Edit>
bool each(const std::vector<ChunkCoord>& chunks, const Edit& edit) {
  return std::all_of(chunks.begin(), chunks.end(), edit);
}

constexpr EditRow kEdits[] = {
    {"load and unload beyond the others",
     [](Land& land) {
       return each(land.beyond, [&](const ChunkCoord& at) {
         return land.world.loadChunk(kLevel, at, Chunk()).ok() &&
                land.world.unloadChunk(kLevel, at).ok();
       });
     }},
    {"unload and load among the others",
     [](Land& land) {
       return each(land.victims, [&](const ChunkCoord& at) {
         return land.world.unloadChunk(kLevel, at).ok() &&
                land.world.loadChunk(kLevel, at, Chunk()).ok();
       });
     }},
    {"load over a chunk",
     [](Land& land) {
       return each(land.victims, [&](const ChunkCoord& at) {
         return land.world.loadChunk(kLevel, at, Chunk()).ok();
       });
     }},
    {"placeholders",
     [](Land& land) {
       return each(land.beyond, [&](const ChunkCoord& at) {
         return land.world.placeProtoChunk(kLevel, at).ok() &&
                land.world.unloadChunk(kLevel, at).ok();
       });
     }},
    {"setBlock",
     [](Land& land) {
       return each(land.victims, [&](const ChunkCoord& at) {
         return land.world.setBlock(kLevel, blockOf(at, 7), land.stone).ok() &&
                land.world.setBlock(kLevel, blockOf(at, 7), kAir).ok();
       });
     }},
    {"fillBox",
     [](Land& land) {
       return each(land.victims, [&](const ChunkCoord& at) {
         return land.world.fillBox(kLevel, blockOf(at, 0), blockOf(at, 300), land.stone).ok() &&
                land.world.fillBox(kLevel, blockOf(at, 0), blockOf(at, kBlocksPerChunk - 1), kAir)
                    .ok();
       });
     }},
    {"moveBlock",
     [](Land& land) {
       return each(land.victims, [&](const ChunkCoord& at) {
         return land.world.moveBlock(kLevel, blockOf(at, 1), blockOf(at, 9)).ok() &&
                land.world.moveBlock(kLevel, blockOf(at, 9), blockOf(land.victims[0], 1)).ok();
       });
     }},
    {"expandBlock",
     [](Land& land) {
       const BlockCoord parent = blockOf(Land::kParent, 5);
       return land.world.expandBlock(0, parent).ok() &&
              land.world.unloadChunk(kLevel, childChunk(parent)).ok();
     }},
    {"refreshes",
     [](Land& land) {
       const BlockCoord first = blockOf(Land::kEngine, 0);
       return land.world.refreshBlock(kLevel, first).ok() &&
              land.world.refreshBox(kLevel, first, blockOf(Land::kEngine, 300)).ok() &&
              land.world.refreshChunk(kLevel, Land::kEngine).ok();
     }},
    {"restoreChunk",
     [](Land& land) {
       return each(land.victims, [&](const ChunkCoord& at) {
         Chunk before = *land.world.chunk(kLevel, at);
         if (!land.world.setBlock(kLevel, blockOf(at, 7), land.stone).ok()) return false;
         internal::restoreChunk(internal::Access::editContent(land.world), land.world.frame(),
                                kLevel, at, std::move(before));
         return true;
       });
     }},
    {"replaceChunks of one",
     [](Land& land) {
       return each(land.beyond, [&](const ChunkCoord& at) {
         return land.world.replaceChunks(kLevel, {{.at = at, .chunk = Chunk()}}).ok() &&
                land.world.replaceChunks(kLevel, {{.at = at}}).ok();
       });
     }},
    {"replaceChunks of many",
     [](Land& land) {
       std::vector<ChunkChange> loads;
       std::vector<ChunkChange> unloads;
       for (const ChunkCoord& at : land.beyond) {
         loads.push_back({.at = at, .chunk = Chunk()});
         unloads.push_back({.at = at});
       }
       return land.world.replaceChunks(kLevel, std::move(loads)).ok() &&
              land.world.replaceChunks(kLevel, std::move(unloads)).ok();
     }},
    {"loadBox of two chunks",
     [](Land& land) {
       const auto air = [](const BlockCoord&) { return kAir; };
       const BlockCoord last = blockOf(land.beyond[0], kBlocksPerChunk - 1);
       const BlockCoord next{last[0], last[1] + 1, last[2]};
       return land.world.loadBox(kLevel, last, next, air).ok() &&
              land.world.unloadChunk(kLevel, chunkOf(last)).ok() &&
              land.world.unloadChunk(kLevel, chunkOf(next)).ok();
     }},
    {"refused edits",
     [](Land& land) {
       return each(land.beyond, [&](const ChunkCoord& at) {
         return !land.world.unloadChunk(kLevel, at).ok() &&
                !land.world.setBlock(kLevel, blockOf(at, 7), kAir).ok() &&
                !land.world.refreshChunk(kLevel, at).ok() &&
                !land.world.fillBox(kLevel, blockOf(at, 0), blockOf(at, 7), kAir).ok() &&
                !land.world.loadChunk(2, at, Chunk()).ok();
       });
     }},
};

class WorldGrowthTest : public testing::TestWithParam<std::size_t> {
 protected:
  static const Spread& spread() { return kSpreads[GetParam()]; }

  static bool snapshotAndSet(Land& land) {
    const auto snapshot = land.world.snapshot();
    return land.world.setBlock(kLevel, blockOf(land.chunks[0], 7), land.stone).ok() &&
           land.world.setBlock(kLevel, blockOf(land.chunks[0], 7), kAir).ok();
  }
  static std::size_t bytesOf(Land& land) {
    const std::size_t before = allocatedBytes();
    EXPECT_TRUE(snapshotAndSet(land));
    return allocatedBytes() - before;
  }
};
INSTANTIATE_TEST_SUITE_P(Spreads, WorldGrowthTest,
                         testing::Range(std::size_t{0}, std::size(kSpreads)));

TEST_P(WorldGrowthTest, NoEditCostsMoreAmongMany) {
  Land few(spread(), kFew);
  Land many(spread(), kMany);
  for (const EditRow& row : kEdits) {
    bool is_ok = true;
    expectNoGrowth(
        std::string(row.name) + ", " + spread().name, [&] { is_ok &= row.edit(few); },
        [&] { is_ok &= row.edit(many); });
    EXPECT_TRUE(is_ok) << row.name << ", " << spread().name;
  }
}

TEST_P(WorldGrowthTest, ASnapshotCostsWhatIsLeftAfterAPeak) {
  constexpr std::int64_t kLeft = 64;
  Land never(spread(), kLeft);
  Land after(spread(), kMany);
  const std::size_t bytes_at_peak = bytesOf(after);
  for (std::size_t i = kLeft; i < after.chunks.size(); ++i)
    ASSERT_TRUE(after.world.unloadChunk(kLevel, after.chunks[i]).ok());
  EXPECT_TRUE(snapshotAndSet(never));  // copies the ids of the chunk that borrows
  // Small tables do not shrink; the dense table of areas has 4,096 pointers at most.
  EXPECT_LE(bytesOf(after), 4 * bytesOf(never) + 120'000)
      << spread().name << ", at the peak " << bytes_at_peak;
  bool is_ok = true;
  expectNoGrowth(
      std::string("snapshot and set after a peak, ") + spread().name,
      [&] {
        for (int i = 0; i < 8; ++i)
          is_ok &= snapshotAndSet(never);
      },
      [&] {
        for (int i = 0; i < 8; ++i)
          is_ok &= snapshotAndSet(after);
      });
  EXPECT_TRUE(is_ok);
}

}  // namespace
}  // namespace fractalray
