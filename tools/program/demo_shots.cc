// SPDX-License-Identifier: Apache-2.0
#include "demo_shots.h"

#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../core/check.h"
#include "../../core/printable.h"
#include "demo_entities.h"
#include "shot_text.h"
#include "text_table.h"

namespace fractalray {
namespace {

constexpr Rgb kBullet{255, 64, 48};
constexpr Rgb kEye{64, 232, 255};
constexpr Rgb kThroughBalloon{150, 255, 70};
constexpr Rgb kThroughGiant{255, 120, 255};
constexpr Rgb kAcross{255, 255, 255};
constexpr Rgb kHit{255, 255, 255};
constexpr Rgb kEnd{255, 32, 32};

// The middle of the example world's structures.
constexpr Vec3d kPlatform{-184, 78, -40};

// Returns a segment straight down through the entity of a class that is nearest to the platform,
// from above it into the ground.
Segment downThrough(const EntityIndex& entities, std::size_t entity_class) {
  Vec3d nearest{};
  double least = std::numeric_limits<double>::infinity();
  for (const EntityHandle handle : entities.all()) {
    const Entity& entity = *entities.find(handle);
    if (static_cast<std::size_t>(entity.entity_class) != entity_class) continue;
    const Vec3d center = toBlocks(entity.position);
    const double distance = length(center - kPlatform);
    if (distance >= least) continue;
    nearest = center;
    least = distance;
  }
  return {nearest + Vec3d{0.25, 25, 0.25}, nearest + Vec3d{0.25, -40, 0.25}};
}

std::vector<DemoShot> demoShots(const EntityIndex& entities) {
  const Segment pool{{-184.5, 82.5, -50.5}, {-183.5, 71.5, -19.5}};
  const Segment balloon = downThrough(entities, 1);
  const Segment giant = downThrough(entities, 3);
  const Segment across{{-271.5, 60.5, -111.5}, {-113.5, 40.5, 30.5}};
  return {
      {"A bullet at the glass wall, which is solid to it", pool, {3}, "physical", kBullet},
      {"The same line for the eye: through the glass and into the pool",
       pool,
       {3},
       "visible",
       kEye},
      {"Down through a balloon, on to what is below it", balloon, {3}, "default", kThroughBalloon},
      {"The same, but the first entity stops the shot",
       balloon,
       {3},
       "default",
       kThroughBalloon,
       true},
      {"Down through a giant, which is hit only on level 2",
       giant,
       {2, 3},
       "default",
       kThroughGiant},
      {"The same on level 3 alone: no giant there", giant, {3}, "default", kThroughGiant},
      {"Across the map on level 3", across, {3}, "default", kAcross},
      {"The same for something huge, which hits blocks of 16 nodes (level 2)",
       across,
       {2},
       "default",
       kAcross},
      {"And for something that only planets stop (levels 0 and 1)",
       across,
       {0, 1},
       "default",
       kAcross},
  };
}

// Registers a callback for every block type and entity class that notes each call, in the order of
// the calls.
class CallLog {
 public:
  CallLog(const World& world, RayQueryService& service) {
    for (std::size_t i = 0; i < world.blockTypes().size(); ++i) {
      const auto type = static_cast<BlockTypeId>(i);
      FRACTALRAY_CHECK_OK(service.onBlockHit(type, [this, &world, type](const BlockHit& hit) {
        add(printable(world.blockTypes().name(type)), hit.distance);
        return HitResponse::kContinue;
      }));
    }
    for (std::size_t i = 0; i < kDemoClasses.size(); ++i) {
      service.onEntityHit(static_cast<EntityClassId>(i), [this, i](const EntityHit& hit) {
        add(absl::StrCat(std::string(kDemoClasses[i]), " ", hit.id), hit.distance);
        return stops_at_entities_ ? HitResponse::kStop : HitResponse::kContinue;
      });
    }
  }

  void begin(bool stops_at_entities) {
    stops_at_entities_ = stops_at_entities;
    calls_.clear();
  }

  // Consecutive calls for the same type or entity become one: "default:water_source x 12, 22.44
  // to 31.32".
  std::string text() const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < calls_.size();) {
      std::size_t end = i + 1;
      while (end < calls_.size() && calls_[end].what == calls_[i].what)
        ++end;
      parts.push_back(
          end == i + 1 ? absl::StrCat(calls_[i].what, " at ", formatNumber(calls_[i].distance, 2))
                       : absl::StrCat(calls_[i].what, " x ", end - i, " from ",
                                      formatNumber(calls_[i].distance, 2), " to ",
                                      formatNumber(calls_[end - 1].distance, 2)));
      i = end;
    }
    return parts.empty() ? "none" : absl::StrJoin(parts, ", ");
  }

 private:
  struct Call {
    std::string what;
    double distance = 0;
  };

  void add(std::string what, double distance) { calls_.push_back({std::move(what), distance}); }

  bool stops_at_entities_ = false;
  std::vector<Call> calls_;
};

}  // namespace

absl::StatusOr<std::vector<DemoAnswer>> shootDemoShots(const World& world,
                                                       const EntityIndex& entities) {
  RayQueryService service(world, entities);
  CallLog log(world, service);
  std::vector<DemoAnswer> answers;
  for (const DemoShot& shot : demoShots(entities)) {
    log.begin(shot.stops_at_entities);
    QueryOptions options;
    options.filter.channel = world.blockTypes().findChannel(shot.channel).value_or(kDefaultChannel);
    options.report_unknown = true;
    absl::StatusOr<ShotResult> result = service.shootSegment(shot.segment, shot.levels, options);
    if (!result.ok()) return result.status();
    answers.push_back({shot, *std::move(result), log.text()});
  }
  return answers;
}

std::string formatDemoAnswer(const World& world, const DemoAnswer& answer, Colors colors) {
  const std::string calls = absl::StrCat("  callbacks, in their order: ", answer.calls);
  return absl::StrCat(colors(Ink::kTitle, answer.shot.title), "\n  levels ",
                      formatLevelMask(answer.shot.levels), ", channel ",
                      std::string(answer.shot.channel), ", ",
                      formatShot(world, answer.result, {.colors = colors}),
                      absl::StrJoin(wrapText(calls, kTextWidth, 4), "\n"), "\n");
}

PictureOverlay overlayOf(const std::vector<DemoAnswer>& answers, LevelMask levels) {
  PictureOverlay overlay;
  // The first shots are drawn last, on top of those along the same line.
  for (std::size_t number = answers.size(); number-- > 0;) {
    const DemoAnswer& answer = answers[number];
    if ((answer.shot.levels & levels).empty()) continue;
    const ShotResult& result = answer.result;
    const double end = result.terminated ? result.hits.back().t : 1;
    overlay.lines.push_back({.from = result.segment.pointAt(0),
                             .to = result.segment.pointAt(end),
                             .color = answer.shot.color});
    for (std::size_t i = 0; i < result.hits.size(); ++i) {
      const Hit& hit = result.hits[i];
      if (!levels.contains(hit.level)) continue;
      // The first hit of a run of one type, such as the blocks of a pool, is enough.
      const bool continues_run = i > 0 && hit.isBlock() && result.hits[i - 1].isBlock() &&
                                 hit.type == result.hits[i - 1].type;
      if (continues_run) continue;
      overlay.dots.push_back(
          {.at = hit.point, .color = hit.terminal ? kEnd : kHit, .is_large = hit.terminal});
    }
  }
  return overlay;
}

}  // namespace fractalray
