//===- AutoTest.cpp - Expressions where they cost least -------------------===//
//
// The figures are those of tests/tools/tensorc/Inputs/figures.json, whatever
// this machine is.
//
//===----------------------------------------------------------------------===//

#include "tests/compiler/api/devices/Errors.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

using namespace tensorc;

namespace {
/// Before the library looks at it. The tests' list of variables in CMake would
/// be cut at the first.
const bool environment = [] {
  return !setenv("TENSORC_FIGURES", FIGURES, 1) &&
         !setenv("TENSORC_SIM_DEVICES", "2", 1) &&
         !setenv("TENSORC_DEVICE", "cpu", 1);
}();

/// On the host; tensors that belong to auto.
Tensor square(int64_t n, float value = 1) {
  return tensor(std::vector<float>(n * n, value)).reshape({n, n}).eval();
}

class Auto : public ::testing::Test {
protected:
  void TearDown() override { set_memory_limit(0, "sim:0"); }
  DeviceGuard guard{"auto"};
};
} // namespace

TEST_F(Auto, IsADeviceByName) {
  EXPECT_TRUE(environment);
  EXPECT_TRUE(is_available("auto"));
  EXPECT_EQ(current_device().name, "auto");
  EXPECT_EQ(Device().name, "auto");
  EXPECT_EQ(zeros({2}).device().name, "auto");
  EXPECT_EQ((tensor({1.0f}) + 1).device().name, "auto");
  EXPECT_NE(errorOf([] { device_properties("auto"); }).find("name one"),
            std::string::npos);
  synchronize();
}

TEST_F(Auto, SmallWorkStaysOnTheCpu) {
  Tensor x = square(16), y = matmul(x, x);
  EXPECT_EQ(residence(x).name, "cpu:0");
  EXPECT_EQ(residence(y).name, "cpu:0");
  EXPECT_EQ(y.to_vector<float>(), Floats(256, 16));
}

TEST_F(Auto, LargeWorkGoesToTheDevice) {
  Tensor x = square(64), y = matmul(x, x);
  EXPECT_EQ(residence(y).name, "sim:0");
  EXPECT_EQ(y.device().name, "auto");
  EXPECT_EQ(y.to_vector<float>(), Floats(64 * 64, 64));
  EXPECT_EQ(residence(x).name, "cpu:0");
}

TEST_F(Auto, ResidentOperandsKeepWorkOnTheDevice) {
  Tensor x = square(128);
  EXPECT_EQ(residence(sum(x)).name, "cpu:0");
  Tensor y = matmul(x, x);
  EXPECT_EQ(residence(y).name, "sim:0");
  EXPECT_EQ(residence(sum(y)).name, "sim:0");
  // x is on both now.
  EXPECT_EQ(residence(sum(x)).name, "cpu:0");
  EXPECT_EQ(sum(y).item<float>(), 128.0f * 128 * 128);
}

TEST_F(Auto, OperandsAreMovedOnceAndKept) {
  Tensor x = square(64);
  matmul(x, x).eval();
  synchronize("sim:0");
  std::string again = explain_placement(matmul(x, x));
  EXPECT_EQ(again.find("sim:0: chosen\n  operands           0.00 us"), 0u)
      << again;
}

TEST_F(Auto, GoesWhereTheOtherOperandIs) {
  Tensor x = arange(3, f32), there = ones({3}).to("sim:1");
  Tensor y = x + there;
  EXPECT_EQ(y.device().name, "sim:1");
  EXPECT_EQ(residence(y).name, "sim:1");
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 3}));
  EXPECT_EQ((x.to("cpu") + x).device().name, "cpu:0");
  EXPECT_EQ((there * x - x).to_vector<float>(), (Floats{0, 0, 0}));
}

TEST_F(Auto, DevicesThatAreNamedDoNotMix) {
  Tensor x = ones({2}).to("cpu"), y = ones({2}).to("sim:0"), z = ones({2});
  EXPECT_NE(errorOf([&] { x + y; }).find("different devices"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { (x + z) * y; }).find("different devices"),
            std::string::npos);
}

