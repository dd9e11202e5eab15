// SPDX-License-Identifier: Apache-2.0
#include "results.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "absl/strings/str_cat.h"

#include "../../formats/json.h"

namespace fractalray::bench {
namespace {

std::string megabytes(std::size_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f MB", static_cast<double>(bytes) / 1e6);
  return text.data();
}

// Formats {"name": text, ...}, one member after another.
class JsonLine {
 public:
  JsonLine& text(const char* name, const std::string& value) {
    begin(name);
    appendJsonString(out_, value);
    return *this;
  }
  JsonLine& number(const char* name, double value) {
    begin(name);
    appendJsonNumber(out_, value);
    return *this;
  }
  JsonLine& number(const char* name, std::size_t value) {
    begin(name);
    absl::StrAppend(&out_, value);
    return *this;
  }
  std::string end() const { return out_ + "}"; }

 private:
  void begin(const char* name) {
    absl::StrAppend(&out_, out_.empty() ? "{" : ", ", "\"", name, "\": ");
  }

  std::string out_;
};

std::string toJson(const Result& row) {
  return JsonLine()
      .text("scene", row.scene)
      .text("rays", row.rays)
      .text("work", row.work)
      .text("system", row.system)
      .number("count", row.count)
      .number("ns", row.ns)
      .number("instructions", row.instructions)
      .number("wrong", row.wrong)
      .number("bytes", row.bytes)
      .number("build_ms", row.build_ms)
      .end();
}

std::string toJson(const SetFacts& facts) {
  return JsonLine()
      .text("scene", facts.scene)
      .text("rays", facts.rays)
      .text("work", facts.work)
      .number("count", facts.count)
      .number("segments", facts.segments)
      .number("checked", facts.checked)
      .number("hit_share", facts.hit_share)
      .number("hits", facts.hits)
      .number("cells", facts.cells)
      .end();
}

// Formats items, one a line.
template <class T>
std::string jsonList(const std::vector<T>& items) {
  std::string out = "[";
  for (const T& item : items)
    absl::StrAppend(&out, &item == items.data() ? "\n    " : ",\n    ", toJson(item));
  return out + "\n  ]";
}

// Returns a property of the first processor; empty if Linux does not report it.
std::string processorInfo(const std::string& name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos && line.substr(0, line.find_first_of("\t:")) == name) {
      return line.substr(colon + 2);
    }
  }
  return "";
}

std::string describeProcessor() {
  const std::string name = processorInfo("model name");
  if (!name.empty()) {
    return absl::StrCat(name, " (family ", processorInfo("cpu family"), ", model ",
                        processorInfo("model"), ")");
  }
  // Those of ARM have numbers alone.
  const std::string implementer = processorInfo("CPU implementer");
  if (implementer.empty()) return "unknown processor";
  return absl::StrCat("ARM (implementer ", implementer, ", part ", processorInfo("CPU part"), ")");
}

}  // namespace

double bytesEach(const Result& row) {
  return static_cast<double>(row.bytes) / static_cast<double>(row.count);
}

std::string describeMachine() {
#if defined(__clang__)
  const std::string compiler = absl::StrCat("clang++ ", __clang_major__, ".", __clang_minor__);
#else
  const std::string compiler = absl::StrCat("g++ ", __GNUC__, ".", __GNUC_MINOR__);
#endif
  return absl::StrCat(describeProcessor(), ", ", std::thread::hardware_concurrency(), " cores, ",
                      compiler);
}

void printSet(const SetFacts& facts) {
  std::printf("\n%s, ", facts.scene.c_str());
  if (facts.count > 0) std::printf("%zu entities, ", facts.count);
  if (facts.segments > 0) {
    std::printf("%s rays, %s: %zu segments, %.0f %% hit", facts.rays.c_str(), facts.work.c_str(),
                facts.segments, 100 * facts.hit_share);
    if (facts.hits > 1) std::printf(" (%.2f hits each)", facts.hits);
    if (facts.cells > 0) std::printf(", %.0f blocks walked each", facts.cells);
  } else {
    std::printf("moving %s, %s: all of them each tick", facts.rays.c_str(), facts.work.c_str());
  }
  if (facts.checked != facts.segments) std::printf(", %zu segments checked", facts.checked);
  std::printf("\n  %-18s %10s %8s %9s %9s %10s", "system", "ns", "ratio", "instr.", "wrong",
              "memory");
  if (facts.count > 0) std::printf(" %9s", "B each");
  std::printf(" %9s\n", "build ms");
}

void printRow(const Result& row, double ours_ns) {
  std::array<char, 16> ratio{"-"};
  if (ours_ns > 0) std::snprintf(ratio.data(), ratio.size(), "%.2f", row.ns / ours_ns);
  std::array<char, 24> instructions{"-"};
  if (row.instructions > 0) {
    std::snprintf(instructions.data(), instructions.size(), "%.0f", row.instructions);
  }
  std::printf("  %-18s %10.1f %8s %9s %9zu %10s", row.system.c_str(), row.ns, ratio.data(),
              instructions.data(), row.wrong, megabytes(row.bytes).c_str());
  if (row.count > 0) std::printf(" %9.1f", bytesEach(row));
  std::printf(" %9.0f\n", row.build_ms);
  std::fflush(stdout);
}

void printMissing(const std::string& system) {
  std::printf("  %-18s %10s\n", system.c_str(), "-  not installed when this was configured");
}

void printLeftOut(const std::string& system) {
  std::printf("  %-18s %10s\n", system.c_str(), "-  takes too long for a quick run");
}

absl::Status writeJson(const Results& results, const std::string& path) {
  std::string out = "{\n  \"machine\": ";
  appendJsonString(out, results.machine);
  absl::StrAppend(&out, ",\n  \"quick\": ", results.quick ? "true" : "false",
                  ",\n  \"results\": ", jsonList(results.rows),
                  ",\n  \"sets\": ", jsonList(results.sets), "\n}\n");
  std::ofstream file(path);
  file << out;
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path, ": cannot be written: ", std::strerror(errno)));
}

}  // namespace fractalray::bench
