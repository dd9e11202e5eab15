// SPDX-License-Identifier: Apache-2.0
#include "text_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <functional>
#include <span>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../../core/printable.h"

namespace fractalray {
namespace {

// Enough for a name, and for a hit in the text of a replay.
constexpr std::size_t kMaxCellBytes = 400;
// Longer words are broken if a table would be too wide.
constexpr std::size_t kLongestWord = 40;
constexpr std::string_view kLeftMargin = "  ";
constexpr std::string_view kColumnGap = "  ";

bool isContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// Returns the number of characters. Requires: UTF-8.
std::size_t widthOf(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), isContinuation));
}

// Returns the bytes of the first `characters` characters.
std::size_t bytesOf(std::string_view text, std::size_t characters) {
  std::size_t bytes = 0;
  while (bytes < text.size() && (isContinuation(text[bytes]) || characters > 0)) {
    if (!isContinuation(text[bytes])) --characters;
    ++bytes;
  }
  return bytes;
}

// Returns the digits before a number's point, with its sign; npos if the text is not a number.
std::size_t integerWidth(std::string_view cell) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::string_view::npos;
  if (!absl::ascii_isdigit(static_cast<unsigned char>(cell.back()))) return std::string_view::npos;
  return std::min(cell.find_first_of(".e"), cell.size());
}

bool isBlankCell(std::string_view cell) {
  return cell.empty() || cell == "-";
}

std::string spaces(std::size_t count) {
  std::string text(count, ' ');
  return text;
}

// The layout of a column.
struct Column {
  std::size_t width = 0;
  // Down to this width only the heading is wrapped; to `least_width` also text, at spaces.
  std::size_t cell_width = 0;
  std::size_t least_width = 0;
  // For a column of numbers: the most characters before the point, and of a whole number.
  std::size_t integer_width = 0;
  std::size_t number_width = 0;
  bool is_numeric = false;
};

std::size_t longestWord(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    longest = std::max(longest, widthOf(word));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return longest;
}

// Takes a number into account. Returns false for text.
bool addNumber(Column& column, std::string_view cell, std::size_t& fraction_width) {
  const std::size_t integer = isBlankCell(cell) ? cell.size() : integerWidth(cell);
  if (integer == std::string_view::npos) return false;
  column.integer_width = std::max(column.integer_width, integer);
  fraction_width = std::max(fraction_width, cell.size() - integer);
  return true;
}

// Lays out a column by its cells. Numbers are never wrapped, words only if they are long.
Column layOut(const std::vector<TableRow>& rows, std::size_t index) {
  Column column;
  std::size_t fraction_width = 0;
  bool has_text = false;
  bool has_numbers = false;
  std::size_t longest_word = 0;
  for (const TableRow& row : std::span(rows).subspan(1)) {
    const std::string& cell = row[index];
    has_text = !addNumber(column, cell, fraction_width) || has_text;
    has_numbers = has_numbers || !isBlankCell(cell);
    column.cell_width = std::max(column.cell_width, widthOf(cell));
    longest_word = std::max(longest_word, longestWord(cell));
  }
  column.is_numeric = has_numbers && !has_text;
  column.number_width = column.integer_width + fraction_width;
  if (column.is_numeric) {
    column.cell_width = column.number_width;
    longest_word = column.number_width;
  }
  const std::string& heading = rows.front()[index];
  const std::size_t least = std::min(longest_word, kLongestWord);
  column.least_width = std::max(least, longestWord(heading));
  column.cell_width = std::max(column.cell_width, column.least_width);
  column.width = std::max(column.cell_width, widthOf(heading));
  return column;
}

std::size_t tableWidth(const std::vector<Column>& columns) {
  std::size_t width = kLeftMargin.size() + kColumnGap.size() * (columns.size() - 1);
  for (const Column& column : columns)
    width += column.width;
  return width;
}

// Makes columns narrower, the widest one first, until all fit or none is wider than its `floor`.
void narrow(std::vector<Column>& columns, std::size_t Column::*floor) {
  for (std::size_t width = tableWidth(columns); width > kTextWidth; --width) {
    const auto slack = [&](const Column& column) {
      return column.width > column.*floor ? column.width : 0;
    };
    const auto widest =
        std::max_element(columns.begin(), columns.end(),
                         [&](const Column& a, const Column& b) { return slack(a) < slack(b); });
    if (slack(*widest) == 0) return;
    --widest->width;
  }
}

