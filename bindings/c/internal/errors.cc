// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>
#include <stdexcept>

#include "../../../core/printable.h"
#include "handles.h"

namespace fractalray::capi {
namespace {

constexpr std::string_view kNoMemory = "there is not enough memory";

// Without a destructor, which would keep an unloaded library in memory.
constinit thread_local std::array<char, 1024> last_error{};

std::size_t append(std::size_t at, std::string_view text) noexcept {
  const std::size_t length = std::min(text.size(), last_error.size() - 1 - at);
  // An empty text may be at null, which memmove refuses.
  if (length > 0) std::memmove(last_error.data() + at, text.data(), length);
  return at + length;
}

// Returns the position at which a text of that length may be cut: not within a UTF-8 character.
std::size_t cutAt(std::size_t length) noexcept {
  const auto is_inner = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
  std::size_t start = length;
  while (start > 0 && length - start < 4 && is_inner(last_error[start - 1]))
    --start;
  if (start == 0) return length;
  const auto lead = static_cast<unsigned char>(last_error[start - 1]);
  const std::size_t width = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return start - 1 + width <= length ? length : start - 1;
}

// Appends text that may quote a callback or a file: what a terminal should not receive as escapes
// of bytes (\x1b). Allocates nothing.
std::size_t appendEscaped(std::size_t at, std::string_view text) noexcept {
  while (true) {
    const std::size_t clean = std::min(printablePrefix(text), text.find('\n'));
    at = append(at, text.substr(0, clean));
    if (clean >= text.size()) return at;
    const auto byte = static_cast<unsigned char>(text[clean]);
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::array escape = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    at = append(at, {escape.data(), escape.size()});
    text.remove_prefix(clean + 1);
  }
}

void setParts(std::initializer_list<std::string_view> parts) noexcept {
  std::size_t length = 0;
  for (const std::string_view part : parts)
    length = appendEscaped(length, part);
  last_error[cutAt(length)] = '\0';
}

// A status has no message if there was no memory for it.
std::string_view messageOf(const absl::Status& error) noexcept {
  const absl::string_view message = error.message();
  return message.empty() ? kNoMemory : std::string_view(message.data(), message.size());
}

}  // namespace

void setLastError(const char* function, std::string_view message) noexcept {
  setParts({function, ": ", message});
}

void setElementError(const char* function, const char* element, std::size_t number,
                     const absl::Status& error) noexcept {
  std::array<char, 20> digits{};
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const std::string_view printed(digits.data(), static_cast<std::size_t>(end - digits.data()));
  setParts({function, ": ", element, " ", printed, ": ", messageOf(error)});
}

frResult resultOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return FR_OK;
    case absl::StatusCode::kInvalidArgument:
      return FR_INVALID_ARGUMENT;
    case absl::StatusCode::kDeadlineExceeded:
      return FR_DEADLINE_EXCEEDED;
    case absl::StatusCode::kNotFound:
      return FR_NOT_FOUND;
    case absl::StatusCode::kAlreadyExists:
      return FR_ALREADY_EXISTS;
    case absl::StatusCode::kPermissionDenied:
      return FR_PERMISSION_DENIED;
    case absl::StatusCode::kResourceExhausted:
      return FR_RESOURCE_EXHAUSTED;
    case absl::StatusCode::kFailedPrecondition:
      return FR_FAILED_PRECONDITION;
    case absl::StatusCode::kOutOfRange:
      return FR_OUT_OF_RANGE;
    case absl::StatusCode::kUnimplemented:
      return FR_UNIMPLEMENTED;
    case absl::StatusCode::kUnavailable:
      return FR_UNAVAILABLE;
    case absl::StatusCode::kAborted:
      return FR_ABORTED;
    case absl::StatusCode::kDataLoss:
      return FR_DATA_LOSS;
    default:
      return FR_INTERNAL;
  }
}

frResult report(const char* function, const absl::Status& error) noexcept {
  setLastError(function, messageOf(error));
  return resultOf(error);
}

frResult reportException(const char* function) noexcept {
  try {
    throw;
  } catch (const CallbackError& error) {
    return report(function, error.status);
  } catch (const NoHandlesLeft& error) {
    setLastError(function, error.what());
    return FR_RESOURCE_EXHAUSTED;
  } catch (const std::bad_alloc&) {
    setLastError(function, kNoMemory);
    return FR_RESOURCE_EXHAUSTED;
  } catch (const std::length_error&) {
    setLastError(function, kNoMemory);
    return FR_RESOURCE_EXHAUSTED;
  } catch (const std::exception& error) {
    setLastError(function, error.what());
    return FR_INTERNAL;
  } catch (...) {
    setLastError(function, "an exception passed through a callback; callbacks must not throw");
    return FR_INTERNAL;
  }
}

}  // namespace fractalray::capi

extern "C" {

int32_t frGetVersion(void) {
  return FR_VERSION;
}

const char* frGetResultName(frResult result) {
  switch (result) {
    case FR_OK:
      return "OK";
    case FR_INVALID_ARGUMENT:
      return "INVALID_ARGUMENT";
    case FR_DEADLINE_EXCEEDED:
      return "DEADLINE_EXCEEDED";
    case FR_NOT_FOUND:
      return "NOT_FOUND";
    case FR_ALREADY_EXISTS:
      return "ALREADY_EXISTS";
    case FR_PERMISSION_DENIED:
      return "PERMISSION_DENIED";
    case FR_RESOURCE_EXHAUSTED:
      return "RESOURCE_EXHAUSTED";
    case FR_FAILED_PRECONDITION:
      return "FAILED_PRECONDITION";
    case FR_OUT_OF_RANGE:
      return "OUT_OF_RANGE";
    case FR_UNIMPLEMENTED:
      return "UNIMPLEMENTED";
    case FR_UNAVAILABLE:
      return "UNAVAILABLE";
    case FR_ABORTED:
      return "ABORTED";
    case FR_DATA_LOSS:
      return "DATA_LOSS";
    case FR_INTERNAL:
      return "INTERNAL";
    default:
      return "UNKNOWN";
  }
}

const char* frGetLastError(void) {
  return fractalray::capi::last_error.data();
}

}  // extern "C"
