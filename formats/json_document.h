// SPDX-License-Identifier: Apache-2.0
// Parses JSON from outside; errors have a line and a column. Includes all of nlohmann's JSON, as
// json.h does not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

#include "input_file.h"
#include "input_limits.h"
#include "json.h"

namespace fractalray {

// Destroys the members and elements of a value, which becomes null. Unlike Json's own destructor
// it allocates nothing, so memory may have run out. Recurses by the depth of the value.
void clearJson(Json& value) noexcept;

// Returns whether a value is this text. Unlike Json's own ==, which is noexcept and copies the
// text, it allocates nothing, so memory may have run out.
inline bool isText(const Json& value, std::string_view text) {
  return value.is_string() && value.get_ref<const std::string&>() == text;
}

// A document that has been read. Moves leave it null.
class JsonDocument {
 public:
  // NOLINTBEGIN(bugprone-exception-escape): a null or moved Json does not throw, it asserts
  JsonDocument() = default;
  explicit JsonDocument(Json&& root) noexcept : root_(std::move(root)) {}
  ~JsonDocument() { clearJson(root_); }
  JsonDocument(JsonDocument&&) noexcept = default;
  // NOLINTEND(bugprone-exception-escape)
  JsonDocument& operator=(JsonDocument&& other) noexcept {
    root_.swap(other.root_);
    return *this;
  }

  const Json& root() const { return root_; }
  Json& root() { return root_; }

 private:
  Json root_;
};

// Called with each element of each list that is a member of a document's top object, as soon as the
// element is read. `document` is the part read so far, without the elements taken before. Returns
// true to take the element, which the document then does not keep; an error ends the reading with
// it.
using TakeJsonElement = absl::FunctionRef<absl::StatusOr<bool>(
    const Json& document, const std::string& member, std::size_t index, const Json& element)>;

// Parses one JSON document. Errors call it `name`: INVALID_ARGUMENT "name:3:17: reason", in one
// line, with line and column (in bytes) counted from 1, for text that is not JSON, and also for a
// member that occurs twice in its object, a number beyond the range of a double, and nesting beyond
// limits.depth; RESOURCE_EXHAUSTED beyond limits.values, and if memory runs out.
absl::StatusOr<JsonDocument> parseJson(std::string_view text, std::string_view name,
                                       const InputLimits& limits = {});
// Parses a document that is too large to be held: what `take` takes is forgotten.
absl::StatusOr<JsonDocument> parseJson(std::string_view text, std::string_view name,
                                       const InputLimits& limits, TakeJsonElement take);
// Parses a file, named by its path; errors of readFile too.
absl::StatusOr<JsonDocument> readJsonFile(const std::string& path, const InputLimits& limits = {});

}  // namespace fractalray
