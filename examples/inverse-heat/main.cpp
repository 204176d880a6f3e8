//===- main.cpp - Finds a plate's conductivity from temperatures ----------===//
//
//   build/bin/inverse-heat OUT.ppm [STEPS]
//
// A plate of two materials is heated from one side. Sensors on a coarse grid
// measure the temperatures at each of STEPS time steps (default 600), with
// noise. L-BFGS finds the conductivity of each point of the plate by the
// gradient of the squared error through the whole simulation, which is one
// scan. Writes the true conductivities, the ones found, and the final
// temperatures side by side. TENSORC_DEVICE selects the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include "tensorc/control.hpp"
#include "tensorc/lbfgs.hpp"

#include <cstdio>
#include <iostream>

using namespace tensorc;

constexpr int64_t size = 32, apart = 4;

/// Conductivities between neighbouring points along each axis.
struct Conduction {
  Tensor right, down; // [size, size - 1], [size - 1, size]
};
TENSORC_STRUCT(Conduction, right, down)

/// Converts conductivities [size, size] of points. Between two points the
/// conductivity is the mean of theirs.
static Conduction between(const Tensor &k) {
  auto [left, right] = std::pair(slice(k, {{}, {0, -1}}), slice(k, {{}, {1}}));
  auto [above, below] = std::pair(slice(k, {{0, -1}}), slice(k, {{1}}));
  return {(left + right) * 0.5f, (above + below) * 0.5f};
}

/// Computes one explicit step, which is stable for conductivities up to 1/4.
/// The upper rim is kept hot, and the others are insulated.
static Tensor diffuse(const Tensor &u, const Conduction &k) {
  Tensor right = k.right * (slice(u, {{}, {1}}) - slice(u, {{}, {0, -1}}));
  Tensor down = k.down * (slice(u, {{1}}) - slice(u, {{0, -1}}));
  Tensor next = u + pad(right, {0, 0}, {0, 1}) - pad(right, {0, 1}, {0, 0}) +
                pad(down, {0, 0}, {1, 0}) - pad(down, {1, 0}, {0, 0});
  Tensor isRim = expand_dims(arange(size, i32) == 0, 1);
  return where(isRim, 1.0f, next);
}

/// Returns the final temperatures and the readings of the sensors in each step
/// [steps, n, n].
static std::pair<Tensor, Tensor> simulate(const Tensor &k, int64_t steps) {
  auto step = [](const std::pair<Tensor, Conduction> &state, const Tensor &) {
    auto [u, conduction] = state;
    Tensor next = diffuse(u, conduction);
    Tensor read = slice(next, {{apart / 2, Range::none, apart},
                               {apart / 2, Range::none, apart}});
    return std::pair(std::pair(next, conduction), read);
  };
  auto [last, readings] = scan(step, std::pair(zeros({size, size}), between(k)),
                               arange(steps, i32));
  return {last.first, readings};
}

/// Maps any number to a conductivity between 0 and 1/4.
static Tensor conductivity(const Tensor &x) { return sigmoid(x) * 0.25f; }

/// Draws a disc and a bar with a low conductivity.
static Tensor drawPlate() {
  Tensor x = expand_dims(linspace(0, 1, size), 0);
  Tensor y = expand_dims(linspace(0, 1, size), 1);
  Tensor isOther = (hypot(x - 0.3f, y - 0.35f) < 0.17f) |
                   ((abs(x - 0.75f) < 0.08f) & (abs(y - 0.55f) < 0.25f));
  return where(isOther, 0.04f, full({size, size}, 0.2f));
}

static float distance(const Tensor &a, const Tensor &b) {
  return mean(abs(a - b)).item<float>();
}

static void run(const std::string &path, int64_t steps) {
  Tensor truth = drawPlate();
  auto [last, exact] = simulate(truth, steps);
  Tensor measured = exact + 1e-3f * randn(random_key(1), exact.shape());
  // Penalizes differences between neighbours.
  auto roughness = [](const Tensor &x) {
    Tensor right = slice(x, {{}, {1}}) - slice(x, {{}, {0, -1}});
    Tensor down = slice(x, {{1}}) - slice(x, {{0, -1}});
    return mean(sqrt(square(right) + 1e-2f)) + mean(sqrt(square(down) + 1e-2f));
  };
  auto loss = [&](const Tensor &x) {
    Tensor read = simulate(conductivity(x), steps).second;
    return mean(square((read - measured) / 1e-3f)) + 0.3f * roughness(x);
  };
  LbfgsOptions options;
  options.most_iterations = 150;
  Tensor guess = zeros({size, size});
  auto fit = lbfgs(loss, guess, options);
  Tensor found = conductivity(fit.parameters);
  std::printf("%d sensors, %lld steps of time, %d of L-BFGS\n",
              static_cast<int>(exact.size(1) * exact.size(2)),
              static_cast<long long>(steps), fit.iterations);
  std::printf("conductivities are wrong by %.4f at first, by %.4f at the end\n",
              distance(conductivity(guess), truth), distance(found, truth));
  Tensor plates = concatenate({truth * 4, found * 4, last}, 1);
  pictures::write(path, pictures::colours(repeat(repeat(plates, 5, 0), 5, 1)));
}

int main(int argc, char **argv) {
  int64_t steps = argc == 3 ? std::atoll(argv[2]) : 600;
  if (argc < 2 || argc > 3 || steps < 10) {
    std::cerr << "usage: inverse-heat OUT.ppm [STEPS], at least 10\n";
    return 2;
  }
  try {
    run(argv[1], steps);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "inverse-heat: " << error.what() << "\n";
    return 1;
  }
}
