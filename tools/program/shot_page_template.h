// SPDX-License-Identifier: Apache-2.0
// The text of shot_page.html, compiled in.
#pragma once

#include <string_view>

namespace fractalray::internal {

// With {{title}}, {{data}}, {{lines}} and {{words}} to be filled in.
std::string_view shotPageTemplate();

}  // namespace fractalray::internal
