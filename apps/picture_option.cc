// SPDX-License-Identifier: Apache-2.0
#include "fractalray/apps/picture_option.h"

#include <optional>
#include <vector>

#include "CLI/CLI.hpp"
#include "fractalray/apps/explanation_text.h"
#include "fractalray/apps/output.h"
#include "fractalray/apps/shot_page.h"
#include "fractalray/apps/shot_picture.h"

namespace fractalray {

void addPictureOptions(CLI::App& command, PictureArguments& arguments) {
  command
      .add_option(
          "--svg", arguments.svg,
          "Write pictures of the shot, one for each level: cells numbered, corner crossings, "
          "hits in order, what was clipped")
      ->type_name("FILE");
  command
      .add_option("--html", arguments.html,
                  "Write the same as one web page with a view in 3 dimensions to turn; it needs no "
                  "network")
      ->type_name("FILE");
  command
      .add_option(
          "--part", arguments.part,
          "Draw the segment between these times, 0 its start and 1 its end (default: all, or "
          "what fits before the shot's end)")
      ->type_name("T0,T1");
}

int writePictures(std::string_view command, const PictureArguments& arguments,
                  const Explanation& explanation, TypeNamer name) {
  std::optional<DrawnPart> part;
  if (!arguments.part.empty()) {
    const absl::StatusOr<DrawnPart> parsed = parseDrawnPart(arguments.part, "--part");
    if (!parsed.ok()) return reportError(command, parsed.status(), kExitUsage);
    part = *parsed;
  }
  if (!arguments.svg.empty()) {
    const absl::StatusOr<std::string> picture = drawShot(explanation, name, part);
    if (!picture.ok()) return reportError(command, picture.status(), kExitUsage);
    const absl::Status written = writeFileAtomically(arguments.svg, *picture);
    if (!written.ok()) return reportError(command, written, kExitFailed);
  }
  if (!arguments.html.empty()) {
    const absl::StatusOr<std::vector<CellPicture>> pictures = shotPictures(explanation, part);
    if (!pictures.ok()) return reportError(command, pictures.status(), kExitUsage);
    const std::string page = shotPage(explanation, *pictures, shotLines(explanation, name),
                                      tellExplanation(explanation, name));
    const absl::Status written = writeFileAtomically(arguments.html, page);
    if (!written.ok()) return reportError(command, written, kExitFailed);
  }
  return kExitOk;
}

}  // namespace fractalray
