//===- ErrorTest.cpp - What a program is told, and where ------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tensorc;

// An allocation that cannot succeed is a test here, not a bug.
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}

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
  EXPECT_ERROR(
      "transpose: [0,0] is not a permutation of the dimensions of [64,32]",
      transpose(x, {0, 0}));
  EXPECT_ERROR(
      "concatenate: shapes differ outside dimension 0: [64,32] x [31,10]",
      concatenate({x, y}));
  EXPECT_ERROR("slice: the step of axis 0 is 0", slice(x, {{0, 1, 0}}));
  EXPECT_ERROR("broadcast_to: cannot broadcast [64,32] to [64,33]",
               broadcast_to(x, {64, 33}));
}

TEST(Errors, NameDTypes) {
  Tensor i = arange(4, i32);
  EXPECT_ERROR("exp: dtype must be a float or complex, not i32", exp(i));
  EXPECT_ERROR("softmax: dtype must be a float, not i32; convert with astype",
               softmax(i));
  EXPECT_ERROR("bitwise_and: dtype must be i1 or an integer, not f32", i & 1.5);
  EXPECT_ERROR("add: no common dtype of ui64 and i32; convert with astype",
               zeros({4}, ui64) + i);
  EXPECT_ERROR("add: the number 300 is outside i8", zeros({2}, i8) + 300);
  EXPECT_ERROR("bitcast: i1 has no bits of its own; convert with astype",
               bitcast(i > 0, ui8));
  EXPECT_ERROR(
      "bitcast: the last dimension of f32[2,3] is not a multiple of 2, "
      "as f64 needs",
      bitcast(zeros({2, 3}), f64));
  EXPECT_ERROR("bitcast: f32[] has no last dimension for the parts of i64",
               bitcast(scalar(1.0f), i64));
  EXPECT_ERROR("neg: dtype must be a number, not i1", -(i > 0));
  EXPECT_ERROR("argmax: has no elements to choose from: [0]",
               argmax(zeros({0})));
  EXPECT_ERROR("cumsum: axis 1 is outside [4]", cumsum(i, 1));
  EXPECT_ERROR("sort: axis -1 is outside []", sort(sum(i)));
  EXPECT_ERROR("top_k: axis -1 is outside []", top_k(scalar(1), 2));
  EXPECT_ERROR("top_k: k = 5 is outside axis -1 of [4]", top_k(i, 5));
  EXPECT_ERROR("top_k: k = -1 is outside axis 0 of [4]", top_k(i, -1, 0));
  EXPECT_ERROR("argmin: has no elements to choose from: [0]",
               argmin(zeros({0})));
}

/// One rule for all that makes tensors of numbers: a dtype of integers has the
/// number, or it is an error.
TEST(Errors, NumbersThatADTypeDoesNotHave) {
  EXPECT_ERROR("full: value 3.7 is outside i32", full({2}, 3.7, i32));
  EXPECT_ERROR("full: value 300 is outside ui8", full({2}, 300, ui8));
  EXPECT_ERROR("full: value nan is outside i64", full({2}, std::nan(""), i64));
  EXPECT_ERROR("tensor: value 300 is outside ui8",
               tensor({1, 300}, {DType::ui8}));
  EXPECT_ERROR("tensor: value -1 is outside ui8",
               tensor({-1, 3}, {DType::ui8}));
  EXPECT_ERROR("tensor: value 3.7 is outside i32",
               tensor({3.7, 1.0}, {DType::i32}));
  EXPECT_ERROR("tensor: value 128 is outside i8",
               tensor(std::vector<uint64_t>{127, 128}, {DType::i8}));
  EXPECT_ERROR("tensor: value 8 is outside i4",
               tensor({{7}, {8}}, {DType::i4}));
  EXPECT_EQ(full({1}, 3.0, i32).item<int>(), 3);
  EXPECT_EQ(tensor({-128.0f, 127.0f}, {DType::i8}).to_vector<int8_t>(),
            (std::vector<int8_t>{-128, 127}));
  EXPECT_EQ(
      tensor({1.8446744073709550e19}, {DType::ui64}).to_vector<uint64_t>()[0],
      18446744073709549568ull);
  // i1 has two numbers, of whatever type; floats round.
  EXPECT_EQ(tensor({0.0, 1.0}, {DType::i1}).to_vector<bool>(),
            (std::vector<bool>{false, true}));
  EXPECT_ERROR("tensor: value 0.5 is outside i1",
               tensor({0.0, 0.5}, {DType::i1}));
  EXPECT_ERROR("full: value 2 is outside i1", full({2}, 2, i1));
  EXPECT_ERROR("full: value nan is outside i1", full({2}, std::nan(""), i1));
  EXPECT_TRUE(full({}, 1.0, i1).item<bool>());
  Tensor i = zeros({2}, i32), b = zeros({2}, i1), all = b == b;
  i[0] = 2.0;
  b[0] = 1;
  EXPECT_EQ(i.masked_fill(b, 3.0).scatter(0, tensor({1}), 4.0).to_vector<int>(),
            (std::vector<int>{3, 4}));
  EXPECT_TRUE(allclose(b.masked_fill(all, 1.0), all));
  EXPECT_ERROR("at: the number 2 cannot be put into i1", b[0] = 2);
  EXPECT_ERROR("masked_fill: the number -1 cannot be put into i1",
               b.masked_fill(all, -1));
  EXPECT_ERROR("scatter: the number 2.5 cannot be put into i32",
               i.scatter(0, tensor({1}), 2.5));
  EXPECT_ERROR("at: the number 1e+30 cannot be put into i32", i[0] = 1e30);
  EXPECT_ERROR("fill_: value 2 is outside i1", b.fill_(2));
  EXPECT_EQ(tensor({0.1}, {DType::f32}).to_vector<float>()[0], 0.1f);
}

