// SPDX-License-Identifier: Apache-2.0
#include "fingerprint.h"

#include <cstddef>

#include "../core/internal/stable_hash.h"
#include "internal/look_hash.h"

namespace fractalray {

std::uint64_t blockTypesFingerprint(const BlockTypeTable& types) {
  internal::StableHash hash;
  hash.add(std::uint64_t{types.channels()});
  for (std::size_t i = 0; i < types.channels(); ++i)
    hash.add(types.channelName(static_cast<ChannelId>(i)));
  hash.add(std::uint64_t{types.size()});
  for (std::size_t number = 0; number < types.size(); ++number) {
    const auto type = static_cast<BlockTypeId>(number);
    hash.add(types.name(type));
    // Blocks of a type that is empty everywhere leave no bit in a chunk's occupancy.
    hash.add(std::uint64_t{types.isEmptyEverywhere(type)});
    for (std::size_t i = 0; i < types.channels(); ++i)
      hash.add(internal::lookHash(types, type, static_cast<ChannelId>(i)));
  }
  return hash.value();
}

}  // namespace fractalray
