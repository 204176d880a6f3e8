//===- CustomCallTest.cpp - Functions of the program as operations --------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

using namespace tensorc;

namespace {

std::atomic<int> calls{0};

/// x + shift, where the config is the shift.
const CustomOp &shift() {
  static CustomOp op(
      "test.shift",
      [](const CustomCall &call) {
        ++calls;
        for (int64_t i = 0; i < call.numel(); ++i)
          call.output<float>()[i] =
              call.input<float>()[i] + std::stof(call.config());
      },
      CustomOp::like_first_input, "test.shift_gradient");
  return op;
}

/// Quotient and rest of i32 tensors.
const CustomOp &divide() {
  static CustomOp op("test.divide", [](const CustomCall &call) {
    const int32_t *x = call.input<int32_t>(0), *y = call.input<int32_t>(1);
    for (int64_t i = 0; i < call.numel(); ++i) {
      if (y[i] == 0)
        throw std::runtime_error("element " + std::to_string(i) + " is 0");
      call.output<int32_t>(0)[i] = x[i] / y[i];
      call.output<int64_t>(1)[i] = x[i] % y[i];
    }
  });
  return op;
}

} // namespace

// Branches and loops are recorded as calls with the op's name.
TEST(CustomCalls, MayHaveTheNamesOfOps) {
  static CustomOp op(
      "tx.scan",
      [](const CustomCall &call) {
        for (int64_t i = 0; i < call.numel(); ++i)
          call.output<float>()[i] = call.input<float>()[i] + 1;
      },
      CustomOp::like_first_input);
  Tensor x = tensor({1.0f, 2.0f});
  EXPECT_EQ(op({x}, "no text of an op").to_vector<float>(),
            (std::vector<float>{2, 3}));
}

TEST(CustomCalls, AmongOtherOps) {
  Tensor x = tensor({1.0f, 2.0f, 3.0f});
  EXPECT_EQ((shift()({x * 2}, "0.5") * 10).to_vector<float>(),
            (std::vector<float>{25, 45, 65}));
  // Of a splat, a scalar, a reshape, itself.
  EXPECT_EQ(shift()({full({2}, 3)}, "1").to_vector<float>(),
            (std::vector<float>{4, 4}));
  EXPECT_EQ(shift()({scalar(3.0f)}, "1").item<float>(), 4);
  EXPECT_EQ(shift()({x.reshape({3, 1})}, "1").shape(), (Shape{3, 1}));
  EXPECT_EQ(sum(shift()({shift()({exp(x - x)}, "1")}, "-3").reshape({-1}))
                .item<float>(),
            -3);
  EXPECT_EQ(shift()({zeros({0, 3})}, "1").shape(), (Shape{0, 3}));
  EXPECT_EQ(shift()({zeros({0, 3})}, "1").to_vector<float>().size(), 0u);
}

TEST(CustomCalls, SeveralOutputs) {
  Tensor x = tensor({7, 8, -9}), y = tensor({2, 3, 4});
  std::vector<Tensor> both = divide().call({x, y}, {{i32, {3}}, {i64, {3}}});
  EXPECT_EQ((both[0] + both[1]).to_vector<int64_t>(),
            (std::vector<int64_t>{4, 4, -3}));
  Tensor rest = divide().call({x, y}, {{i32, {3}}, {i64, {3}}})[1];
  EXPECT_EQ(rest.to_vector<int64_t>(), (std::vector<int64_t>{1, 2, -1}));
}

TEST(CustomCalls, RunsOncePerEvaluation) {
  calls = 0;
  Tensor y = shift()({tensor({1.0f})}, "1");
  Tensor z = y * 2;
  eval(y, z);
  EXPECT_EQ(y.item<float>() + z.item<float>(), 6);
  EXPECT_EQ(calls, 1);
}