TEST(Errors, NotOfSeveralElements) {
  Tensor mask = tensor({1, 2}) > 1;
  std::string place = "  at " __FILE__ ":" + std::to_string(__LINE__ - 1);
  EXPECT_EQ(errorOf([&] { (void)!mask; }),
            "bool: the tensor has 2 elements; reduce it with any() or all(), "
            "or negate it with ~" +
                place);
  EXPECT_TRUE(!(tensor({1}) > 1));
  EXPECT_FALSE(!mask[1]);
}

TEST(Errors, RefuseImpossibleSizes) {
  int64_t large = std::numeric_limits<int64_t>::max();
  EXPECT_ERROR("zeros: f32[4611686018427387904] is larger than 2^63 bytes",
               zeros({int64_t(1) << 62}));
  EXPECT_ERROR("zeros: negative size in [-1]", zeros({-1}));
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

TEST(Errors, MalformedDevices) {
  std::string text = "the index is a number from 0";
  for (std::string name : {"cuda:-1", "cuda:", "cuda:x", "cpu:0x1", "rocm:1:2",
                           "cuda: 1", "cpu:999999999999999999999"})
    EXPECT_ERROR("device: '" + name + "' names no device: " + text,
                 Device(name));
  text = "needs an index, sim:0, or a chip, sim:gfx942";
  for (std::string name : {"sim:999999999999999999999", "sim:x", "sim:-1",
                           "sim:gfx", "sim:gfx942:", "sim:gfx942:x", "sim:0:0"})
    EXPECT_ERROR("device: '" + name + "' names no device: " + text,
                 Device(name));
  text = "there is only one of its kind, without an index";
  for (std::string name : {"auto:0", "reference:0"})
    EXPECT_ERROR("device: '" + name + "' names no device: " + text,
                 Device(name));
  for (const char *name : {"cpu", "cpu:7", "cuda:12", "sim:gfx942",
                           "sim:sm_90a:1", "auto", "reference"})
    EXPECT_EQ(Device(name).name, name);
}

TEST(Errors, NameWhatTheUserCalled) {
  Tensor x = zeros({2, 3}), y = zeros({4}), empty;
  EXPECT_ERROR("matmul: needs a tensor, not a number", matmul(x, 3));
  EXPECT_ERROR("matmul: needs a tensor, not a number", matmul(3, x));
  EXPECT_ERROR("softmax: needs a tensor, not a number", softmax(1.5f));
  EXPECT_ERROR("sum: needs a tensor, not a number", sum(3));
  EXPECT_ERROR("matmul: an operand is an undefined tensor", matmul(x, empty));
  EXPECT_ERROR("mean: the operand is an undefined tensor", mean(empty));
  EXPECT_ERROR("gelu: the operand is an undefined tensor", gelu(empty));
  EXPECT_ERROR("reshape: the operand is an undefined tensor",
               reshape(empty, {1}));
  EXPECT_ERROR("add: an operand is an undefined tensor", empty + 1);
  EXPECT_ERROR("pad: needs 2 paddings, one per axis, not 1 low, 2 high, 0 "
               "interior",
               pad(x, {1}, {1, 1}));
  EXPECT_ERROR("stack: shapes differ: [2,3] x [4]", stack({x, y}));
  EXPECT_ERROR("stack: axis 3 is outside [2,3]", stack({x, x}, 3));
  EXPECT_ERROR("stack: needs at least one tensor", stack({}));
  EXPECT_ERROR("stack: an operand is an undefined tensor", stack({x, empty}));
  EXPECT_ERROR("concatenate: needs at least one tensor", concatenate({}));
  EXPECT_ERROR("concatenate: an operand is an undefined tensor",
               concatenate({x, empty}));
  EXPECT_ERROR("where: shapes cannot be broadcast: [2,3] x [4]",
               where(x > 0, x, y));
  EXPECT_ERROR("where: dtype must be i1, not f32", where(x, x, x));
  EXPECT_ERROR("ones: negative size in [-2]", ones({-2}));
  EXPECT_ERROR("eye: negative size in [-1,-1]", eye(-1));
  EXPECT_ERROR("eye: negative size in [2,-3]", eye(2, -3));
  EXPECT_ERROR("arange: dtype must be a number, not i1", arange(3, i1));
  EXPECT_ERROR("arange: the number 299 is outside ui8", arange(300, ui8));
  EXPECT_ERROR("arange: the number -129 is outside i8", arange(-129, 0, i8));
  EXPECT_EQ(arange(256, ui8).size(0), 256);
  EXPECT_EQ(arange(1000, 1000, ui8).size(0), 0);
  EXPECT_ERROR("arange: start, stop and step must be finite, not 0, nan and 1",
               arange(NAN));
  EXPECT_ERROR("arange: start, stop and step must be finite, not 0, inf and 1",
               arange(float(INFINITY)));
  EXPECT_ERROR("linspace: negative size in [-1]", linspace(0, 1, -1));
  EXPECT_ERROR("mean: axis 2 is outside [2,3]", mean(x, 2));
  EXPECT_ERROR("var: axis 2 is outside [2,3]", var(x, 2));
  EXPECT_ERROR("log_softmax: axis 5 is outside [2,3]", log_softmax(x, 5));
}

TEST(Errors, OfValuesNameTheCall) {
  Tensor x = zeros({2, 3}), empty;
  EXPECT_ERROR("item: the tensor has shape [2,3], not one element",
               x.item<float>());
  EXPECT_ERROR("item: the tensor is undefined", empty.item<float>());
  EXPECT_ERROR("to_vector: the tensor is f32, not i32; convert with astype",
               x.to_vector<int32_t>());
  EXPECT_ERROR("to_vector: the tensor is undefined", empty.to_vector<float>());
  EXPECT_ERROR("shape: the tensor is undefined", empty.shape());
  EXPECT_ERROR("size: axis 2 is outside rank 2", x.size(2));
  EXPECT_ERROR("eval: the tensor is undefined", empty.eval());
  EXPECT_ERROR("to_mlir: the tensor is undefined", empty.to_mlir());
}

TEST(Numbers, Above63Bits) {
  uint64_t large = 0xFFFFFFFFFFFFFFFEull;
  Tensor x = full({2}, large, ui64);
  EXPECT_EQ(x.to_vector<uint64_t>()[1], large);
  EXPECT_EQ((x + 1).to_vector<uint64_t>()[0], large + 1);
  EXPECT_EQ((zeros({1}, ui64) + large).item<uint64_t>(), large);
  EXPECT_EQ((zeros({1}, f64) + large).item<double>(), 18446744073709551614.0);
  EXPECT_EQ(scalar(large).dtype(), ui64);
  EXPECT_EQ(x.to_string(),
            "tensor([18446744073709551614, 18446744073709551614], dtype=ui64)");
  EXPECT_EQ(full({}, 1.5e19, ui64).item<double>(), 1.5e19);
  EXPECT_ERROR("add: the number 18446744073709551614 is outside i64",
               zeros({2}, i64) + large);
}

TEST(Numbers, F64PrintsAllItsDigits) {
  EXPECT_EQ(full({}, 0.1, f64).to_string(), "tensor(0.1, dtype=f64)");
  EXPECT_EQ(full({}, 1.0 / 3, f64).to_string(),
            "tensor(0.3333333333333333, dtype=f64)");
  EXPECT_EQ(full({}, 123456789.0, f64).to_string(),
            "tensor(123456789.0, dtype=f64)");
  EXPECT_EQ(full({}, 1e300, f64).to_string(), "tensor(1e+300, dtype=f64)");
  EXPECT_EQ(full({}, 2.0, f64).to_string(), "tensor(2.0, dtype=f64)");
  EXPECT_EQ(full({}, 0.1).to_string(), "tensor(0.1, dtype=f32)");
}
