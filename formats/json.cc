// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

#include "../core/internal/number_text.h"
#include "../core/printable.h"
#include "json_document.h"
#include "suggestion.h"

namespace fractalray {
namespace {

// Up to this every integer is a double.
constexpr double kExactDoubles = 0x1p53;

const Json& nothing() {
  static const Json kNull;
  return kNull;
}

// Returns a value's text for an error if it is short, else a description.
std::string describe(const Json& value) {
  if (value.is_array()) return absl::StrCat("an array of ", value.size());
  if (value.is_object()) return "an object";
  constexpr std::size_t kLongest = 40;
  if (value.is_string()) return quotedText(value.get_ref<const std::string&>(), kLongest);
  return value.dump();
}

std::string memberPath(const std::string& path, std::string_view name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!plain) return absl::StrCat(path, "[", quotedText(name), "]");
  return absl::StrCat(path, path.empty() ? "" : ".", std::string(name));
}

}  // namespace

void clearJson(Json& value) noexcept {
  // A container that is empty is destroyed without allocating.
  if (auto* const elements = value.get_ptr<Json::array_t*>()) {
    for (Json& element : *elements)
      clearJson(element);
    elements->clear();
  } else if (auto* const members = value.get_ptr<Json::object_t*>()) {
    for (auto& member : *members)
      clearJson(member.second);
    members->clear();
  }
  value = nullptr;
}

void appendJsonNumber(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  // The sum makes a zero without a sign of the negative one.
  internal::appendNumberText(out, value + 0.0);
}

void appendJsonString(std::string& out, std::string_view text) {
  out += dumpJson(Json(text));
}

std::string dumpJson(const Json& document, int indent) {
  std::string text = document.dump(indent, ' ', false, Json::error_handler_t::replace);
  escapeUnprintable(text);
  return text;
}

void JsonReader::fail(std::string_view reason) const {
  if (!error_->ok()) return;
  constexpr std::size_t kMaxFailureBytes = kMaxMessageBytes / 2;
  *error_ = absl::InvalidArgumentError(absl::StrCat(printable(path_, kMaxFailureBytes / 2),
                                                    path_.empty() ? "" : ": ",
                                                    printable(reason, kMaxFailureBytes)));
}

void JsonReader::failIfError(const absl::Status& status) const {
  if (status.ok() || !error_->ok()) return;
  const absl::string_view message = status.message();
  fail({message.data(), message.size()});
  if (absl::IsResourceExhausted(status)) *error_ = {status.code(), error_->message()};
}

void JsonReader::expected(std::string_view what) const {
  fail(absl::StrCat("expected ", std::string(what), ", got ", describe(*value_)));
}

JsonReader JsonReader::member(std::string_view name) const {
  std::optional<JsonReader> found = find(name);
  if (found.has_value()) return *std::move(found);
  fail(absl::StrCat("the member ", quotedText(name), " is missing"));
  return {nothing(), *error_, memberPath(path_, name)};
}

std::optional<JsonReader> JsonReader::find(std::string_view name) const {
  if (!value_->is_object()) {
    expected("an object");
    return std::nullopt;
  }
  requested_.emplace_back(name);
  const auto found = value_->find(name);
  if (found == value_->end()) return std::nullopt;
  return JsonReader(*found, *error_, memberPath(path_, name));
}

void JsonReader::refuseOthers() const {
  if (!value_->is_object()) return;
  for (auto member = value_->begin(); member != value_->end() && ok(); ++member) {
    if (std::find(requested_.begin(), requested_.end(), member.key()) != requested_.end()) continue;
    fail(absl::StrCat("unknown member ", quotedText(member.key()),
                      alternatives(member.key(), requested_)));
  }
}

void JsonReader::forEachMember(
    absl::FunctionRef<void(const std::string& name, const JsonReader& value)> visit) const {
  if (!value_->is_object()) return expected("an object");
  for (auto member = value_->begin(); member != value_->end() && ok(); ++member) {
    visit(member.key(), JsonReader(*member, *error_, memberPath(path_, member.key())));
  }
}

void JsonReader::forEachElement(absl::FunctionRef<void(const JsonReader& element)> visit) const {
  const std::size_t count = size();
  for (std::size_t i = 0; i < count && ok(); ++i)
    visit(element(i));
}

std::size_t JsonReader::size() const {
  if (value_->is_array()) return value_->size();
  expected("an array");
  return 0;
}

JsonReader JsonReader::element(std::size_t index) const {
  return {(*value_)[index], *error_, absl::StrCat(path_, "[", index, "]")};
}

bool JsonReader::isArrayOf(std::size_t count, std::string_view what) const {
  if (value_->is_array() && value_->size() == count) return true;
  expected(absl::StrCat("an array of ", count, " ", std::string(what)));
  return false;
}

double JsonReader::number() const {
  if (value_->is_number()) return value_->get<double>();
  expected("a number");
  return 0;
}

std::optional<std::int64_t> JsonReader::asInteger() const {
  if (value_->is_number_unsigned()) {
    const auto integer = value_->get<std::uint64_t>();
    if (integer > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(integer);
  }
  if (value_->is_number_integer()) return value_->get<std::int64_t>();
  if (!value_->is_number_float()) return std::nullopt;
  const double real = value_->get<double>();
  if (std::abs(real) > kExactDoubles || real != std::trunc(real)) return std::nullopt;
  return static_cast<std::int64_t>(real);
}

std::int64_t JsonReader::integer(std::int64_t min, std::int64_t max) const {
  const std::optional<std::int64_t> integer = asInteger();
  if (integer.has_value() && *integer >= min && *integer <= max) return *integer;
  const bool bounded = min != std::numeric_limits<std::int64_t>::min() ||
                       max != std::numeric_limits<std::int64_t>::max();
  expected(bounded ? absl::StrCat("an integer from ", min, " to ", max) : "an integer of 64 bits");
  return std::clamp(std::int64_t{0}, min, max);
}

std::uint64_t JsonReader::unsignedInteger() const {
  if (value_->is_number_unsigned()) return value_->get<std::uint64_t>();
  const std::optional<std::int64_t> integer = asInteger();
  if (integer.has_value() && *integer >= 0) return static_cast<std::uint64_t>(*integer);
  expected("an integer from 0 to 18446744073709551615");
  return 0;
}

bool JsonReader::boolean() const {
  if (value_->is_boolean()) return value_->get<bool>();
  expected("true or false");
  return false;
}

std::string JsonReader::text() const {
  if (value_->is_string()) return value_->get<std::string>();
  expected("a string");
  return "";
}

std::size_t JsonReader::choiceIndex(std::span<const std::string_view> words) const {
  if (value_->is_string()) {
    const auto found = std::find(words.begin(), words.end(), value_->get_ref<const std::string&>());
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  std::string list;
  for (const std::string_view word : words) {
    absl::StrAppend(&list, list.empty() ? "" : ", ", quotedText(word));
  }
  expected(words.size() == 1 ? list : absl::StrCat("one of ", list));
  return 0;
}

}  // namespace fractalray
