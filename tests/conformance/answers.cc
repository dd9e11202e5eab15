// SPDX-License-Identifier: Apache-2.0
#include "answers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"

#include "../oracle/exact.h"

namespace fractalray::testing {
namespace {

constexpr double kTolerance = 1e-9;

enum class Measure { kExact, kTime, kRelativeTime, kRelativeSize, kError };

// Returns how the value of a member is compared.
Measure measureOf(const std::string& name, bool is_ray) {
  constexpr std::array<std::string_view, 7> kTimes = {"t",     "t_exit",       "t0",        "t1",
                                                      "spans", "unknown_from", "stopped_at"};
  if (name == "t_end") return Measure::kRelativeTime;
  constexpr std::array<std::string_view, 3> kGeometry = {"point", "normal", "distance"};
  if (std::find(kTimes.begin(), kTimes.end(), name) != kTimes.end()) {
    return is_ray ? Measure::kRelativeTime : Measure::kTime;
  }
  if (std::find(kGeometry.begin(), kGeometry.end(), name) != kGeometry.end())
    return Measure::kRelativeSize;
  return name == "error" ? Measure::kError : Measure::kExact;
}

std::string code(const Json& error) {
  const std::string text = error.is_string() ? error.get<std::string>() : error.dump();
  return text.substr(0, text.find(':'));
}

bool valuesAgree(const Json& expected, const Json& actual, Measure measure) {
  if (measure == Measure::kError) return code(expected) == code(actual);
  if (measure == Measure::kExact || !expected.is_number() || !actual.is_number()) {
    return expected == actual;
  }
  const double want = expected.get<double>();
  const double scale = measure == Measure::kRelativeSize ? std::max(1.0, std::abs(want)) : 1.0;
  const double off = std::abs(want - actual.get<double>());
  // For a ray, whose line may be far longer than the part it covers, times agree relatively.
  return off <= kTolerance * (measure == Measure::kRelativeTime ? std::abs(want) : scale);
}

// Returns the numerator of an end of an exposure over 2^30, of which it is a multiple; nullopt if
// it is none between 0 and 1.
std::optional<oracle::Integer> endOfExposure(const Json& answer, const char* name) {
  if (!answer.contains(name) || !answer[name].is_number()) return std::nullopt;
  const double scaled = std::ldexp(answer[name].get<double>(), 30);
  if (!(scaled >= 0 && scaled <= 0x1p30) || scaled != std::floor(scaled)) return std::nullopt;
  return oracle::Integer(static_cast<std::int64_t>(scaled));
}

// A fraction as expected answers have it.
struct Share {
  explicit Share(const Json& text)
      : numerator(text[0].get<std::string>()), denominator(text[1].get<std::string>()) {}

  oracle::Integer numerator;
  oracle::Integer denominator;
};

// Returns how the ends of an exposure differ from the expected shares: those that are seen, and
// that are seen or unknown.
std::optional<std::string> compareExposure(const Json& expected, const Json& answer) {
  constexpr int kWidth = 1 << 10;  // 2^-20 over 2^30
  const Share seen(expected["seen"]);
  const Share possible(expected.value("seen_or_unknown", expected["seen"]));
  const std::optional<oracle::Integer> from = endOfExposure(answer, "from");
  const std::optional<oracle::Integer> to = endOfExposure(answer, "to");
  const oracle::Integer least = seen.numerator << 30U;
  const oracle::Integer most = possible.numerator << 30U;
  const bool is_right =
      from.has_value() && to.has_value() && *from * seen.denominator <= least &&
      least <= (*from + kWidth) * seen.denominator && *to * possible.denominator >= most &&
      most >= (*to - kWidth) * possible.denominator &&
      (seen.numerator != seen.denominator || *from == 1 << 30) && (most != 0 || *to == 0);
  if (is_right) return std::nullopt;
  return absl::StrCat("expected ", expected.dump(), ", got ", answer.dump());
}

std::optional<std::string> compare(const Json& expected, const Json& actual, Measure measure,
                                   const std::string& path, bool is_ray) {
  if (expected.is_object() && actual.is_object()) {
    if (expected.contains("seen")) return compareExposure(expected, actual);
    for (const auto& [name, value] : expected.items()) {
      const std::string member_path = absl::StrCat(path, path.empty() ? "" : ".", name);
      if (!actual.contains(name)) return absl::StrCat(member_path, " is missing");
      if (auto found = compare(value, actual[name], measureOf(name, is_ray), member_path, is_ray))
        return found;
    }
    return std::nullopt;
  }
  if (expected.is_array() && actual.is_array()) {
    for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
      const std::string member_path = absl::StrCat(path, "[", i, "]");
      if (auto found = compare(expected[i], actual[i], measure, member_path, is_ray)) return found;
    }
    if (expected.size() == actual.size()) return std::nullopt;
    return absl::StrCat(path, ": expected ", expected.size(), " entries, got ", actual.size());
  }
  if (valuesAgree(expected, actual, measure)) return std::nullopt;
  return absl::StrCat(path, ": expected ", expected.dump(), ", got ", actual.dump());
}

}  // namespace

std::optional<std::string> difference(const Json& expected, const Json& actual) {
  const bool is_ray = expected.is_object() && expected.contains("line");
  return compare(expected, actual, Measure::kExact, "", is_ray);
}

absl::StatusOr<std::vector<Json>> parseLines(std::string_view text, std::string_view name) {
  std::vector<Json> documents;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string member_path = absl::StrCat(std::string(name), " line ", documents.size() + 1);
    absl::StatusOr<JsonDocument> document = parseJson(text.substr(0, end), member_path);
    if (!document.ok()) return document.status();
    documents.push_back(std::move(document->root()));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return documents;
}

std::vector<std::string> differencesOfAnswers(std::string_view answer_lines,
                                              std::string_view expected_lines) {
  const absl::StatusOr<std::vector<Json>> answers = parseLines(answer_lines, "the answers");
  const absl::StatusOr<std::vector<Json>> expected = parseLines(expected_lines, "expected");
  for (const absl::Status& each : {answers.status(), expected.status()}) {
    if (!each.ok()) return {each.ToString()};
  }
  if (answers->size() != expected->size()) {
    return {absl::StrCat("expected ", expected->size(), " answers, got ", answers->size())};
  }
  std::vector<std::string> found;
  for (std::size_t i = 0; i < answers->size(); ++i) {
    const std::optional<std::string> different = difference((*expected)[i], (*answers)[i]);
    if (different.has_value()) {
      found.push_back(absl::StrCat("query ", (*expected)[i]["id"].dump(), ": ", *different));
    }
  }
  return found;
}

}  // namespace fractalray::testing
