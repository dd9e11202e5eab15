// SPDX-License-Identifier: Apache-2.0
// Counts the cells that each line algorithm gets wrong: random and adversarial segments, near the
// origin and far from it, judged by sorted fractions (exact_cells.h). The walk of the library is
// judged by them too, cell for cell and in order.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../reference_lines/comparison.h"
#include "exact_cells.h"
#include "random.h"

namespace fractalray::bench {
namespace {

using lines::Cell;
using lines::Cells;
using lines::LineInput;
using lines::NamedLine;

constexpr std::int64_t kUnit = kUnitsPerBlock;
constexpr std::int64_t kReach = 32;  // cells from the middle to an end, at most
// Distance of the middle from the origin on each axis, as log2 of cells.
constexpr std::array<int, 3> kAwayLog2 = {0, 20, 24};

struct Options {
  bool quick = false;
  std::string json;
};

std::int64_t away(int log2) {
  return log2 == 0 ? 0 : std::int64_t{1} << log2;
}

// Draws a segment with both ends anywhere in the cells around the middle, on 1/65536 of a cell.
template <int N>
LineInput<N> randomLine(Random& random, std::int64_t middle) {
  LineInput<N> line;
  for (int axis = 0; axis < N; ++axis) {
    line.widths[axis] = kUnit;
    line.from[axis] = middle * kUnit + random.between(-kReach * kUnit, kReach * kUnit);
    line.to[axis] = middle * kUnit + random.between(-kReach * kUnit, kReach * kUnit);
  }
  return line;
}

// Draws a segment with ends on planes, edges and corners, or one unit off; along planes, along
// diagonals and through corners; in cells of 60 units of a pixel, and in cells that are not cubes.
template <int N>
LineInput<N> adversarialLine(Random& random, std::int64_t middle) {
  constexpr std::array<std::int64_t, 4> kWidths = {kUnit, 60 * kUnit, 3 * kUnit / 2, 7};
  LineInput<N> line;
  const std::int64_t width = kWidths[static_cast<std::size_t>(random.between(0, 3))];
  const bool square = random.between(0, 1) == 0;
  const std::int64_t kind = random.between(0, 3);
  const std::int64_t steps = random.between(1, kReach);
  for (int axis = 0; axis < N; ++axis) {
    line.widths[axis] = square ? width : width * random.between(1, 3);
    const std::int64_t w = line.widths[axis];
    const auto end = [&] {
      const std::int64_t plane = (middle + random.between(-kReach, kReach)) * w;
      const std::array<std::int64_t, 5> offsets = {0, 0, 1, -1, w / 2};
      return plane + offsets[static_cast<std::size_t>(random.between(0, 4))];
    };
    line.from[axis] = end();
    line.to[axis] = end();
    // Small whole slopes in cells: corners along the line if the start is on one.
    if (kind == 0) line.to[axis] = line.from[axis] + w * random.between(-3, 3) * (steps / 3);
    // The same, but one unit off the corner.
    if (kind == 1) {
      line.to[axis] = line.from[axis] + w * random.between(-1, 1) * steps + random.between(-1, 1);
    }
    if (kind == 2 && random.between(0, 1) == 0) line.to[axis] = line.from[axis];
  }
  return line;
}

// The mistakes of one algorithm.
struct Mistakes {
  std::uint64_t segments = 0;  // with a wrong cell
  std::uint64_t missing = 0;
  std::uint64_t superfluous = 0;
  std::uint64_t touched = 0;  // listed, which is neither right nor wrong

