// SPDX-License-Identifier: Apache-2.0
// The tokens of the callers that a server accepts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace fractalray::serve {

class Tokens {
 public:
  // Accepts everybody.
  Tokens() = default;
  // Accepts these; everybody if there are none.
  explicit Tokens(std::vector<std::string> accepted) : accepted_(std::move(accepted)) {}

  // Reads a file with a token in each line; empty lines, and those that begin with '#', are none.
  // Errors: those of the file; INVALID_ARGUMENT if it has no token, or one of more than 1,024
  // bytes.
  static absl::StatusOr<Tokens> read(const std::string& path);

  bool empty() const { return accepted_.empty(); }
  // Returns true if a token is accepted. Takes the same time for each token of one length, so that
  // nobody can find one out byte by byte.
  bool accepts(std::string_view token) const;

 private:
  std::vector<std::string> accepted_;
};

}  // namespace fractalray::serve
