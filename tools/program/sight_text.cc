// SPDX-License-Identifier: Apache-2.0
#include "sight_text.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../core/printable.h"
#include "explanation_text.h"
#include "option_text.h"
#include "text_table.h"

namespace fractalray {
namespace {

// The most boxes of a certificate, and the most types of one of them, that the text lists.
constexpr std::size_t kMaxListedBoxes = 20;
constexpr std::size_t kMaxListedTypes = 6;

// Returns a point, to the unit.
std::string cornerText(const Vec3i& corner) {
  return formatPoint(toBlocks(corner), 5);
}

std::string shareText(const std::optional<double>& from, const std::optional<double>& to) {
  return from.has_value() && to.has_value() ? formatShare(*from, *to) : "not known";
}

class SightText {
 public:
  SightText(const SightReport& report, std::string_view channel, TypeNamer name, Colors colors)
      : report_(report), channel_(channel), name_(name), colors_(colors) {}

  std::string format() {
    addBeginning();
    switch (report_.answer.sight) {
      case Sight::kVisible:
        addVisible();
        break;
      case Sight::kHidden:
        addHidden();
        break;
      case Sight::kUnknown:
        addUnknown();
        break;
      case Sight::kUndecided:
      case Sight::kSkipped:  // of many boxes alone
        break;
    }
    return text_;
  }

 private:
  // Appends a paragraph, wrapped.
  template <class... Parts>
  void add(const Parts&... parts) {
    absl::StrAppend(&text_, absl::StrJoin(wrapText(absl::StrCat(parts...), kTextWidth, 2), "\n"),
                    "\n");
  }

  // Appends the same after a word in colour, which does not count for the width.
  template <class... Parts>
  void addTitled(std::string_view title, const Parts&... parts) {
    const std::string plain =
        absl::StrJoin(wrapText(absl::StrCat(std::string(title), parts...), kTextWidth, 2), "\n");
    absl::StrAppend(&text_, "\n", colors_(Ink::kTitle, title), plain.substr(title.size()), "\n");
  }

  void addBeginning() {
    add("The eye at ", cornerText(report_.query.eye), " looks at the box from ",
        cornerText(report_.query.box.min), " to ", cornerText(report_.query.box.max), ", through ",
        report_.levels.count() == 1 ? "level " : "levels ", formatLevelMask(report_.levels),
        ", in channel ", printable(channel_), ".");
    const std::string options = optionsText(report_.options);
    if (!options.empty()) add("Its options: ", options.substr(2), ".");
  }

  // Returns the share of the box that is seen, as a sentence.
  std::string exposureText() const {
    if (!report_.exposure.has_value()) {
      return "The steps of --max-steps did not suffice to say how much of it is seen.";
    }
    return absl::StrCat("The eye sees ", formatShare(report_.exposure->from, report_.exposure->to),
                        " of the points of the box.");
  }

  void addVisible() {
    if (!report_.line->face.exists()) {
      addTitled("Visible", ": the eye is in the box.");
      return;
    }
    const SightLine& line = *report_.line;
    addTitled("Visible", ": the line in direction ", formatPoint(line.direction, 5), passedText(),
              ". It enters the box at ", formatPoint(line.entry, 5), ", through ",
              std::string(faceName(line.face)), ", ", formatNumber(line.distance),
              " finest blocks from the eye.");
    if (!report_.answer.witness->unit) {
      add("The crack is so narrow that no point in units lies in it: only the direction, in --json "
          "exact, sees the box.");
    }
    add(exposureText());
  }

  // Says what the line of the witness passes.
  std::string passedText() const {
    if (report_.options.through == 0) return " sees it, and touches nothing solid before";
    return absl::StrCat(" sees it, and crosses at most ", report_.options.through,
                        report_.options.through == 1 ? " occluder" : " occluders", " before");
  }

