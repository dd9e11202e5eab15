// SPDX-License-Identifier: Apache-2.0
// Colours of the program's output: on terminals only, and not if NO_COLOR is set
// (https://no-color.org).
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace fractalray {

// The kind of a piece of text, which decides its colour.
enum class Ink : std::uint8_t {
  kTitle,    // bold
  kHeading,  // underlined
  kEnding,   // red: the end of a shot
  kError,    // bold red
};

// Writes escape sequences around text, or nothing. A value type.
class Colors {
 public:
  // Makes no colours: for files, and for text that is compared with them.
  Colors() = default;
  // Makes the colours of a stream: none if it is not a terminal, if the terminal is "dumb", or if
  // the environment variable NO_COLOR is set and not empty.
  static Colors of(std::FILE* stream);
  static Colors all() { return Colors(true); }

  bool areOn() const { return on_; }
  // Returns the text in its colour. Requires: no newline in it, and no other colour.
  std::string operator()(Ink ink, std::string_view text) const;

 private:
  explicit Colors(bool on) : on_(on) {}

  bool on_ = false;
};

// Makes text printable as printableLines() does, but keeps the sequences that Colors writes.
std::string printableInColor(std::string_view text);

}  // namespace fractalray
