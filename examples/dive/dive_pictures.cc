// SPDX-License-Identifier: Apache-2.0
#include "dive_pictures.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"

#include "picture_text.h"

namespace fractalray {
namespace {

constexpr int kColumns = 4;
// The most pictures of the strip on the way down, and on the way up.
constexpr int kDown = 12;
constexpr int kUp = 4;
// The tick of a stage in which pictures are taken: before the blocks of the stage are changed on
// the way down, after they have been checked on the way up.
constexpr int kPictureTick = 10;

// The animation shows the first stages, every second tick, at 15 pictures per second.
constexpr int kAnimatedStages = 9;
constexpr int kTicksPerFrame = 2;
constexpr int kFrameMillis = 66;

constexpr double kViewDistance = 60'000;  // in blocks of the stage
constexpr Rgb kLabelColor{255, 246, 220};
constexpr int kGap = 4;  // between pictures, in pixels

// Returns true if the strip has a picture of a stage, of `most` spread evenly over all of them.
bool isShown(int stage, int stages, int most) {
  const int step = (stages + most - 1) / most;
  return stage % step == 0;
}

// Returns pictures of one size side by side, row by row.
Image tiled(const std::vector<Image>& pictures) {
  const int columns = std::min(kColumns, static_cast<int>(pictures.size()));
  const int rows = (static_cast<int>(pictures.size()) + columns - 1) / columns;
  const int width = pictures.front().width + kGap;
  const int height = pictures.front().height + kGap;
  Image sheet(columns * width - kGap, rows * height - kGap);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const int left = static_cast<int>(i) % columns * width;
    const int top = static_cast<int>(i) / columns * height;
    for (int y = 0; y < pictures[i].height; ++y) {
      for (int x = 0; x < pictures[i].width; ++x)
        sheet.at(left + x, top + y) = pictures[i].at(x, y);
    }
  }
  return sheet;
}

}  // namespace

DivePictures::DivePictures(const Dive& dive, PictureOptions size, const ThreadExecutor& threads,
                           Animation animation)
    : dive_(dive), size_(std::move(size)), threads_(threads), animation_(std::move(animation)) {}

absl::StatusOr<DivePictures> DivePictures::create(const Dive& dive, const PictureOptions& size,
                                                  const ThreadExecutor& threads) {
  absl::StatusOr<Animation> animation = Animation::create(size.width, size.height, kFrameMillis);
  if (!animation.ok()) return animation.status();
  return DivePictures(dive, size, threads, *std::move(animation));
}

absl::StatusOr<Image> DivePictures::render(const DiveMoment& moment, int samples) const {
  PictureOptions options = size_;
  options.samples = samples;
  options.levels = dive_.world().allLevels();
  options.view_distance =
      kViewDistance * DiveRoute::blockWidth(dive_.world().frame(), moment.stage);
  options.sky = dive_.route().sky(moment.stage, moment.tick);
  const Camera camera = dive_.route().camera(dive_.world().frame(), moment.stage, moment.tick);
  absl::StatusOr<Image> image = renderPicture(dive_.world(), dive_.service(), camera, options,
                                              threads_, [](int /*rows_done*/) {});
  if (!image.ok()) return image;
  const int dot = std::max(1, options.width / 240);
  const std::string label = absl::StrCat(moment.is_climb ? "up, " : "", "depth ", moment.stage,
                                         ": ", dive_.route().nameOf(moment.stage));
  drawText(*image, 4 * dot, image->height - textHeight(dot) - 4 * dot, dot, label, kLabelColor);
  return image;
}

absl::Status DivePictures::take(const DiveMoment& moment) {
  const int stages = dive_.route().stages();
  const int most = moment.is_climb ? kUp : kDown;
  if (moment.tick == kPictureTick && isShown(moment.stage, stages, most)) {
    absl::StatusOr<Image> picture = render(moment, size_.samples);
    if (!picture.ok()) return picture.status();
    pictures_.push_back(*std::move(picture));
  }
  const bool is_animated = !moment.is_climb && !moment.is_settling &&
                           moment.stage < kAnimatedStages && moment.tick % kTicksPerFrame == 0;
  if (!is_animated) return absl::OkStatus();
  const absl::StatusOr<Image> picture = render(moment, 1);
  return picture.ok() ? animation_.add(*picture) : picture.status();
}

absl::StatusOr<std::string> DivePictures::strip() const {
  return encodePng(tiled(pictures_));
}

}  // namespace fractalray
