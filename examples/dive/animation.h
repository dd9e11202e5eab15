// SPDX-License-Identifier: Apache-2.0
// Animations, and WebP files of them.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "fractalray/formats/image.h"

namespace fractalray {

// Compresses pictures, one after another, into an animated WebP file that repeats for ever, by
// libwebp. The same bytes for the same pictures and libwebp. Not thread-safe. If memory runs out,
// RESOURCE_EXHAUSTED; other errors with libwebp's words.
class Animation {
 public:
  // INVALID_ARGUMENT for a side that is not from 1 to 16383, the most of the format. Requires:
  // frame_millis >= 1.
  static absl::StatusOr<Animation> create(int width, int height, int frame_millis);
  Animation(Animation&&) noexcept;
  Animation& operator=(Animation&&) noexcept;
  ~Animation();

  // Appends a picture. INVALID_ARGUMENT for one of another size.
  absl::Status add(const Image& image);
  // Returns the file. INVALID_ARGUMENT if no picture was added.
  absl::StatusOr<std::string> finish();

 private:
  struct State;
  explicit Animation(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace fractalray