TEST_F(Auto, ToFreesAndToBinds) {
  Tensor x = ones({2}).to("sim:1").eval(), y = x.to("auto");
  EXPECT_EQ(y.device().name, "auto");
  EXPECT_EQ(y.to("auto").raw(), y.raw());
  EXPECT_EQ(residence(y).name, "sim:1");
  EXPECT_EQ((y + ones({2}).to("cpu")).to_vector<float>(), (Floats{2, 2}));
  Tensor late = (square(16) * 2).to("sim:1");
  EXPECT_EQ(late.device().name, "sim:1");
  EXPECT_EQ(late.to_vector<float>(), Floats(256, 2));
}

TEST_F(Auto, WhereResultsAreNeededCounts) {
  // The result goes to sim:0 in any case, from where the work is.
  Tensor x = square(32), y = (x * 2).to("sim:0");
  EXPECT_EQ(sum(y).item<float>(), 2 * 32 * 32);
  Tensor z = matmul(x.to("sim:0").eval().to("auto"), x) * 3;
  EXPECT_EQ(residence(z.to("sim:0")).name, "sim:0");
  EXPECT_EQ(residence(z).name, "sim:0");
}

TEST_F(Auto, SeveralRootsAndDevicesTogether) {
  Tensor x = square(16), a = x + 1, b = x * 2, c = x.to("sim:1") - 1;
  eval(a, b, c);
  EXPECT_EQ(residence(a).name, "cpu:0");
  EXPECT_EQ(residence(c).name, "sim:1");
  EXPECT_EQ(c.to_vector<float>(), Floats(256, 0));
}

TEST_F(Auto, WhatDoesNotFitIsComputedElsewhere) {
  Tensor x = square(64), y = matmul(x, x), z = matmul(x, x + 1);
  memory_stats("sim:0");
  empty_cache("sim:0");
  set_memory_limit(memory_stats("sim:0").allocated + 1024, "sim:0");
  EXPECT_EQ(residence(y).name, "cpu:0");
  EXPECT_EQ(y.to_vector<float>(), Floats(64 * 64, 64));
  set_memory_limit(0, "sim:0");
  EXPECT_EQ(residence(z).name, "sim:0");
}

TEST_F(Auto, TracedFunctionsArePlacedPerCall) {
  auto product = jit([](const Tensor &x) { return matmul(x, x); });
  EXPECT_EQ(residence(product(square(16))).name, "cpu:0");
  Tensor y = product(square(64, 2));
  EXPECT_EQ(y.device().name, "auto");
  EXPECT_EQ(residence(y).name, "sim:0");
  EXPECT_EQ(y.to_vector<float>(), Floats(64 * 64, 256));

  auto total = jit([](const Tensor &x) { return sum(x) + 1; });
  Tensor x = square(128);
  Tensor there = x.to("sim:0").eval().to("auto").eval();
  EXPECT_EQ(residence(total(x)).name, "cpu:0");
  EXPECT_EQ(residence(total(there)).name, "sim:0");
  EXPECT_EQ(total(x).item<float>(), 128 * 128 + 1);
  EXPECT_EQ(total(there).item<float>(), 128 * 128 + 1);
  EXPECT_EQ(total.traces(), 1u);
}

TEST_F(Auto, TracedFunctionsFallBack) {
  Tensor weights = square(64, 3);
  auto model = jit([&](const Tensor &x) { return matmul(x, weights); });
  Tensor x = square(64);
  empty_cache("sim:0");
  set_memory_limit(memory_stats("sim:0").allocated + 1024, "sim:0");
  Tensor y = model(x);
  EXPECT_EQ(residence(y).name, "cpu:0");
  set_memory_limit(0, "sim:0");
  Tensor z = model(x);
  EXPECT_EQ(residence(z).name, "sim:0");
  EXPECT_EQ(y.to_vector<float>(), z.to_vector<float>());
  EXPECT_GE(model.memory_required(x), 64u * 64 * 4);
}

