// SPDX-License-Identifier: Apache-2.0
// The interface between the server and the world from which it answers.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

#include "../bindings/c/fractalray_c.h"

namespace fractalray::serve {

// A world in which lines can be answered now.
struct SourceView {
  const frWorld* world = nullptr;
  // The name of the content: WORLD@..., equal for equal content; at most 1,024 bytes. WORLD alone
  // names the world, whatever its edits.
  std::string version;
  // Keeps the world as it is; empty if it is never changed.
  std::shared_ptr<const void> hold;
};

// Has the answers. Another kind of world, such as one that loads what lines need from a
// store, is another class.
class AnswerSource {
 public:
  AnswerSource() = default;
  virtual ~AnswerSource() = default;
  AnswerSource(const AnswerSource&) = delete;
  AnswerSource& operator=(const AnswerSource&) = delete;

  // Returns a world that has what the lines need. Called before each slice of a call, by several
  // threads at once; `lines` have passed no check but that of their sizes. An error is that of the
  // call; a view of another version than the slices before ends the call, with these answered.
  virtual absl::StatusOr<SourceView> view(const frLines& lines, frLevelMask levels) = 0;
  // Returns the version for clients that connect. Safe from any thread.
  virtual std::string version() const = 0;
};

}  // namespace fractalray::serve
