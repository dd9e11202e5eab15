// SPDX-License-Identifier: Apache-2.0
// --svg, --html and --part: pictures of an explained shot, the same for all commands that make one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../../formats/answer_json.h"
#include "../../query/explain/explanation.h"
#include "command_line.h"
#include "output.h"
#include "shot_trace.h"

namespace fractalray {

struct PictureArguments {
  std::string svg;
  std::string html;
  std::string part;

  bool wanted() const { return !svg.empty() || !html.empty(); }
};

// Adds the three options. Requires: `arguments` outlives the command.
void addPictureOptions(CommandOptions& options, PictureArguments& arguments);

// The requested files, open, and the part of the shot that they show; without one, all of it.
struct PictureFiles {
  std::optional<OutputFile> svg;
  std::optional<OutputFile> html;
  std::optional<DrawnPart> part;
};

// Opens the files, before the work. Reports errors in the name of `command`; returns the exit
// status.
int openPictures(std::string_view command, const PictureArguments& arguments, PictureFiles& files);

// Writes the files; reports errors likewise.
int writePictures(std::string_view command, PictureFiles& files, const Explanation& explanation,
                  TypeNamer name);

}  // namespace fractalray
