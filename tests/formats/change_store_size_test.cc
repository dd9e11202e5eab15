// SPDX-License-Identifier: Apache-2.0
// A coarse guard for the size of a store: `./dev bench ticks --part changes` measures it.
#include <filesystem>

#include "../oracle/rng.h"
#include "change_store_fixture.h"

namespace fractalray::change_store_size_test {
namespace {

constexpr int kChanges = 20'000;
constexpr int kLevels = 6;  // over which the chunks are spread
// The requirement is a million changes in 60 MB; a small store has some empty pages in addition.
constexpr std::size_t kMostBytes = 60 * kChanges + 65'536;

class ChangeStoreSizeTest : public ChangeStoreTest {
 protected:
  // Returns the bytes of a store with changes to random blocks of chunks kLevels below one that is
  // `steps` deep.
  std::size_t bytesOf(std::int64_t chunks, int steps) {
    oracle::Rng rng("ChangeStoreSizeTest");
    open();
    const auto chunk_above = ChunkPath::to({1, 2, 3}, steps);
    std::vector<BlockChange> changes;
    for (int i = 0; i < kChanges; ++i) {
      const ChunkCoord at{i % chunks, i % chunks * 53, 7};
      BlockChange one = change("", rng.below(kBlocksPerChunk), rng.pick({kStone, kGlass, kWater}));
      one.chunk = chunk_above.inFrame(at, kLevels).value();
      changes.push_back(one);
      if (changes.size() < 100) continue;
      EXPECT_TRUE(store_->record(changes).ok());
      changes.clear();
    }
    EXPECT_TRUE(store_->maintain().ok());
    store_.reset();
    std::size_t bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path()))
      bytes += file.file_size();
    return bytes;
  }
};

TEST_F(ChangeStoreSizeTest, ChangesOfAFewChunksStaySmall) {
  EXPECT_LT(bytesOf(50, 6), kMostBytes / 3);
}

// At these depths chunks begin to share a region, and have the most steps of their own.
TEST_F(ChangeStoreSizeTest, ChangesOfAChunkEachStaySmallAtAnyDepth) {
  for (const int steps : {16, 21, 304, 309}) {
    const std::size_t bytes = bytesOf(kChanges, steps - kLevels);
    EXPECT_LT(bytes, kMostBytes) << steps;
    EXPECT_GT(bytes, std::size_t{4} * kChanges) << "they are in the files";
    std::filesystem::remove(path_);
  }
}

}  // namespace
}  // namespace fractalray::change_store_size_test