TEST(CustomCalls, SizesDoNotRecompile) {
  reset_compile_stats(true);
  for (int n : {3, 4, 5, 6, 100}) {
    Tensor x = arange(n, f32) + 0;
    EXPECT_EQ(shift()({x * 2}, "1").to_vector<float>()[n - 1], 2 * n - 1);
    // Another size than any input's.
    static CustomOp tail("test.tail", [](const CustomCall &call) {
      int64_t skipped = call.input_type(0).shape[0] - call.numel();
      for (int64_t i = 0; i < call.numel(); ++i)
        call.output<float>()[i] = call.input<float>()[skipped + i];
    });
    Tensor y = tail.call({x * 3}, {{f32, {n - 1}}})[0] + 1;
    EXPECT_EQ(y.to_vector<float>()[n - 2], 3 * n - 2);
  }
  EXPECT_EQ(compile_stats().symbolic_failed, 0u);
  EXPECT_EQ(compile_stats().sizes_not_expressible, 0u);
  EXPECT_EQ(compile_stats().compilations, 4u);
}

TEST(CustomCalls, UnderJit) {
  auto f = jit([](const Tensor &x) { return shift()({x * 2}, "1") * x; });
  EXPECT_EQ(f(tensor({1.0f, 2.0f})).to_vector<float>(),
            (std::vector<float>{3, 10}));
  EXPECT_EQ(f(tensor({2.0f, 3.0f})).to_vector<float>(),
            (std::vector<float>{10, 21}));
  EXPECT_EQ(f.traces(), 1u);
}

TEST(CustomCalls, InLongChains) {
  Tensor x = tensor({0.0f});
  for (int i = 0; i < 3000; ++i)
    x = i % 600 ? x + 1 : shift()({std::move(x)}, "1");
  EXPECT_EQ(x.item<float>(), 3000);
}

TEST(CustomCalls, ShowTheirModule) {
  Tensor x = tensor({1.0f, 2.0f, 3.0f});
  EXPECT_NE(shift()({x}, "2").to_mlir().find(
                "tx.custom_call \"test.shift\"(%arg0) config \"2\" derivative "
                "\"test.shift_gradient\" : (tensor<3xf32>) -> tensor<3xf32>"),
            std::string::npos)
      << shift()({x}, "2").to_mlir();
}

#define PLACE ("  at " + std::string(__FILE__) + ":" + std::to_string(__LINE__))

/// Returns the end of the error of an op that is called in line `called`, and
/// whose value is read in line `read`. On asynchronous devices the error shows
/// in the latter and names both.
static std::string places(int called, int read) {
  std::string file = std::string(__FILE__) + ":";
  const char *device = std::getenv("TENSORC_DEVICE");
  if (device && std::string(device).rfind("sim", 0) == 0)
    return " (" + file + std::to_string(called) + ")  at " + file +
           std::to_string(read);
  return "  at " + file + std::to_string(called);
}

TEST(CustomCalls, ErrorsCarryTheirMessageAndPlace) {
  Tensor x = tensor({7, 8}), zero = tensor({1, 0});
  const int called = __LINE__ + 1;
  Tensor q = divide().call({x, zero}, {{i32, {2}}, {i64, {2}}})[0];
  Tensor later = q + 1;
  const int read = __LINE__ + 1;
  std::string late = errorOf([&] { later.to_vector<int32_t>(); });
  EXPECT_EQ(late, "test.divide: element 1 is 0" + places(called, read));
  const int traced = __LINE__ + 2;
  auto f = jit([&](const Tensor &y) {
    return divide().call({x, y}, {{i32, {2}}, {i64, {2}}})[0];
  });
  const int run = __LINE__ + 1;
  std::string message = errorOf([&] { f(zero).to_vector<int32_t>(); });
  EXPECT_EQ(message, "test.divide: element 1 is 0" + places(traced, run));
  // Nothing is left in a bad state.
  EXPECT_EQ((x + 1).to_vector<int32_t>()[1], 9);
}