// Returns a line of a cell in the width of its column.
std::string padded(const std::string& text, const Column& column, bool is_heading) {
  if (!column.is_numeric) return text + spaces(column.width - widthOf(text));
  if (is_heading) return spaces(column.width - widthOf(text)) + text;
  const std::size_t integer = isBlankCell(text) ? text.size() : integerWidth(text);
  // Under a wider heading numbers are aligned at the right.
  std::string cell = spaces(column.width - column.number_width + column.integer_width - integer);
  cell += text;
  return cell + spaces(column.width - widthOf(cell));
}

// Appends a row, each cell wrapped in its column, in as many lines as the longest cell takes.
void appendRow(std::string& out, const TableRow& row, const std::vector<Column>& columns,
               bool is_heading, const std::function<std::string(const std::string&)>& inked) {
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.push_back(wrapText(row[i], columns[i].width));
    lines = std::max(lines, cells.back().size());
  }
  for (std::size_t line = 0; line < lines; ++line) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
      absl::StrAppend(&text, i == 0 ? "" : std::string(kColumnGap),
                      padded(line < cells[i].size() ? cells[i][line] : "", columns[i], is_heading));
    }
    text.erase(text.find_last_not_of(' ') + 1);
    absl::StrAppend(&out, std::string(kLeftMargin), inked(text), "\n");
  }
}

// Makes consecutive equal rows one, with their number after the last cell.
void collapseEqualRows(std::vector<TableRow>& rows) {
  std::vector<TableRow> collapsed;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (i > 0 && end < rows.size() && rows[end] == rows[i])
      ++end;
    TableRow& row = collapsed.emplace_back(std::move(rows[i]));
    if (end - i > 1) absl::StrAppend(&row.back(), row.back().empty() ? "x " : " x ", end - i);
    i = end;
  }
  rows = std::move(collapsed);
}

}  // namespace

std::string formatTable(std::vector<TableRow> rows, Colors colors, std::string_view ending) {
  if (rows.empty()) return "";
  for (TableRow& row : rows) {
    FRACTALRAY_DCHECK(row.size() == rows.front().size(), row.size());
    for (std::string& cell : row)
      cell = printable(cell, kMaxCellBytes);
  }
  collapseEqualRows(rows);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < rows.front().size(); ++i)
    columns.push_back(layOut(rows, i));
  narrow(columns, &Column::cell_width);
  narrow(columns, &Column::least_width);
  std::string text;
  for (const TableRow& row : rows) {
    const bool is_heading = &row == &rows.front();
    const bool is_ending = !ending.empty() && row.back() == ending;
    appendRow(text, row, columns, is_heading, [&](const std::string& line) {
      if (is_heading) return colors(Ink::kHeading, line);
      return is_ending ? colors(Ink::kEnding, line) : line;
    });
  }
  return text;
}

std::vector<std::string> wrapText(std::string_view text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  std::string line;
  while (true) {
    const std::size_t rest = width - widthOf(line);
    if (widthOf(text) <= rest) break;
    // Breaks at the last space that fits, else after as many characters as fit.
    const std::size_t fitting = bytesOf(text, rest);
    const std::size_t space = text.rfind(' ', fitting);
    const bool has_space = space != std::string_view::npos && space > 0;
    const std::size_t cut = has_space ? space : fitting;
    lines.push_back(line + std::string(text.substr(0, cut)));
    text.remove_prefix(cut + (has_space ? 1 : 0));
    line = spaces(indent);
  }
  lines.push_back(line + std::string(text));
  return lines;
}

std::string formatNumber(double value, int decimals) {
  std::array<char, 400> buffer{};  // enough for any double with few decimals
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, decimals);
  std::string text(buffer.data(), end);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string formatPoint(const Vec3d& point, int decimals) {
  return absl::StrCat(formatNumber(point[0], decimals), ", ", formatNumber(point[1], decimals),
                      ", ", formatNumber(point[2], decimals));
}

}  // namespace fractalray