  void addHidden() {
    if (report_.hiding.empty()) {
      addTitled("Hidden", ": the box is flat, and the eye is in its plane.");
      return;
    }
    const bool is_one = report_.hiding.size() == 1;
    if (report_.options.through == 0) {
      addTitled("Hidden",
                is_one ? ": this solid box is enough to hide it"
                       : ": these solid boxes are enough to hide it",
                ", whatever else changes:");
    } else {
      addTitled("Hidden", ": each direction to the box crosses more than ", report_.options.through,
                " of these occluders:");
    }
    addBoxes();
    if (!is_one) {
      add("\"Covers\" is the share of the box's points that one of them hides alone; shares may "
          "overlap.");
    }
  }

  void addBoxes() {
    std::vector<TableRow> rows = {{"box", "from", "to", "consists of", "covers"}};
    for (const HidingBox& hiding : report_.hiding) {
      if (rows.size() > kMaxListedBoxes) break;
      rows.push_back({absl::StrCat(rows.size()), cornerText(hiding.box.min),
                      cornerText(hiding.box.max), formatContent(hiding, name_),
                      shareText(hiding.covers_from, hiding.covers_to)});
    }
    absl::StrAppend(&text_, formatTable(std::move(rows), colors_));
    if (report_.hiding.size() > kMaxListedBoxes) {
      add("  and ", report_.hiding.size() - kMaxListedBoxes, " more");
    }
  }

  void addUnknown() {
    addTitled("Unknown",
              ": no line sees the box through what is loaded, but if unloaded space were air, that "
              "in direction ",
              formatPoint(report_.line->direction, 5), " would.");
    if (report_.unloaded.has_value()) {
      const UnloadedStart& start = *report_.unloaded;
      std::string chunks;
      for (const UnloadedStart::ChunkThere& there : start.chunks) {
        absl::StrAppend(&chunks, chunks.empty() ? "" : ", ", "chunk ",
                        formatCell({there.chunk[0], there.chunk[1], there.chunk[2]}), " of level ",
                        there.level, there.is_placeholder ? " is a placeholder" : " is not loaded");
      }
      add("On it unloaded space begins at ", formatPoint(start.at, 5), ", ",
          formatNumber(start.distance), " finest blocks from the eye: ", chunks, ".");
    }
    if (report_.exposure.has_value()) {
      const double most = report_.exposure->to;
      add(most == 1 ? "All" : absl::StrCat("At most ", formatShare(most, most)),
          " of the points of the box could be seen.");
    }
  }

  const SightReport& report_;
  std::string_view channel_;
  TypeNamer name_;
  Colors colors_;
  std::string text_;
};

}  // namespace

std::string formatShare(double from, double to) {
  const std::string low = formatNumber(100 * from, 3);
  const std::string high = formatNumber(100 * to, 3);
  // Not to say that nothing, or all, is seen of a box of which a little is, or is not.
  if (low == high && low == "0" && to > 0) return "less than 0.001 %";
  if (low == high && low == "100" && from < 1) return "more than 99.999 %";
  return low == high ? low + " %" : absl::StrCat(low, " to ", high, " %");
}

std::string formatContent(const HidingBox& hiding, TypeNamer name) {
  std::vector<std::string> parts;
  for (const TypeCount& count : hiding.types) {
    if (parts.size() == kMaxListedTypes) {
      parts.push_back(absl::StrCat(hiding.types.size() - kMaxListedTypes, " more types"));
      break;
    }
    parts.push_back(absl::StrCat(count.blocks, " ", printable(name(count.type))));
  }
  for (const EntityId entity : hiding.entities)
    parts.push_back(absl::StrCat("entity ", entity));
  if (hiding.is_given) parts.emplace_back("occluders of the query");
  return parts.empty() ? "space that is not loaded" : absl::StrJoin(parts, ", ");
}

std::string formatSight(const SightReport& report, std::string_view channel, TypeNamer name,
                        Colors colors) {
  return SightText(report, channel, name, colors).format();
}

std::string titleOfSight(const SightReport& report) {
  return absl::StrCat("The eye at ", cornerText(report.query.eye), " and the box from ",
                      cornerText(report.query.box.min), " to ", cornerText(report.query.box.max));
}

}  // namespace fractalray
