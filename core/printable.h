// SPDX-License-Identifier: Apache-2.0
// Makes text from outside fit for a terminal, a log and a page: a map or a scenario may hold escape
// sequences, newlines, invisible characters that reorder a line, and megabytes in one name.
//
// Errors quote such text by quotedText() or printable() where they are built; the program passes
// all that it prints through printableLines() or printable() once more. Neither changes text that
// is clean already.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace fractalray {

// The most bytes that a message quotes of one name or value, and the most of a whole message.
inline constexpr std::size_t kMaxQuotedBytes = 100;
inline constexpr std::size_t kMaxMessageBytes = 4000;
// The most bytes that a message keeps of a reason that a library or a file gives.
inline constexpr std::size_t kMaxReasonBytes = 400;

// Returns true if `text` is valid UTF-8 without control characters other than newlines, without
// characters that reorder or hide their neighbours (bidirectional controls, zero-width and
// deprecated format characters) and without line separators. Cost: O(text).
bool isPrintable(std::string_view text);

// Returns `text` in one line: characters that isPrintable() excludes, and newlines, are written as
// escapes (\n, \u001b, \u202e, and \xff for a byte that is no UTF-8). Of more than `max_bytes`
// bytes only the beginning and the end are kept, around "... (1234 bytes left out) ...". At most
// six times `max_bytes` long, not counting that notice.
std::string printable(std::string_view text, std::size_t max_bytes = kMaxQuotedBytes);

// Returns `text` as printable() does, but in double quotes and in ASCII: other characters are
// written as escapes too, and so are " and \.
std::string quotedText(std::string_view text, std::size_t max_bytes = kMaxQuotedBytes);

// Returns text of several lines as printable() does, but keeps newlines and leaves nothing out.
std::string printableLines(std::string_view text);

// Returns the path of a file for a message: as printable() does, with nothing left out of a usual
// one.
std::string printablePath(std::string_view path);

// Returns the length of the longest beginning of `text` that isPrintable() accepts. Allocates
// nothing.
std::size_t printablePrefix(std::string_view text);

// Checks the name of something, such as "block type": returns INVALID_ARGUMENT, which names the
// first wrong byte, unless it is valid UTF-8 without control characters (U+0000 to U+001F and
// U+007F to U+009F).
absl::Status checkName(std::string_view what, std::string_view name);

// Replaces characters that isPrintable() excludes by \u escapes within a JSON document, which stays
// the same document. Requires: `json` is valid JSON and valid UTF-8.
void escapeUnprintable(std::string& json);

}  // namespace fractalray
