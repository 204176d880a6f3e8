//===- main.cpp - Blurs, sharpens and finds the edges of an image ---------===//
//
//   build/bin/images OUT.pgm
//
// Draws a scene, filters it, and writes four pictures as one image: the scene
// and the blurred scene in the first row, its edges and the sharpened scene in
// the second. TENSORC_DEVICE selects the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include <iostream>

using namespace tensorc;

/// Draws a sky that becomes darker upward, a sun, hills, and a chequered field
/// with grain.
static Tensor drawScene(int64_t size) {
  Tensor x = expand_dims(linspace(0, 1, size), 0);
  Tensor y = expand_dims(linspace(0, 1, size), 1);
  Tensor sky = broadcast_to(0.35f + 0.4f * y, {size, size});
  Tensor sun = hypot(x - 0.72f, y - 0.24f);
  Tensor scene = where(sun < 0.11f, 0.98f, sky);
  Tensor hills = 0.55f + 0.07f * sin(9 * x) + 0.03f * sin(23 * x + 1);
  scene = where(y > hills, 0.22f + 0.1f * x, scene);
  Tensor tiles = mod(floor(x * 10) + floor(y * 10), 2);
  Tensor grain = 0.05f * sin(x * 811 + y * 467);
  return where(y > 0.75f, 0.3f + 0.4f * tiles + grain, scene);
}

/// Returns four filters of 5 x 5 in the layout of conv2d: the identity, a
/// Gaussian, and Sobel derivatives to the right and downward.
static Tensor makeFilters() {
  Tensor bell = tensor({1.0f, 4.0f, 6.0f, 4.0f, 1.0f}) / 16;
  Tensor smooth = tensor({0.0f, 1.0f, 2.0f, 1.0f, 0.0f}) / 4;
  Tensor slope = tensor({0.0f, -1.0f, 0.0f, 1.0f, 0.0f}) / 2;
  Tensor only = tensor({0.0f, 0.0f, 1.0f, 0.0f, 0.0f});
  auto outer = [](const Tensor &down, const Tensor &right) {
    return expand_dims(down, 1) * expand_dims(right, 0);
  };
  return expand_dims(stack({outer(only, only), outer(bell, bell),
                            outer(smooth, slope), outer(slope, smooth)}),
                     1);
}

static void run(const std::string &path) {
  // The filters need two additional pixels on each side of their result.
  constexpr int64_t size = 256, margin = 2;
  Tensor scene = drawScene(size + 2 * margin);
  Tensor filtered = conv2d(reshape(scene, {1, 1, scene.size(0), scene.size(1)}),
                           makeFilters());
  auto channel = [&](int64_t i) {
    return reshape(slice(filtered, {{}, {i, i + 1}}), {size, size});
  };
  Tensor original = channel(0), blurred = channel(1);
  Tensor slopes = hypot(channel(2), channel(3));
  Tensor sharpened = original + 1.5f * (original - blurred);

  Tensor top = concatenate({original, blurred}, 1);
  Tensor bottom = concatenate({2 * slopes, sharpened}, 1);
  pictures::write(path, concatenate({top, bottom}, 0));
  std::cout << "wrote " << path << "; the strongest edge is "
            << max(slopes).item<float>() << "\n";
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: images OUT.pgm\n";
    return 2;
  }
  try {
    run(argv[1]);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "images: " << error.what() << "\n";
    return 1;
  }
}
