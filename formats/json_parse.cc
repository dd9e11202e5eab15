// SPDX-License-Identifier: Apache-2.0
// Files and text into JSON documents, with line and column of what is wrong.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "fractalray/formats/json.h"
#include "fractalray/formats/printable.h"

namespace fractalray {
namespace {

constexpr std::size_t kMaxDepth = 100;

// An iterator over text that tells how far the parser has read, so that what the builder below
// refuses has a place too.
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

// The reason within the parser's own message, which is "[...] parse error at line 1, column 2:
// reason" or
// "[...] reason". What it says to have read last may be as long as the document: then it is left
// out.
std::string reasonOf(std::string_view what) {
  std::size_t begin = what.find("] ");
  begin = begin == std::string_view::npos ? 0 : begin + 2;
  constexpr std::string_view kPlace = "column ";
  const std::size_t column = what.find(kPlace, begin);
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
  constexpr std::size_t kMaxReasonBytes = 400;
  return printable(what.substr(begin, keep ? what.size() : last_read - begin), kMaxReasonBytes);
}

// Builds a document from the parser's events.
// NOLINTNEXTLINE(bugprone-exception-escape): Json's constructor for null, which cannot throw
class Builder : public nlohmann::json_sax<Json> {
 public:
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
      reason_ = absl::StrCat("the member ", quotedText(name), " is there twice in one object");
      return false;
    }
    member_ = &object[name];
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::detail::exception& error) override {
    position_ = position;
    reason_ = reasonOf(error.what());
    return false;
  }

  Json takeDocument() { return std::move(document_); }
  const std::string& reason() const { return reason_; }
  // How many bytes had been read, where the parser itself found the error.
  std::optional<std::size_t> position() const { return position_; }

 private:
  // Puts a value to its place; returns where it is now, valid until the next element is added.
  template <class T>
  Json* place(T&& value) {
    if (open_.empty()) {
      document_ = std::forward<T>(value);
      return &document_;
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::forward<T>(value));
      return &open_.back()->back();
    }
    *member_ = std::forward<T>(value);
    return member_;
  }
  template <class T>
  bool add(T&& value) {
    place(std::forward<T>(value));
    return true;
  }
  bool open(Json container) {
    if (open_.size() == kMaxDepth) {
      reason_ = absl::StrCat("nested deeper than ", kMaxDepth, " arrays and objects");
      return false;
    }
    open_.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json document_;
  std::vector<Json*> open_;  // the containers around the present place, the outermost first
  Json* member_ = nullptr;   // where the next value of the innermost object goes
  std::string reason_;
  std::optional<std::size_t> position_;
};

// "name:3:17: reason" for the byte at `offset`.
absl::Status errorAt(std::string_view name, std::string_view text, std::size_t offset,
                     std::string_view reason) {
  const std::string_view before = text.substr(0, offset);
  std::size_t line = 1;
  for (const char c : before)
    line += c == '\n' ? 1 : 0;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(name), ":", line, ":", column, ": ", std::string(reason)));
}

struct FileCloser {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};

}  // namespace

absl::StatusOr<std::string> readFile(const std::string& path) {
  const auto failed = [&] {
    const int error = errno;
    return absl::ErrnoToStatus(error, absl::StrCat(path, ": cannot be read"));
  };
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return failed();
  std::string bytes;
  std::array<char, 65536> buffer;
  while (true) {
    const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get());
    bytes.append(buffer.data(), count);
    if (count < buffer.size()) break;
  }
  if (std::ferror(file.get()) != 0) return failed();
  return bytes;
}

absl::StatusOr<Json> parseJson(std::string_view text, std::string_view name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return errorAt(name, text, text.size(), "there is nothing in it; expected a JSON document");
  }
  // The parser takes it for the end of the text, whatever follows.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) return errorAt(name, text, nul, "a NUL byte: this is no text");
  Builder builder;
  const char* reached = text.data();
  const char* const end = text.data() + text.size();
  if (Json::sax_parse(CountingIterator(text.data(), reached), CountingIterator(end, reached),
                      &builder)) {
    return builder.takeDocument();
  }
  const auto read = static_cast<std::size_t>(reached - text.data());
  // Both count the byte at which reading stopped.
  const std::size_t position = builder.position().value_or(read);
  return errorAt(name, text, position == 0 ? 0 : position - 1, builder.reason());
}

absl::StatusOr<Json> readJsonFile(const std::string& path) {
  const absl::StatusOr<std::string> text = readFile(path);
  if (!text.ok()) return text.status();
  return parseJson(*text, path);
}

}  // namespace fractalray
