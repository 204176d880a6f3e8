//===- main.cpp - Heat conduction in a plate ------------------------------===//
//
//   build/bin/heat OUT.ppm [STEPS]
//
// Solves the heat equation on a square plate whose rim is kept cold while a
// ring and a bar on it are kept hot. Writes four snapshots side by side: at the
// start, and after 1/9, 4/9 and all of the steps (default 900). TENSORC_DEVICE
// selects the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include <iostream>

using namespace tensorc;

/// Computes u + a * (its Laplacian), one explicit step, which is stable for a
/// up to 1/4. The temperature outside the plate is 0 degrees.
static Tensor diffuse(const Tensor &u, float a) {
  int64_t n = u.size(0), m = u.size(1);
  Tensor wide = pad(u, {1, 1}, {1, 1});
  auto shifted = [&](int64_t down, int64_t right) {
    return slice(wide, {{1 + down, 1 + down + n}, {1 + right, 1 + right + m}});
  };
  Tensor around =
      shifted(-1, 0) + shifted(1, 0) + shifted(0, -1) + shifted(0, 1);
  return u + a * (around - 4 * u);
}

/// Returns booleans that mark the elements that are kept hot.
static Tensor drawSources(int64_t size) {
  Tensor x = expand_dims(linspace(0, 1, size), 0);
  Tensor y = expand_dims(linspace(0, 1, size), 1);
  Tensor ring = abs(hypot(x - 0.35f, y - 0.4f) - 0.18f) < 0.015f;
  Tensor bar = (abs(x - 0.75f) < 0.015f) & (abs(y - 0.6f) < 0.25f);
  return ring | bar;
}

static void run(const std::string &path, int64_t steps) {
  constexpr int64_t size = 160;
  Tensor sources = drawSources(size);
  Tensor u = where(sources, 1, zeros({size, size}));
  std::vector<Tensor> snapshots = {u};
  for (int64_t step = 1; step <= steps; ++step) {
    u = where(sources, 1, diffuse(u, 0.2f));
    u.eval(); // a single kernel, which the first step compiles
    if (step == steps / 9 || step == steps * 4 / 9 || step == steps)
      snapshots.push_back(u);
  }
  pictures::write(path, pictures::colours(concatenate(snapshots, 1)));
  std::cout << "wrote " << path << "; after " << steps
            << " steps the plate's mean is " << mean(u).item<float>() << "\n";
}

int main(int argc, char **argv) {
  int64_t steps = argc == 3 ? std::atoll(argv[2]) : 900;
  if (argc < 2 || argc > 3 || steps < 9) {
    std::cerr << "usage: heat OUT.ppm [STEPS], at least 9\n";
    return 2;
  }
  try {
    run(argv[1], steps);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "heat: " << error.what() << "\n";
    return 1;
  }
}
