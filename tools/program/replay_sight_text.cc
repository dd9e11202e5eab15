// SPDX-License-Identifier: Apache-2.0
#include "replay_sight_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../core/units.h"
#include "../../formats/answer_json.h"
#include "../../formats/json_document.h"
#include "../../query/fields.h"

namespace fractalray {
namespace {

std::string pointText(const Vec3d& point) {
  return absl::StrCat(exactNumber(point[0]), ", ", exactNumber(point[1]), ", ",
                      exactNumber(point[2]));
}
std::string shareRange(double from, double to) {
  return absl::StrCat(exactNumber(from), " to ", exactNumber(to));
}

// The question of each verb in words.
struct QuestionWords {
  static std::string ofBox(const SightQuery& query) {
    return absl::StrCat(" from ", exactPoint(query.eye), " of the box ", exactPoint(query.box.min),
                        " to ", exactPoint(query.box.max));
  }
  std::string operator()(const LoggedVisible& asked) const { return ofBox(asked.query); }
  std::string operator()(const LoggedExposure& asked) const { return ofBox(asked.query); }
  std::string operator()(const LoggedVisibleBoxes& asked) const {
    std::string text =
        absl::StrCat(" of ", asked.viewers.size(), " viewers and ", asked.boxes.size(), " boxes");
    if (asked.max_distance != LoggedVisibleBoxes().max_distance)
      absl::StrAppend(&text, " up to ", exactNumber(toBlocks(asked.max_distance)), " away");
    if (asked.if_undecided != Sight::kUndecided)
      absl::StrAppend(&text, ", ", std::string(wordOf(asked.if_undecided)), " if undecided");
    return text;
  }
  std::string operator()(const LoggedVisibleBlocks& asked) const {
    std::string text =
        absl::StrCat(" from ", pointText(asked.eye), " up to ", exactNumber(asked.radius), " away");
    for (std::size_t i = 0; i < asked.types.size(); ++i)
      absl::StrAppend(&text, i == 0 ? " of " : ", ", typeText(asked.types[i]));
    return text;
  }
  std::string operator()(const LoggedBlast& asked) const {
    return absl::StrCat(" at ", pointText(asked.center), " of ", asked.rays.size(), " rays up to ",
                        exactNumber(asked.radius), " away");
  }
};

// The same as members of JSON.
struct QuestionMembers {
  static Json ofBox(const SightQuery& query) {
    return {{"eye_units", query.eye.values},
            {"box_units", {query.box.min.values, query.box.max.values}}};
  }
  Json operator()(const LoggedVisible& asked) const { return ofBox(asked.query); }
  Json operator()(const LoggedExposure& asked) const { return ofBox(asked.query); }
  Json operator()(const LoggedVisibleBoxes& asked) const {
    Json json = {{"viewers", Json::array()},
                 {"boxes_units", Json::array()},
                 {"max_distance_units", asked.max_distance},
                 {"if_undecided", wordOf(asked.if_undecided)}};
    for (const LoggedVisibleBoxes::Viewer& viewer : asked.viewers) {
      Json eyes = Json::array();
      for (const Vec3i& eye : viewer.eyes)
        eyes.push_back(eye.values);
      json["viewers"].push_back({{"eyes_units", std::move(eyes)}});
    }
    for (const FixedBox& box : asked.boxes)
      json["boxes_units"].push_back({box.min.values, box.max.values});
    return json;
  }
  Json operator()(const LoggedVisibleBlocks& asked) const {
    return {{"eye", asked.eye.values}, {"radius", asked.radius}, {"types", asked.types}};
  }
  Json operator()(const LoggedBlast& asked) const {
    return {{"center", asked.center.values},
            {"radius", asked.radius},
            {"rays", asked.rays.size()},
            {"falloff", asked.falloff}};
  }
};

std::size_t boxesAsked(const LoggedSight* sight) {
  const auto* const asked =
      sight == nullptr ? nullptr : std::get_if<LoggedVisibleBoxes>(&sight->question);
  return asked == nullptr ? 0 : asked->boxes.size();
}

std::vector<AnswerLine> pairLines(const std::vector<Sight>& sights, std::size_t boxes) {
  std::vector<AnswerLine> lines;
  const std::size_t in_row = std::max<std::size_t>(boxes, 1);
  for (std::size_t pair = 0; pair < sights.size(); ++pair) {
    lines.push_back({absl::StrCat("viewer ", pair / in_row, ", box ", pair % in_row),
                     std::string(wordOf(sights[pair]))});
  }
  return lines;
}

template <class Block>
std::string loggedBlockText(const Block& block) {
  return absl::StrCat(typeText(block.type_name), " [", block.block[0], ", ", block.block[1], ", ",
                      block.block[2], "], level ", block.level);
}
void addFoundLines(std::string_view list, const std::vector<LoggedFoundBlock>& blocks,
                   std::vector<AnswerLine>& lines) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LoggedFoundBlock& block = blocks[i];
    lines.push_back(
        {absl::StrCat(std::string(list), " ", i + 1),
         absl::StrCat(loggedBlockText(block), ", ", std::string(blockKindName(block.kind)),
                      ", distance ", exactNumber(block.distance))});
  }
}
std::vector<AnswerLine> blockLines(const LoggedBlocks& found) {
  std::vector<AnswerLine> lines;
  addFoundLines("visible", found.visible, lines);
  addFoundLines("unknown", found.unknown, lines);
  addFoundLines("undecided", found.undecided, lines);
  lines.push_back({"then", "nothing more"});
  return lines;
}

