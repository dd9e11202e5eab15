// SPDX-License-Identifier: Apache-2.0
#include "query_log.h"

#include <zlib.h>

#include <array>
#include <limits>

#include "../internal/little_endian.h"
#include "internal/log_records.h"

namespace fractalray {
namespace {

// A number that no table has, for a channel that this table lacks.
ChannelId channelOf(const std::string& name, const BlockTypeTable& types) {
  constexpr ChannelId kNone{std::numeric_limits<std::uint16_t>::max()};
  return types.findChannel(name).value_or(kNone);
}

}  // namespace

FrameMove moveOf(const LoggedMove& move, const Frame& frame) {
  if (move.levels < 0) return FrameMove::descend(frame, move.chunk);
  return move.levels > 0 ? FrameMove::climb(frame, move.chunk)
                         : FrameMove::recenter(frame, move.chunk);
}

QueryOptions optionsOf(const LoggedQuery& query, const BlockTypeTable& types) {
  QueryOptions options = query.options;
  options.filter.channel = channelOf(query.channel, types);
  options.filter.ignore = query.ignore;
  return options;
}

QueryFilter filterOf(const LoggedFilter& filter, const BlockTypeTable& types) {
  QueryFilter made = filter.plain;
  made.channel = channelOf(filter.channel, types);
  made.ignore = filter.ignore;
  return made;
}

SightOptions sightOptionsOf(const LoggedQuery& query, const BlockTypeTable& types) {
  SightOptions options = query.sight->options;
  options.filter.channel = channelOf(query.channel, types);
  options.filter.ignore = query.ignore;
  options.occluders = query.sight->occluders;
  return options;
}

namespace internal {

std::uint32_t recordChecksum(std::string_view body) {
  std::array<unsigned char, 4> length{};
  for (std::size_t i = 0; i < length.size(); ++i)
    length[i] = static_cast<unsigned char>(body.size() >> (8 * i) & 0xff);
  const uLong of_length = ::crc32(0, length.data(), static_cast<uInt>(length.size()));
  return static_cast<std::uint32_t>(::crc32(of_length,
                                            reinterpret_cast<const unsigned char*>(body.data()),
                                            static_cast<uInt>(body.size())));
}

}  // namespace internal
}  // namespace fractalray
