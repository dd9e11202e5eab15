// SPDX-License-Identifier: Apache-2.0
#include "shot_option.h"

#include "option_adder.h"

namespace fractalray {

void addShotOptions(CommandOptions& options, ShotQuery& shot) {
  forEachShotOption(OptionAdder{options, shot.channel}, shot.options);
}

}  // namespace fractalray
