//===- DebuggingTest.cpp - Ops that look at numbers, one op at a time -----===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <limits>

using namespace tensorc;

namespace {
/// Whether values are there when eval() returns, so that an error of a function
/// of the host comes from it, with the place of the op.
bool isSynchronous() { return default_device().name != "sim"; }

/// The error of reading the value: on a stream of a GPU it may come only then.
std::string errorOfReading(const Tensor &x) {
  return errorOf([&] { x.to_bytes(); });
}

std::string place(int line) {
  return isSynchronous()
             ? std::string("  at ") + __FILE__ + ":" + std::to_string(line)
             : std::string();
}
} // namespace

TEST(Debugging, CheckNumericsSurvivesCompilation) {
  Tensor x = tensor({{1.0f, 2.0f}, {0.0f, 3.0f}});
  Tensor y = check_numerics(1 / x, "reciprocals");
  const int line = __LINE__ - 1;
  EXPECT_NE(errorOfReading(y * 2).find(
                "check_numerics: reciprocals: 1 infinity of 4 elements, the "
                "first at [1, 0]" +
                place(line)),
            std::string::npos);
  Tensor fine = check_numerics(x + 1);
  EXPECT_EQ(fine.to_vector<float>(), (std::vector<float>{2, 3, 1, 4}));
  auto f = jit([](const Tensor &x) { return check_numerics(log(x)) + 0; });
  EXPECT_EQ(f(tensor({1.0f})).item<float>(), 0);
  std::string message = errorOf([&] { f(tensor({-1.0f})).to_bytes(); });
  EXPECT_NE(message.find("check_numerics: 1 NaN of 1 element"),
            std::string::npos)
      << message;
  EXPECT_ERROR("check_numerics: the operand is an undefined tensor",
               check_numerics(Tensor()));
}

TEST(Debugging, CheckNumericsOfOtherDtypes) {
  EXPECT_EQ(check_numerics(tensor({1, 2, 3})).to_vector<int32_t>(),
            (std::vector<int32_t>{1, 2, 3}));
  for (DType dtype : {f16, bf16, f64}) {
    Tensor x = full({2}, std::numeric_limits<double>::quiet_NaN(), dtype) + 0;
    EXPECT_NE(errorOfReading(check_numerics(x))
                  .find("2 NaNs of 2 elements, the first at [0]"),
              std::string::npos)
        << name(dtype);
  }
  check_numerics(zeros({0, 3})).eval();
}

TEST(Debugging, DebugPrintPrintsWhereItIsComputed) {
  Tensor x = tensor({{1.0f, 2.5f}, {-0.0f, 3.0f}});
  testing::internal::CaptureStderr();
  Tensor y = debug_print(x * 2, "twice") + 1;
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{3, 6, 1, 7}));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "twice: tensor([[2.0, 5.0], [-0.0, 6.0]], dtype=f32)\n");
}

TEST(Debugging, OpByOp) {
  set_op_by_op(true);
  Tensor x = tensor({1.0f, 2.0f});
  Tensor a = x * 2, b = exp(a) + 1;
  EXPECT_TRUE(a.is_evaluated() && b.is_evaluated());
  auto f = jit([](const Tensor &x) { return x * 2 + 1; });
  EXPECT_EQ(f(x).to_vector<float>(), (std::vector<float>{3, 5}));
  if (isSynchronous())
    EXPECT_ERROR("check_numerics: 1 infinity of 2 elements, the first at [0]",
                 check_numerics(x / (x - 1)));
  set_op_by_op(false);
  Tensor c = x * 3;
  EXPECT_FALSE(c.is_evaluated());
}
