// SPDX-License-Identifier: Apache-2.0
// --svg, --html and --part: pictures of an explained shot, the same for all commands that have one.
#pragma once

#include <string>
#include <string_view>

#include "fractalray/apps/command.h"
#include "fractalray/apps/explanation.h"
#include "fractalray/formats/answer.h"

namespace fractalray {

struct PictureArguments {
  std::string svg;
  std::string html;
  std::string part;

  bool wanted() const { return !svg.empty() || !html.empty(); }
};

// Adds the three options. Requires: `arguments` outlives the command.
void addPictureOptions(CLI::App& command, PictureArguments& arguments);

// Writes the files that are wanted. What goes wrong is told in the name of `command`; returns the
// exit status.
int writePictures(std::string_view command, const PictureArguments& arguments,
                  const Explanation& explanation, TypeNamer name);

}  // namespace fractalray
