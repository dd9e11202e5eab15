// SPDX-License-Identifier: Apache-2.0
#include "animation.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <utility>

#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

constexpr float kQuality = 65;  // from 0 to 100
constexpr int kMethod = 3;      // from 0, fast, to 6, small

// A picture of libwebp's, freed at its end.
class EncoderPicture {
 public:
  EncoderPicture() { is_valid_ = WebPPictureInit(&picture_) != 0; }
  ~EncoderPicture() { WebPPictureFree(&picture_); }
  EncoderPicture(const EncoderPicture&) = delete;
  EncoderPicture& operator=(const EncoderPicture&) = delete;

  // Returns false if memory runs out.
  bool import(const Image& image) {
    static_assert(sizeof(Rgb) == 3, "rows are handed to libwebp as they are");
    picture_.use_argb = 1;
    picture_.width = image.width;
    picture_.height = image.height;
    return is_valid_ &&
           WebPPictureImportRGB(&picture_, &image.pixels.front().red, 3 * image.width) != 0;
  }
  WebPPicture* get() { return &picture_; }

 private:
  WebPPicture picture_{};
  bool is_valid_ = false;
};

absl::Status outOfMemory() {
  return absl::ResourceExhaustedError("out of memory for the animation");
}

}  // namespace

struct Animation::State {
  struct FreeEncoder {
    void operator()(WebPAnimEncoder* made) const { WebPAnimEncoderDelete(made); }
  };

  int width;
  int height;
  int frame_millis;
  std::unique_ptr<WebPAnimEncoder, FreeEncoder> encoder;
  WebPConfig config;
  int frames = 0;

  absl::Status error(const char* what) const {
    return absl::InternalError(
        absl::StrCat("libwebp: ", what, ": ", WebPAnimEncoderGetError(encoder.get())));
  }
};

Animation::Animation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Animation::Animation(Animation&&) noexcept = default;
Animation& Animation::operator=(Animation&&) noexcept = default;
Animation::~Animation() = default;

absl::StatusOr<Animation> Animation::create(int width, int height, int frame_millis) {
  if (width < 1 || height < 1 || width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION) {
    return absl::InvalidArgumentError(absl::StrCat("an animation of ", width, " x ", height,
                                                   " pixels; each side must be from 1 to ",
                                                   WEBP_MAX_DIMENSION));
  }
  WebPAnimEncoderOptions options;
  WebPConfig config;
  if (WebPAnimEncoderOptionsInit(&options) == 0 || WebPConfigInit(&config) == 0) {
    return absl::InternalError("libwebp is of another version than its headers");
  }
  options.anim_params.loop_count = 0;
  // Stores every picture whole. Otherwise parts that differ little from the picture before are left
  // out, and a sky that fades slowly gets spots.
  options.kmin = 0;
  options.kmax = 1;
  config.quality = kQuality;
  config.method = kMethod;
  auto state = std::make_unique<State>(
      State{.width = width,
            .height = height,
            .frame_millis = frame_millis,
            .encoder = decltype(State::encoder)(WebPAnimEncoderNew(width, height, &options)),
            .config = config});
  if (state->encoder == nullptr) return outOfMemory();
  return Animation(std::move(state));
}

absl::Status Animation::add(const Image& image) {
  if (image.width != state_->width || image.height != state_->height) {
    return absl::InvalidArgumentError(absl::StrCat("a picture of ", image.width, " x ",
                                                   image.height, " in an animation of ",
                                                   state_->width, " x ", state_->height));
  }
  EncoderPicture picture;
  if (!picture.import(image)) return outOfMemory();
  const int time = state_->frames * state_->frame_millis;
  if (WebPAnimEncoderAdd(state_->encoder.get(), picture.get(), time, &state_->config) == 0) {
    return picture.get()->error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ? outOfMemory()
                                                                    : state_->error("a picture");
  }
  ++state_->frames;
  return absl::OkStatus();
}

absl::StatusOr<std::string> Animation::finish() {
  if (state_->frames == 0) return absl::InvalidArgumentError("an animation without a picture");
  const int end = state_->frames * state_->frame_millis;
  WebPData data;
  WebPDataInit(&data);
  const bool is_done = WebPAnimEncoderAdd(state_->encoder.get(), nullptr, end, nullptr) != 0 &&
                       WebPAnimEncoderAssemble(state_->encoder.get(), &data) != 0;
  if (!is_done) return state_->error("the file");
  std::string bytes(reinterpret_cast<const char*>(data.bytes), data.size);
  WebPDataClear(&data);
  return bytes;
}

}  // namespace fractalray
