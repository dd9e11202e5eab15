// SPDX-License-Identifier: Apache-2.0
#include "shot_answer.h"

#include <span>
#include <string_view>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/answer_json.h"
#include "color.h"
#include "shot_path.h"
#include "shot_text.h"

namespace fractalray {
namespace {

// Returns the beginning of an answer's text.
std::string titleOf(const NamedShot& shot, Colors colors) {
  return absl::StrCat(colors(Ink::kTitle, printable(shot.id.text)), " (levels ",
                      formatLevelMask(shot.query.levels), ", channel ",
                      printable(shot.query.channel), "): ");
}

absl::StatusOr<PrintedAnswer> answerOcclusion(const NamedShot& shot, const RayQueryService& service,
                                              const QueryOptions& options, const AnswerForm& form) {
  const absl::StatusOr<FixedSegment> line = lineOf(shot.query);
  if (!line.ok()) return line.status();
  const absl::StatusOr<Occlusion> occlusion = service.occluded(*line, shot.query.levels, options);
  if (!occlusion.ok()) return occlusion.status();
  PrintedAnswer answer{.text = "", .is_no = *occlusion != Occlusion::kClear};
  answer.text = form.json ? occlusionAnswer(shot.id, *occlusion)
                          : absl::StrCat(titleOf(shot, Colors::of(stdout)),
                                         std::string(occlusionName(*occlusion)), "\n");
  return answer;
}

}  // namespace

absl::StatusOr<PrintedAnswer> answerShot(const NamedShot& shot, const World& world,
                                         const RayQueryService& service, const AnswerForm& form) {
  const absl::StatusOr<FixedSegment> line = lineOf(shot.query);
  if (!line.ok()) return line.status();
  const LevelMask levels = shot.query.levels;
  QueryOptions options = toOptions(shot.query, world.blockTypes());
  const auto name = [&](BlockTypeId type) -> std::string_view {
    return world.blockTypes().name(type);
  };
  if (form.occluded) return answerOcclusion(shot, service, options, form);
  const auto* const rules = shot.query.rules.get();
  const ShotTextOptions text{.budgets = rules != nullptr
                                            ? std::span<const std::string>(rules->budgets)
                                            : std::span<const std::string>(),
                             .says_if_known = options.report_unknown,
                             .colors = Colors::of(stdout)};
  // Or the text would say that a line through nothing that is loaded hit nothing.
  options.report_unknown |= !form.json;
  const std::string title = titleOf(shot, text.colors);
  if (form.closest) {
    const absl::StatusOr<ClosestHit> closest = service.closestHit(*line, levels, options);
    if (!closest.ok()) return closest.status();
    if (form.json) return PrintedAnswer{closestAnswer(shot.id, shot.query, *closest, name)};
    return PrintedAnswer{title + formatClosest(world, *closest, text)};
  }
  PrintedAnswer answer;
  NamedShot part = shot;  // the part of the path between two bounces
  int number = 0;
  const absl::Status status =
      shootPath(service, *line, levels, options, form.bounces, [&](const ShotResult& result) {
        if (number > 0) part.id = {.text = absl::StrCat(shot.id.text, " bounce ", number)};
        ++number;
        answer.text += form.json ? shotAnswer(world, part.id, shot.query, result, name)
                                 : titleOf(part, text.colors) + formatShot(world, result, text);
      });
  if (!status.ok()) return status;
  return answer;
}

std::string formatError(const NamedShot& shot, const absl::Status& error, const AnswerForm& form) {
  if (form.json) return errorAnswer(shot.id, error);
  return absl::StrCat(titleOf(shot, Colors::of(stdout)), error.ToString(), "\n");
}

}  // namespace fractalray
