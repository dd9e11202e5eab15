// SPDX-License-Identifier: Apache-2.0
// Pictures of worlds: the same on every machine and any number of threads, with shadows, haze,
// water to see through, and lines drawn in.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../core/thread_executor.h"
#include "../../formats/open_world.h"
#include "../../tools/program/light.h"
#include "../../tools/program/palette.h"
#include "../../tools/program/picture.h"

namespace fractalray {
namespace {

// A floor of stone at y = 0 with a tower on it, and water in a corner.
class RenderTest : public ::testing::Test {
 protected:
  RenderTest() {
    BlockTypeTable& types = world_.blockTypes();
    stone_ = *types.add({.name = "default:stone"});
    water_ = *types.add({.name = "default:water_source", .kind = BlockKind::kPermeable});
    for (std::int64_t x = -2; x < 2; ++x) {
      for (std::int64_t z = -2; z < 2; ++z) {
        EXPECT_TRUE(world_.loadChunk(0, {x, 0, z}, Chunk()).ok());
      }
    }
    EXPECT_TRUE(world_.fillBox(0, {-32, 0, -32}, {31, 0, 31}, stone_).ok());
    EXPECT_TRUE(world_.fillBox(0, {0, 1, 0}, {1, 9, 1}, stone_).ok());
    EXPECT_TRUE(world_.fillBox(0, {-20, 1, -20}, {-10, 4, -10}, water_).ok());
  }

  Image render(const PictureOptions& options, const Camera& camera,
               ParallelFor parallel_for = runSerially) const {
    const RayQueryService service(world_, entities_);
    absl::StatusOr<Image> image =
        renderPicture(world_, service, camera, options, parallel_for, [](int) {});
    EXPECT_TRUE(image.ok()) << image.status();
    return image.ok() ? *std::move(image) : Image(1, 1);
  }

  // Returns the color that a single ray from one point to another sees.
  Rgb look(const Vec3d& from, const Vec3d& to, PictureOptions options = {}) const {
    options.width = 1;
    options.height = 1;
    options.samples = 1;
    options.levels = {0};
    return render(options, {.position = from, .target = to, .field_of_view_degrees = 1}).at(0, 0);
  }

  static int brightness(Rgb color) { return color.red + color.green + color.blue; }

