// SPDX-License-Identifier: Apache-2.0
// Parses text into JSON documents; errors have a line and a column.
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../core/printable.h"
#include "internal/out_of_memory.h"
#include "json.h"
#include "json_document.h"

namespace fractalray {
namespace {

// An iterator over text that records how far the parser has read, so that errors of the builder
// below have a position too.
class CountingIterator {
 public:
  // NOLINTBEGIN(readability-identifier-naming): std::iterator_traits asks for these names
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  // NOLINTEND(readability-identifier-naming)

  CountingIterator(const char* at, const char*& reached) : at_(at), reached_(&reached) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return !(a == b); }

 private:
  const char* at_;
  const char** reached_;
};

// Extracts the reason from the parser's own message, which is "[...] parse error at line 1, column
// 2: reason" or "[...] reason". The last text read that it quotes may be as long as the document
// and is left out.
std::string reasonOf(std::string_view what) {
  std::size_t begin = what.find("] ");
  begin = begin == std::string_view::npos ? 0 : begin + 2;
  constexpr std::string_view kColumn = "column ";
  const std::size_t column = what.find(kColumn, begin);
  if (what.substr(begin).starts_with("parse error") && column != std::string_view::npos) {
    const std::size_t colon = what.find(": ", column);
    if (colon != std::string_view::npos) begin = colon + 2;
  }
  constexpr std::string_view kLastRead = "; last read: ";
  constexpr std::size_t kLongestLastRead = 60;
  const std::size_t last_read = what.find(kLastRead, begin);
  const bool keep = last_read == std::string_view::npos ||
                    what.size() - last_read - kLastRead.size() <= kLongestLastRead;
  // The parser's words may quote a number of any length.
  return printable(what.substr(begin, keep ? what.size() : last_read - begin), kMaxReasonBytes);
}

// Builds a document from the parser's events.
// NOLINTNEXTLINE(bugprone-exception-escape): Json's constructor for null, which cannot throw
class Builder : public nlohmann::json_sax<Json> {
 public:
  // Calls `take`, unless it is null, as TakeJsonElement says.
  Builder(const InputLimits& limits, const TakeJsonElement* take) : limits_(limits), take_(take) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& value) override { return add(std::move(value)); }

  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    Json& object = *open_.back();
    if (object.contains(name)) {
      return refuse(absl::InvalidArgumentError(
          absl::StrCat("the member ", quotedText(name), " is there twice in one object")));
    }
    member_ = &object[name];
    if (open_.size() == 1) member_of_top_ = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::detail::exception& error) override {
    position_ = position;
    return refuse(absl::InvalidArgumentError(reasonOf(error.what())));
  }

  JsonDocument takeDocument() { return std::move(document_); }
  // Returns the error, without its position in the text.
  const absl::Status& error() const { return error_; }
  // Returns true if the error is one of `take`, whose position is not that in the text.
  bool isErrorOfTake() const { return is_error_of_take_; }
  // Returns how many bytes had been read if the parser itself found the error.
  std::optional<std::size_t> position() const { return position_; }

 private:
  bool refuse(absl::Status error) {
    error_ = std::move(error);
    return false;
  }
  // Inserts a value into the container around it, or as the root; returns where it is now, valid
  // until the next element is added.
  template <class T>
  Json* insert(T&& value) {
    if (open_.empty()) {
      document_.root() = std::forward<T>(value);
      return &document_.root();
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::forward<T>(value));
      return &open_.back()->back();
    }
    *member_ = std::forward<T>(value);
    return member_;
  }
  // Counts a value that is about to be held.
  bool count() {
    if (++values_ <= limits_.values) return true;
    return refuse(limitError("values", "values", limits_.values));
  }
  template <class T>
  bool add(T&& value) {
    if (!count()) return false;
    insert(std::forward<T>(value));
    return offer();
  }
  bool open(Json container) {
    const std::uint64_t depth = std::min(limits_.depth, InputLimits::kMaxDepth);
    if (open_.size() == depth) {
      // No document that is read here nests as deep: the text is wrong, however much memory there
      // is.
      return refuse(absl::InvalidArgumentError(
          limitError("arrays and objects within each other", "depth", depth).message()));
    }
    if (!count()) return false;
    open_.push_back(insert(std::move(container)));
    if (open_.size() == 2) {
      elements_ = 0;
      values_kept_ = values_;
    }
    return true;
  }
  bool close() {
    open_.pop_back();
    return offer();
  }
  // Offers the value that has just been completed, if it is an element of a list of the top object.
  bool offer() {
    if (take_ == nullptr || open_.size() != 2 || !open_.back()->is_array() ||
        !open_.front()->is_object()) {
      return true;
    }
    auto& list = open_.back()->get_ref<Json::array_t&>();
    const absl::StatusOr<bool> taken =
        (*take_)(document_.root(), member_of_top_, elements_++, list.back());
    if (!taken.ok()) {
      is_error_of_take_ = true;
      return refuse(taken.status());
    }
    if (*taken) {
      clearJson(list.back());
      list.pop_back();
      values_ = values_kept_;
    }
    values_kept_ = values_;
    return true;
  }

  const InputLimits& limits_;
  const TakeJsonElement* take_;
  JsonDocument document_;
  std::vector<Json*> open_;  // the containers around the present position, the outermost first
  Json* member_ = nullptr;   // where the next value of the innermost object goes
  std::string member_of_top_;
  std::size_t elements_ = 0;       // of the present list of the top object, taken ones too
  std::uint64_t values_ = 0;       // held now
  std::uint64_t values_kept_ = 0;  // the same, without those of the element that is being read
  absl::Status error_;
  bool is_error_of_take_ = false;
  std::optional<std::size_t> position_;
};

