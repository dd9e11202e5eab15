// SPDX-License-Identifier: Apache-2.0
// Blasts by the C interface are those of the library, on random worlds; and write nothing if memory
// runs out.
#include "../../query/blast.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/rng.h"
#include "sized.h"

namespace fractalray::testing {
namespace {

using oracle::Rng;

// The numbers of the types, in both worlds.
constexpr frBlockType kStone = 1;
constexpr frBlockType kWater = 2;

// A world of two levels, in which a chunk of the finer one is loaded, twice: one by the library,
// one by C.
class BlastTwins {
 public:
  explicit BlastTwins(Rng& rng)
      : world_({.levels = 2}), entities_(world_.frame()), service_(world_, entities_) {
    frWorldDef def = sized<frWorldDef>();
    def.version = FR_VERSION;
    def.levels = 2;
    EXPECT_EQ(frCreateWorld(&def, &c_world_), FR_OK);
    addType("stone", FR_SOLID, kStone);
    addType("water", FR_PERMEABLE, kWater);
    const frChunkDef chunk = sized<frChunkDef>();
    for (int level = 0; level < 2; ++level) {
      EXPECT_TRUE(world_.loadChunk(level, {0, 0, 0}, Chunk()).ok());
      EXPECT_EQ(frWorld_LoadChunks(c_world_, level, &chunk, 1), FR_OK);
      for (int i = 0; i < 600; ++i)
        put(rng, level);
    }
    for (EntityId id = 1; id <= 20; ++id)
      add(rng, id);
  }
  ~BlastTwins() { EXPECT_EQ(frDestroyWorld(c_world_), FR_OK); }
  BlastTwins(const BlastTwins&) = delete;
  BlastTwins& operator=(const BlastTwins&) = delete;

  const RayQueryService& service() const { return service_; }
  frWorld* cWorld() const { return c_world_; }

 private:
  void addType(const char* name, std::int32_t kind, frBlockType expected) {
    frBlockTypeDef def = sized<frBlockTypeDef>();
    def.name = name;
    def.kind = kind;
    frBlockType type = 0;
    EXPECT_EQ(frWorld_AddBlockType(c_world_, &def, &type), FR_OK);
    EXPECT_EQ(type, expected);
    const BlockKind block_kind = kind == FR_SOLID ? BlockKind::kSolid : BlockKind::kPermeable;
    EXPECT_EQ(world_.blockTypes().add({.name = name, .kind = block_kind}).value_or(kAir),
              BlockTypeId{expected});
  }
  void put(Rng& rng, int level) {
    const std::array<std::int64_t, 3> at = {rng.in(0, 15), rng.in(0, 15), rng.in(0, 15)};
    const frBlockType type = rng.pick({kStone, kWater});
    EXPECT_TRUE(world_.setBlock(level, {at[0], at[1], at[2]}, BlockTypeId{type}).ok());
    EXPECT_EQ(frWorld_SetBlock(c_world_, level, at.data(), type), FR_OK);
  }
  void add(Rng& rng, EntityId id) {
    frEntityDef def = sized<frEntityDef>();
    def.id = id;
    def.level = static_cast<std::int32_t>(rng.in(0, 1));
    def.shape = FR_BOX;
    for (int axis = 0; axis < 3; ++axis) {
      def.position[axis] = static_cast<double>(rng.in(0, 2000)) / 100;
      def.half_extents[axis] = static_cast<double>(rng.in(0, 100)) / 100;
    }
    frEntity added = 0;
    EXPECT_EQ(frWorld_AddEntities(c_world_, &def, 1, &added), FR_OK);
    const Vec3d half{def.half_extents[0], def.half_extents[1], def.half_extents[2]};
    const Vec3d at{def.position[0], def.position[1], def.position[2]};
    EXPECT_TRUE(
        entities_.add({.id = id, .level = def.level, .shape = Box{half}, .position = at}).ok());
  }

