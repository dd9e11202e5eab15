// SPDX-License-Identifier: Apache-2.0
// Chunks that borrow ids in the engine's own layout: what is refused, what is written and read, and
// what it costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "../../levels/world.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "engine_storage.h"

namespace fractalray::engine_layout_test {
namespace {

using oracle::kGlass;
using oracle::kStone;
using oracle::kWater;
using testing::AllOf;
using testing::HasSubstr;

constexpr ChunkCoord kAt{2, -1, 0};
constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kPrecondition = absl::StatusCode::kFailedPrecondition;

std::string text(const absl::Status& status) {
  return std::string(status.message());
}

// An engine whose ids 0 to 4 are air, stone, water, stone again, and one without a type; glass has
// none.
class EngineLayoutTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kOtherStone = 3;
  static constexpr std::uint32_t kHole = 4;
  static constexpr std::uint32_t kBeyond = 5;

  EngineLayoutTest() {
    for (const std::int64_t x : {-1, 1})
      EXPECT_TRUE(world.loadChunk(0, kAt + ChunkCoord{x, 0, 0}, Chunk()).ok());
  }
  absl::Status load(bool for_writing) {
    absl::StatusOr<Chunk> chunk =
        for_writing ? Chunk::borrowedForWriting(storage.first(), layout, world.blockTypes())
                    : Chunk::borrowed(storage.first(), layout, world.blockTypes());
    if (!chunk.ok()) return chunk.status();
    return world.loadChunk(0, kAt, *std::move(chunk));
  }
  static BlockCoord block(std::int64_t x, std::int64_t y, std::int64_t z) {
    return blockOf(kAt, 0) + BlockCoord{x, y, z};
  }
  // Returns the blocks that a shot along the row of blocks [.., y, z] hits, by their x.
  std::vector<std::int64_t> hits(const World& in, std::int64_t y, std::int64_t z) const {
    const EntityIndex entities(in.frame());
    const RayQueryService service(in, entities);
    const BlockCoord first = block(0, y, z);
    const Vec3d from{static_cast<double>(first[0]) - 4, static_cast<double>(first[1]) + 0.5,
                     static_cast<double>(first[2]) + 0.5};
    Vec3d to = from;
    to[0] += 24;
    std::vector<std::int64_t> found;
    const ShotResult shot = service.shootSegment(Segment{from, to}).value();
    for (const Hit& hit : shot.hits)
      found.push_back(hit.block[0] - first[0]);
    return found;
  }

