//===- SameNumbersTest.cpp - One program on devices of every kind ---------===//
//
// The program prints the same on all: integers as they are, floats with four
// digits. Those that the machine lacks are left out, and counted.
//
//===----------------------------------------------------------------------===//

#include "tensorc/grad.hpp"
#include "tensorc/tensorc.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <thread>
#include <vector>

using namespace tensorc;

namespace {

std::string text(const Tensor &x) {
  std::string line;
  if (x.dtype() == i64) {
    for (int64_t v : x.cpu().to_vector<int64_t>())
      line += std::to_string(v) + " ";
  } else {
    for (float v : x.cpu().to_vector<float>()) {
      char digits[32];
      std::snprintf(digits, sizeof(digits), "%.4g ", static_cast<double>(v));
      line += digits;
    }
  }
  return line + "\n";
}

/// A layer that learns a plane, a system of equations, sorts, sums and random
/// numbers.
std::string runOn(const std::string &device) {
  DeviceGuard guard{Device(device)};
  std::string out;
  Tensor x = reshape(sin(arange(96).to(f32) * 0.7), {32, 3});
  Tensor y = matmul(x, tensor({1.0f, -2.0f, 0.5f})) + 0.25;
  Tensor w = zeros({3}), b = zeros({1});
  auto step = value_and_grad(
      [&](const Tensor &w, const Tensor &b) {
        Tensor error = matmul(x, w) + b - y;
        return mean(error * error);
      },
      argnums<0, 1>);
  for (int i = 0; i < 5; ++i) {
    auto [loss, slopes] = step(w, b);
    w = w - 0.3 * std::get<0>(slopes);
    b = b - 0.3 * std::get<1>(slopes);
    out += text(loss);
  }
  out += text(w) + text(b);
  Tensor system = matmul(swapaxes(x, 0, 1), x) + eye(3);
  out += text(solve(system, reshape(w, {3, 1})));
  Tensor noise = randn(random_key(7), {5, 40});
  out += text(argsort(noise, 1)) + text(sort(noise, 1));
  out += text(softmax(slice(noise, {{0, 2}, {0, 8}}), 1));
  out += text(cumsum(arange(300), 0));
  return out;
}

const std::string &expected() {
  static const std::string text = runOn("cpu:0");
  return text;
}

std::vector<std::string> others() {
  std::vector<std::string> found;
  for (const char *name : {"sim:0", "opencl:0", "vulkan:0"})
    if (is_available(name))
      found.push_back(name);
  return found;
}

/// The drivers' compilers and ours work in one process at the same time.
TEST(SameNumbers, FromEightThreads) {
  std::vector<std::string> devices = others(), results(8);
  devices.push_back("cpu:0");
  std::vector<std::thread> threads;
  for (size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        results[i] = runOn(devices[i % devices.size()]);
      } catch (const std::exception &error) {
        results[i] = error.what();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i], expected()) << devices[i % devices.size()];
}

TEST(SameNumbers, OnEveryDevice) {
  std::printf("devices beside the cpu: %zu\n", others().size());
  for (const std::string &device : others())
    EXPECT_EQ(runOn(device), expected()) << device;
}

/// The number of rows in a block, and of threads of a row, depends on the length
/// of rows. If that is named, the kernel and the launch compute both.
TEST(SameNumbers, RowsOfANamedLengthHaveTheBitsOfAKnownLength) {
  auto rows = [](const Tensor &x) {
    return std::vector{softmax(x, 1), sum(x, {1}), max(x, {1})};
  };
  for (const std::string &device : others()) {
    DeviceGuard guard{Device(device)};
    auto named = jit(rows, Input(f32, {"n", "m"}));
    for (int64_t length : {0, 1, 7, 32, 33, 1000, 5000, 20000}) {
      auto known = jit(rows, Input(f32, {37, length}));
      Tensor x = sin(reshape(arange(37 * length).to(f32), {37, length}));
      std::vector<Tensor> found = named(x), expected = known(x);
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(found[i].to_bytes(), expected[i].to_bytes())
            << device << ", result " << i << " of rows of " << length;
    }
  }
}

/// Functions of the host run later than the call, and so their errors show where
/// a value is read.
TEST(SameNumbers, AnErrorOfAFunctionOfTheHostNamesTheLineOfItsCall) {
  for (const std::string &device : others()) {
    DeviceGuard guard{Device(device)};
    Tensor x = check_numerics(arange(3).to(f32), "numbers");
    const int line = __LINE__ + 1;
    Tensor y = check_numerics(log(x), "logs");
    try {
      y.to_bytes();
      ADD_FAILURE() << device;
    } catch (const Error &error) {
      std::string text = error.what();
      EXPECT_NE(text.find("check_numerics: logs: 1 infinity of 3 elements, the "
                          "first at [0] ("),
                std::string::npos)
          << text;
      EXPECT_NE(text.find("SameNumbersTest.cpp:" + std::to_string(line) + ")"),
                std::string::npos)
          << text;
    }
  }
}

} // namespace