  World world_;
  EntityIndex entities_{world_.frame()};
  BlockTypeId stone_{};
  BlockTypeId water_{};
};

// The sun is where sunDirection() says: the tower's shadow falls to the other side.
TEST_F(RenderTest, ATowerCastsAShadow) {
  const Vec3d sun = sunDirection();
  const Vec3d foot{1, 1, 1};
  const Vec3d lit = foot + Vec3d{sun[0], 0, sun[2]} * 6;
  const Vec3d shaded = foot - Vec3d{sun[0], 0, sun[2]} * 6;
  const Rgb in_sun = look(lit + Vec3d{0, 3, 0}, lit);
  const Rgb in_shade = look(shaded + Vec3d{0, 3, 0}, shaded);
  EXPECT_GT(brightness(in_sun), brightness(in_shade) + 100);
  const Rgb without = look(shaded + Vec3d{0, 3, 0}, shaded, {.shadows = false});
  EXPECT_NEAR(brightness(without), brightness(in_sun), 40) << "only the blocks' unevenness is left";
}

// Entities cast shadows as well.
TEST_F(RenderTest, AnEntityCastsAShadow) {
  const Vec3d spot{-5.5, 1, 12.5};
  const Rgb before = look(spot + Vec3d{0, 0.5, 0}, spot);
  ASSERT_TRUE(
      entities_.add({.id = 1, .shape = Sphere{1}, .position = spot + sunDirection() * 8}).ok());
  EXPECT_GT(brightness(before), brightness(look(spot + Vec3d{0, 0.5, 0}, spot)) + 100);
}

// Through little water the ground is seen; deep water is bluer.
TEST_F(RenderTest, WaterIsSeenThrough) {
  const Rgb water = colorOfName("default:water_source");
  const auto blueness = [](Rgb color) { return 2 * color.blue - color.red - color.green; };
  const Rgb dry = look({12, 8, -12}, {12, 1, -12});
  // Down through a block of water and through four.
  ASSERT_TRUE(world_.fillBox(0, {-15, 2, -15}, {-15, 4, -15}, kAir).ok());
  const Rgb shallow = look({-14.5, 8, -14.5}, {-14.5, 1, -14.5});
  const Rgb deep = look({-12.5, 8, -12.5}, {-12.5, 1, -12.5});
  EXPECT_LT(blueness(dry), blueness(shallow));
  EXPECT_LT(blueness(shallow), blueness(deep));
  EXPECT_LT(blueness(deep), blueness(water));
}

// With `detailed_only` a coarse block shows only if its finer chunk is loaded.
TEST(RenderLevelsTest, BlocksWithoutLoadedDetailCanBeLeftOut) {
  World world({.levels = 2});
  const BlockTypeId stone = *world.blockTypes().add({.name = "default:stone"});
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world.setBlock(0, {2, 0, 0}, stone).ok());
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const auto look = [&](bool detailed_only) {
    const PictureOptions options{
        .width = 1, .height = 1, .samples = 1, .levels = {0}, .detailed_only = detailed_only};
    const Camera camera{.position = {1, 8, 8}, .target = {40, 8, 8}, .field_of_view_degrees = 1};
    const absl::StatusOr<Image> image =
        renderPicture(world, service, camera, options, runSerially, [](int) {});
    return image.ok() ? image->at(0, 0) : Rgb{};
  };
  const Rgb block = look(false);
  EXPECT_NE(look(true), block);
  ASSERT_TRUE(world.loadChunk(1, {2, 0, 0}, Chunk()).ok());
  EXPECT_EQ(look(true), block);
  EXPECT_EQ(look(false), block);
}

TEST_F(RenderTest, FarGroundFadesIntoTheSky) {
  const Vec3d eye{20, 3, 20};
  const Vec3d ground{20, 1, -20};
  const Rgb clear = look(eye, ground, {.view_distance = 10'000});
  const Rgb hazy = look(eye, ground, {.view_distance = 60});
  const Rgb sky = look(eye, eye + Vec3d{0, 0, -1}, {.view_distance = 10});
  const auto gap = [](Rgb a, Rgb b) {
    return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue);
  };
  EXPECT_LT(gap(hazy, sky), gap(clear, sky));
  EXPECT_GT(gap(hazy, sky), 0);
}

TEST_F(RenderTest, TheSkyIsBluerAboveAndBrighterAroundTheSun) {
  const Color above = skyColor({0, 1, 0});
  const Color level = skyColor(Vec3d{-1, 0, 0});
  EXPECT_GT(above[2] - above[0], level[2] - level[0]);
  EXPECT_GT(skyColor(sunDirection())[0], above[0]);
}

// Stars are added to a sky, in few directions; without them it is smooth.
TEST(LightTest, AFewDirectionsHaveStars) {
  const Sky dark{.zenith = {0, 0, 0}, .horizon = {0, 0, 0}, .brightness = 0.3, .stars = 1};
  int stars = 0;
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 200; ++j) {
      const Vec3d towards{-1, 1 + 0.001 * i, 0.3 + 0.001 * j};
      const Vec3d direction = towards / length(towards);
      const double seen = skyColor(direction, dark)[2];
      EXPECT_GE(seen, 0);
      EXPECT_LE(seen, 1);
      stars += seen > 0.3 ? 1 : 0;
      EXPECT_EQ(skyColor(direction, mix(dark, {}, 1)), skyColor(direction));
    }
  }
  EXPECT_GT(stars, 5);
  EXPECT_LT(stars, 2000);
  EXPECT_LT(lightOn({0, 1, 0}, false, dark)[0], 0.5 * lightOn({0, 1, 0}, false)[0]);
}

TEST_F(RenderTest, LampsGlowInTheShade) {
  const BlockTypeId lamp = *world_.blockTypes().add({.name = "lamp"});
  ASSERT_TRUE(world_.setBlock(0, {5, 0, 5}, lamp).ok());
  ASSERT_TRUE(world_.fillBox(0, {-5, 6, -5}, {15, 6, 15}, stone_).ok());  // a roof
  EXPECT_GT(brightness(look({5.5, 4, 5.5}, {5.5, 1, 5.5})), 500);
  EXPECT_LT(brightness(look({4.5, 4, 4.5}, {4.5, 1, 4.5})), 300);
}

TEST(LightTest, FadeIsCloseToAnExponential) {
  EXPECT_EQ(fade(0), 1);
  for (const double x : {0.1, 0.5, 1.0, 2.0})
    EXPECT_NEAR(fade(x), std::exp(-x), 0.05) << x;
  EXPECT_LT(fade(10), 0.01);
}

