// SPDX-License-Identifier: Apache-2.0
#include "explanation_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

#include "../../core/printable.h"
#include "../../core/units.h"
#include "../../query/fields.h"
#include "option_text.h"
#include "step_text.h"
#include "text_table.h"

namespace fractalray {
namespace {

// The most corner crossings of a level, and the most entities, that the text lists.
constexpr std::size_t kMaxListedCorners = 12;
constexpr std::size_t kMaxListedEntities = 40;

// Formats a width in units as finest-block widths.
std::string widthText(std::int64_t units) {
  return formatNumber(toBlocks(units), 5);
}

class ExplanationText {
 public:
  ExplanationText(const Explanation& explanation, TypeNamer name, Colors colors)
      : explanation_(explanation), context_(explanation.context), name_(name), colors_(colors) {}

  std::string format() {
    appendBeginning();
    for (const LevelPass& pass : explanation_.passes)
      appendPass(pass);
    appendEntities();
    appendSteps();
    appendEnd();
    return wrapped();
  }

 private:
  template <class... Parts>
  void add(const Parts&... parts) {
    absl::StrAppend(&text_, parts...);
  }

  // Returns the text with long sentences wrapped. Lines of tables fit already, and only they have
  // colours in them.
  std::string wrapped() const {
    std::string text;
    const std::vector<std::string> all = absl::StrSplit(text_, '\n');
    for (const std::string& line : all) {
      const bool is_colored = line.find('\x1b') != std::string::npos;
      const std::vector<std::string> lines =
          is_colored ? std::vector<std::string>{line} : wrapText(line, kTextWidth, 2);
      absl::StrAppend(&text, absl::StrJoin(lines, "\n"), "\n");
    }
    text.pop_back();
    return text;
  }

  std::string typeName(BlockTypeId type) const { return printable(name_(type)); }

  void appendBeginning() {
    const Line& line = context_.line;
    const double end = line.end().toDouble();
    add("The shot runs from ", formatPoint(line.pointAt(0), 5), " to ",
        formatPoint(line.pointAt(end), 5), ", ", formatNumber(line.lengthBlocks() * end),
        " finest blocks long, through ", context_.levels.count() == 1 ? "level " : "levels ",
        formatLevelMask(context_.levels), ", in channel ",
        printable(context_.world.blockTypes().channelName(context_.options.filter.channel)),
        ", at corners ", std::string(wordOf(context_.options.corner)), ".\n");
    appendOptions();
    if (context_.line.isPoint()) add("It is a point: every t is 0.\n");
  }

  // Appends the options with which the shot differs from others, besides what it reports.
  void appendOptions() {
    QueryOptions options = context_.options;
    options.corner = QueryOptions().corner;
    options.report_unknown = false;
    options.report_level_spans = false;
    const std::string text = optionsText(options);
    if (!text.empty()) add("Its options: ", text.substr(2), ".\n");
  }

  // Appends the pass over a level.
  void appendPass(const LevelPass& pass) {
    add("\n", colors_(Ink::kTitle, absl::StrCat("Level ", pass.level)), ", blocks ",
        widthText(context_.world.frame().blockWidth(pass.level)), " wide");
    if (!pass.bounds.has_value()) {
      const bool is_empty = context_.world.loadedChunks(pass.level) == 0;
      add(is_empty ? ": no chunk of it is loaded.\n"
                   : ": the segment misses the box of its loaded chunks.\n");
    } else {
      add(": the segment is in the box of its loaded chunks from t = ",
          formatTime(pass.bounds->from), " to ", formatTime(pass.bounds->to), ".\n");
    }
    if (pass.is_clipped) {
      add("Searched only up to t = ", formatTime(pass.clip.toDouble()),
          ", where a hit on a finer level ends the shot.\n");
    }
    add(runTable(pass));
    appendCorners(pass);
    appendPassEnd(pass);
  }

  std::string runTable(const LevelPass& pass) const {
    std::vector<TableRow> rows = {{"cells", "from t", "first", "last", "block", "outcome"}};
    for (const CellRun& run : pass.runs) {
      rows.push_back({numbers(run), formatTime(run.first.t), formatCell(run.first.cell),
                      run.last.cell == run.first.cell ? "" : formatCell(run.last.cell),
                      whatOf(run.trace), consequence(pass, run)});
    }
    return formatTable(std::move(rows), colors_);
  }

