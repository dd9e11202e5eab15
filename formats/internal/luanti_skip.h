// SPDX-License-Identifier: Apache-2.0
// Skips the parts of a Luanti mapblock that no query needs, and checks that they are well formed.
#pragma once

#include "absl/status/status.h"

#include "byte_reader.h"

namespace fractalray::internal {

// Each reads one list to its end. Errors: DATA_LOSS, naming the list, if it is cut off or
// malformed.
absl::Status skipNodeMetadata(ByteReader& bytes);
absl::Status skipStaticObjects(ByteReader& bytes);
absl::Status skipNodeTimers(ByteReader& bytes);

}  // namespace fractalray::internal
