// SPDX-License-Identifier: Apache-2.0
// The frame of an answer, whose arrays the library fills in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../bindings/c/internal/frame.h"
#include "request.h"

namespace fractalray::serve {

// Returns the bytes of the arrays of an answer, for each line.
std::size_t bytesPerLine(const CallRequest& request);
// Returns the most bytes of an answer, with those that it takes while it is made.
std::uint64_t answerBytes(const CallRequest& request);

class AnswerFrame {
 public:
  // Makes space in `frame`, which must outlive this, as must the request. Throws std::bad_alloc.
  AnswerFrame(const CallRequest& request, std::vector<std::byte>& frame);

  // Return where the parts of a line are; null if the caller does not want it. Requires: such a
  // line.
  std::byte* answers(std::size_t line);
  double* unknown(std::size_t line);
  frBlocker* blockers(std::size_t line);
  frResult* results(std::size_t line) { return results_.data() + line; }

  // Completes the frame: only the completed lines stay. Texts are cut to kMaxTextBytes.
  void finish(wire::AnswerHead total, std::string version, std::string error, std::uint64_t number);

 private:
  void keep(std::size_t from, std::size_t bytes);

  const CallRequest& request_;
  std::vector<std::byte>& frame_;
  std::size_t unknown_at_;
  std::size_t blockers_at_;
  std::size_t end_ = 0;  // of the parts that are complete
  std::vector<frResult> results_;
};

}  // namespace fractalray::serve