  void add(const Mistakes& other) {
    segments += other.segments;
    missing += other.missing;
    superfluous += other.superfluous;
    touched += other.touched;
  }
};

struct Tally {
  std::uint64_t crossed = 0;  // cells of all segments
  std::vector<Mistakes> lines;
  std::uint64_t unequal = 0;  // walks of ours that are not the reference's, cell for cell
};

// Returns the cells of the reference that a line of ours has to list; nothing for the others.
template <int N>
const Cells<N>* expectedOf(const NamedLine<N>& line, const ExactCells<N>& exact) {
  if (line.name == "exact-neither") return &exact.neither;
  if (line.name == "exact-staircase") return &exact.staircase;
  if (line.name == "exact-both") return &exact.both;
  return nullptr;
}

template <int N>
void judge(const LineInput<N>& line, Tally& tally) {
  const ExactCells<N> exact = exactCells<N>(line);
  tally.crossed += exact.crossed.size();
  const std::vector<NamedLine<N>>& all = lines::namedLines<N>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Cells<N> cells = all[i].cells(line);
    const Cells<N>* const expected = expectedOf<N>(all[i], exact);
    if (expected != nullptr && cells != *expected) ++tally.unequal;
    const auto difference = lines::differenceOf<N>(line, std::move(cells), exact.crossed);
    const bool is_wrong = !difference.missing.empty() || !difference.superfluous.empty();
    tally.lines[i].add({is_wrong ? 1U : 0U, difference.missing.size(),
                        difference.superfluous.size(), difference.touched.size()});
  }
}

// Counts mistakes; the same for any number of threads: each segment has a seed of its own.
template <int N>
Tally judgeAll(bool adversarial, int away_log2, std::uint64_t count) {
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Tally> parts(threads);
  std::vector<std::thread> workers;
  for (std::size_t part = 0; part < threads; ++part) {
    workers.emplace_back([&, part] {
      parts[part].lines.resize(lines::namedLines<N>().size());
      for (std::uint64_t i = part; i < count; i += threads) {
        Random random(hashCell(N, adversarial ? 1 : 0, away_log2, static_cast<std::int64_t>(i)));
        const std::int64_t middle = away(away_log2);
        judge<N>(adversarial ? adversarialLine<N>(random, middle) : randomLine<N>(random, middle),
                 parts[part]);
      }
    });
  }
  for (std::thread& worker : workers)
    worker.join();
  Tally sum = parts.front();
  for (std::size_t part = 1; part < threads; ++part) {
    sum.crossed += parts[part].crossed;
    sum.unequal += parts[part].unequal;
    for (std::size_t i = 0; i < sum.lines.size(); ++i)
      sum.lines[i].add(parts[part].lines[i]);
  }
  return sum;
}

// Formats a number as "1,234,567".
std::string withCommas(std::uint64_t value) {
  std::string text = absl::StrCat(value);
  for (std::size_t at = text.size(); at > 3; at -= 3)
    text.insert(at - 3, 1, ',');
  return text;
}

void appendJson(std::string& json, int dimensions, const std::string& set, int away_log2,
                std::uint64_t count, std::string_view name, const Mistakes& mistakes) {
  absl::StrAppend(&json, json.empty() ? "" : ",\n", "  {\"dimensions\": ", dimensions,
                  ", \"set\": \"", set, "\", \"cells_away\": ", away(away_log2), ", \"line\": \"",
                  std::string(name), "\", \"segments\": ", count,
                  ", \"wrong_segments\": ", mistakes.segments, ", \"missing\": ", mistakes.missing,
                  ", \"superfluous\": ", mistakes.superfluous, ", \"touched\": ", mistakes.touched,
                  "}");
}

// Prints the table of a set of segments. Returns how many walks of ours were not the reference's.
template <int N>
std::uint64_t measure(bool adversarial, std::uint64_t count, std::string& json) {
  const std::string set = adversarial ? "adversarial" : "random";
  std::vector<Tally> tallies;
  std::uint64_t unequal = 0;
  for (const int log2 : kAwayLog2) {
    tallies.push_back(judgeAll<N>(adversarial, log2, count));
    unequal += tallies.back().unequal;
  }
  std::printf("%dD, %s %s segments, %s cells crossed\n", N, withCommas(count).c_str(), set.c_str(),
              withCommas(tallies.front().crossed).c_str());
  std::printf("%-16s  %22s  %22s  %22s\n", "wrong cells", "near", "2^20 cells away",
              "2^24 cells away");
  const std::vector<NamedLine<N>>& all = lines::namedLines<N>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::printf("%-16s", std::string(all[i].name).c_str());
    for (std::size_t k = 0; k < tallies.size(); ++k) {
      const Mistakes& mistakes = tallies[k].lines[i];
      std::printf("  %12s (%6.2f %%)", withCommas(mistakes.missing + mistakes.superfluous).c_str(),
                  100.0 * static_cast<double>(mistakes.segments) / static_cast<double>(count));
      appendJson(json, N, set, kAwayLog2[k], count, all[i].name, mistakes);
    }
    std::printf("\n");
  }
  std::printf("\n");
  std::fflush(stdout);
  return unequal;
}

int run(const Options& options) {
  const std::uint64_t random_count = options.quick ? 20'000 : 1'000'000;
  const std::uint64_t adversarial_count = options.quick ? 2'000 : 100'000;
  std::printf(
      "Wrong cells: missing and superfluous ones; in brackets the share of segments with any.\n"
      "Cells that are only touched at a point count neither way.\n\n");
  std::string json;
  const std::uint64_t unequal =
      measure<2>(false, random_count, json) + measure<2>(true, adversarial_count, json) +
      measure<3>(false, random_count, json) + measure<3>(true, adversarial_count, json);
  std::printf("Exact walks that differ from the sorted fractions, cell for cell: %s\n",
              withCommas(unequal).c_str());
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << "{\"quick\": " << (options.quick ? "true" : "false") << ", \"rows\": [\n"
         << json << "\n]}\n";
    file.close();
    if (!file) {
      std::fprintf(stderr, "%s: cannot be written\n", options.json.c_str());
      return 1;
    }
  }
  return unequal == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fractalray::bench

int main(int argc, char** argv) {
  fractalray::bench::Options options;
  CLI::App app("Count the wrong cells of line algorithms", "fractalray_exactness");
  app.add_flag("--quick", options.quick, "A fiftieth of the segments");
  app.add_option("--json", options.json, "Write the table as JSON too")->type_name("FILE");
  app.footer(
      "Exit status: 0 fine, 1 a walk of ours is wrong or the file cannot be written, 2 wrong "
      "command line.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return fractalray::bench::run(options);
}
