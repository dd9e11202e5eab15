// SPDX-License-Identifier: Apache-2.0
// The options of queries (query/fields.h) as options of the commands that shoot.
#pragma once

#include "../../formats/query_json.h"
#include "command_line.h"

namespace fractalray {

// Adds an option for each plain option of a shot, named as in JSON with "-" for "_", and one for
// the channel; a flag that is on by default is called --no-.... `shot` is filled in when the
// command line is parsed.
void addShotOptions(CommandOptions& options, ShotQuery& shot);

}  // namespace fractalray
