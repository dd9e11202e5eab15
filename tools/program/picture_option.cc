// SPDX-License-Identifier: Apache-2.0
#include "picture_option.h"

#include <optional>
#include <utility>

#include "command.h"
#include "explanation_text.h"
#include "output_check.h"
#include "shot_page.h"
#include "trace_svg.h"

namespace fractalray {

void addPictureOptions(CommandOptions& options, PictureArguments& arguments) {
  options.add("--svg FILE", arguments.svg,
              "Write a picture of the shot for each level: numbered cells, corner crossings, hits "
              "in order, the clipped part");
  options.add("--html FILE", arguments.html,
              "Write a web page with a 3D view that you rotate with the mouse; it is one file and "
              "needs no network");
  options.add("--part T0,T1", arguments.part,
              "Draw the segment between these times, where 0 is its start and 1 its end (default: "
              "as much as fits, up to the shot's end)");
}

int openPictures(std::string_view command, const PictureArguments& arguments, PictureFiles& files) {
  if (!arguments.part.empty()) {
    if (!arguments.wanted()) {
      return reportError(command,
                         absl::InvalidArgumentError("--part selects what a picture shows; give "
                                                    "--svg or --html too"),
                         kExitUsage);
    }
    const absl::StatusOr<DrawnPart> part = parseDrawnPart(arguments.part, "--part");
    if (!part.ok()) return reportError(command, part.status(), kExitUsage);
    files.part = *part;
  }
  for (const auto& [output, extension] :
       {std::pair{NamedFile{"--svg", arguments.svg}, ".svg"},
        std::pair{NamedFile{"--html", arguments.html}, ".html"}}) {
    const absl::Status type = checkFileType(output, extension);
    if (!type.ok()) return reportError(command, type, kExitUsage);
  }
  for (const auto& [path, file] :
       {std::pair{&arguments.svg, &files.svg}, std::pair{&arguments.html, &files.html}}) {
    absl::StatusOr<std::optional<OutputFile>> opened = OutputFile::openIfNamed(*path);
    if (!opened.ok()) return reportError(command, opened.status(), kExitFailed);
    *file = *std::move(opened);
  }
  return kExitOk;
}

int writePictures(std::string_view command, PictureFiles& files, const Explanation& explanation,
                  TypeNamer name) {
  if (!files.svg.has_value() && !files.html.has_value()) return kExitOk;
  const absl::StatusOr<Trace> trace = shotTrace(explanation, name, files.part);
  if (!trace.ok()) return reportError(command, trace.status(), kExitUsage);
  if (files.svg.has_value()) {
    const absl::StatusOr<std::string> picture = drawTrace(*trace);
    if (!picture.ok()) return reportError(command, picture.status(), kExitUsage);
    const absl::Status written = files.svg->write(*picture);
    if (!written.ok()) return reportError(command, written, kExitFailed);
  }
  if (files.html.has_value()) {
    const absl::Status written = files.html->write(
        shotPage(titleOfShot(trace->segment), *trace, formatExplanation(explanation, name)));
    if (!written.ok()) return reportError(command, written, kExitFailed);
  }
  return kExitOk;
}

}  // namespace fractalray
