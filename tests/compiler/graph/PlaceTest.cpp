//===- PlaceTest.cpp - Each error names the line of the mistake, once -----===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <sstream>

using namespace tensorc;

namespace {

struct Mistake {
  unsigned line;
  const char *text;
  std::function<void()> make;
};

#define MISTAKE(...) {__LINE__, #__VA_ARGS__, [&] { (void)(__VA_ARGS__); }}

unsigned countParts(const std::string &text, const std::string &part) {
  unsigned found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != text.npos; ++at)
    ++found;
  return found;
}

void expectPlaces(const std::vector<Mistake> &mistakes) {
  for (const Mistake &mistake : mistakes) {
    std::string message = errorOf(mistake.make);
    std::string place =
        std::string(__FILE__) + ":" + std::to_string(mistake.line);
    EXPECT_EQ(countParts(message, "  at "), 1u)
        << mistake.text << ": " << message;
    EXPECT_TRUE(message.size() >= place.size() &&
                message.compare(message.size() - place.size(), place.size(),
                                place) == 0)
        << mistake.text << ": " << message;
  }
}

} // namespace

TEST(Places, OfWhatIsRecorded) {
  Tensor x = zeros({2, 3}), y = zeros({4}), empty;
  Tensor i = arange(4);
  RandomKey key = random_key(1), none;
  expectPlaces({
      MISTAKE(x + y),
      MISTAKE(-(x > 0)),
      MISTAKE(x * empty),
      MISTAKE(where(x, x, x)),
      MISTAKE(from_strided(std::vector<float>(4).data(), {2}, {1, 1})),
      MISTAKE(full({-1}, 2)),
      MISTAKE(zeros({-1})),
      MISTAKE(arange(0, 1, 0)),
      MISTAKE(linspace(0, 1, -1)),
      MISTAKE(eye(-1)),
      MISTAKE(reshape(x, {7})),
      MISTAKE(x.reshape({7})),
      MISTAKE(transpose(x, {0, 0})),
      MISTAKE(x.transpose({0, 0})),
      MISTAKE(broadcast_to(x, {2, 4})),
      MISTAKE(expand_dims(x, 9)),
      MISTAKE(squeeze(x, 9)),
      MISTAKE(slice(x, {{0, 1, 0}})),
      MISTAKE(pad(x, {1}, {1})),
      MISTAKE(pad(x, {1}, {1}, PadMode::edge)),
      MISTAKE(concatenate({x, y})),
      MISTAKE(stack({x, y})),
      MISTAKE(meshgrid({x, y})),
      MISTAKE(einsum("ij->k", {x})),
      MISTAKE(isclose(x, y)),
      MISTAKE(allclose(x, y)),
      MISTAKE(logical_and(x, y)),
      MISTAKE(logical_not(empty)),
      MISTAKE(x.masked_fill(x, 1)),
      MISTAKE(addmm(x, x, x)),
      MISTAKE(expand(x, {4, -1})),
      MISTAKE(x.narrow(0, 2, 1)),
      MISTAKE(x.chunk(2, 7)),
      MISTAKE(unbind(x, 7)),
      MISTAKE(split_with_sizes(x, {1})),
      MISTAKE(index_select(x, 7, i)),
      MISTAKE(index_add(x, 0, y, x)),
      MISTAKE(gather(x, 0, i)),
      MISTAKE(scatter(x, 0, i, 1)),
      MISTAKE(scatter_add(x, 0, zeros({1, 1}, i64), y)),
      MISTAKE(empty.zero_()),
      MISTAKE(tensordot(x, y, {0}, {0, 1})),
      MISTAKE(tensordot(x, y, 5)),
      MISTAKE(outer(x, empty)),
      MISTAKE(split(x, 5)),
      MISTAKE(split(x, 2, 7)),
      MISTAKE(repeat(x, -1)),
      MISTAKE(clip(x, y, 1)),
      MISTAKE(sum(x, 7)),
      MISTAKE(mean(empty)),
      MISTAKE(var(x, 7)),
      MISTAKE(cumsum(x, 7)),
      MISTAKE(sort(x, 7)),
      MISTAKE(top_k(x, 9)),
      MISTAKE(matmul(x, x)),
      MISTAKE(softmax(i)),
      MISTAKE(attention(x, x, y)),
      MISTAKE(conv2d(x, x)),
      MISTAKE(max_pool2d(x, 2)),
      MISTAKE(layer_norm(x, y)),
      MISTAKE(cross_entropy(x, y)),
      MISTAKE(interpolate(x, {2})),
      MISTAKE(x.index({9})),
      MISTAKE(x.index({0, 0, 0})),
      MISTAKE(x.index({"all"})),
      MISTAKE(x.index({y})),
      MISTAKE(empty.index({0})),
      MISTAKE(x.at({9}).set(1)),
      MISTAKE(x.at({0}).add(y)),
      MISTAKE(nonzero(x, -1)),
      MISTAKE(take(x, y, 0)),
      MISTAKE(take_along_axis(x, y, 0)),
      MISTAKE(dynamic_slice(x, {0}, {1, 1})),
      MISTAKE(gather(x, i, {}, {1})),
      MISTAKE(random_key(1.5)),
      MISTAKE(split(none, 2)),
      MISTAKE(randn(key, {-1})),
      MISTAKE(uniform(key, {2}, 1, 0)),
      MISTAKE(randint(key, {2}, 5, 5)),
      MISTAKE(bernoulli(key, {2}, x)),
      MISTAKE(permutation(key, x, 7)),
      MISTAKE(dropout(x, key, 2)),
      MISTAKE(promote(ui64, i32)),
      MISTAKE(astype(empty, f32)),
      MISTAKE(x.astype(DType::index)),
      MISTAKE(bitcast(i > 0, ui8)),
  });
}

