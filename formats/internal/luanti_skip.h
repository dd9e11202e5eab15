// SPDX-License-Identifier: Apache-2.0
// The parts of a Luanti mapblock that have nothing to say to a ray: read over, and checked on the
// way.
#pragma once

#include "absl/status/status.h"

#include "byte_reader.h"

namespace fractalray::internal {

// Each reads one list to its end; DATA_LOSS, naming the list, for one that is cut off or malformed.
absl::Status skipNodeMetadata(ByteReader& bytes);
absl::Status skipStaticObjects(ByteReader& bytes);
absl::Status skipNodeTimers(ByteReader& bytes);

}  // namespace fractalray::internal
