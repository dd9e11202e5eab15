// SPDX-License-Identifier: Apache-2.0
// Reads the values of a JSON document (json_document.h): errors have the path of a member. Writes
// numbers so that they read back the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "nlohmann/json_fwd.hpp"

#include "../core/vec.h"

namespace fractalray {

using Json = nlohmann::json;

// Appends the shortest number that reads back as `value`; null for NaN and infinity, which JSON
// lacks.
void appendJsonNumber(std::string& out, double value);
// Appends the text in quotes, with escapes where needed, also of characters that no terminal should
// receive: see printable.h.
void appendJsonString(std::string& out, std::string_view text);
// Returns the document as text, in one line or with `indent` spaces a level, with the same escapes.
// Bytes that are no UTF-8 become U+FFFD.
std::string dumpJson(const Json& document, int indent = -1);

// Reads a value of a document as the type that the caller expects. The first error goes to a status
// shared by all readers of a document, as INVALID_ARGUMENT with the value's path
// (`queries[3].from[1]: expected a number, got "x"`); all reads then give defaults (0, "", an empty
// list), so a caller reads all it wants and checks the status once.
//
//   absl::Status error;
//   const JsonReader query(document, error);
//   const double radius = query.member("radius").number();
//   if (!error.ok()) return error;
//
// Cheap to copy, apart from the path. The document and the status must outlive it. Not thread-safe.
class JsonReader {
 public:
  JsonReader(const Json& value, absl::Status& error, std::string path = "")
      : value_(&value), error_(&error), path_(std::move(path)) {}

  const Json& value() const { return *value_; }
  const std::string& path() const { return path_; }
  // Returns true if no error has been found in the document so far.
  bool ok() const { return error_->ok(); }
  // Notes that this value is wrong, for a reason of the caller's. Makes the path and the reason
  // printable, and cuts them if they are long.
  void fail(std::string_view reason) const;
  // Notes an error from elsewhere, whose code stays if it is RESOURCE_EXHAUSTED; does nothing if it
  // is OK.
  void failIfError(const absl::Status& status) const;

  // Return a member that must be there; one that may be absent.
  JsonReader member(std::string_view name) const;
  std::optional<JsonReader> find(std::string_view name) const;
  // Fails for a member that was not requested through this reader's member() or find(), and lists
  // the requested ones: to be called when all members have been read.
  void refuseOthers() const;
  // Calls `visit` for each member (in the order of names) or each element, until an error is found.
  void forEachMember(
      absl::FunctionRef<void(const std::string& name, const JsonReader& value)> visit) const;
  void forEachElement(absl::FunctionRef<void(const JsonReader& element)> visit) const;
  // Return the elements of an array; element() requires that the value is an array with more than
  // `index`.
  std::size_t size() const;
  JsonReader element(std::size_t index) const;
  // Fails for anything but an array of `count` elements, which are `what` ("numbers").
  bool isArrayOf(std::size_t count, std::string_view what) const;

  double number() const;
  // Returns an integer in [min, max]; 2.0 and 1e3 are integers too, up to 2^53.
  std::int64_t integer(std::int64_t min = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t max = std::numeric_limits<std::int64_t>::max()) const;
  // Returns an integer from 0 to 2^64 - 1, exactly.
  std::uint64_t unsignedInteger() const;
  bool boolean() const;
  std::string text() const;

  // Returns an array of N numbers, or of N integers in [min, max].
  template <int N>
  Vec<double, N> numbers() const {
    Vec<double, N> values;
    if (!isArrayOf(N, "numbers")) return values;
    for (int i = 0; i < N; ++i)
      values[i] = element(static_cast<std::size_t>(i)).number();
    return values;
  }
  template <class Coord>
  Coord integers(std::int64_t min = std::numeric_limits<std::int64_t>::min(),
                 std::int64_t max = std::numeric_limits<std::int64_t>::max()) const {
    Coord values;
    if (!isArrayOf(values.values.size(), "integers")) return values;
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      values.values[i] = element(i).integer(min, max);
    }
    return values;
  }

  // Returns the meaning of a word, which has to be one of a few.
  template <class T, std::size_t N>
  T choice(const std::array<std::pair<std::string_view, T>, N>& words) const {
    std::array<std::string_view, N> names;
    for (std::size_t i = 0; i < N; ++i)
      names[i] = words[i].first;
    return words[choiceIndex(names)].second;
  }

 private:
  // Returns the index of the value among the words; 0 if it is none of them.
  std::size_t choiceIndex(std::span<const std::string_view> words) const;
  // Fails with "expected <what>, got <the value>".
  void expected(std::string_view what) const;
  // Returns the value as an integer; nullopt if it is none or does not fit.
  std::optional<std::int64_t> asInteger() const;

  const Json* value_;
  absl::Status* error_;
  std::string path_;
  mutable std::vector<std::string> requested_;  // the names that member() and find() were given
};

}  // namespace fractalray
