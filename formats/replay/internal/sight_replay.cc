// SPDX-License-Identifier: Apache-2.0
#include "sight_replay.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace fractalray::internal {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// Asks the question of each verb.
class SightAsker {
 public:
  SightAsker(const RayQueryService& service, const LoggedQuery& query, const LoggedAnswer& recorded)
      : service_(service),
        types_(service.world().blockTypes()),
        levels_(query.levels),
        sight_(sightOptionsOf(query, types_)),
        recorded_(recorded) {}

  std::string operator()(const LoggedVisible& asked) const {
    SightAnswer answer;
    return bytesOf(service_.visible(asked.query, levels_, sight_, answer), answer);
  }
  std::string operator()(const LoggedExposure& asked) const {
    ExposureAnswer answer;
    return bytesOf(service_.exposure(asked.query, levels_, sight_, answer), answer);
  }
  std::string operator()(const LoggedVisibleBoxes& asked) const {
    std::vector<SightViewer> viewers;
    for (const LoggedVisibleBoxes::Viewer& viewer : asked.viewers)
      viewers.push_back({viewer.eyes});
    SightTableOptions options{
        .each = sight_, .max_distance = asked.max_distance, .if_undecided = asked.if_undecided};
    if (asked.leaves_out && recorded_.sights.has_value()) {
      options.leaves_out = [&sights = *recorded_.sights, boxes = asked.boxes.size()](
                               std::size_t viewer, std::size_t box) {
        const std::size_t pair = viewer * boxes + box;
        return pair < sights.size() && sights[pair] == Sight::kSkipped;
      };
    }
    SightTable table;
    return bytesOf(service_.visibleBoxes(viewers, asked.boxes, levels_, options, table), table);
  }
  std::string operator()(const LoggedVisibleBlocks& asked) const {
    std::vector<BlockTypeId> types;
    for (const std::string& name : asked.types)
      types.push_back(types_.find(name).value_or(kNoBlockType));
    const VisibleBlocksOptions options{
        .types = types, .targets = filterOf(asked.targets, types_), .sight = sight_};
    VisibleBlocks found;
    return bytesOf(service_.visibleBlocks(asked.eye, asked.radius, levels_, options, found), found);
  }
  std::string operator()(const LoggedBlast& asked) const {
    std::vector<std::int64_t> resistances(types_.size(), kUnbreakable);
    for (const auto& [name, resistance] : asked.resistances) {
      const std::optional<BlockTypeId> type = types_.find(name);
      if (type.has_value()) {
        resistances[BlockTypeTable::index(*type)] = resistance;
      } else {
        resistances.push_back(resistance);  // of no block, but it may be refused
      }
    }
    const BlastQuery query{.center = asked.center,
                           .radius = asked.radius,
                           .rays = asked.rays,
                           .resistances = resistances,
                           .falloff = asked.falloff};
    const BlastOptions options{.filter = filterOf(asked.filter, types_),
                               .sight = sight_,
                               .max_samples = asked.max_samples};
    Blast blast;
    return bytesOf(service_.blast(query, levels_, options, blast), blast);
  }

 private:
  template <class Answer>
  std::string bytesOf(const absl::Status& status, const Answer& answer) const {
    std::string bytes;
    appendAnswer(bytes, observed(status, answer), types_, sight_.filter.channel);
    return bytes;
  }

  const RayQueryService& service_;
  const BlockTypeTable& types_;
  LevelMask levels_;
  SightOptions sight_;
  const LoggedAnswer& recorded_;
};

}  // namespace

std::string askSight(const RayQueryService& service, const LoggedQuery& query,
                     const LoggedAnswer& recorded) {
  return std::visit(SightAsker(service, query, recorded), query.sight->question);
}

std::uint64_t limitOf(const LoggedSight& sight) {
  switch (sight.verb()) {
    case SightVerb::kVisible:
    case SightVerb::kExposure:
      return sight.options.max_steps;
    case SightVerb::kVisibleBoxes:
    case SightVerb::kVisibleBlocks:
      return kUnlimited;
    case SightVerb::kBlast:
      return std::get<LoggedBlast>(sight.question).max_samples;
  }
  return kUnlimited;
}

bool differByHistory(const LoggedSight& sight, const LoggedAnswer& recorded,
                     std::string_view replayed) {
  const auto* const asked = std::get_if<LoggedVisibleBoxes>(&sight.question);
  if (asked == nullptr || !asked->has_history || sight.options.max_steps == kUnlimited)
    return false;
  const absl::StatusOr<LoggedAnswer> now = parseAnswer(replayed);
  if (!now.ok() || !now->sights.has_value() || !recorded.sights.has_value()) return false;
  const std::vector<Sight>& before = *recorded.sights;
  if (now->sights->size() != before.size()) return false;
  bool differ = false;
  for (std::size_t pair = 0; pair < before.size(); ++pair) {
    const Sight sight_now = (*now->sights)[pair];
    if (sight_now == before[pair]) continue;
    if (sight_now != asked->if_undecided) return false;
    differ = true;
  }
  return differ;
}

}  // namespace fractalray::internal