TEST(CustomCalls, WrongTypesInTheFunction) {
  Tensor x = tensor({1, 2});
  const int line = __LINE__ + 2;
  std::string message =
      errorOf([&] { shift()({x}, "1").to_vector<int32_t>(); });
  EXPECT_EQ(message,
            "test.shift: a value is i32, not f32" + places(line, line));
}

TEST(CustomCalls, RefusedWhenRecorded) {
  Tensor x = tensor({1.0f, 2.0f}), empty;
  EXPECT_EQ(errorOf([&] { divide()({x, x}); }),
            "test.divide: has no shape rule: the call must give the output "
            "types" +
                PLACE);
  EXPECT_EQ(errorOf([&] { shift()({x, empty}, "1"); }),
            "test.shift: input 1 is an undefined tensor" + PLACE);
  EXPECT_EQ(errorOf([&] { divide().call({x, x}, {}); }),
            "test.divide: needs an output" + PLACE);
  EXPECT_EQ(errorOf([&] { divide().call({x, x}, {{f32, {-1}}}); }),
            "test.divide: negative size in [-1]" + PLACE);
  // Its own rule throws.
  EXPECT_EQ(errorOf([&] { shift()({}, "1"); }).find("test.shift: "), 0u);
  EXPECT_NE(errorOf([&] { CustomOp("test.shift", nullptr); }), "no error");
  (void)shift();
  EXPECT_NE(errorOf([&] {
              CustomOp("test.shift", [](const CustomCall &) {});
            }).find("already registered"),
            std::string::npos);
}

TEST(CustomCalls, OutlivesTheFunctionsHandle) {
  Tensor y;
  {
    CustomOp once("test.once",
                  [](const CustomCall &call) { call.output<float>()[0] = 42; });
    y = once.call({}, {{f32, {}}})[0];
  }
  EXPECT_EQ(y.item<float>(), 42);
}

TEST(CustomCalls, CannotEvaluate) {
  static Tensor outside = tensor({1.0f, 2.0f}) * 2;
  static auto traced = jit([](const Tensor &x) { return x + 1; });
  static unsigned line = 0;
  static int how = 0;
  static CustomOp op(
      "test.nested",
      [](const CustomCall &call) {
        call.output<float>()[0] = 0;
        line = __LINE__ + 2;
        if (how == 0)
          call.output<float>()[0] = (outside + 1).to_vector<float>()[0];
        else
          traced(outside);
      },
      CustomOp::like_first_input);
  outside.eval();
  for (how = 0; how < 2; ++how) {
    // Twice: the second time over what the first has compiled.
    for (int i = 0; i < 2; ++i) {
      std::string message = errorOf([&] { op({outside}).to_vector<float>(); });
      EXPECT_EQ(message.find("test.nested: eval: the function of 'test.nested' "
                             "cannot evaluate tensors; pass them as inputs"
                             "  at "),
                0u)
          << message;
      EXPECT_EQ(message.find("tensorc.hpp"), std::string::npos) << message;
      if (how == 0)
        EXPECT_NE(
            message.find(std::string(__FILE__) + ":" + std::to_string(line)),
            std::string::npos)
            << message;
    }
  }
  // A value that is known may be read.
  how = 0;
  EXPECT_EQ((outside + 1).to_vector<float>()[0], 3);
}

TEST(CustomCalls, CatchAnything) {
  static CustomOp op(
      "test.anything", [](const CustomCall &) { throw 42; },
      [](const std::vector<Type> &inputs, const std::string &config) {
        if (config == "rule")
          throw 42;
        return inputs;
      });
  Tensor x = tensor({1.0f});
  EXPECT_EQ(errorOf([&] { op({x}, "rule"); }),
            "test.anything: an unknown exception" + PLACE);
  const int line = __LINE__ + 1;
  std::string message = errorOf([&] { op({x}).to_vector<float>(); });
  EXPECT_EQ(message,
            "test.anything: an unknown exception" + places(line, line));
}