  World world_;
  EntityIndex entities_;
  RayQueryService service_;
  frWorld* c_world_ = nullptr;
};

// Checks that both interfaces have the same blocks.
void compareBlocks(const std::vector<BrokenBlock>& expected,
                   const std::vector<frBrokenBlock>& blocks) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const BrokenBlock& block = expected[i];
    ASSERT_EQ(blocks[i].level, block.level) << i;
    ASSERT_EQ(BlockTypeId{blocks[i].type}, block.type) << i;
    ASSERT_EQ((BlockCoord{blocks[i].block[0], blocks[i].block[1], blocks[i].block[2]}), block.block)
        << i;
    ASSERT_EQ(blocks[i].ray, block.ray) << i;
    ASSERT_EQ(blocks[i].steps, block.steps) << i;
    ASSERT_EQ(blocks[i].power, block.power) << i;
  }
}

void compareEntities(const std::vector<ExposedEntity>& expected,
                     const std::vector<frExposedEntity>& entities) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(entities[i].id, expected[i].id) << i;
    ASSERT_EQ(entities[i].distance, expected[i].distance) << i;
    ASSERT_EQ(entities[i].from, expected[i].from) << i;
    ASSERT_EQ(entities[i].to, expected[i].to) << i;
  }
}

TEST(CapiBlastTest, IsThatOfTheLibrary) {
  Rng rng("CapiBlastTest.IsThatOfTheLibrary");
  std::size_t broken = 0;
  std::size_t exposed = 0;
  for (int i = 0; i < 60; ++i) {
    const BlastTwins twins(rng);
    std::vector<BlastRay> rays = *cubeFan(static_cast<int>(rng.in(2, 7)), 0.4, 0);
    for (BlastRay& ray : rays)
      ray.power = rng.in(-5, 200);
    std::vector<frBlastRay> c_rays;
    for (const BlastRay& ray : rays)
      c_rays.push_back({{ray.step[0], ray.step[1], ray.step[2]}, ray.power});
    const std::array<std::int64_t, 3> resistances = {0, rng.in(0, 40), rng.in(0, 10)};
    frBlastQuery query = sized<frBlastQuery>();
    for (double& coordinate : query.center)
      coordinate = static_cast<double>(rng.in(0, 1800)) / 100;
    query.radius = static_cast<double>(rng.in(0, 14));
    query.rays = c_rays.data();
    query.ray_count = c_rays.size();
    query.resistances = resistances.data();
    query.resistance_count = resistances.size();
    query.falloff = rng.in(0, 3);
    BlastOptions options;
    options.filter.solid_only = rng.oneIn(3);
    frQueryOptions c_options = sized<frQueryOptions>();
    c_options.solid_only = options.filter.solid_only ? 1 : 0;
    const auto blast =
        twins.service().blast({.center = {query.center[0], query.center[1], query.center[2]},
                               .radius = query.radius,
                               .rays = rays,
                               .resistances = resistances,
                               .falloff = query.falloff},
                              LevelMask::all(), options);
    ASSERT_TRUE(blast.ok()) << blast.status();
    std::vector<frBrokenBlock> blocks(blast->blocks.size());
    std::vector<frExposedEntity> entities(blast->entities.size());
    frBlastResult result = sized<frBlastResult>();
    ASSERT_EQ(
        frWorld_Blast(twins.cWorld(), &query, FR_ALL_LEVELS, &c_options, nullptr, blocks.data(),
                      blocks.size(), entities.data(), entities.size(), &result),
        FR_OK)
        << frGetLastError();
    ASSERT_EQ(result.block_count, blocks.size());
    ASSERT_EQ(result.entity_count, entities.size());
    EXPECT_EQ(result.samples, blast->samples);
    EXPECT_EQ(result.reaches_unknown != 0, blast->reaches_unknown);
    compareBlocks(blast->blocks, blocks);
    compareEntities(blast->entities, entities);
    broken += blocks.size();
    exposed += entities.size();
  }
  EXPECT_GT(broken, 400U);
  EXPECT_GT(exposed, 40U);
}

