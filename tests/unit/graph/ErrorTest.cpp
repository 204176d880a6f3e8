//===- ErrorTest.cpp - What a program is told, and where ------------------===//

#include "tests/unit/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <limits>

using namespace tensorc;

// An allocation that cannot succeed is a test here, not a bug.
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}

/// Expects an error with this message at the line of the call.
#define EXPECT_ERROR(message, expression)                                      \
  EXPECT_EQ(errorOf([&] { (void)(expression); }),                              \
            std::string(message) + "  at " + __FILE__ + ":" +                  \
                std::to_string(__LINE__))

TEST(Errors, NameShapesAndPlace) {
  Tensor x = zeros({64, 32}), y = zeros({31, 10});
  EXPECT_ERROR("matmul: inner dimensions differ: [64,32] x [31,10]",
               matmul(x, y));
  EXPECT_ERROR("add: shapes cannot be broadcast: [64,32] x [31,10]", x + y);
  EXPECT_ERROR("maximum: shapes cannot be broadcast: [64,32] x [31,10]",
               maximum(x, y));
  EXPECT_ERROR("reshape: cannot reshape [64,32] to [5,-1]",
               reshape(x, {5, -1}));
  EXPECT_ERROR("reshape: cannot reshape [64,32] to [-1,-1]",
               x.reshape({-1, -1}));
  EXPECT_ERROR("sum: axis 2 is outside [64,32]", sum(x, 2));
  EXPECT_ERROR("sum: an axis is listed twice: [0,-2]", sum(x, {0, -2}));
  EXPECT_ERROR("transpose: [0,0] is no permutation of the axes of [64,32]",
               transpose(x, {0, 0}));
  EXPECT_ERROR("concatenate: shapes differ outside axis 0: [64,32] x [31,10]",
               concatenate({x, y}));
  EXPECT_ERROR("slice: the step of axis 0 is 0", slice(x, {{0, 1, 0}}));
  EXPECT_ERROR("broadcast: cannot broadcast [64,32] to [64,33]",
               broadcast_to(x, {64, 33}));
}

TEST(Errors, NameDTypes) {
  Tensor i = arange(4, i32);
  EXPECT_ERROR("exp: dtype must be a float, not i32", exp(i));
  EXPECT_ERROR("softmax: dtype must be a float, not i32", softmax(i));
  EXPECT_ERROR("bitwise_and: dtype must be i1 or an integer, not f32", i & 1.5);
  EXPECT_ERROR("add: no common dtype of ui64 and i32; convert with astype",
               zeros({4}, ui64) + i);
  EXPECT_ERROR("add: the number 300 is outside i8", zeros({2}, i8) + 300);
  EXPECT_ERROR("neg: dtype must be a number, not i1", -(i > 0));
  EXPECT_ERROR("argmax: no elements to choose from: [0]", argmax(zeros({0})));
}

TEST(Errors, RefuseImpossibleSizes) {
  int64_t large = std::numeric_limits<int64_t>::max();
  EXPECT_ERROR("full: f32[4611686018427387904] is larger than 2^63 bytes",
               zeros({int64_t(1) << 62}));
  EXPECT_ERROR("full: negative size in [-1]", zeros({-1}));
  // A dim of 0 does not hide that the others overflow.
  EXPECT_NE(errorOf([&] { zeros({0, large, large}); }), "no error");
  Tensor big = zeros({int64_t(1) << 40});
  EXPECT_NE(errorOf([&] { big.reshape({-1, 1}) * big; }), "no error");
  EXPECT_NE(errorOf([&] { pad(zeros({2}), {large}, {large}); }), "no error");
  EXPECT_NE(errorOf([&] { arange(0, 1e19); }), "no error");
  EXPECT_NE(errorOf([&] { arange(0, 1, 0); }), "no error");
  EXPECT_NE(errorOf([&] { zeros(Shape(17, 1)); }), "no error");
}

#if defined(__SANITIZE_ADDRESS__) ||                                           \
    (defined(__has_feature) && __has_feature(address_sanitizer))
static constexpr bool newThrows = false; // ASan ends the process
#else
static constexpr bool newThrows = true;
#endif

TEST(Errors, SurviveAllocationFailure) {
  bool interpreted = default_device().name == "reference";
  if (interpreted && !newThrows)
    GTEST_SKIP() << "a failing operator new ends the process here";
  // 2^42 bytes can be recorded but not computed.
  Tensor big = zeros({int64_t(1) << 40}) + 1;
  for (int i = 0; i < 3; ++i) {
    std::string message = errorOf([&] { big.eval(); });
    EXPECT_NE(message.find("ErrorTest.cpp"), std::string::npos) << message;
    // The size, in elements or in bytes.
    EXPECT_NE(message.find(interpreted ? "1099511627776" : "4398046511104"),
              std::string::npos)
        << message;
    EXPECT_EQ((ones({2}) + 1).to_vector<float>(), (std::vector<float>{2, 2}));
  }
}

TEST(Errors, EdgeShapes) {
  EXPECT_EQ((scalar(2.0f) * 3).item<float>(), 6);
  EXPECT_EQ((zeros({0, 3}) + 1).to_vector<float>().size(), 0u);
  EXPECT_EQ(sum(zeros({0, 3}), 0).to_vector<float>(),
            (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(matmul(zeros({2, 0}), zeros({0, 2})).to_vector<float>(),
            (std::vector<float>{0, 0, 0, 0}));
  EXPECT_EQ(transpose(scalar(1)).shape(), Shape());
  EXPECT_EQ(reshape(zeros({0}), {0, 5}).shape(), (Shape{0, 5}));
}

TEST(Errors, EmptyTensors) {
  Tensor empty;
  EXPECT_NE(errorOf([&] { empty + 1; }), "no error");
  EXPECT_NE(errorOf([&] { empty.shape(); }), "no error");
  EXPECT_NE(errorOf([&] { empty.eval(); }), "no error");
  EXPECT_NE(errorOf([&] { sum(empty); }), "no error");
  EXPECT_NE(errorOf([&] { concatenate({empty}); }), "no error");
  EXPECT_NE(errorOf([&] { concatenate({}); }), "no error");
  EXPECT_NE(errorOf([&] { sum(Arg(3)); }), "no error");
}

TEST(Errors, UnknownDevice) {
  EXPECT_NE(errorOf([] { set_default_device("toaster"); }), "no error");
  EXPECT_EQ((ones({1}) + 1).item<int>(), 2);
}