  static std::string numbers(const CellRun& run) {
    if (run.number == 0) return "-";
    if (run.cells == 1) return absl::StrCat(run.number);
    return absl::StrCat(run.number, "-", run.number + run.cells - 1);
  }

  std::string whatOf(const CellTrace& trace) const {
    if (trace.outcome == CellOutcome::kNotLoaded) return "no chunk";
    if (trace.outcome == CellOutcome::kPlaceholder) return "a placeholder";
    return typeName(trace.type);
  }

  // Returns the outcome of a run, in words.
  static std::string consequence(const LevelPass& pass, const CellRun& run) {
    const bool one = run.last.cell == run.first.cell;
    const std::string entered =
        one && run.first.face.exists()
            ? absl::StrCat(", entered through ", std::string(faceName(run.first.face)))
            : "";
    switch (run.trace.outcome) {
      case CellOutcome::kNotLoaded:
      case CellOutcome::kPlaceholder:
        return "nothing to hit: not loaded on this level";
      case CellOutcome::kEmpty:
        return "skipped: empty in this channel";
      case CellOutcome::kDefers:
        return absl::StrCat(one ? "defers to its loaded chunk" : "defer to their loaded chunks",
                            " of level ", pass.level + 1);
      case CellOutcome::kLeftOut:
        return "skipped: permeable, and the shot is for solid blocks only";
      case CellOutcome::kStartInside:
        return "skipped: the start is inside";
      case CellOutcome::kRefused:
        return "skipped: refused by the filter";
      case CellOutcome::kMissed:
        return "passed: the line misses its shape";
      case CellOutcome::kHit:
        return absl::StrCat("hit: permeable", one ? "" : ", one by one", entered);
      case CellOutcome::kEnds:
        return absl::StrCat("hit: solid", entered, ", ends the pass");
      case CellOutcome::kStops:
        return absl::StrCat("hit: permeable", entered, ", its rule stops the shot: ends the pass");
    }
    return "";
  }

  void appendCorners(const LevelPass& pass) {
    if (pass.corner_count == 0) return;
    add("Exact corners, ", pass.corner_count, " in all:");
    const std::size_t listed = std::min(pass.corners.size(), kMaxListedCorners);
    for (std::size_t i = 0; i < listed; ++i) {
      add(i == 0 ? " " : "; ", "planes of ", formatAxes(pass.corners[i].axes),
          " at t = ", formatTime(pass.corners[i].t));
    }
    add(listed < pass.corner_count ? absl::StrCat("; and ", pass.corner_count - listed, " more.\n")
                                   : ".\n");
  }

  void appendPassEnd(const LevelPass& pass) {
    if (pass.runs.empty()) return;
    const CellRun& last = pass.runs.back();
    if (isEnd(last.trace.outcome)) {
      add(last.trace.outcome == CellOutcome::kEnds ? "The solid block" : "The rule",
          " clips the segment at t = ", formatTime(last.first.t), " for all that follows.\n");
    } else {
      add("Nothing on this level ends the shot.\n");
    }
  }

  std::string reasonOf(const EntityTrace& trace) const {
    const Entity& entity = *context_.entities.find(trace.entity);
    switch (trace.outcome) {
      case EntityOutcome::kHit:
        return "hit";
      case EntityOutcome::kMissed:
        return "missed: the segment does not touch its shape";
      case EntityOutcome::kAfterClip:
        return "skipped: after the hit that ends the shot";
      case EntityOutcome::kOtherLevel:
        return absl::StrCat("skipped: its level ", static_cast<int>(entity.level),
                            " is not in the mask");
      case EntityOutcome::kOtherCategory:
        return "skipped: shares no category with the shot";
      case EntityOutcome::kIgnored:
        return "skipped: in the ignore list";
      case EntityOutcome::kStartInside:
        return "skipped: the start is inside";
      case EntityOutcome::kRefused:
        return "skipped: refused by the filter";
    }
    return "";
  }

  void appendEntities() {
    if (context_.entities.size() == 0) return;
    add("\nEntities in the index chunks along the line: ", explanation_.entities.size(), " of ",
        context_.entities.size(), ".\n");
    if (explanation_.entities.empty()) return;
    std::vector<TableRow> rows = {{"entity", "shape", "level", "index level", "outcome"}};
    for (const EntityTrace& trace : explanation_.entities) {
      if (rows.size() > kMaxListedEntities) break;
      const Entity& entity = *context_.entities.find(trace.entity);
      rows.push_back({absl::StrCat(entity.id), std::string(shapeInfo(entity.shape.kind).name),
                      absl::StrCat(static_cast<int>(entity.level)),
                      absl::StrCat(static_cast<int>(entity.index_level)), reasonOf(trace)});
    }
    add(formatTable(std::move(rows), colors_));
    if (explanation_.entities.size() > kMaxListedEntities) {
      add("  and ", explanation_.entities.size() - kMaxListedEntities, " more\n");
    }
  }

