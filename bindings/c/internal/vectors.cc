// SPDX-License-Identifier: Apache-2.0
#include "vectors.h"

#include "absl/strings/str_cat.h"

#include "arguments.h"

namespace fractalray::capi {

absl::Status VectorReader::check(const frVectors& vectors, std::size_t count, const char* name) {
  if (count > 0 && vectors.data == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(name, ".data is null"));
  }
  if (vectors.format == FR_F64 || vectors.format == FR_F32 || vectors.format == FR_UNITS) {
    return absl::OkStatus();
  }
  return badEnum(absl::StrCat(name, ".format").c_str(), vectors.format, "FR_F64, FR_F32, FR_UNITS");
}

VectorReader::VectorReader(const frVectors& vectors)
    : data_(reinterpret_cast<std::uintptr_t>(vectors.data)),
      vector_stride_(static_cast<std::uintptr_t>(vectors.vector_stride)),
      component_stride_(static_cast<std::uintptr_t>(vectors.component_stride)),
      format_(vectors.format) {
  if (component_stride_ == 0) component_stride_ = format_ == FR_F32 ? 4 : 8;
}

}  // namespace fractalray::capi
