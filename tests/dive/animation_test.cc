// SPDX-License-Identifier: Apache-2.0
// Animations, and the letters of pictures.
#include "../../examples/dive/animation.h"

#include <webp/demux.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../examples/dive/picture_text.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;

Image filled(int width, int height, Rgb color) {
  Image image(width, height);
  for (Rgb& pixel : image.pixels)
    pixel = color;
  return image;
}

TEST(AnimationTest, HasItsPicturesInOrderAndRepeats) {
  absl::StatusOr<Animation> animation = Animation::create(16, 8, 50);
  ASSERT_TRUE(animation.ok()) << animation.status();
  ASSERT_TRUE(animation->add(filled(16, 8, {250, 10, 10})).ok());
  ASSERT_TRUE(animation->add(filled(16, 8, {10, 10, 250})).ok());
  const absl::StatusOr<std::string> bytes = animation->finish();
  ASSERT_TRUE(bytes.ok()) << bytes.status();

  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()};
  WebPAnimDecoder* const decoder = WebPAnimDecoderNew(&data, nullptr);
  ASSERT_NE(decoder, nullptr);
  WebPAnimInfo info;
  ASSERT_TRUE(WebPAnimDecoderGetInfo(decoder, &info));
  EXPECT_EQ(info.frame_count, 2U);
  EXPECT_EQ(info.loop_count, 0U) << "repeats for ever";
  std::uint8_t* pixels = nullptr;
  int time = 0;
  ASSERT_TRUE(WebPAnimDecoderGetNext(decoder, &pixels, &time));
  EXPECT_EQ(time, 50);
  EXPECT_GT(pixels[0], 200) << "red first";
  ASSERT_TRUE(WebPAnimDecoderGetNext(decoder, &pixels, &time));
  EXPECT_EQ(time, 100);
  EXPECT_GT(pixels[2], 200) << "then blue";
  WebPAnimDecoderDelete(decoder);
}

TEST(AnimationTest, RefusesWhatIsNoAnimation) {
  EXPECT_THAT(std::string(Animation::create(0, 8, 50).status().message()),
              HasSubstr("0 x 8 pixels; each side must be from 1 to 16383"));
  EXPECT_EQ(Animation::create(16384, 8, 50).status().code(), absl::StatusCode::kInvalidArgument);
  absl::StatusOr<Animation> animation = Animation::create(16, 8, 50);
  ASSERT_TRUE(animation.ok());
  EXPECT_THAT(std::string(animation->add(Image(8, 8)).message()),
              HasSubstr("8 x 8 in an animation of 16 x 8"));
  EXPECT_EQ(animation->finish().status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(PictureTextTest, DrawsLettersWithARimAndIsCutOffAtTheEdges) {
  Image image(20, 12);
  const Rgb white{255, 255, 255};
  drawText(image, 2, 2, 1, "i", white);
  EXPECT_EQ(image.at(3, 2), white) << "the top of a capital I: .###.";
  EXPECT_EQ(image.at(4, 5), white);
  EXPECT_NE(image.at(2, 2), white);
  EXPECT_NE(image.at(2, 2), Rgb{}) << "the rim";
  EXPECT_EQ(image.at(12, 5), Rgb{});
  drawText(image, -8, -3, 2, "W,", white);
  drawText(image, 15, 9, 3, "8(", white);
  EXPECT_EQ(textWidth(2, "ab"), 24);
  EXPECT_EQ(textHeight(2), 14);
}

}  // namespace
}  // namespace fractalray
