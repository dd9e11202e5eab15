// SPDX-License-Identifier: Apache-2.0
#include "tokens.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

#include "../bindings/c/internal/frame.h"
#include "../formats/input_file.h"

namespace fractalray::serve {
namespace {

bool isSame(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

absl::StatusOr<Tokens> Tokens::read(const std::string& path) {
  const absl::StatusOr<std::string> text = readFile(path);
  if (!text.ok()) return text.status();
  std::vector<std::string> accepted;
  for (const absl::string_view line : absl::StrSplit(*text, '\n')) {
    std::string token(absl::StripSuffix(line, "\r"));
    if (token.empty() || token.front() == '#') continue;
    if (token.size() > wire::kMaxTokenBytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": a token has ", token.size(), " bytes; it has at most ", wire::kMaxTokenBytes));
    }
    accepted.push_back(std::move(token));
  }
  if (accepted.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the file has no token; write one in each line"));
  }
  return Tokens(std::move(accepted));
}

bool Tokens::accepts(std::string_view token) const {
  bool is_accepted = accepted_.empty();
  for (const std::string& each : accepted_)
    is_accepted = isSame(each, token) || is_accepted;
  return is_accepted;
}

}  // namespace fractalray::serve
