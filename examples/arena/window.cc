// SPDX-License-Identifier: Apache-2.0
#include "window.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>

#define SDL_MAIN_HANDLED
#include <SDL.h>

#include "camera.h"
#include "picture.h"
#include "tick_times.h"

namespace arena {
namespace {

constexpr int kWidth = 320;  // of the pictures, in pixels
constexpr int kHeight = 180;
constexpr int kZoom = 3;  // pixels of the window for a pixel of the picture

struct Destroy {
  void operator()(SDL_Window* window) const { SDL_DestroyWindow(window); }
  void operator()(SDL_Renderer* renderer) const { SDL_DestroyRenderer(renderer); }
  void operator()(SDL_Texture* texture) const { SDL_DestroyTexture(texture); }
};

// The camera as the keys have turned it: around the fortress, or above it.
struct Viewpoint {
  double angle = 0.8;  // in radians
  double distance = 95;
  bool is_map = false;

  Camera camera() const {
    constexpr Vec3d kCenter{256, 16, 256};
    if (is_map) return Camera::map(kCenter + Vec3d{0, 45, 0}, 2 * distance);
    const Vec3d aside{std::cos(angle) * distance, 0.42 * distance, std::sin(angle) * distance};
    return Camera::perspective(kCenter + aside, kCenter, 1.1);
  }
  void turn(SDL_Keycode key) {
    if (key == SDLK_LEFT) angle -= 0.05;
    if (key == SDLK_RIGHT) angle += 0.05;
    if (key == SDLK_UP) distance = std::max(30.0, distance * 0.95);
    if (key == SDLK_DOWN) distance = std::min(240.0, distance / 0.95);
    if (key == SDLK_m) is_map = !is_map;
  }
};

class Window {
 public:
  // Opens the window. isOpen() is false if that fails: SDL_GetError() says why.
  Window() {
    SDL_SetMainReady();
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return;
    window_.reset(SDL_CreateWindow("arena", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                   kZoom * kWidth, kZoom * kHeight, 0));
    if (!window_) return;
    renderer_.reset(SDL_CreateRenderer(window_.get(), -1, 0));
    if (!renderer_) return;
    texture_.reset(SDL_CreateTexture(renderer_.get(), SDL_PIXELFORMAT_RGB24,
                                     SDL_TEXTUREACCESS_STREAMING, kWidth, kHeight));
  }
  ~Window() {
    texture_.reset();
    renderer_.reset();
    window_.reset();
    SDL_Quit();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool isOpen() const { return texture_ != nullptr; }

  void draw(const Image& image) {
    SDL_UpdateTexture(texture_.get(), nullptr, image.pixels.data(),
                      image.width * static_cast<int>(sizeof(Rgb)));
    SDL_RenderCopy(renderer_.get(), texture_.get(), nullptr, nullptr);
  }
  void show() { SDL_RenderPresent(renderer_.get()); }

  // Returns what has been drawn and is not shown yet.
  Image drawn() const {
    Image image(kZoom * kWidth, kZoom * kHeight);
    const int row_bytes = image.width * static_cast<int>(sizeof(Rgb));
    if (SDL_RenderReadPixels(renderer_.get(), nullptr, SDL_PIXELFORMAT_RGB24, image.pixels.data(),
                             row_bytes) != 0) {
      check(absl::UnavailableError(SDL_GetError()));
    }
    return image;
  }

 private:
  std::unique_ptr<SDL_Window, Destroy> window_;
  std::unique_ptr<SDL_Renderer, Destroy> renderer_;
  std::unique_ptr<SDL_Texture, Destroy> texture_;
};

// Handles what the player has done since the last picture. Returns false once the window is to be
// closed.
bool handleEvents(Viewpoint& viewpoint) {
  SDL_Event event;
  while (SDL_PollEvent(&event) != 0) {
    if (event.type == SDL_QUIT) return false;
    if (event.type != SDL_KEYDOWN) continue;
    if (event.key.keysym.sym == SDLK_ESCAPE) return false;
    viewpoint.turn(event.key.keysym.sym);
  }
  return true;
}

}  // namespace

int runWindow(Arena& arena, int ticks, const std::string& screenshot) {
  static_assert(sizeof(Rgb) == 3, "pictures are given to SDL as they are");
  constexpr int kMostTicks = 4;  // between two pictures: slower machines run slower
  Window window;
  if (!window.isOpen()) {
    std::cerr << "cannot open a window: " << SDL_GetError() << "\n";
    return 1;
  }
  Painter painter(arena, kWidth, kHeight, 1);
  Viewpoint viewpoint;
  TickTimes times;
  auto next = std::chrono::steady_clock::now();
  while (ticks > 0 && handleEvents(viewpoint)) {
    for (int i = 0; i < kMostTicks && ticks > 0 && next <= std::chrono::steady_clock::now(); ++i) {
      arena.tick(times);
      painter.follow();
      next += kTick;
      --ticks;
    }
    next = std::max(next, std::chrono::steady_clock::now() - kTick);
    window.draw(painter.paint(viewpoint.camera()));
    if (ticks == 0 && !screenshot.empty()) save(window.drawn(), screenshot);
    window.show();
  }
  times.print(std::cout);
  return 0;
}

}  // namespace arena