  World world{{.levels = 1, .block_types = oracle::sceneTypes()}};
  EngineStorage storage{
      16, 2, {4, -64, 1024}, std::vector{kAir, kStone, kWater, kStone, kNoBlockType}};
  IdLayout layout = storage.layout();
};

TEST_F(EngineLayoutTest, UnknownIdsAreRefusedWithTheIdAndTheBlockAndNothingChanges) {
  storage.write({7, 0, 0}, 1);
  ASSERT_TRUE(load(false).ok());
  const std::uint64_t version = world.version();
  for (const std::uint32_t id : {kHole, kBeyond, 65535U}) {
    SCOPED_TRACE(id);
    storage.write({5, 6, 7}, id);
    storage.write({7, 0, 0}, 2);
    const auto names = AllOf(HasSubstr("block [5, 6, 7]"), HasSubstr("id " + std::to_string(id)));
    for (const absl::Status& status :
         {load(false), load(true),
          Chunk::fromArray(storage.first(), layout, world.blockTypes()).status(),
          world.refreshChunk(0, kAt), world.refreshBlock(0, block(5, 6, 7)),
          world.refreshBox(0, block(5, 5, 5), block(7, 7, 7))}) {
      EXPECT_EQ(status.code(), kInvalid) << status;
      EXPECT_THAT(text(status), names);
    }
    EXPECT_EQ(world.version(), version);
    EXPECT_TRUE(world.chunk(0, kAt)->isOccupied(7)) << "of the last refresh";
  }
  EXPECT_THAT(text(world.refreshBlock(0, block(5, 6, 7))), HasSubstr("chunk [2, -1, 0]"));
}

TEST_F(EngineLayoutTest, AnUnknownIdThatWasNotAnnouncedIsNotHit) {
  for (std::int64_t x = 2; x < 6; ++x)
    storage.write({x, 3, 3}, 2);
  ASSERT_TRUE(load(true).ok());
  EXPECT_THAT(hits(world, 3, 3), testing::ElementsAre(2, 3, 4, 5));
  storage.write({3, 3, 3}, kHole);
  storage.write({4, 3, 3}, 65535);
  EXPECT_THAT(hits(world, 3, 3), testing::ElementsAre(2, 5));
  const std::shared_ptr<const World> snapshot = world.snapshot();
  EXPECT_THAT(hits(*snapshot, 3, 3), testing::ElementsAre(2, 5));
  EXPECT_THAT(hits(world, 3, 3), testing::ElementsAre(2, 5));
}

TEST_F(EngineLayoutTest, AnUnknownIdIsNotMovedOrExpandedAndMayBeOverwritten) {
  World two({.levels = 2, .block_types = oracle::sceneTypes()});
  Chunk lent = Chunk::borrowedForWriting(storage.first(), layout, two.blockTypes()).value();
  ASSERT_TRUE(two.loadChunk(0, {0, 0, 0}, std::move(lent)).ok());
  for (const std::uint32_t id : {kHole, kBeyond}) {
    storage.write({1, 1, 1}, id);
    EXPECT_EQ(two.expandBlock(0, {1, 1, 1}).code(), kInvalid);
    EXPECT_EQ(two.moveBlock(0, {1, 1, 1}, {2, 2, 2}).code(), kInvalid);
    EXPECT_EQ(storage.read({1, 1, 1}), id);
  }
  ASSERT_TRUE(two.setBlock(0, {1, 1, 1}, kAir).ok());
  EXPECT_EQ(storage.read({1, 1, 1}), 0U) << "though the id was read as air";
}

TEST_F(EngineLayoutTest, WritingChangesTheIdsOfTheBlocksAndNoOtherByte) {
  ASSERT_TRUE(load(true).ok());
  std::vector<std::byte> expected = storage.bytes();
  const auto expect_id = [&](const Vec3i& at, std::uint32_t id) {
    const auto byte = static_cast<std::size_t>(storage.at(at) - storage.bytes().data());
    expected[byte] = static_cast<std::byte>(id);
    expected[byte + 1] = std::byte{0};
  };
  ASSERT_TRUE(world.setBlock(0, block(1, 2, 3), kStone).ok());
  expect_id({1, 2, 3}, 1);
  ASSERT_TRUE(world.moveBlock(0, block(1, 2, 3), block(15, 15, 15)).ok());
  expect_id({1, 2, 3}, 0);
  expect_id({15, 15, 15}, 1);
  ASSERT_TRUE(world.fillBox(0, block(4, 0, 9), block(5, 1, 9), kWater).ok());
  for (const std::int64_t x : {4, 5})
    for (const std::int64_t y : {0, 1})
      expect_id({x, y, 9}, 2);
  EXPECT_EQ(storage.bytes(), expected);
  EXPECT_THAT(hits(world, 0, 9), testing::ElementsAre(4, 5)) << "without a refresh";
  EXPECT_THAT(hits(world, 15, 15), testing::ElementsAre(15));
}

TEST_F(EngineLayoutTest, ATypeWithoutAnIdIsNotWrittenAndTheErrorNamesIt) {
  ASSERT_TRUE(load(true).ok());
  storage.write({3, 3, 3}, kOtherStone);
  ASSERT_TRUE(world.refreshBlock(0, block(3, 3, 3)).ok());
  const std::vector<std::byte> before = storage.bytes();
  const std::uint64_t version = world.version();
  ASSERT_TRUE(world.setBlock(0, block(-1, 0, 0), kGlass).ok()) << "a chunk that does not borrow";
  for (const absl::Status& status : {world.setBlock(0, block(0, 0, 0), kGlass),
                                     world.fillBox(0, block(-1, 0, 0), block(0, 0, 0), kGlass),
                                     world.moveBlock(0, block(-1, 0, 0), block(0, 0, 0))}) {
    EXPECT_EQ(status.code(), kPrecondition) << status;
    EXPECT_THAT(text(status), AllOf(HasSubstr("[2, -1, 0]"), HasSubstr("\"glass\"")));
  }
  EXPECT_EQ(storage.bytes(), before);
  EXPECT_EQ(world.version(), version + 1);
  ASSERT_TRUE(world.setBlock(0, block(3, 3, 3), kStone).ok());
  EXPECT_EQ(storage.read({3, 3, 3}), kOtherStone) << "it is stone already, and stays this one";
}

TEST_F(EngineLayoutTest, BlocksThatShareBytesAreReadButNotWritten) {
  const IdLayout same = IdLayout::make({.strides = {0, 0, 0}, .types = *storage.table()}).value();
  std::uint16_t id = 1;
  ASSERT_TRUE(Chunk::borrowed(&id, same, world.blockTypes()).ok());
  const absl::Status status = Chunk::borrowedForWriting(&id, same, world.blockTypes()).status();
  EXPECT_EQ(status.code(), kInvalid);
  EXPECT_THAT(text(status), HasSubstr("[0, 0, 0]"));
}

TEST_F(EngineLayoutTest, APaletteIsCopiedWithItsTable) {
  std::array<std::uint8_t, kBlocksPerChunk> indices{};
  indices[77] = 1;
  const std::array palette = {kWater, kGlass};
  const IdLayout of_palette =
      IdLayout::make({.id_bytes = 1, .strides = {1, 16, 256}, .types = palette}).value();
  const Chunk chunk = Chunk::fromArray(indices.data(), of_palette, world.blockTypes()).value();
  indices.fill(0);
  EXPECT_FALSE(chunk.isBorrowed());
  EXPECT_EQ(chunk.block(77), kGlass);
  EXPECT_EQ(chunk.block(78), kWater);
}

TEST_F(EngineLayoutTest, ASnapshotKeepsItsBlocksAndTheWorldTakesOverWhatIsRefreshed) {
  storage.write({1, 1, 1}, 2);
  ASSERT_TRUE(load(true).ok());
  std::shared_ptr<const World> first = world.snapshot();
  storage.write({2, 1, 1}, 2);
  storage.write({3, 1, 1}, 2);
  EXPECT_THAT(hits(world, 1, 1), testing::ElementsAre(1)) << "reads the copy";
  ASSERT_TRUE(world.refreshBlock(0, block(2, 1, 1)).ok());
  EXPECT_THAT(hits(world, 1, 1), testing::ElementsAre(1, 2)) << "only this one is announced";
  EXPECT_TRUE(world.chunk(0, kAt)->isBorrowedForWriting());
  EXPECT_THAT(hits(*first, 1, 1), testing::ElementsAre(1));
  const std::shared_ptr<const World> second = world.snapshot();
  ASSERT_TRUE(world.refreshBox(0, block(2, 1, 1), block(6, 1, 1)).ok());
  ASSERT_TRUE(world.setBlock(0, block(7, 1, 1), kWater).ok());
  EXPECT_EQ(storage.type({7, 1, 1}), kWater) << "writing continues";
  EXPECT_THAT(hits(world, 1, 1), testing::ElementsAre(1, 2, 3, 7));
  EXPECT_THAT(hits(*second, 1, 1), testing::ElementsAre(1, 2));
  storage.write({1, 1, 1}, 0);
  ASSERT_TRUE(world.refreshChunk(0, kAt).ok());
  EXPECT_THAT(hits(world, 1, 1), testing::ElementsAre(2, 3, 7));
  EXPECT_THAT(hits(*first, 1, 1), testing::ElementsAre(1));
  EXPECT_THAT(hits(*second, 1, 1), testing::ElementsAre(1, 2));
}

TEST_F(EngineLayoutTest, RefreshingNamesWhatIsWrong) {
  ASSERT_TRUE(load(false).ok());
  EXPECT_EQ(world.refreshBlock(0, block(-1, 0, 0)).code(), kPrecondition);
  EXPECT_EQ(world.refreshBlock(0, block(0, 40, 0)).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(world.refreshBlock(3, block(0, 0, 0)).code(), kInvalid);
  EXPECT_EQ(world.refreshBox(0, block(1, 0, 0), block(0, 0, 0)).code(), kInvalid);
  EXPECT_EQ(world.refreshBox(0, block(0, 0, 0), block(0, 0, 16)).code(),
            absl::StatusCode::kNotFound);
  const std::int64_t far = std::int64_t{1} << 62;
  EXPECT_EQ(world.refreshBox(0, block(0, 0, 0), {far, far, far}).code(), kPrecondition);
  EXPECT_EQ(world.refreshChunk(0, {far, 0, 0}).code(), absl::StatusCode::kOutOfRange);
}

TEST_F(EngineLayoutTest, AWorldWithAnotherTableReadsTheIdsAgain) {
  storage.write({1, 1, 1}, 2);
  const Chunk water = Chunk::borrowed(storage.first(), layout, world.blockTypes()).value();
  EXPECT_FALSE(water.isEmpty());
  World other;
  EXPECT_THAT(text(other.loadChunk(0, kAt, water)), HasSubstr("id 2")) << "it has only air";
  ASSERT_TRUE(other.blockTypes().add({.name = "mist", .kind = BlockKind::kEmpty}).ok());
  ASSERT_TRUE(other.loadChunk(0, kAt, water).ok());
  EXPECT_TRUE(other.chunk(0, kAt)->isEmpty()) << "type 1 is mist there";
  storage.write({1, 1, 1}, kOtherStone);
  EXPECT_THAT(text(other.refreshChunk(0, kAt)), HasSubstr("block type 4"));
}

TEST_F(EngineLayoutTest, SettingABlockMakesUpForAWriteThatWasNotAnnounced) {
  ASSERT_TRUE(load(true).ok());
  const int index = indexInChunk(block(5, 5, 5));
  storage.write({5, 5, 5}, 1);
  EXPECT_FALSE(world.chunk(0, kAt)->isOccupied(index));
  ASSERT_TRUE(world.setBlock(0, block(5, 5, 5), kStone).ok());
  EXPECT_TRUE(world.chunk(0, kAt)->isOccupied(index));
  const std::uint64_t version = world.version();
  ASSERT_TRUE(world.setBlock(0, block(5, 5, 5), kStone).ok());
  EXPECT_EQ(world.version(), version) << "it is up to date now";
  storage.write({5, 5, 5}, 0);
  ASSERT_TRUE(world.setBlock(0, block(5, 5, 5), kAir).ok());
  EXPECT_FALSE(world.chunk(0, kAt)->isOccupied(index));
}

TEST_F(EngineLayoutTest, TheDefaultLayoutMayBeginAtAnyAddress) {
  std::vector<std::byte> bytes(1 + sizeof(BlockTypeId) * kBlocksPerChunk);
  // One of the two is odd.
  for (std::byte* const first : {bytes.data(), bytes.data() + 1}) {
    const auto write = [&](int index, BlockTypeId type) {
      std::memcpy(first + sizeof(BlockTypeId) * static_cast<std::size_t>(index), &type,
                  sizeof type);
    };
    for (int index = 0; index < kBlocksPerChunk; ++index)
      write(index, index == 7 ? kStone : kAir);
    ASSERT_TRUE(
        world
            .loadChunk(0, kAt,
                       Chunk::borrowedForWriting(first, IdLayout(), world.blockTypes()).value())
            .ok());
    EXPECT_EQ(world.block(0, block(7, 0, 0)).value(), kStone);
    const auto snapshot = world.snapshot();
    ASSERT_TRUE(world.setBlock(0, block(8, 0, 0), kWater).ok());
    write(9, kStone);
    ASSERT_TRUE(world.refreshChunk(0, kAt).ok());
    EXPECT_EQ(world.block(0, block(8, 0, 0)).value(), kWater);
    EXPECT_EQ(world.block(0, block(9, 0, 0)).value(), kStone);
    EXPECT_EQ(snapshot->block(0, block(8, 0, 0)).value(), kAir);
    ASSERT_TRUE(world.unloadChunk(0, kAt).ok());
  }
}

TEST_F(EngineLayoutTest, BorrowingCostsNoMoreMemoryThanTheMasksAndARecord) {
  storage.write({1, 1, 1}, 1);
  std::vector<BlockTypeId> plain(kBlocksPerChunk, kAir);
  plain[1 + 16 + 256] = kStone;
  const auto bytes_of = [&](auto&& make) {
    World fresh({.levels = 1, .block_types = oracle::sceneTypes()});
    EXPECT_TRUE(fresh.loadChunk(0, {3, 3, 3}, Chunk()).ok());
    const std::size_t before = oracle::allocatedBytes();
    for (std::int64_t i = 0; i < 60; ++i) {
      const ChunkCoord at{i & 3, (i >> 2) & 3, i >> 4};
      EXPECT_TRUE(fresh.loadChunk(0, at, make(fresh.blockTypes())).ok());
    }
    return oracle::allocatedBytes() - before;
  };
  // These chunks have one empty type and one other, so they need no ids.
  const std::size_t masks = bytes_of(
      [&](const BlockTypeTable& types) { return Chunk::copied(Chunk::Ids(plain), types).value(); });
  const std::size_t plain_borrowed = bytes_of([&](const BlockTypeTable& types) {
    return Chunk::borrowed(Chunk::Ids(plain), types).value();
  });
  const std::size_t borrowed = bytes_of([&](const BlockTypeTable& types) {
    return Chunk::borrowed(storage.first(), layout, types).value();
  });
  EXPECT_LE(borrowed, plain_borrowed + 60 * 32) << "a record";
  EXPECT_LE(plain_borrowed, masks + 60 * 64) << "an entry of the list of what borrows";
  EXPECT_GE(plain_borrowed, masks);
  ASSERT_TRUE(load(false).ok());
  EXPECT_LE(world.chunk(0, kAt)->bytes(), sizeof(Chunk) + 32 + 16);
}

// Counts which of the 4096 ids are read: each lies on a page of its own, which faults once.
class PageCounter {
 public:
  PageCounter() {
    page_ = sysconf(_SC_PAGESIZE);
    memory_ = mmap(nullptr, size(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before_);
    current = this;
  }
  ~PageCounter() {
    sigaction(SIGSEGV, &before_, nullptr);
    current = nullptr;
    munmap(memory_, size());
  }
  PageCounter(const PageCounter&) = delete;
  PageCounter& operator=(const PageCounter&) = delete;

  const void* first() const { return memory_; }
  Vec3i strides() const { return {page_, 16 * page_, 256 * page_}; }
  // Returns how many ids `work` reads.
  template <class Work>
  int readBy(const Work& work) {
    read_ = 0;
    mprotect(memory_, size(), PROT_NONE);
    work();
    mprotect(memory_, size(), PROT_READ);
    return read_;
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(page_) * kBlocksPerChunk; }
  static void onFault(int, siginfo_t* info, void*) {
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const auto first = reinterpret_cast<std::uintptr_t>(current->memory_);
    if (at < first || at >= first + current->size()) {
      sigaction(SIGSEGV, &current->before_, nullptr);  // faults again, as it would have
      return;
    }
    current->read_ = current->read_ + 1;
    const auto page = static_cast<std::uintptr_t>(current->page_);
    mprotect(reinterpret_cast<void*>(at / page * page), page, PROT_READ);
  }

  static PageCounter* current;
  long page_ = 0;
  void* memory_ = nullptr;
  volatile int read_ = 0;
  struct sigaction before_ {};
};
PageCounter* PageCounter::current = nullptr;

TEST_F(EngineLayoutTest, ARefreshReadsTheBlocksThatItNamesAndNoOthers) {
  PageCounter pages;
  const IdLayout spread = IdLayout::make({.id_bytes = 1, .strides = pages.strides()}).value();
  World one;
  ASSERT_TRUE(
      one.loadChunk(0, kAt, Chunk::borrowed(pages.first(), spread, one.blockTypes()).value()).ok());
  const auto succeed = [](const absl::Status& status) { ASSERT_TRUE(status.ok()) << status; };
  const int of_chunk = pages.readBy([&] { succeed(one.refreshChunk(0, kAt)); });
  const int of_block = pages.readBy([&] { succeed(one.refreshBlock(0, block(5, 9, 3))); });
  const int of_box =
      pages.readBy([&] { succeed(one.refreshBox(0, block(5, 9, 3), block(6, 11, 3))); });
  EXPECT_EQ(of_chunk, kBlocksPerChunk);
  EXPECT_EQ(of_block, 1);
  EXPECT_EQ(of_box, 6);
  EXPECT_LT(of_block * 50, of_chunk);
  const std::size_t before = oracle::allocationCount();
  succeed(one.refreshBlock(0, block(5, 9, 3)));
  EXPECT_EQ(oracle::allocationCount(), before) << "a block of which nothing changes";
}

// A node as Luanti stores it; its facing is the lowest bits of param2.
struct Node {
  std::uint16_t param0 = 0;
  std::uint8_t param1 = 0;
  std::uint8_t param2 = 0;
};

TEST(EngineStatesTest, ABlockHasTheTypeOfItsIdAndState) {
  World world;
  BlockTypeTable& types = world.blockTypes();
  const BlockTypeId west = types.add({.name = "west"}).value();
  const BlockTypeId east = types.add({.name = "east"}).value();
  const std::array of_ids = {kAir, west, kAir};
  const std::array of_stairs = {west, east};
  const std::array of_unknown = {kAir, BlockTypeId{999}};
  const std::array states = {TypesOfId{.id = 1, .types = of_stairs},
                             TypesOfId{.id = 2, .types = of_unknown}};
  const IdLayout layout = IdLayout::make({.strides = {4, 64, 1024},
                                          .types = of_ids,
                                          .state = {.offset = 3, .bits = 1, .types = states}})
                              .value();
  std::vector<Node> nodes(kBlocksPerChunk);
  Node& node = nodes[5];
  node = {.param0 = 1, .param1 = 0x77, .param2 = 0x81};
  const ChunkCoord at{};
  const BlockCoord block{5, 0, 0};
  ASSERT_TRUE(
      world.loadChunk(0, at, Chunk::borrowedForWriting(&nodes[0].param0, layout, types).value())
          .ok());
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const Segment line{{0.5, 0.5, 0.5}, {15.5, 0.5, 0.5}};
  EXPECT_EQ(service.closestHit(line)->hit->type, east);
  EXPECT_EQ(world.block(0, block).value(), east);

  const auto before = world.snapshot();
  ASSERT_TRUE(world.setBlock(0, block, west).ok());
  EXPECT_EQ(node.param0, 1);
  EXPECT_EQ(node.param1, 0x77);
  EXPECT_EQ(node.param2, 0x80);
  EXPECT_EQ(world.block(0, block).value(), west);
  EXPECT_EQ(before->block(0, block).value(), east);

  node.param2 = 1;
  ASSERT_TRUE(world.refreshBlock(0, block).ok());
  EXPECT_EQ(world.block(0, block).value(), east);
  node = {.param0 = 2, .param1 = 0, .param2 = 1};
  const absl::Status refused = world.refreshBlock(0, block);
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("block [5, 0, 0]"));
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("id 2 in state 1"));
  EXPECT_EQ(world.block(0, block).value(), east) << "as before";

  // These states lie in the next ids.
  const IdLayout overlapping =
      IdLayout::make({.types = of_ids, .state = {.offset = 2, .bits = 8}}).value();
  EXPECT_FALSE(Chunk::borrowedForWriting(&nodes[0].param0, overlapping, types).ok());
}

}  // namespace
}  // namespace fractalray::engine_layout_test