TEST(CapiBlastTest, AFanIsThatOfTheLibrary) {
  for (const int n : {2, 3, 16, 31}) {
    const std::vector<BlastRay> expected = *cubeFan(n, 0.7, 12);
    std::vector<frBlastRay> rays(expected.size());
    std::size_t count = 0;
    ASSERT_EQ(frMakeCubeFan(n, 0.7, 12, rays.data(), rays.size(), &count), FR_OK);
    ASSERT_EQ(count, expected.size());
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ((Vec3i{rays[i].step[0], rays[i].step[1], rays[i].step[2]}), expected[i].step);
      EXPECT_EQ(rays[i].power, expected[i].power);
    }
  }
}

// Calls a function with its first allocation failing, then with its second and so on, until it
// succeeds; `before` makes each attempt a new one. Returns the number of failures.
template <class Before, class Call>
int failEach(const Before& before, const Call& call) {
  for (int n = 0;; ++n) {
    before();
    frResult result = FR_OK;
    {
      const oracle::AllocationFailure failure(static_cast<std::size_t>(n));
      result = call();
    }
    if (result == FR_OK) return n;
    EXPECT_EQ(result, FR_RESOURCE_EXHAUSTED) << n;
    EXPECT_NE(std::string_view(frGetLastError()).find("not enough memory"), std::string_view::npos);
    if (result != FR_RESOURCE_EXHAUSTED) return n;
  }
}

TEST(CapiBlastTest, WithoutMemoryNothingIsWritten) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  Rng rng("CapiBlastTest.WithoutMemoryNothingIsWritten");
  const BlastTwins twins(rng);
  std::vector<frBlastRay> rays(296);
  std::size_t count = 7;
  const int fan_failures =
      failEach([&] { EXPECT_EQ(count, 7U); },
               [&] { return frMakeCubeFan(8, 0.4, 90, rays.data(), rays.size(), &count); });
  EXPECT_GT(fan_failures, 0);
  ASSERT_EQ(count, rays.size());
  const std::array<std::int64_t, 3> resistances = {0, 10, 1};
  frBlastQuery query = sized<frBlastQuery>();
  query.center[0] = query.center[1] = query.center[2] = 8;
  query.radius = 9;
  query.rays = rays.data();
  query.ray_count = rays.size();
  query.resistances = resistances.data();
  query.resistance_count = resistances.size();
  const frFixedBox occluder{{0, 0, 0}, {65536, 65536, 65536}};
  frSightOptions sight = sized<frSightOptions>();
  sight.occluders = &occluder;
  sight.occluder_count = 1;
  std::vector<frBrokenBlock> blocks(4096);
  std::vector<frExposedEntity> entities(20);
  frBlastResult result = sized<frBlastResult>();
  // A snapshot has no working memory yet.
  frWorld* snapshot = nullptr;
  const auto renew = [&] {
    EXPECT_EQ(blocks[0].power, 0);
    EXPECT_EQ(entities[0].id, 0U);
    EXPECT_EQ(result.samples, 0U);
    ASSERT_EQ(frDestroyWorld(snapshot), FR_OK);
    ASSERT_EQ(frWorld_Snapshot(twins.cWorld(), &snapshot), FR_OK);
  };
  const int failures = failEach(renew, [&] {
    return frWorld_Blast(snapshot, &query, FR_ALL_LEVELS, nullptr, &sight, blocks.data(),
                         blocks.size(), entities.data(), entities.size(), &result);
  });
  EXPECT_GT(failures, 10);
  EXPECT_GT(result.block_count, 50U);
  EXPECT_GT(result.entity_count, 3U);
  EXPECT_GT(blocks[0].power, 0);
  ASSERT_EQ(frDestroyWorld(snapshot), FR_OK);
}

}  // namespace
}  // namespace fractalray::testing