std::vector<AnswerLine> blastLines(const LoggedBlastAnswer& blast) {
  std::vector<AnswerLine> lines;
  for (std::size_t i = 0; i < blast.blocks.size(); ++i) {
    const LoggedBrokenBlock& block = blast.blocks[i];
    lines.push_back({absl::StrCat("block ", i + 1),
                     absl::StrCat(loggedBlockText(block), ", ray ", block.ray, ", step ",
                                  block.steps, ", power ", block.power)});
  }
  for (const ExposedEntity& entity : blast.entities) {
    lines.push_back({absl::StrCat("entity ", entity.id),
                     absl::StrCat("distance ", exactNumber(entity.distance), ", exposure ",
                                  shareRange(entity.from, entity.to))});
  }
  lines.push_back({"unloaded space", blast.reaches_unknown ? "is reached" : "is not reached"});
  return lines;
}

Json pairsJson(const std::vector<Sight>& sights, std::size_t boxes) {
  Json rows = Json::array();
  const std::size_t in_row = std::max<std::size_t>(boxes, 1);
  for (std::size_t pair = 0; pair < sights.size(); ++pair) {
    if (pair % in_row == 0) rows.push_back(Json::array());
    rows.back().push_back(std::string(wordOf(sights[pair])));
  }
  return rows;
}
Json foundJson(const std::vector<LoggedFoundBlock>& blocks) {
  Json list = Json::array();
  for (const LoggedFoundBlock& block : blocks) {
    list.push_back({{"level", block.level},
                    {"block", block.block.values},
                    {"type", block.type_name},
                    {"kind", blockKindName(block.kind)},
                    {"distance", block.distance}});
  }
  return list;
}
Json blastAnswerJson(const LoggedBlastAnswer& blast) {
  Json json = {{"blocks", Json::array()},
               {"entities", Json::array()},
               {"reaches_unknown", blast.reaches_unknown}};
  for (const LoggedBrokenBlock& block : blast.blocks) {
    json["blocks"].push_back({{"level", block.level},
                              {"block", block.block.values},
                              {"type", block.type_name},
                              {"ray", block.ray},
                              {"steps", block.steps},
                              {"power", block.power}});
  }
  for (const ExposedEntity& entity : blast.entities) {
    json["entities"].push_back({{"entity", entity.id},
                                {"distance", entity.distance},
                                {"from", entity.from},
                                {"to", entity.to}});
  }
  return json;
}

}  // namespace

std::string exactNumber(double value) {
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

std::string exactPoint(const Vec3i& units) {
  return pointText(toBlocks(units));
}

std::string typeText(const std::string& type) {
  std::string text = printable(type);
  if (type.size() > kMaxQuotedBytes) absl::StrAppend(&text, " (hash ", answerHash(type), ")");
  return text;
}

std::string sightQuestionText(const LoggedSight& sight) {
  return absl::StrCat(std::string(sightVerbName(sight.verb())),
                      std::visit(QuestionWords(), sight.question));
}

Json sightQuestionJson(const LoggedSight& sight) {
  Json json = {{"verb", sightVerbName(sight.verb())}};
  json.update(std::visit(QuestionMembers(), sight.question));
  return json;
}

std::vector<AnswerLine> sightLines(const LoggedSight* sight, const LoggedAnswer& answer) {
  if (answer.occlusion.has_value())
    return {{"the way is", std::string(occlusionName(*answer.occlusion))}};
  if (answer.sight.has_value()) return {{"the box is", std::string(wordOf(*answer.sight))}};
  if (answer.exposure.has_value()) {
    const auto& [from, to] = *answer.exposure;
    return {{"the exposure is", shareRange(from, to)}};
  }
  if (answer.sights.has_value()) return pairLines(*answer.sights, boxesAsked(sight));
  if (answer.seen_blocks.has_value()) return blockLines(*answer.seen_blocks);
  if (answer.blast.has_value()) return blastLines(*answer.blast);
  return {};
}

Json sightAnswerJson(const LoggedSight* sight, const LoggedAnswer& answer) {
  if (answer.occlusion.has_value()) return {{"occlusion", occlusionName(*answer.occlusion)}};
  if (answer.sight.has_value()) return {{"sight", wordOf(*answer.sight)}};
  if (answer.exposure.has_value()) return {{"exposure", *answer.exposure}};
  if (answer.sights.has_value()) return {{"sights", pairsJson(*answer.sights, boxesAsked(sight))}};
  if (answer.seen_blocks.has_value()) {
    return {{"visible", foundJson(answer.seen_blocks->visible)},
            {"unknown", foundJson(answer.seen_blocks->unknown)},
            {"undecided", foundJson(answer.seen_blocks->undecided)}};
  }
  if (answer.blast.has_value()) return blastAnswerJson(*answer.blast);
  return {};
}

}  // namespace fractalray
