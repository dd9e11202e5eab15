// SPDX-License-Identifier: Apache-2.0
// --world, --types and --limit: the world that a command works on, opened with a progress bar.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "../../formats/open_world.h"
#include "command.h"
#include "command_line.h"
#include "output_check.h"

namespace fractalray {

struct WorldArguments {
  std::string world;
  std::string types;     // a file of node kinds; empty for the table of the program
  InputLimits limits{};  // of this and of whatever else the command reads
};

// Adds both options, and --limit. `default_text` ends the help of --world.
void addWorldOptions(CommandOptions& options, WorldArguments& arguments,
                     std::string_view default_text = "");

// Returns the files from which the world is read, for checkDistinct.
std::vector<NamedFile> worldFiles(const WorldArguments& arguments);

// Opens the world, with a progress bar. Lists what cannot be read on standard error, in the name of
// `command`, and loads the rest.
absl::StatusOr<OpenedWorld> openWorldFor(std::string_view command, const WorldArguments& arguments);

// Returns the channel of that name. INVALID_ARGUMENT, which begins with `where` and lists the
// world's channels, for a name that the world does not have.
absl::StatusOr<ChannelId> findChannel(const BlockTypeTable& types, std::string_view name,
                                      std::string_view where);

// Returns the exit status of a command that has done its work on this world: kExitFailed if the
// world could be read only in part.
ExitStatus statusOf(const OpenedWorld& world);

// Returns a line with the numbers of chunks that are loaded, and of those that are not, by reason.
std::string formatReport(const OpenedWorld& opened);

}  // namespace fractalray
