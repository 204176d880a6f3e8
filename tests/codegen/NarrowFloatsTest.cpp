//===- NarrowFloatsTest.cpp - f16 and bf16 round as they should -----------===//

#include "tests/codegen/KernelRunner.h"

#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace tensorc;
using namespace tensorc::test;
using llvm::APFloat;
using llvm::APInt;

namespace {

const llvm::fltSemantics &semanticsOf(const std::string &type) {
  return type == "f16" ? APFloat::IEEEhalf() : APFloat::BFloat();
}

double toDouble(uint16_t bits, const std::string &type) {
  APFloat value(semanticsOf(type), APInt(16, bits));
  bool exact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return value.convertToDouble();
}

uint16_t fromDouble(double x, const std::string &type) {
  APFloat value(x);
  bool exact;
  value.convert(semanticsOf(type), APFloat::rmNearestTiesToEven, &exact);
  return value.bitcastToAPInt().getZExtValue();
}

bool isNaN(uint16_t bits, const std::string &type) {
  return std::isnan(toDouble(bits, type));
}

class NarrowFloats
    : public testing::TestWithParam<std::tuple<const char *, const char *>> {
protected:
  std::string type = std::get<0>(GetParam());
  codegen::CodegenOptions options{std::get<1>(GetParam()), 2};

  std::string vec(const std::string &t) { return "vector<16x" + t + ">"; }

  template <typename In, typename Out>
  std::vector<Out> run(const std::string &in, const std::string &out,
                       const std::string &body, std::vector<In> &x,
                       std::vector<In> &y) {
    auto image = runner.compile(getLoopKernel(in, out, body), options);
    std::vector<Out> z(x.size());
    Words words;
    words.buffer(x.data()).buffer(y.data()).buffer(z.data());
    image->find("k")(words.data(), 0, x.size(), nullptr);
    return z;
  }

  void expectSame(uint16_t got, double exact, const std::string &what) {
    uint16_t want = fromDouble(exact, type);
    if (std::isnan(exact))
      EXPECT_TRUE(isNaN(got, type)) << what;
    else
      EXPECT_EQ(got, want) << what << " = " << exact;
  }

  KernelRunner runner;
  std::mt19937 random{7};
};

TEST_P(NarrowFloats, WidensEveryValue) {
  std::vector<uint16_t> x(65536);
  for (int i = 0; i < 65536; ++i)
    x[i] = i;
  auto z = run<uint16_t, float>(
      type, "f32", "%r = arith.extf %a : " + vec(type) + " to " + vec("f32"), x,
      x);
  for (int i = 0; i < 65536; ++i) {
    double want = toDouble(i, type);
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(z[i])) << i;
    else
      EXPECT_EQ(z[i], want) << i;
  }
}

TEST_P(NarrowFloats, RoundsSinglesAndDoubles) {
  std::vector<float> x(1 << 18);
  std::vector<double> d(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    uint32_t bits = random();
    if (i % 3 == 0) // a tie, or next to one
      bits = (bits & ~0x1fffu) | 0x1000u + (i % 5) - 2;
    if (i % 3 == 1)
      bits = (bits & ~0xffffu) | 0x8000u + (i % 5) - 2;
    std::memcpy(&x[i], &bits, 4);
    // Just beside what an f32 rounding would turn into a tie.
    d[i] = double(x[i]) * (1 + (int(i % 7) - 3) * 0x1p-40);
  }
  auto z = run<float, uint16_t>(
      "f32", type, "%r = arith.truncf %a : " + vec("f32") + " to " + vec(type),
      x, x);
  for (size_t i = 0; i < x.size(); ++i)
    expectSame(z[i], x[i], "f32");
  z = run<double, uint16_t>(
      "f64", type, "%r = arith.truncf %a : " + vec("f64") + " to " + vec(type),
      d, d);
  for (size_t i = 0; i < d.size(); ++i)
    expectSame(z[i], d[i], "f64");
}

TEST_P(NarrowFloats, ArithmeticRoundsOnce) {
  std::vector<uint16_t> x(1 << 16), y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = random();
    y[i] = random();
  }
  using Fn = double (*)(double, double);
  std::pair<const char *, Fn> ops[] = {
      {"arith.addf", [](double a, double b) { return a + b; }},
      {"arith.subf", [](double a, double b) { return a - b; }},
      {"arith.mulf", [](double a, double b) { return a * b; }},
      {"arith.divf", [](double a, double b) { return a / b; }}};
  for (auto [op, fn] : ops) {
    auto z = run<uint16_t, uint16_t>(
        type, type, std::string("%r = ") + op + " %a, %b : " + vec(type), x, y);
    for (size_t i = 0; i < x.size(); ++i)
      expectSame(z[i], fn(toDouble(x[i], type), toDouble(y[i], type)), op);
  }
}

TEST_P(NarrowFloats, IntegersRoundOnce) {
  std::vector<int64_t> x(1 << 14);
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t value = (int64_t(random()) << 32 | random()) >> (i % 64);
    // Ties with a far-away sticky bit.
    if (i % 4 == 0)
      value = (int64_t(0x8080) << (i % 40)) + int64_t(i % 3) - 1;
    x[i] = value;
  }
  auto z = run<int64_t, uint16_t>(
      "i64", type, "%r = arith.sitofp %a : " + vec("i64") + " to " + vec(type),
      x, x);
  for (size_t i = 0; i < x.size(); ++i) {
    APFloat want(semanticsOf(type));
    want.convertFromAPInt(APInt(64, x[i], true), true,
                          APFloat::rmNearestTiesToEven);
    EXPECT_EQ(z[i], want.bitcastToAPInt().getZExtValue()) << x[i];
  }
}

TEST_P(NarrowFloats, MathIsWithinOneHalfUlp) {
  std::vector<uint16_t> x(65536);
  for (int i = 0; i < 65536; ++i)
    x[i] = i;
  auto z = run<uint16_t, uint16_t>(type, type,
                                   "%r = math.exp %a : " + vec(type), x, x);
  int different = 0;
  for (int i = 0; i < 65536; ++i) {
    double want = std::exp(toDouble(i, type));
    if (std::isnan(want))
      EXPECT_TRUE(isNaN(z[i], type));
    else
      different += z[i] != fromDouble(want, type);
  }
  EXPECT_LE(different, 16);
}

INSTANTIATE_TEST_SUITE_P(
    Types, NarrowFloats,
    testing::Combine(testing::Values("f16", "bf16"),
                     testing::Values("cpu", "cpu:x86-64-v2", "cpu:x86-64-v3")));

} // namespace