// The samples of a pixel are the pixels of a picture that is so many times as large.
TEST_F(RenderTest, SamplesAreAveraged) {
  const Camera camera{.position = {4, 14, -14}, .target = {0, 5, 0}};
  const Image large = render({.width = 96, .height = 54, .samples = 1, .levels = {0}}, camera);
  const Image small = render({.width = 48, .height = 27, .samples = 2, .levels = {0}}, camera);
  int smoothed = 0;
  for (int y = 0; y < 27; ++y) {
    for (int x = 0; x < 48; ++x) {
      const std::array<Rgb, 4> parts = {large.at(2 * x, 2 * y), large.at(2 * x + 1, 2 * y),
                                        large.at(2 * x, 2 * y + 1), large.at(2 * x + 1, 2 * y + 1)};
      int sum = 0;
      for (const Rgb& part : parts)
        sum += part.red;
      EXPECT_NEAR(small.at(x, y).red, sum / 4.0, 1);
      smoothed += std::abs(parts[0].red - small.at(x, y).red) > 10 ? 1 : 0;
    }
  }
  EXPECT_GT(smoothed, 20) << "there are edges";
}

// A line is in front of what is farther, and shines through what is nearer.
TEST_F(RenderTest, LinesAndDotsAreDrawnIn) {
  PictureOptions options;
  options.overlay.lines = {{.from = {-5, 5, 5}, .to = {5, 5, 5}, .color = {255, 0, 0}}};
  const Vec3d ground{0, 1, 5.001};
  const Rgb above = look({0, 8, 5.001}, ground, options);
  EXPECT_GT(above.red, 250);
  EXPECT_LT(above.green, 10);
  const Rgb from_below = look({0, -3, 5.001}, {0, 6, 5.001}, options);
  const Rgb plain = look({0, -3, 5.001}, {0, 6, 5.001});
  EXPECT_GT(from_below.red, plain.red) << "it shines through the floor";
  EXPECT_LT(from_below.red, 250);
  options.overlay = {.lines = {}, .dots = {{.at = {0, 5, 5}, .color = {0, 255, 0}}}};
  EXPECT_GT(look({0, 8, 5}, {0, 1, 5}, options).green, 250);
  EXPECT_EQ(look({9, 8, 5}, {9, 1, 5}, options), look({9, 8, 5}, {9, 1, 5}));
  EXPECT_EQ(look({0, 4, 5}, {0, 1, 5}, options), look({0, 4, 5}, {0, 1, 5})) << "in its back";
}

TEST_F(RenderTest, RefusesWhatMakesNoPicture) {
  const RayQueryService service(world_, entities_);
  const auto statusOf = [&](const PictureOptions& options, const Camera& camera) {
    return renderPicture(world_, service, camera, options, runSerially, [](int) {}).status().code();
  };
  const Camera camera{.position = {0, 30, 0}, .target = {0, 0, 0}};
  const PictureOptions small{.width = 2, .height = 2, .levels = {0}};
  EXPECT_EQ(statusOf(small, camera), absl::StatusCode::kOk);
  for (const int samples : {0, -1, 9}) {
    PictureOptions options = small;
    options.samples = samples;
    EXPECT_EQ(statusOf(options, camera), absl::StatusCode::kInvalidArgument) << samples;
  }
  EXPECT_EQ(statusOf(small, {.position = {0, 1, 0}, .target = {0, 1, 0}}),
            absl::StatusCode::kInvalidArgument);
  PictureOptions no_level = small;
  no_level.levels = {5};
  EXPECT_EQ(statusOf(no_level, camera), absl::StatusCode::kInvalidArgument);
}

std::uint64_t hashOf(const Image& image) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const Rgb& pixel : image.pixels) {
    for (const std::uint8_t byte : {pixel.red, pixel.green, pixel.blue})
      hash = (hash ^ byte) * 1099511628211U;
  }
  return hash;
}

// The example world with all there is to a picture, on one thread and on several. The hash is that
// of every compiler and at every level of optimisation.
TEST(RenderWorldTest, IsTheSamePictureOnEveryMachineAndAnyNumberOfThreads) {
  const absl::StatusOr<OpenedWorld> opened =
      openWorld(FRACTALRAY_SOURCE_DIR "/examples/worlds/w1", {});
  ASSERT_TRUE(opened.ok()) << opened.status();
  const World& world = opened->world;
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  PictureOptions options{.width = 96, .height = 54, .levels = {3}, .view_distance = 340};
  options.channel = *world.blockTypes().findChannel("visible");
  options.overlay.lines = {{.from = {-184.5, 82.5, -50.5}, .to = {-183.5, 72, -20}, .color = {}}};
  const Camera camera{.position = {-118.5, 123.5, -108.5}, .target = {-200, 88, -25}};
  const auto render = [&](ParallelFor parallel_for) {
    return hashOf(*renderPicture(world, service, camera, options, parallel_for, [](int) {}));
  };
  const std::uint64_t hash = render(runSerially);
  EXPECT_EQ(hash, 14931923293423331166U);
  const ThreadExecutor executor(5);
  EXPECT_EQ(render(executor), hash);
}

}  // namespace
}  // namespace fractalray
