// SPDX-License-Identifier: Apache-2.0
#include "stream_runner.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../query/ray_query_service.h"
#include "cost.h"
#include "instruction_count.h"
#include "suite.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::size_t kHits = 4096;
// Minimum for the clock's resolution.
constexpr double kMeasuredMillis = 20;
constexpr double kQuickMillis = 4;

enum class Content { kWater, kBorrowedWater, kEntities };

// A row of 4,096 blocks of water and a wall, or as many entities in the middle of blocks of air.
class Row {
 public:
  explicit Row(Content content) : world_({.levels = 1}), entities_(world_.frame()) {
    BlockTypeTable& types = world_.blockTypes();
    water_ = unwrap(types.add({.name = "water", .kind = BlockKind::kPermeable}));
    foam_ = unwrap(types.add({.name = "foam", .kind = BlockKind::kPermeable}));
    const BlockTypeId stone = unwrap(types.add({.name = "stone", .kind = BlockKind::kSolid}));
    engine_ids_.assign(kChunkSize * kChunkSize * kChunkSize, water_);
    constexpr std::int64_t kChunks = kHits / kChunkSize;
    for (std::int64_t x = 0; x <= kChunks; ++x) {
      const BlockTypeId filling = x == kChunks                    ? stone
                                  : content == Content::kEntities ? kAir
                                                                  : water_;
      const bool borrows = content == Content::kBorrowedWater && filling == water_;
      checkOk(world_.loadChunk(0, {x, 0, 0},
                               borrows ? unwrap(Chunk::borrowed(Chunk::Ids(engine_ids_), types))
                                       : Chunk::uniform(filling, types)));
    }
    if (content != Content::kEntities) return;
    std::vector<EntitySpec> specs;
    for (std::size_t i = 0; i < kHits; ++i) {
      specs.push_back({.id = i + 1,
                       .shape = Box{{0.25, 0.25, 0.25}},
                       .position = {static_cast<double>(i) + 0.5, 0.5, 0.5}});
    }
    unwrap(entities_.addAll(specs));
  }

  const World& world() const { return world_; }
  const EntityIndex& entities() const { return entities_; }
  // Turns a block of water into foam, or back.
  void stir(const BlockCoord& block) {
    const BlockTypeId type = unwrap(world_.block(0, block));
    checkOk(world_.setBlock(0, block, type == water_ ? foam_ : water_));
  }
  // Charges one for each hit but those of stone.
  TerminalRules rules(double amount) const {
    TerminalRules rules;
    const TerminalRule rule = TerminalRule::costPerHit(unwrap(rules.addBudget(amount)), 1);
    checkOk(rules.setBlock(water_, rule));
    checkOk(rules.setEntities(~std::uint64_t{0}, rule));
    return rules;
  }

 private:
  World world_;
  EntityIndex entities_;
  BlockTypeId water_{};
  BlockTypeId foam_{};
  std::vector<BlockTypeId> engine_ids_;  // of all chunks that borrow
};

// Runs a line through a row to its `count`-th hit; the ways are described at ways().
class Shooter {
 public:
  explicit Shooter(Row& row) : row_(row), service_(row.world(), row.entities()) {}

  void closest(std::size_t) {
    checkOk(service_.closestHit(line(), LevelMask::all(), {}, closest_));
    used_ = closest_.hit.has_value() ? 1 : 0;
  }
  void stop(std::size_t count) {
    used_ = 0;
    QueryOptions options;
    options.on_hit = [this, count](const Hit&) {
      return ++used_ == count ? HitResponse::kStop : HitResponse::kContinue;
    };
    shoot(options);
  }
  void edit(std::size_t count) {
    used_ = 0;
    QueryOptions options;
    options.on_hit = [this, count](const Hit& hit) {
      if (++used_ < count) return HitResponse::kContinue;
      row_.stir(hit.block);
      return HitResponse::kStop;
    };
    shoot(options);
  }
  void maxHits(std::size_t count) {
    shoot({.max_hits = count});
    used_ = result_.hits.size();
  }
  void rule(std::size_t count) {
    if (count != rule_count_) {
      rules_ = row_.rules(static_cast<double>(count) - 0.5);
      rule_count_ = count;
    }
    shoot({.rules = &rules_});
    used_ = std::min(result_.hits.size(), count);
  }
  void pull(std::size_t count) {
    HitCursor cursor = unwrap(service_.hitsAlong(line()));
    for (used_ = 0; used_ < count && unwrap(cursor.next()) != nullptr; ++used_) {
    }
  }
  void resume(std::size_t count) {
    const QueryOptions one{.max_hits = 1};
    shoot(one);
    while (result_.hits.size() < count)
      checkOk(service_.resume(result_, LevelMask::all(), one));
    used_ = result_.hits.size();
  }

  // Returns the number of hits that the last line has used.
  std::size_t used() const { return used_; }

 private:
  static FixedSegment line() {
    constexpr std::int64_t kMiddle = kUnitsPerBlock / 2;
    constexpr auto kEnd = static_cast<std::int64_t>(kHits + kChunkSize) * kUnitsPerBlock;
    return {.from = {-kMiddle, kMiddle, kMiddle}, .to = {kEnd, kMiddle, kMiddle}};
  }
  void shoot(const QueryOptions& options) {
    checkOk(service_.shootSegment(line(), LevelMask::all(), options, result_));
  }

