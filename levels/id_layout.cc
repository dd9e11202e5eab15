// SPDX-License-Identifier: Apache-2.0
#include "id_layout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"

namespace fractalray {
namespace {

// Keeps offsets of blocks far from overflow.
constexpr std::int64_t kMaxStride = std::int64_t{1} << 40;

template <class Id>
void writeAs(void* at, std::uint32_t value) {
  const auto id = static_cast<Id>(value);
  std::memcpy(at, &id, sizeof(id));
}

// Returns one more than the largest id of a width.
std::uint64_t idsOfWidth(int bytes) {
  return std::uint64_t{1} << (8 * bytes);
}

absl::Status checkState(const StateSpec& state, const IdLayoutSpec& spec) {
  if (state.bits < 0 || state.bits > 8) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a state of ", state.bits, " bits cannot be read; it has 1 to 8, or 0 for none"));
  }
  if (state.offset >= 0 && state.offset < spec.id_bytes) {
    return absl::InvalidArgumentError(absl::StrCat("the state is ", state.offset,
                                                   " bytes after the id, which has ", spec.id_bytes,
                                                   "; it must be in another byte"));
  }
  if (state.offset < -kMaxStride || state.offset > kMaxStride) {
    return absl::InvalidArgumentError(absl::StrCat("the state's offset ", state.offset,
                                                   " is out of range; it is at most ", kMaxStride,
                                                   " bytes either way"));
  }
  if (!spec.types.has_value()) {
    return absl::InvalidArgumentError(
        "a layout with states needs a table of types, for the ids that have none");
  }
  return absl::OkStatus();
}

}  // namespace

const IdLayout::Data IdLayout::kDefault;

absl::StatusOr<IdLayout> IdLayout::make(const IdLayoutSpec& spec) {
  if (spec.id_bytes != 1 && spec.id_bytes != 2 && spec.id_bytes != 4) {
    return absl::InvalidArgumentError(
        absl::StrCat("ids of ", spec.id_bytes, " bytes cannot be read; an id has 1, 2 or 4"));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t stride = spec.strides[axis];
    const bool overlaps = stride != 0 && stride > -spec.id_bytes && stride < spec.id_bytes;
    if (overlaps) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the stride ", stride, " of axis ", axis, " is less than an id of ", spec.id_bytes,
          " bytes, so that ids would overlap; strides are in bytes: multiply one that counts ids "
          "by ",
          spec.id_bytes));
    }
    if (stride >= -kMaxStride && stride <= kMaxStride) continue;
    return absl::InvalidArgumentError(absl::StrCat("the stride ", stride, " of axis ", axis,
                                                   " is out of range; strides are bytes, at most ",
                                                   kMaxStride, " either way"));
  }
  IdLayout layout;
  layout.data_ = internal::CowPtr<Data>::make();
  Data& data = layout.data_.edit();
  data.id_bytes = spec.id_bytes;
  data.strides = spec.strides;
  data.has_table = spec.types.has_value();
  if (spec.types.has_value()) {
    data.types.assign(spec.types->begin(), spec.types->end());
  }
  if (spec.state.bits != 0) {
    absl::Status status = checkState(spec.state, spec);
    if (status.ok()) status = data.setStates(spec.state);
    if (!status.ok()) return status;
  }
  data.invert();
  return layout;
}

absl::Status IdLayout::Data::setStates(const StateSpec& spec) {
  const std::size_t states = std::size_t{1} << spec.bits;
  rows.assign(types.size(), kNoRow);
  for (const TypesOfId& of_id : spec.types) {
    const std::string name = absl::StrCat("id ", of_id.id, " of the states ");
    if (of_id.id >= types.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, "is not among the ", types.size(), " ids of the table of types"));
    }
    if (rows[of_id.id] != kNoRow) return absl::InvalidArgumentError(name + "is there twice");
    if (of_id.types.size() != states) {
      return absl::InvalidArgumentError(absl::StrCat(name, "has ", of_id.types.size(),
                                                     " types; give one for each of the ", states,
                                                     " states"));
    }
    rows[of_id.id] = static_cast<std::uint32_t>(types_of_states.size());
    types_of_states.insert(types_of_states.end(), of_id.types.begin(), of_id.types.end());
  }
  state_offset = spec.offset;
  state_mask = static_cast<std::uint32_t>(states) - 1;
  return absl::OkStatus();
}

