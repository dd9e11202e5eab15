// SPDX-License-Identifier: Apache-2.0
// The commands of the program `fractalray-store`, each in a cmd_<name>.cc of its own or with those
// that it shares all options with. A new command needs a line here and one in main.cc.
#pragma once

namespace fractalray {

class CommandLine;

void addCheckCommand(CommandLine& line);
void addInitCommand(CommandLine& line);
void addServeStoreCommand(CommandLine& line);  // where FRACTALRAY_SERVE is defined

}  // namespace fractalray
