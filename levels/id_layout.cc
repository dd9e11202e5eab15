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

constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();
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

// Returns the smallest id for each block type, of those that fit the width.
std::vector<std::uint32_t> invert(std::span<const BlockTypeId> types, int id_bytes) {
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(types.size(), idsOfWidth(id_bytes)));
  std::size_t size = 0;
  for (const BlockTypeId type : types.first(count))
    size = std::max(size, BlockTypeTable::index(type) + 1);
  std::vector<std::uint32_t> ids(size, kNoId);
  for (std::size_t id = count; id-- > 0;)
    ids[BlockTypeTable::index(types[id])] = static_cast<std::uint32_t>(id);
  return ids;
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
    data.ids = invert(data.types, data.id_bytes);
  }
  return layout;
}

std::optional<std::size_t> IdLayout::tableSize() const {
  if (!data().has_table) return std::nullopt;
  return data().types.size();
}

void IdLayout::write(void* at, std::uint32_t id) const noexcept {
  switch (data().id_bytes) {
    case 1:
      return writeAs<std::uint8_t>(at, id);
    case 2:
      return writeAs<std::uint16_t>(at, id);
    default:
      return writeAs<std::uint32_t>(at, id);
  }
}

std::optional<std::uint32_t> IdLayout::idOf(BlockTypeId type) const {
  const Data& data = this->data();
  const std::size_t index = BlockTypeTable::index(type);
  if (data.has_table) {
    if (index >= data.ids.size() || data.ids[index] == kNoId) return std::nullopt;
    return data.ids[index];
  }
  if (index >= idsOfWidth(data.id_bytes)) return std::nullopt;
  return static_cast<std::uint32_t>(index);
}

bool IdLayout::keepsApart(std::int64_t width) const {
  FRACTALRAY_DCHECK(width >= 1, width);
  std::array<std::int64_t, 3> steps{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t stride = strides()[static_cast<int>(axis)];
    steps[axis] = stride < 0 ? -stride : stride;
  }
  std::sort(steps.begin(), steps.end());
  std::int64_t covered = idBytes();  // bytes from the first of the blocks so far to the last
  for (const std::int64_t step : steps) {
    if (step < covered) return false;
    covered += (width - 1) * step;
  }
  return true;
}

}  // namespace fractalray