TEST_F(Auto, TracedFunctionsWithANamedDevice) {
  auto add = jit([](const Tensor &a, const Tensor &b) { return a + b; });
  Tensor here = arange(3, f32), there = ones({3}).to("sim:1");
  Tensor y = add(here, there);
  EXPECT_EQ(y.device().name, "sim:1");
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 3}));
  EXPECT_EQ(add(here, here).device().name, "auto");
  EXPECT_EQ(add.traces(), 2u);
}

TEST_F(Auto, EdgeShapes) {
  EXPECT_EQ((zeros({0, 3}) + 1).shape(), (Shape{0, 3}));
  EXPECT_EQ((zeros({0, 3}) + 1).to_vector<float>(), Floats());
  EXPECT_EQ(scalar(3.0f).item<float>(), 3);
  EXPECT_EQ(matmul(zeros({2, 0}), zeros({0, 2})).to_vector<float>(),
            Floats(4, 0));
  EXPECT_EQ(zeros({2}).to_vector<float>(), Floats(2, 0));
}

TEST_F(Auto, CopyKeepsThePlace) {
  Tensor target = zeros({2}), source = ones({2}).to("sim:0");
  target.copy_(source);
  EXPECT_EQ(target.device().name, "auto");
  EXPECT_EQ(target.to_vector<float>(), (Floats{1, 1}));
}

TEST_F(Auto, LongChainsAreComputedInPieces) {
  Tensor x = square(64);
  for (int i = 0; i < 3000; ++i)
    x = x + 1;
  EXPECT_EQ(x.to_vector<float>(), Floats(64 * 64, 3001));
}

TEST_F(Auto, ThreadsEvaluateTheSame) {
  Tensor x = square(64), y = matmul(x, x);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      EXPECT_EQ(sum(y).item<float>(), 64.0f * 64 * 64);
      EXPECT_EQ(sum(matmul(x, y)).item<float>(), 64.0f * 64 * 64 * 64);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Auto, ExplainsItsSums) {
  Tensor x = square(64);
  std::string text = explain_placement(matmul(x, x));
  EXPECT_EQ(text, "sim:0: chosen\n"
                  "  operands          11.64 us  16384 bytes in 1 copies\n"
                  "  launches           5.00 us  1 x 5.00 us\n"
                  "  kernels            0.05 us  memory 0.03 us: 32768 bytes; "
                  "arithmetic 0.05 us: 524288 operations\n"
                  "  results           11.64 us  16384 bytes in 1 copies\n"
                  "  sum               28.33 us\n"
                  "cpu:0\n"
                  "  operands           0.00 us  0 bytes in 0 copies\n"
                  "  launches           1.00 us  1 x 1.00 us\n"
                  "  kernels           52.43 us  memory 3.28 us: 32768 bytes; "
                  "arithmetic 52.43 us: 524288 operations\n"
                  "  results            0.00 us  0 bytes in 0 copies\n"
                  "  sum               53.43 us\n");
  EXPECT_NE(explain_placement(matmul(x, x), /*json=*/true)
                .find("\"device\": \"sim:0\""),
            std::string::npos);
  EXPECT_NE(device_figures("sim:0").find("\"copy_us\": 10"), std::string::npos);
}

TEST_F(Auto, CountsWhatThePlannerFuses) {
  // One kernel, which reads x once, and writes the result and e, which lives.
  for (int64_t n : {16, 24}) {
    Tensor x = square(n), e = exp(x - max(x, {1}, true));
    std::string text = explain_placement(e / sum(e, {1}, true));
    EXPECT_NE(text.find("launches           1.00 us  1 x 1.00 us"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(": " + std::to_string(3 * n * n * 4) + " bytes;"),
              std::string::npos)
        << text;
  }
}

TEST_F(Auto, CountsWhatIsPicked) {
  Tensor table = square(64);
  std::string text = explain_placement(-slice(table, {{3, 5}}));
  EXPECT_NE(text.find(": " + std::to_string(2 * 2 * 64 * 4) + " bytes;"),
            std::string::npos)
      << text;
}

TEST(Figures, AreTheUsersWhereTheyAreGiven) {
  // Tensors that nobody gave to auto are what they were.
  EXPECT_EQ(ones({2}).device().name, "cpu:0");
  EXPECT_EQ(residence(matmul(square(64), square(64))).name, "cpu:0");
}