TEST(Places, OfValues) {
  Tensor x = zeros({2, 3}), empty;
  expectPlaces({
      MISTAKE(empty.eval()),
      MISTAKE(eval(x, empty), 0),
      MISTAKE(eval({x, empty}), 0),
      MISTAKE(empty.shape()),
      MISTAKE(empty.to_vector<float>()),
      MISTAKE(x.to_vector<int>()),
      MISTAKE(empty.to_bytes()),
      MISTAKE(x.item<float>()),
      MISTAKE(x.size(4)),
      MISTAKE(empty.to_mlir()),
      MISTAKE(to_array(empty)),
      MISTAKE(empty.copy_(x)),
      MISTAKE(x.copy_(zeros({7}))),
      MISTAKE(x.copy_(empty)),
      MISTAKE(x > 0 ? 1 : 2),
      MISTAKE(!(x > 0)),
  });
}

TEST(Places, OfDevices) {
  Tensor x = zeros({2});
  expectPlaces({
      MISTAKE(set_default_device("bogus"), 0),
      MISTAKE(set_device("bogus"), 0),
      MISTAKE(DeviceGuard("bogus")),
      MISTAKE(x.to("bogus")),
      MISTAKE(to(x, "bogus")),
      MISTAKE(x.cuda(99)),
      MISTAKE(Stream("bogus")),
      MISTAKE(Event("bogus")),
      MISTAKE(current_stream("bogus")),
      MISTAKE(synchronize("bogus"), 0),
      MISTAKE(device_properties("bogus")),
      MISTAKE(memory_stats("bogus")),
      MISTAKE(empty_cache("bogus"), 0),
      MISTAKE(device_figures("bogus")),
      MISTAKE(Device("bogus")),
      MISTAKE(Device(std::string("gpu:0"))),
      MISTAKE(zeros({2}, {f32, "bogus"})),
  });
}

TEST(Places, OfFunctionsOfTheProgram) {
  Tensor x = zeros({2});
  CustomOp op("test.place", [](const CustomCall &) {});
  expectPlaces({
      MISTAKE(CustomOp("test.place", [](const CustomCall &) {})),
      MISTAKE(CustomOp("", [](const CustomCall &) {})),
      MISTAKE(op({x})),
      MISTAKE(op.call({x}, {{f32, Shape(17, 1)}})),
      MISTAKE(gpu_kernel("", "none", {.block = {1, 1, 1, 1}})),
      MISTAKE(gpu_kernel("what", "none", {})),
  });
}