// The first that is found stays: the smallest, of those that fit the width.
void IdLayout::Data::invert() {
  const auto note = [&](BlockTypeId type, const StoredId& stored) {
    const std::size_t index = BlockTypeTable::index(type);
    if (index >= ids.size()) ids.resize(index + 1);
    if (!ids[index].has_value()) ids[index] = stored;
  };
  const auto count =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(types.size(), idsOfWidth(id_bytes)));
  for (std::uint32_t id = 0; id < count; ++id) {
    if (rows.empty() || rows[id] == kNoRow) {
      note(types[id], {.id = id});
      continue;
    }
    for (std::uint32_t state = 0; state <= state_mask; ++state)
      note(types_of_states[rows[id] + state], {.id = id, .state = state});
  }
}

std::optional<std::size_t> IdLayout::tableSize() const {
  if (!data().has_table) return std::nullopt;
  return data().types.size();
}

std::string IdLayout::textOf(const StoredId& stored) const {
  std::string text = absl::StrCat("id ", stored.id);
  if (hasStates()) absl::StrAppend(&text, " in state ", stored.state);
  return text;
}

void IdLayout::write(void* at, const StoredId& stored) const noexcept {
  const Data& data = this->data();
  if (data.state_mask != 0) {
    std::byte& state = static_cast<std::byte*>(at)[data.state_offset];
    const auto mask = static_cast<std::byte>(data.state_mask);
    state = (state & ~mask) | (static_cast<std::byte>(stored.state) & mask);
  }
  switch (data.id_bytes) {
    case 1:
      return writeAs<std::uint8_t>(at, stored.id);
    case 2:
      return writeAs<std::uint16_t>(at, stored.id);
    default:
      return writeAs<std::uint32_t>(at, stored.id);
  }
}

std::optional<StoredId> IdLayout::idOf(BlockTypeId type) const {
  const Data& data = this->data();
  const std::size_t index = BlockTypeTable::index(type);
  if (data.has_table) {
    return index < data.ids.size() ? data.ids[index] : std::nullopt;
  }
  if (index >= idsOfWidth(data.id_bytes)) return std::nullopt;
  return StoredId{.id = static_cast<std::uint32_t>(index)};
}

bool IdLayout::keepsApart(std::int64_t width) const {
  FRACTALRAY_DCHECK(width >= 1, width);
  std::array<std::int64_t, 3> steps{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t stride = strides()[static_cast<int>(axis)];
    steps[axis] = stride < 0 ? -stride : stride;
  }
  std::sort(steps.begin(), steps.end());
  // Returns the bytes from the first block's to the last one's if those of a block are so many;
  // nothing if the bytes of two blocks may be the same.
  const auto covered = [&](std::int64_t of_block) -> std::optional<std::int64_t> {
    std::int64_t bytes = of_block;
    for (const std::int64_t step : steps) {
      if (step < bytes) return std::nullopt;
      bytes += (width - 1) * step;
    }
    return bytes;
  };
  const std::optional<std::int64_t> ids = covered(idBytes());
  if (!ids.has_value() || !hasStates()) return ids.has_value();
  // The states lie between the ids, or all before or after them.
  const std::int64_t offset = data().state_offset;
  if (offset >= *ids || -offset >= *ids) return true;
  return covered(std::max<std::int64_t>(idBytes(), offset + 1) - std::min<std::int64_t>(offset, 0))
      .has_value();
}

}  // namespace fractalray
