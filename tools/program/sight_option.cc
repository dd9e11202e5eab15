// SPDX-License-Identifier: Apache-2.0
#include "sight_option.h"

#include <string_view>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "arguments.h"
#include "option_adder.h"

namespace fractalray {
namespace {

// Calls visit(field, member ...) for the options without which a world of blocks is not described:
// it has no entities, and the certificate is always requested.
template <class Visit>
void forEachSightOption(const Visit& visit, SightOptions& options) {
  forEachViewOption(
      [&](const FieldName& field, auto& member) {
        const bool is_of_others =
            isOfEntities(field.name) || field.name == "boxes_block" || field.name == "certificate";
        if (!is_of_others) visit(field, member);
      },
      options);
}

// Returns why no solid angle belongs to the box, or "".
std::string problemOf(const Bounds& box) {
  std::string flat;
  for (int axis = 0; axis < 3; ++axis) {
    const char name = "xyz"[axis];
    if (box.min[axis] > box.max[axis]) {
      return absl::StrCat("its lower ", std::string(1, name), " is ", box.min[axis],
                          ", above its upper ", std::string(1, name), ", ", box.max[axis],
                          "; exchange them");
    }
    if (box.min[axis] == box.max[axis]) flat += name;
  }
  if (flat.size() < 2) return "";
  return absl::StrCat("it has no width along ", flat,
                      "; a box may be flat on one axis, and `fractalray shoot --occluded` says "
                      "whether a point is in sight");
}

absl::StatusOr<Bounds> readBox(const std::string& text) {
  constexpr std::string_view kOption = "--box";
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat(
        std::string(kOption), ": ", quotedText(text),
        " has no \"..\"; write the lowest and the highest corner like 1,2,3..2,4,3.5"));
  }
  const std::string_view both = text;
  const absl::StatusOr<Vec3d> min = parsePoint(both.substr(0, dots), kOption);
  if (!min.ok()) return min.status();
  const absl::StatusOr<Vec3d> max = parsePoint(both.substr(dots + 2), kOption);
  if (!max.ok()) return max.status();
  const Bounds box{.min = *min, .max = *max};
  if (const std::string problem = problemOf(box); !problem.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(std::string(kOption), ": ", quotedText(text), ": ", problem));
  }
  return box;
}

}  // namespace

void addSightOptions(CommandOptions& options, SightArguments& arguments) {
  options.add("--eye X,Y,Z", arguments.eye, "The eye, in blocks of the finest level");
  options.add("--box X,Y,Z..X,Y,Z", arguments.box,
              "The lowest and the highest corner of the box; it may be flat on one axis");
  options.add("--levels LEVELS", arguments.levels, "The levels that occlude, like 2-3,0");
  forEachSightOption(OptionAdder{options, arguments.query.channel}, arguments.query.options);
}

void excludeSightOptions(CommandOptions& options, const std::string& other) {
  for (const char* const option : {"--eye", "--box", "--levels"})
    options.excludes(option, other);
  SightOptions usual;
  forEachSightOption(
      [&]<class Member>(const FieldName& field, const Member& member) {
        if constexpr (isPlain<Member>() || std::is_same_v<Member, ChannelId>) {
          bool is_on = false;
          if constexpr (std::is_same_v<Member, bool>) is_on = member;
          options.excludes(absl::StrCat("--", is_on ? "no-" : "", optionWords(field.name, '-')),
                           other);
        }
      },
      usual);
}

absl::StatusOr<ViewQuery> readSightQuery(const SightArguments& arguments) {
  for (const auto& [option, value] :
       {std::pair{"--eye", &arguments.eye}, std::pair{"--box", &arguments.box}}) {
    if (!value->empty()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        option, " is missing; give --eye x,y,z and --box x,y,z..x,y,z, or a --scenario"));
  }
  const absl::StatusOr<Vec3d> eye = parsePoint(arguments.eye, "--eye");
  if (!eye.ok()) return eye.status();
  const absl::StatusOr<Bounds> box = readBox(arguments.box);
  if (!box.ok()) return box.status();
  const absl::StatusOr<LevelMask> levels = parseLevelMask(arguments.levels);
  if (!levels.ok()) return levels.status();
  ViewQuery query = arguments.query;
  query.eye = *eye;
  query.box = *box;
  query.levels = *levels;
  query.unloaded = std::string(wordOf(query.options.unloaded));
  return query;
}

}  // namespace fractalray
