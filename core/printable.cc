// SPDX-License-Identifier: Apache-2.0
#include "printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

// A character of UTF-8, or a byte that does not begin one.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

bool isContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// Returns the first character of `text`. Requires: `text` is not empty.
Character firstCharacter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!isContinuation(text[i])) return {};
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kFirstOfLength = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kFirstOfLength[bytes] || code > 0x10ffff || is_surrogate) return {};
  return {code, bytes, true};
}

// Control and format characters: general categories Cc, Cf, Zl and Zp of Unicode, as ranges.
bool isUnprintable(char32_t code) {
  constexpr std::array<std::pair<char32_t, char32_t>, 14> kRanges = {{{0x0000, 0x001f},
                                                                      {0x007f, 0x009f},
                                                                      {0x00ad, 0x00ad},
                                                                      {0x0600, 0x0605},
                                                                      {0x061c, 0x061c},
                                                                      {0x06dd, 0x06dd},
                                                                      {0x070f, 0x070f},
                                                                      {0x180e, 0x180e},
                                                                      {0x200b, 0x200f},
                                                                      {0x2028, 0x202e},
                                                                      {0x2060, 0x206f},
                                                                      {0xfeff, 0xfeff},
                                                                      {0xfff9, 0xfffb},
                                                                      {0xe0000, 0xe007f}}};
  return std::any_of(kRanges.begin(), kRanges.end(), [&](const auto& range) {
    return code >= range.first && code <= range.second;
  });
}

bool isPlainAscii(char c) {
  return c >= ' ' && c <= '~';
}

// Appends the code as JSON escapes it: \n, or \u with four digits, twice beyond 16 bits.
void appendEscape(std::string& out, char32_t code) {
  if (code == '\n') {
    out += "\\n";
  } else if (code == '\t') {
    out += "\\t";
  } else if (code == '\r') {
    out += "\\r";
  } else if (code < 0x10000) {
    absl::StrAppend(&out, "\\u", absl::Hex(std::uint32_t{code}, absl::kZeroPad4));
  } else {
    const char32_t rest = code - 0x10000;
    absl::StrAppend(&out, "\\u", absl::Hex(0xd800 + (rest >> 10), absl::kZeroPad4), "\\u",
                    absl::Hex(0xdc00 + (rest & 0x3ff), absl::kZeroPad4));
  }
}

// The characters that appendPrintable() escapes in addition to those of isUnprintable().
enum class Escapes : std::uint8_t {
  kLine,    // newlines
  kLines,   // nothing
  kQuoted,  // newlines, quotes, backslashes and what is not ASCII
};

bool needsEscape(char32_t code, Escapes escapes) {
  if (code == '\n') return escapes != Escapes::kLines;
  return isUnprintable(code) || (escapes == Escapes::kQuoted && code > 0x7f);
}

void appendPrintable(std::string& out, std::string_view text, Escapes escapes) {
  while (!text.empty()) {
    const Character character = firstCharacter(text);
    const char c = text.front();
    if (!character.valid) {
      absl::StrAppend(&out, "\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    } else if (needsEscape(character.code, escapes)) {
      appendEscape(out, character.code);
    } else {
      if (escapes == Escapes::kQuoted && (c == '"' || c == '\\')) out += '\\';
      out += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
}

// Returns the largest cut at or before `at`, at most three bytes earlier, that divides no
// character.
std::size_t cutAtOrBefore(std::string_view text, std::size_t at) {
  std::size_t cut = at;
  while (cut > 0 && at - cut < 3 && isContinuation(text[cut]))
    --cut;
  return isContinuation(text[cut]) ? at : cut;
}

std::string shortened(std::string_view text, std::size_t max_bytes, Escapes escapes) {
  std::string out;
  if (text.size() <= max_bytes) {
    appendPrintable(out, text, escapes);
    return out;
  }
  const std::size_t head = cutAtOrBefore(text, max_bytes / 2);
  const std::size_t tail = cutAtOrBefore(text, text.size() - max_bytes / 2);
  appendPrintable(out, text.substr(0, head), escapes);
  absl::StrAppend(&out, "... (", tail - head, " bytes left out) ...");
  appendPrintable(out, text.substr(tail), escapes);
  return out;
}

}  // namespace

std::size_t printablePrefix(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    if (isPlainAscii(text[length]) || text[length] == '\n') {
      ++length;
      continue;
    }
    const Character character = firstCharacter(text.substr(length));
    if (!character.valid || isUnprintable(character.code)) break;
    length += character.bytes;
  }
  return length;
}

bool isPrintable(std::string_view text) {
  return printablePrefix(text) == text.size();
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  return shortened(text, max_bytes, Escapes::kLine);
}

std::string quotedText(std::string_view text, std::size_t max_bytes) {
  return absl::StrCat("\"", shortened(text, max_bytes, Escapes::kQuoted), "\"");
}

std::string printablePath(std::string_view path) {
  return printable(path, kMaxReasonBytes);
}

absl::Status checkName(std::string_view what, std::string_view name) {
  const auto refuse = [&](std::size_t at, std::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the name of a ", std::string(what), ", ", quotedText(name), ", has the byte 0x",
        absl::Hex(static_cast<unsigned char>(name[at]), absl::kZeroPad2), " at ", at, ", ",
        std::string(why), "; write UTF-8 without control characters"));
  };
  for (std::size_t at = 0; at < name.size();) {
    const Character character = firstCharacter(name.substr(at));
    if (!character.valid) return refuse(at, "which is no UTF-8");
    const bool is_control =
        character.code < 0x20 || (character.code >= 0x7f && character.code < 0xa0);
    if (is_control) return refuse(at, "a control character");
    at += character.bytes;
  }
  return absl::OkStatus();
}

std::string printableLines(std::string_view text) {
  std::string out;
  appendPrintable(out, text, Escapes::kLines);
  return out;
}

void escapeUnprintable(std::string& json) {
  if (isPrintable(json)) return;
  std::string out;
  // Newlines may stand between the tokens of a document; within its strings they are escapes
  // already.
  appendPrintable(out, json, Escapes::kLines);
  json = std::move(out);
}

}  // namespace fractalray