// Returns the error with "name:3:17: " before its message, for the byte at `offset`.
absl::Status errorAt(std::string_view name, std::string_view text, std::size_t offset,
                     const absl::Status& error) {
  const std::string_view before = text.substr(0, offset);
  std::size_t line = 1;
  for (const char c : before)
    line += c == '\n' ? 1 : 0;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
  return {error.code(),
          absl::StrCat(printablePath(name), ":", line, ":", column, ": ", error.message())};
}

absl::StatusOr<JsonDocument> parse(std::string_view text, std::string_view name,
                                   const InputLimits& limits, const TakeJsonElement* take) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return errorAt(name, text, text.size(),
                   absl::InvalidArgumentError("there is nothing in it; expected a JSON document"));
  }
  // The parser takes a NUL for the end of the text, whatever follows.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    return errorAt(name, text, nul, absl::InvalidArgumentError("a NUL byte: this is no text"));
  }
  Builder builder(limits, take);
  const char* reached = text.data();
  const char* const end = text.data() + text.size();
  if (Json::sax_parse(CountingIterator(text.data(), reached), CountingIterator(end, reached),
                      &builder)) {
    return builder.takeDocument();
  }
  if (builder.isErrorOfTake()) return builder.error();
  const auto read = static_cast<std::size_t>(reached - text.data());
  // Both count the byte at which reading stopped.
  const std::size_t position = builder.position().value_or(read);
  return errorAt(name, text, position == 0 ? 0 : position - 1, builder.error());
}

}  // namespace

absl::StatusOr<JsonDocument> parseJson(std::string_view text, std::string_view name,
                                       const InputLimits& limits) {
  return internal::catchBadAlloc(name, [&] { return parse(text, name, limits, nullptr); });
}

absl::StatusOr<JsonDocument> parseJson(std::string_view text, std::string_view name,
                                       const InputLimits& limits, TakeJsonElement take) {
  return internal::catchBadAlloc(name, [&] { return parse(text, name, limits, &take); });
}

absl::StatusOr<JsonDocument> readJsonFile(const std::string& path, const InputLimits& limits) {
  const absl::StatusOr<std::string> text = readFile(path, limits);
  if (!text.ok()) return text.status();
  return parseJson(*text, path, limits);
}

}  // namespace fractalray
