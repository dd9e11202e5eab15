// SPDX-License-Identifier: Apache-2.0
// The pictures of a dive: a strip with one every few levels, and an animation of the first levels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../tools/program/picture.h"
#include "animation.h"
#include "dive.h"
#include "fractalray/core/thread_executor.h"
#include "fractalray/formats/image.h"

namespace fractalray {

// Takes pictures of a dive while it runs: on the way down evenly spread over the levels, and on the
// way up from some of the same positions. Not thread-safe.
class DivePictures {
 public:
  // The size is that of each picture of the strip. Both must outlive this.
  static absl::StatusOr<DivePictures> create(const Dive& dive, const PictureOptions& size,
                                             const ThreadExecutor& threads);

  // Takes the pictures of a tick that is done, if there are any. Errors of renderPicture() and
  // Animation.
  absl::Status take(const DiveMoment& moment);

  // Return the files, PNG and WebP, once the dive is done.
  absl::StatusOr<std::string> strip() const;
  absl::StatusOr<std::string> animation() { return animation_.finish(); }
  // Returns the number of pictures in the strip.
  std::size_t count() const { return pictures_.size(); }

 private:
  DivePictures(const Dive& dive, PictureOptions size, const ThreadExecutor& threads,
               Animation animation);

  absl::StatusOr<Image> render(const DiveMoment& moment, int samples) const;

  const Dive& dive_;
  PictureOptions size_;
  const ThreadExecutor& threads_;
  std::vector<Image> pictures_;
  Animation animation_;
};

}  // namespace fractalray
