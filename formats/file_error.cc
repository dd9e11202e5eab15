// SPDX-License-Identifier: Apache-2.0
#include "file_error.h"

#include <cerrno>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"

#include "../core/printable.h"

namespace fractalray {
namespace {

absl::StatusCode codeOf(int error) {
  using enum absl::StatusCode;
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return kNotFound;
    case ENAMETOOLONG:
    case ELOOP:
    case EISDIR:
      return kInvalidArgument;
    case EACCES:
    case EPERM:
    case EROFS:
      return kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return kResourceExhausted;
    case EBUSY:
    case ETXTBSY:
      return kUnavailable;
    case EIO:
      return kDataLoss;
    default:
      return absl::ErrnoToStatusCode(error);
  }
}

}  // namespace

absl::Status fileError(int error, std::string_view path, std::string_view what) {
  return {codeOf(error),
          absl::StrCat(printablePath(path), ": ", std::string(what), what.empty() ? "" : ": ",
                       std::generic_category().message(error))};
}

}  // namespace fractalray