TEST(Places, OfEvaluationsThatFail) {
  if (__has_feature(address_sanitizer) &&
      default_device() == Device("reference"))
    GTEST_SKIP() << "the sanitizer ends a process that asks for so much";
  Tensor big = zeros({int64_t(1) << 44}, i8);
  std::ostringstream os;
  std::string at = std::string(__FILE__) + ":" + std::to_string(__LINE__ + 1);
  Tensor more = big + 1;
  for (auto &make : std::vector<std::function<void()>>{
           [&] { more.eval(); }, [&] { eval(more, more); }, [&] { os << more; },
           [&] { (void)more.to_vector<int8_t>(); }}) {
    std::string message = errorOf(make);
    EXPECT_EQ(countParts(message, "  at "), 1u) << message;
    EXPECT_NE(message.find(at), std::string::npos) << message;
  }
}

//===----------------------------------------------------------------------===//
// if (x)
//===----------------------------------------------------------------------===//

TEST(Truth, IsTheElements) {
  Tensor x = tensor({1.0f, -2.0f}), empty;
  EXPECT_FALSE(sum(x) > 0);
  EXPECT_TRUE(sum(x) == -1);
  EXPECT_TRUE(sum(x));
  EXPECT_FALSE(sum(x) + 1);
  EXPECT_TRUE(all(x == x));
  EXPECT_FALSE(all(x == x + 0.5f));
  EXPECT_TRUE(x.index({Slice(1, 2)})); // one element of any rank
  for (DType dtype : {i1, i8, i16, i32, i64, ui8, ui16, ui32, ui64, f16, bf16,
                      f32, f64, i4, ui4, f8e4m3fn, f8e5m2}) {
    EXPECT_TRUE(astype(scalar(1), dtype)) << name(dtype);
    EXPECT_FALSE(astype(scalar(0), dtype)) << name(dtype);
  }
  EXPECT_TRUE(scalar(std::nan(""))); // as in C++
  EXPECT_FALSE(scalar(-0.0));
  EXPECT_TRUE(x.defined());
  EXPECT_FALSE(empty.defined());
  if (x.index({0}) > 0 && !(x.index({1}) > 0))
    SUCCEED();
  else
    FAIL();
}

TEST(Truth, IsRefused) {
  Tensor x = tensor({1.0f, -2.0f});
  EXPECT_ERROR("bool: the tensor has 2 elements; reduce it with any() or all()",
               bool(x == x));
  EXPECT_ERROR("bool: the tensor has 0 elements; reduce it with any() or all()",
               bool(zeros({0, 2})));
  auto refusal = [](unsigned line) {
    return "bool: the tensor is undefined; ask defined()  at " +
           std::string(__FILE__) + ":" + std::to_string(line);
  };
  Tensor empty;
  unsigned declared = __LINE__ - 1;
  EXPECT_EQ(errorOf([&] { (void)bool(empty); }), refusal(declared));
  struct Layer {
    Tensor weight = {}, bias;
  };
  Layer layer;
  EXPECT_EQ(errorOf([&] { (void)!layer.weight; }), refusal(declared + 3));
  layer.bias = empty;
  EXPECT_EQ(errorOf([&] { (void)!layer.bias; }), refusal(declared));
  // What had a value was declared by an operation.
  Tensor moved = x + 1, taker = std::move(moved);
  EXPECT_EQ(errorOf([&] { (void)bool(moved); }),
            "bool: the tensor is undefined; ask defined()");
  auto f = jit([](const Tensor &x) { return sum(x) > 0 ? x : -x; });
  std::string at =
      "  at " + std::string(__FILE__) + ":" + std::to_string(__LINE__ - 2);
  EXPECT_EQ(errorOf([&] { f(x); }),
            "bool: the value is not known while jit traces a function; where() "
            "chooses between values" +
                at);
}
