//===- main.cpp - A quantum wave at a wall with two slits -----------------===//
//
//   build/bin/waves OUT.ppm [STEPS]
//
// Solves Schroedinger's equation of a particle in the plane, i u' = -(Laplacian
// of u) / 2 + V u, by split steps with Fourier transforms. The potential V
// rotates the phase of u at each point, and the Laplacian rotates the phase of
// each frequency; both are exact. The plane is periodic, and its width and
// height are 2. Writes the root of |u| at the start, and after 1/3, 2/3 and all
// of the steps (default 240). TENSORC_DEVICE selects the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include <cmath>
#include <iostream>

using namespace tensorc;

constexpr int64_t size = 192;
constexpr double width = 2, step = 4e-5;

/// exp(i x).
static Tensor turned(const Tensor &x) { return polar(1, x); }

static void run(const std::string &path, int64_t steps) {
  Tensor line = arange(0, size, 1, f32) * float(width / size) - 1.0f;
  Tensor x = expand_dims(line, 0), y = expand_dims(line, 1);
  // A wall with two slits, and a wave packet that moves towards it.
  Tensor isWall = (abs(x) < 0.03f) & (abs(abs(y) - 0.16f) > 0.06f);
  Tensor potential = where(isWall, 5e4f, 0.0f);
  Tensor packet =
      exp(-(square(x + 0.5f) / 0.02f + square(y) / 0.06f)) * turned(90 * x);
  // Phase rotations of a step. 2 pi times the frequency is the wave number.
  Tensor k = fftfreq(size, width / size) * float(2 * M_PI);
  Tensor energy = (square(expand_dims(k, 0)) + square(expand_dims(k, 1))) / 2;
  Tensor ofPlace = turned(potential * float(-step / 2));
  Tensor ofFrequency = turned(energy * float(-step));
  eval(ofPlace, ofFrequency);

  Tensor u = packet;
  auto total = [](const Tensor &u) {
    return sum(square(abs(u))).item<float>();
  };
  float before = total(u);
  std::vector<Tensor> snapshots = {sqrt(abs(u))};
  for (int64_t i = 1; i <= steps; ++i) {
    u = ofPlace * ifft2(ofFrequency * fft2(ofPlace * u));
    u.eval(); // the first step compiles the kernels
    if (i == steps / 3 || i == steps * 2 / 3 || i == steps)
      snapshots.push_back(sqrt(abs(u)));
  }
  Tensor behind = where(x > 0.03f, square(abs(u)), 0.0f);
  pictures::write(path, pictures::colours(concatenate(snapshots, 1)));
  std::cout << "wrote " << path << "; of the wave "
            << std::round(100 * sum(behind).item<float>() / before)
            << " % passed, and " << std::round(1e4f * total(u) / before) / 100
            << " % are left\n";
}

int main(int argc, char **argv) {
  int64_t steps = argc == 3 ? std::atoll(argv[2]) : 240;
  if (argc < 2 || argc > 3 || steps < 3) {
    std::cerr << "usage: waves OUT.ppm [STEPS], at least 3\n";
    return 2;
  }
  try {
    run(argv[1], steps);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "waves: " << error.what() << "\n";
    return 1;
  }
}
