// SPDX-License-Identifier: Apache-2.0
// Tables, numbers and lists as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../../core/vec.h"
#include "color.h"

namespace fractalray {

// The most columns that a line of text takes.
inline constexpr std::size_t kTextWidth = 120;

// A row of cells; all rows of a table have as many as the first one, the headings.
using TableRow = std::vector<std::string>;

// Returns the rows as aligned text. Columns of numbers (which may also have "-" and empty cells)
// are aligned at the decimal point, all others at the left. Cells that would make a line wider than
// kTextWidth are wrapped within their column, at spaces if possible. Consecutive equal rows become
// one, with "x 12" after its last cell. Rows whose last cell is `ending` are in the colour of
// endings.
std::string formatTable(std::vector<TableRow> rows, Colors colors = {},
                        std::string_view ending = {});

// Returns the text in lines of at most `width` columns, broken at spaces; all but the first one
// begin with `indent` spaces. Words that are longer are broken between characters.
// Requires: indent < width.
std::vector<std::string> wrapText(std::string_view text, std::size_t width, std::size_t indent = 0);

// Returns a number with at most `decimals` decimals and no trailing zeros: "3.5", "12", "-0.125".
std::string formatNumber(double value, int decimals = 4);
// Returns "1, 2.5, 3".
std::string formatPoint(const Vec3d& point, int decimals = 4);

}  // namespace fractalray