  Row& row_;
  RayQueryService service_;
  TerminalRules rules_;
  std::size_t rule_count_ = 0;
  ShotResult result_;
  ClosestHit closest_;
  std::size_t used_ = 0;
};

struct Way {
  std::string_view name;
  void (Shooter::*run)(std::size_t count);
};
constexpr auto kWays = std::to_array<Way>({
    {"closest", &Shooter::closest},   // closestHit(), for comparison
    {"stop", &Shooter::stop},         // a callback that stops
    {"edit", &Shooter::edit},         // a callback that sets the last block and stops
    {"max_hits", &Shooter::maxHits},  // no callback
    {"rule", &Shooter::rule},         // a budget, no callback
    {"pull", &Shooter::pull},         // a HitCursor
    {"resume", &Shooter::resume},     // a shot of one hit, resumed
});

struct Amount {
  Work work;
  std::size_t hits;
};
constexpr auto kAmounts = std::to_array<Amount>({{Work::kFirstOf4096, 1},
                                                 {Work::kTenthOf4096, 10},
                                                 {Work::kAllOf4096, kHits},
                                                 {Work::kPull4096, kHits}});

struct RowScene {
  std::string_view name;
  Content content;
};
constexpr auto kScenes = std::to_array<RowScene>({{"water-row", Content::kWater},
                                                  {"borrowed-row", Content::kBorrowedWater},
                                                  {"entity-row", Content::kEntities}});

bool isMeasured(const RowScene& scene, const Way& way, const Amount& amount) {
  if (way.name == "edit" && scene.content != Content::kWater) return false;
  if (way.name == "closest") return amount.work == Work::kFirstOf4096;
  // Those that pull all hits one by one have a work of their own.
  const bool is_one_by_one = way.name == "pull" || way.name == "resume";
  if (amount.work == Work::kPull4096) return is_one_by_one;
  return amount.work != Work::kAllOf4096 || !is_one_by_one;
}

// Returns the cost of a line, the median.
Cost costOf(Shooter& shooter, const Way& way, std::size_t count, const Options& options) {
  const auto measure = [&](std::size_t lines) {
    return costEach(lines, [&] {
      for (std::size_t i = 0; i < lines; ++i)
        (shooter.*way.run)(count);
    });
  };
  const double warm = std::max(measure(1).ns, measure(1).ns) / 1e6;
  const double millis = options.quick ? kQuickMillis : kMeasuredMillis;
  const auto lines = static_cast<std::size_t>(std::clamp(millis / std::max(warm, 1e-6), 1.0, 1e5));
  std::vector<Cost> costs;
  for (int repeat = 0; repeat < options.repeats; ++repeat)
    costs.push_back(measure(lines));
  return median(costs);
}

void countInstructions(Shooter& shooter, const Way& way, const Amount& amount,
                       std::string_view scene) {
  (shooter.*way.run)(amount.hits);  // warm
  startCounting();
  (shooter.*way.run)(amount.hits);
  stopCounting(absl::StrCat(std::string(scene), " ", std::string(way.name), " ",
                            std::string(workName(amount.work)), " fractalray 1"));
}

void runRow(const RowScene& scene, const Amount& amount, Shooter& shooter, const Options& options,
            Results& results) {
  SetFacts facts{.scene = std::string(scene.name),
                 .rays = "row",
                 .work = std::string(workName(amount.work)),
                 .segments = 1,
                 .checked = 1,
                 .hit_share = 1,
                 .hits = static_cast<double>(amount.hits)};
  bool is_reported = false;
  for (const Way& way : kWays) {
    if (!isMeasured(scene, way, amount) || !isChosen(options.rays, std::string(way.name))) continue;
    if (options.instructions) {
      countInstructions(shooter, way, amount, scene.name);
      continue;
    }
    if (!std::exchange(is_reported, true)) {
      results.sets.push_back(facts);
      printSet(facts);
    }
    const Cost cost = costOf(shooter, way, amount.hits, options);
    results.rows.push_back({.scene = facts.scene,
                            .rays = std::string(way.name),
                            .work = facts.work,
                            .system = "fractalray",
                            .ns = cost.ns,
                            .instructions = cost.instructions,
                            .wrong = shooter.used() == amount.hits ? 0U : 1U});
    std::printf("  %-10s", std::string(way.name).c_str());
    printRow(results.rows.back(), 0);
  }
}

}  // namespace

std::vector<std::string> streamScenes() {
  std::vector<std::string> names;
  for (const RowScene& scene : kScenes)
    names.emplace_back(scene.name);
  return names;
}

std::vector<std::string> streamWays() {
  std::vector<std::string> names;
  for (const Way& way : kWays)
    names.emplace_back(way.name);
  return names;
}

void runStreams(const Options& options, Results& results) {
  if (!isChosen(options.systems, "fractalray")) return;
  for (const RowScene& scene : kScenes) {
    if (!isChosen(options.scenes, std::string(scene.name))) continue;
    Row row(scene.content);
    Shooter shooter(row);
    for (const Amount& amount : kAmounts) {
      if (isChosen(options.works, std::string(workName(amount.work)))) {
        runRow(scene, amount, shooter, options, results);
      }
    }
  }
}

}  // namespace fractalray::bench
