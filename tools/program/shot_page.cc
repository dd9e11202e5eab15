// SPDX-License-Identifier: Apache-2.0
#include "shot_page.h"

#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

#include "../../core/printable.h"
#include "../../core/units.h"
#include "../../formats/json.h"
#include "../../query/explain/surroundings.h"
#include "palette.h"
#include "shot_page_template.h"
#include "text_table.h"

namespace fractalray {
namespace {

// Blocks at most so many from the line's cells are shown, and at most kMaxAround on each level.
constexpr int kMarginBlocks = 2;
constexpr std::size_t kMaxAround = 3000;

std::string escaped(const std::string& text) {
  return absl::StrReplaceAll(printableLines(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

// JSON in a script element: nothing in it may look like the element's end.
std::string jsonText(const std::string& text) {
  std::string out;
  appendJsonString(out, text);
  return absl::StrReplaceAll(out, {{"<", "\\u003c"}});
}

std::string vectorJson(const Vec3d& vector) {
  std::string out = "[";
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) out += ',';
    appendJsonNumber(out, vector[axis]);
  }
  return out + "]";
}

// Formats a list of the results of `each` for the elements.
template <class List, class Each>
std::string listJson(const List& list, const Each& each) {
  std::string out = "[";
  for (const auto& element : list)
    absl::StrAppend(&out, out.size() == 1 ? "" : ",", each(element));
  return out + "]";
}

// Positions in the page are finest-block widths from the segment's start, so that they are small
// numbers anywhere in the world.
class PageData {
 public:
  PageData(const Explanation& explanation, const std::vector<CellPicture>& pictures, TypeNamer name)
      : explanation_(explanation),
        pictures_(pictures),
        name_(name),
        from_(explanation.context.line.from()) {}

  std::string json() const {
    std::string out = absl::StrCat(
        "{\"to\":", vectorJson(position(explanation_.context.line.segment().to)), ",\"end\":");
    appendJsonNumber(out, explanation_.end.toDouble());
    return absl::StrCat(
        out, ",\"levels\":",
        listJson(pictures_, [&](const CellPicture& picture) { return levelJson(picture); }), "}");
  }

 private:
  Vec3d position(const Vec3i& units) const { return toBlocks(units - from_); }

  std::string levelJson(const CellPicture& picture) const {
    std::string out = absl::StrCat("{\"title\":", jsonText(picture.title),
                                   ",\"caption\":", jsonText(picture.caption), ",\"width\":");
    appendJsonNumber(out, toBlocks(picture.widths[0]));
    out += ",\"clip\":";
    appendJsonNumber(out, picture.clip);
    return absl::StrCat(
        out, ",\"cells\":",
        listJson(picture.cells, [&](const PictureCell& cell) { return cellJson(picture, cell); }),
        ",\"marks\":",
        listJson(picture.marks, [](const PictureMark& mark) { return markJson(mark); }),
        ",\"shapes\":",
        listJson(picture.shapes, [&](const PictureShape& shape) { return shapeJson(shape); }),
        aroundJson(picture), "}");
  }

  // Returns the blocks next to the cells as [x, y, z, color], and the colours: members of a level.
  std::string aroundJson(const CellPicture& picture) const {
    std::vector<Vec3i> cells;
    for (const PictureCell& cell : picture.cells)
      cells.push_back(cell.cell);
    const int level =
        explanation_.passes[static_cast<std::size_t>(&picture - pictures_.data())].level;
    std::map<BlockTypeId, std::size_t> colors;
    std::string list;
    std::string names;
    for (const NearBlock& near :
         blocksAround(explanation_.context, level, cells, kMarginBlocks, kMaxAround)) {
      const auto [color, is_new] = colors.try_emplace(near.type, colors.size());
      if (is_new) {
        const Rgb rgb = colorOfName(name_(near.type));
        absl::StrAppend(&names, names.empty() ? "" : ",",
                        absl::StrFormat("\"#%02x%02x%02x\"", rgb.red, rgb.green, rgb.blue));
      }
      std::string corner = cornerJson(picture, {near.block[0], near.block[1], near.block[2]});
      absl::StrAppend(&list, list.empty() ? "[" : ",[", corner, ",", color->second, "]");
    }
    return absl::StrCat(",\"around\":[", list, "],\"colors\":[", names, "]");
  }

  // Returns "x,y,z" of the corner of a cell.
  std::string cornerJson(const CellPicture& picture, const Vec3i& cell) const {
    Vec3i corner;
    for (int axis = 0; axis < 3; ++axis)
      corner[axis] = cell[axis] * picture.widths[axis];
    const std::string list = vectorJson(position(corner));
    return list.substr(1, list.size() - 2);
  }

  // Returns [x, y, z, number, look].
  std::string cellJson(const CellPicture& picture, const PictureCell& cell) const {
    return absl::StrCat("[", cornerJson(picture, cell.cell), ",", cell.number, ",",
                        static_cast<int>(cell.look), "]");
  }

  static std::string markJson(const PictureMark& mark) {
    static constexpr std::array<const char*, 3> kKinds = {"corner", "hit", "unknown"};
    std::string out =
        absl::StrCat(R"({"kind":")", kKinds[static_cast<std::size_t>(mark.kind)], R"(","t":)");
    appendJsonNumber(out, mark.t);
    return absl::StrCat(out, ",\"text\":", jsonText(mark.text), "}");
  }

  std::string shapeJson(const PictureShape& shape) const {
    return absl::StrCat("{\"sphere\":", shape.is_sphere ? "true" : "false",
                        ",\"center\":", vectorJson(position(shape.center)),
                        ",\"half\":", vectorJson(toBlocks(shape.half_extents)),
                        ",\"text\":", jsonText(shape.text),
                        ",\"hit\":", shape.is_hit ? "true" : "false", "}");
  }

  const Explanation& explanation_;
  const std::vector<CellPicture>& pictures_;
  TypeNamer name_;
  Vec3i from_;
};

}  // namespace

std::string shotPage(const Explanation& explanation, const std::vector<CellPicture>& pictures,
                     TypeNamer name, const std::vector<std::string>& lines,
                     const std::string& words) {
  const Line& line = explanation.context.line;
  const std::string title = absl::StrCat("A shot from ", formatPoint(line.pointAt(0)), " to ",
                                         formatPoint(line.pointAt(line.end().toDouble())));
  std::string list;
  for (const std::string& item : lines)
    absl::StrAppend(&list, "<li>", escaped(item), "</li>\n");
  const std::string_view page = internal::shotPageTemplate();
  return absl::StrReplaceAll(absl::string_view(page.data(), page.size()),
                             {{"{{title}}", escaped(title)},
                              {"{{data}}", PageData(explanation, pictures, name).json()},
                              {"{{lines}}", list},
                              {"{{words}}", escaped(words)}});
}

}  // namespace fractalray
