// SPDX-License-Identifier: Apache-2.0
// Colours of what the program prints: on terminals only, and only where NO_COLOR does not forbid
// them (https://no-color.org).
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace fractalray {

// What a piece of text is, which decides its colour.
enum class Ink : std::uint8_t {
  kTitle,    // bold
  kHeading,  // underlined
  kEnding,   // red: where a shot ends
  kError,    // bold red
};

// Writes escape sequences around text, or nothing. A value type.
class Colors {
 public:
  // None: what is written to files, and all that is compared with it.
  Colors() = default;
  // Those of a stream: none if it is not a terminal, if the terminal is "dumb", or if the
  // environment variable NO_COLOR is set and not empty.
  static Colors of(std::FILE* stream);
  static Colors all() { return Colors(true); }

  bool areOn() const { return on_; }
  // Returns the text in its colour. Requires: no newline in it, and no other colour.
  std::string operator()(Ink ink, std::string_view text) const;

 private:
  explicit Colors(bool on) : on_(on) {}

  bool on_ = false;
};

// Makes text printable as printableLines() does, but for the sequences that Colors writes.
std::string printableInColor(std::string_view text);

}  // namespace fractalray