  void appendSteps() {
    if (explanation_.steps.empty()) {
      add("\nNothing is hit.\n");
    } else {
      add("\nHits in order:\n", formatSteps(explanation_, name_, colors_));
    }
  }

  void appendEnd() {
    add("\n");
    if (explanation_.result.terminated) {
      const double t = explanation_.end.toDouble();
      add("The shot ended at t = ", formatTime(t), ", ",
          formatNumber(t * context_.line.lengthBlocks()), " finest blocks from its start.\n");
    } else if (explanation_.result.truncated) {
      add("The shot ended at its limit of hits; more would have followed.\n");
    } else {
      add("Nothing ended the shot: it reached the segment's end.\n");
    }
    appendBudgets();
    appendUnknown();
  }

  // Appends the budget that ran out, with the time, and the amounts left of all.
  void appendBudgets() {
    if (!explanation_.result.budgets.has_value()) return;
    if (explanation_.result.stopped_at.has_value()) {
      const std::size_t budget = usedUp();
      add("The budget ", budgetName(explanation_, budget), ", ",
          formatTime(explanation_.result.budgets_at_start[budget]),
          " at the start, was used up at t = ", formatTime(*explanation_.result.stopped_at), ", ",
          formatNumber(*explanation_.result.stopped_at * context_.line.lengthBlocks()),
          " finest blocks from its start.\n");
    }
    const std::size_t budgets = context_.options.rules->budgets();
    for (std::size_t i = 0; i < budgets; ++i) {
      add(i == 0 ? "Left: " : ", ", formatTime((*explanation_.result.budgets)[i]), " of ",
          formatTime(explanation_.result.budgets_at_start[i]), " ", budgetName(explanation_, i),
          i + 1 == budgets ? ".\n" : "");
    }
  }

  // Returns the budget that ended the shot. Requires: one did.
  std::size_t usedUp() const {
    const auto step = std::find_if(
        explanation_.steps.begin(), explanation_.steps.end(),
        [](const TraceStep& each) { return each.charge.has_value() && each.charge->is_too_much; });
    return step->charge->budget;
  }

  void appendUnknown() {
    if (!explanation_.unknown_from.has_value()) {
      add("All of the line up to there is loaded.\n");
      return;
    }
    add("Not loaded from t = ", formatTime(*explanation_.unknown_from), " on:");
    const char* separator = " ";
    for (int level = context_.world.frame().levels() - 1; level >= 0; --level) {
      if (!context_.levels.contains(level)) continue;
      const Vec3i chunk = context_.line.cellAfter(*explanation_.unknown_from,
                                                  context_.world.frame().chunkShift(level));
      const bool is_proto =
          context_.world.chunkState(level, {chunk[0], chunk[1], chunk[2]}) == ChunkState::kProto;
      add(separator, "chunk ", formatCell(chunk), " of level ", level,
          is_proto ? " is a placeholder" : " is not loaded");
      separator = ", ";
    }
    add(".\n");
  }

  const Explanation& explanation_;
  const internal::QueryContext& context_;
  TypeNamer name_;
  Colors colors_;
  std::string text_;
};

}  // namespace

std::string formatTime(double t) {
  std::array<char, 32> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), t, std::chars_format::general, 9);
  return {buffer.data(), end};
}

std::string formatTime(const Fraction& t) {
  return formatTime(t.toDouble());
}

std::string formatCell(const Vec3i& cell) {
  return absl::StrCat("[", cell[0], ", ", cell[1], ", ", cell[2], "]");
}

std::string formatAxes(unsigned axes) {
  std::string text;
  int left = std::popcount(axes);
  for (int axis = 0; axis < 3; ++axis) {
    if (((axes >> axis) & 1U) == 0) continue;
    text += "xyz"[axis];
    --left;
    text += left == 1 ? " and " : left > 1 ? ", " : "";
  }
  return text;
}

std::string formatExplanation(const Explanation& explanation, TypeNamer name, Colors colors) {
  return ExplanationText(explanation, name, colors).format();
}

}  // namespace fractalray
