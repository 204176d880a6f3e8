//===- main.cpp - Fits a curve to noisy points ----------------------------===//
//
//   build/bin/fit OUT.ppm [POINTS]
//
// The curve has two peaks on a slope and is measured at POINTS points (default
// 400) with noise. L-BFGS finds the positions, widths and heights of the peaks
// by the gradient of the squared error. The program writes a picture of the
// points and the fitted curve. TENSORC_DEVICE selects the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include "tensorc/lbfgs.hpp"

#include <cstdio>
#include <iostream>

using namespace tensorc;

struct Peaks {
  Tensor place, width, height; // [2]
  Tensor slope;                // two elements: the value at 0, and the slope
};
TENSORC_STRUCT(Peaks, place, width, height, slope)

/// Returns the curve at the points x [n].
static Tensor curve(const Peaks &p, const Tensor &x) {
  Tensor away = (expand_dims(x, 1) - p.place) / p.width;
  Tensor peaks = sum(p.height * exp(away * away * -0.5), {1});
  return peaks + slice(p.slope, {{0, 1}}) + slice(p.slope, {{1, 2}}) * x;
}

/// Draws the points and the curve as bands, for values from -0.5 (bottom) to 2
/// (top).
static Tensor draw(const Peaks &p, const Tensor &x, const Tensor &y) {
  constexpr int64_t height = 240, width = 480;
  Tensor row = expand_dims(linspace(2, -0.5, height), 1);
  Tensor line = curve(p, linspace(0, 1, width));
  Tensor picture =
      where(abs(row - line) < 0.015f, 0.9f, zeros({height, width}));
  // A point is drawn in the nearest column.
  Tensor column = astype(x * static_cast<double>(width - 1) + 0.5, i64);
  Tensor level = astype((2 - y) * (static_cast<double>(height - 1) / 2.5), i64);
  Tensor at = clip(level, 0, height - 1) * width + column;
  Tensor dots = bincount(at, height * width);
  return maximum(picture,
                 astype(reshape(minimum(dots, 1), {height, width}), f32) * 0.5);
}

static void run(const std::string &path, int64_t points) {
  Peaks truth{tensor({0.3f, 0.7f}), tensor({0.05f, 0.12f}),
              tensor({1.2f, 0.8f}), tensor({0.1f, 0.4f})};
  Tensor x = linspace(0, 1, points);
  Tensor y = curve(truth, x) + 0.05 * randn(random_key(1), {points});
  Peaks guess{tensor({0.2f, 0.8f}), tensor({0.1f, 0.1f}), tensor({1.0f, 1.0f}),
              tensor({0.0f, 0.0f})};
  auto fit =
      lbfgs([&](const Peaks &p) { return mse_loss(curve(p, x), y); }, guess);
  std::printf("%d steps, an error of %.4f\n", fit.iterations,
              std::sqrt(fit.loss));
  for (size_t i = 0; i < 2; ++i)
    std::printf("a peak at %.2f, %.2f wide, %.2f high\n",
                fit.parameters.place.to_vector<float>()[i],
                std::abs(fit.parameters.width.to_vector<float>()[i]),
                fit.parameters.height.to_vector<float>()[i]);
  pictures::write(path, pictures::colours(draw(fit.parameters, x, y)));
}

int main(int argc, char **argv) {
  int64_t points = argc == 3 ? std::atoll(argv[2]) : 400;
  if (argc < 2 || argc > 3 || points < 16) {
    std::cerr << "usage: fit OUT.ppm [POINTS], at least 16\n";
    return 2;
  }
  try {
    run(argv[1], points);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "fit: " << error.what() << "\n";
    return 1;
  }
}
