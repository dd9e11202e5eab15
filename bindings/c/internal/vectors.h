// SPDX-License-Identifier: Apache-2.0
// Vectors in the memory of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"

#include "../../../core/vec.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// Reads vectors one by one, from any alignment. The caller vouches for the memory.
class VectorReader {
 public:
  VectorReader() = default;
  // Requires: check().
  explicit VectorReader(const frVectors& vectors);

  // Returns INVALID_ARGUMENT for vectors that cannot be read, of which there are `count`.
  static absl::Status check(const frVectors& vectors, std::size_t count, const char* name);

  bool isInUnits() const { return format_ == FR_UNITS; }
  // Requires: not in units; in units.
  Vec3d blocks(std::size_t i) const {
    return format_ == FR_F32 ? Vec3d{double{read<float>(i, 0)}, double{read<float>(i, 1)},
                                     double{read<float>(i, 2)}}
                             : Vec3d{read<double>(i, 0), read<double>(i, 1), read<double>(i, 2)};
  }
  Vec3i units(std::size_t i) const {
    return {read<std::int64_t>(i, 0), read<std::int64_t>(i, 1), read<std::int64_t>(i, 2)};
  }

 private:
  template <class T>
  T read(std::size_t i, std::uintptr_t component) const {
    T value{};
    std::memcpy(
        &value,
        // NOLINTNEXTLINE(performance-no-int-to-ptr): strides may pass outside of the array
        reinterpret_cast<const void*>(data_ + i * vector_stride_ + component * component_stride_),
        sizeof(value));
    return value;
  }

  // Strides may be negative: sums wrap around.
  std::uintptr_t data_ = 0;
  std::uintptr_t vector_stride_ = 0;
  std::uintptr_t component_stride_ = 0;
  std::int32_t format_ = FR_F64;
};

}  // namespace fractalray::capi
