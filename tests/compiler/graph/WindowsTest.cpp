//===- WindowsTest.cpp - Convolution, pooling, reduce_window --------------===//
//
// Numbers at scale are judged by PyTorch (tests/conformance); here are small
// ones that one can check by hand, edges, errors, and what is compiled again.
//
//===----------------------------------------------------------------------===//

#include "tests/compiler/graph/ErrorOf.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tensorc;

namespace {
using Floats = std::vector<float>;
Tensor row(std::initializer_list<float> values) {
  return tensor(values).reshape({1, 1, static_cast<int64_t>(values.size())});
}
} // namespace

TEST(Convolution, SlidesPadsAndDilates) {
  Tensor x = row({1, 2, 3, 4, 5}), k = row({1, 10, 100});
  EXPECT_EQ(conv1d(x, k).to_vector<float>(), (Floats{321, 432, 543}));
  EXPECT_EQ(conv1d(x, k, tensor({0.5f})).to_vector<float>(),
            (Floats{321.5, 432.5, 543.5}));
  EXPECT_EQ(conv1d(x, k, {}, {.padding = "same"}).to_vector<float>(),
            (Floats{210, 321, 432, 543, 54}));
  EXPECT_EQ(conv1d(x, k, {}, {.padding = "valid"}).to_vector<float>(),
            (Floats{321, 432, 543}));
  EXPECT_EQ(conv1d(x, k, {}, {.stride = 2, .padding = 1}).to_vector<float>(),
            (Floats{210, 432, 54}));
  EXPECT_EQ(conv1d(x, k, {}, {.dilation = 2}).to_vector<float>(),
            (Floats{531}));
  EXPECT_EQ(conv1d(x, k, {}, {.padding = Padding(0, 1)}).to_vector<float>(),
            (Floats{321, 432, 543, 54}));
  // Zeros between the elements: 1 0 2 0 3 0 4 0 5.
  EXPECT_EQ(conv1d(x, k, {}, {.input_dilation = 2}).to_vector<float>(),
            (Floats{201, 20, 302, 30, 403, 40, 504}));
  // Without the dimension of images.
  EXPECT_EQ(conv1d(x.reshape({1, 5}), k).shape(), (Shape{1, 3}));
}

TEST(Convolution, GroupsKeepTheirChannels) {
  Tensor x =
      tensor({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}}).reshape({1, 2, 3});
  Tensor k = tensor({1.0f, 1.0f, 2.0f, 2.0f}).reshape({2, 1, 2});
  EXPECT_EQ(conv1d(x, k, {}, {.groups = 2}).to_vector<float>(),
            (Floats{3, 5, 18, 22}));
  Tensor last = transpose(x, {0, 2, 1}), lastKernel = transpose(k, {2, 1, 0});
  EXPECT_EQ(conv1d(last, lastKernel, {},
                   {.groups = 2, .layout = Layout::channels_last})
                .to_vector<float>(),
            (Floats{3, 18, 5, 22}));
}

TEST(Convolution, Transposed) {
  Tensor x = row({1, 2, 3}), k = row({1, 10});
  EXPECT_EQ(conv_transpose1d(x, k).to_vector<float>(), (Floats{1, 12, 23, 30}));
  EXPECT_EQ(conv_transpose1d(x, k, {}, {.stride = 2}).to_vector<float>(),
            (Floats{1, 10, 2, 20, 3, 30}));
  EXPECT_EQ(conv_transpose1d(x, k, {},
                             {.stride = 3, .padding = 1, .output_padding = 1})
                .to_vector<float>(),
            (Floats{10, 0, 2, 20, 0, 3, 30}));
}

TEST(Convolution, DTypesAndEdges) {
  Tensor ints = arange(5, i8).reshape({1, 1, 5});
  EXPECT_EQ(conv1d(ints, full({1, 1, 2}, 100, i8)).to_vector<int8_t>(),
            (std::vector<int8_t>{100, 44, -12, -68})); // wraps
  // 2049 has no f16, and its halves add up in f32.
  Tensor halves = ones({1, 1, 4096}, f16);
  EXPECT_EQ(sum(conv1d(halves, ones({1, 1, 4096}, f16))).to_string(),
            full({}, 4096, f16).to_string());
  EXPECT_EQ(conv2d(zeros({0, 3, 8, 8}), zeros({4, 3, 3, 3})).shape(),
            (Shape{0, 4, 6, 6}));
  EXPECT_EQ(conv1d(zeros({2, 0, 3}), zeros({1, 0, 2}), tensor({7.0f}))
                .to_vector<float>(),
            (Floats{7, 7, 7, 7}));
}

TEST(Convolution, Errors) {
  Tensor x = zeros({1, 3, 8, 8}), k = zeros({4, 3, 3, 3});
  EXPECT_ERROR("conv2d: needs images and kernels with 2 spatial dimensions and "
               "channels: [8,8] x [4,3,3,3]",
               conv2d(zeros({8, 8}), k));
  EXPECT_ERROR("conv2d: 2 channels, but the kernels are for 3: [1,2,8,8] x "
               "[4,3,3,3]",
               conv2d(zeros({1, 2, 8, 8}), k));
  EXPECT_ERROR("conv2d: 3 groups do not divide the 4 channels of the kernels: "
               "[1,9,8,8] x [4,3,3,3]",
               conv2d(zeros({1, 9, 8, 8}), k, {}, {.groups = 3}));
  EXPECT_ERROR("conv2d: the bias must be of shape [4], not [3]",
               conv2d(x, k, zeros({3})));
  EXPECT_ERROR("conv2d: groups must be at least 1",
               conv2d(x, k, {}, {.groups = 0}));
  EXPECT_ERROR("conv2d: stride must be positive and below 2^31, not [1,0]",
               conv2d(x, k, {}, {.stride = {1, 0}}));
  EXPECT_ERROR("conv2d: stride needs one number or 2, not 3",
               conv2d(x, k, {}, {.stride = {1, 1, 1}}));
  EXPECT_ERROR("conv2d: padding must be at least 0 and below 2^31, not [-1,-1]",
               conv2d(x, k, {}, {.padding = -1}));
  EXPECT_ERROR("conv2d: padding \"same\" needs a stride of 1, not [2,2]",
               conv2d(x, k, {}, {.stride = 2, .padding = "same"}));
  EXPECT_ERROR(
      "conv2d: padding is numbers, \"same\" or \"valid\", not \"full\"",
      conv2d(x, k, {}, {.padding = "full"}));
  EXPECT_ERROR("conv2d: a kernel of [3,3], dilated by [4,1], does not fit into "
               "[8,8] with padding [0,0] and [0,0]",
               conv2d(x, k, {}, {.dilation = {4, 1}}));
  EXPECT_ERROR(
      "conv1d: the images have no elements along a spatial dimension: [0]",
      conv1d(zeros({1, 1, 0}), ones({1, 1, 3}), {}, {.padding = 2}));
  EXPECT_ERROR("conv2d: no common number dtype of i1 and i1",
               conv2d(x > 0, k > 0));
  EXPECT_ERROR("conv2d: an operand is an undefined tensor",
               conv2d(x, Tensor()));
  EXPECT_ERROR(
      "conv_transpose2d: output padding [1,1] must be smaller than the "
      "stride [1,1] or the dilation [1,1]",
      conv_transpose2d(zeros({1, 4, 8, 8}), k, {}, {.output_padding = 1}));
  EXPECT_ERROR("conv_transpose2d: padding must be numbers",
               conv_transpose2d(x, k, {}, {.padding = "same"}));
  EXPECT_ERROR(
      "conv_transpose1d: the result of [2] with a kernel of [1] has no "
      "elements",
      conv_transpose1d(row({1, 2}), row({1}), {}, {.padding = 1}));
}

TEST(Pooling, TakesTheLargestAndTheMean) {
  Tensor x = row({1, 5, 2, -3, 4});
  EXPECT_EQ(max_pool1d(x, 2).to_vector<float>(), (Floats{5, 2}));
  EXPECT_EQ(max_pool1d(x, 2, {.ceil_mode = true}).to_vector<float>(),
            (Floats{5, 2, 4}));
  EXPECT_EQ(max_pool1d(x, 3, {.stride = 1, .padding = 1}).to_vector<float>(),
            (Floats{5, 5, 5, 4, 4}));
  EXPECT_EQ(max_pool1d(x, 2, {.stride = 1, .dilation = 3}).to_vector<float>(),
            (Floats{1, 5}));
  EXPECT_EQ(avg_pool1d(x, 2).to_vector<float>(), (Floats{3, -0.5}));
  EXPECT_EQ(avg_pool1d(x, 2, {.padding = 1}).to_vector<float>(),
            (Floats{0.5, 3.5, 0.5}));
  EXPECT_EQ(avg_pool1d(x, 2, {.padding = 1, .count_include_pad = false})
                .to_vector<float>(),
            (Floats{1, 3.5, 0.5}));
  EXPECT_EQ(avg_pool1d(x, 2, {.ceil_mode = true}).to_vector<float>(),
            (Floats{3, -0.5, 4}));
  // Channels last; all negative, so that padding must not win.
  Tensor deep = full({2, 4, 4, 3}, -2);
  EXPECT_EQ(
      max(max_pool2d(deep, 3, {.padding = 1, .layout = Layout::channels_last}))
          .item<float>(),
      -2);
  EXPECT_EQ(
      max_pool2d(full({1, 1, 2, 2}, -128, i8), 3, {.padding = 1}).item<int>(),
      -128);
}

TEST(Pooling, Errors) {
  Tensor x = zeros({1, 3, 8, 8});
  EXPECT_ERROR(
      "max_pool2d: padding [2,2] is more than half of the window [3,3]",
      max_pool2d(x, 3, {.padding = 2}));
  EXPECT_ERROR("max_pool2d: a window of [9,9] does not fit into axis 2 of "
               "[1,3,8,8] with padding 0 and 0",
               max_pool2d(x, 9));
  EXPECT_ERROR("avg_pool2d: dtype must be a float, not i32",
               avg_pool2d(zeros({1, 1, 4, 4}, i32), 2));
  EXPECT_ERROR("max_pool3d: needs 3 spatial dimensions, channels and, if there "
               "are several, images: not [8,8]",
               max_pool3d(zeros({8, 8}), 2));
  EXPECT_ERROR("max_pool1d: window must be positive and below 2^31, not [0]",
               max_pool1d(row({1, 2}), 0));
}

TEST(ReduceWindow, Reduces) {
  Tensor x = tensor({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}});
  EXPECT_EQ(reduce_window(x, Reduction::sum, {2, 2}).to_vector<float>(),
            (Floats{12, 16}));
  EXPECT_EQ(reduce_window(x, Reduction::prod, {2, 1}, {.stride = {1, 2}})
                .to_vector<float>(),
            (Floats{4, 18}));
  EXPECT_EQ(reduce_window(x, Reduction::min, {1, 2}, {.dilation = {1, 2}})
                .to_vector<float>(),
            (Floats{1, 4}));
  EXPECT_EQ(reduce_window(x, Reduction::max, {1, 2},
                          {.padding = Padding({0, 1}, {0, 0})})
                .to_vector<float>(),
            (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(reduce_window(x, Reduction::mean, {2, 3}).item<float>(), 3.5f);
  EXPECT_EQ(reduce_window(tensor({1.0f}), Reduction::max, 1, {.padding = 1})
                .to_vector<float>(),
            (Floats{-INFINITY, 1, -INFINITY}));
  EXPECT_EQ(reduce_window(arange(4, ui8), Reduction::min, 2, {.padding = 1})
                .to_vector<uint8_t>(),
            (std::vector<uint8_t>{0, 0, 1, 2, 3}));
  EXPECT_ERROR("reduce_window: a window of [3,1] does not fit into axis 0 of "
               "[2,3] with padding 0 and 0",
               reduce_window(x, Reduction::sum, {3, 1}));
  EXPECT_ERROR("reduce_window: window needs one number or 2, not 3",
               reduce_window(x, Reduction::sum, {3, 1, 1}));
  EXPECT_ERROR("reduce_window: dtype must be a float, not i64",
               reduce_window(arange(4), Reduction::mean, 2));
}

/// floor(i n / o) to ceil((i + 1) n / o), as loops.
static Floats adaptive(const Floats &x, int64_t windows, bool isMax) {
  auto size = static_cast<int64_t>(x.size());
  Floats result;
  for (int64_t i = 0; i < windows; ++i) {
    int64_t begin = i * size / windows;
    int64_t end = ((i + 1) * size + windows - 1) / windows;
    float sum = 0, most = -INFINITY;
    for (int64_t k = begin; k < end; ++k) {
      sum += x[static_cast<size_t>(k)];
      most = std::max(most, x[static_cast<size_t>(k)]);
    }
    result.push_back(isMax ? most : sum / static_cast<float>(end - begin));
  }
  return result;
}

TEST(Pooling, AdaptsToAnySize) {
  for (int64_t size : {1, 2, 5, 7, 12})
    for (int64_t windows : {1, 2, 3, 5, 7, 12, 13}) {
      Floats values;
      for (int64_t i = 0; i < size; ++i)
        values.push_back(static_cast<float>(i * 37 % 11));
      Tensor x = tensor(values).reshape({1, size});
      EXPECT_EQ(adaptive_max_pool1d(x, windows).to_vector<float>(),
                adaptive(values, windows, true));
      Floats means = adaptive_avg_pool1d(x, windows).to_vector<float>();
      Floats expected = adaptive(values, windows, false);
      ASSERT_EQ(means.size(), expected.size());
      for (size_t i = 0; i < means.size(); ++i)
        EXPECT_NEAR(means[i], expected[i], 1e-5) << size << " " << windows;
    }
  // PyTorch: adaptive_avg_pool2d(arange(15).view(1, 1, 3, 5), (2, 3))
  Tensor x = arange(0, 15, 1, f32).reshape({1, 1, 3, 5});
  EXPECT_EQ(adaptive_avg_pool2d(x, {2, 3}).to_vector<float>(),
            (Floats{3, 4.5, 6, 8, 9.5, 11}));
  Tensor last = transpose(x, {0, 2, 3, 1});
  EXPECT_EQ(adaptive_avg_pool2d(last, {2, 3}, Layout::channels_last)
                .to_vector<float>(),
            (Floats{3, 4.5, 6, 8, 9.5, 11}));
  EXPECT_EQ(adaptive_max_pool3d(ones({2, 3, 4, 5, 6}), {1, 2, 3}).shape(),
            (Shape{2, 3, 1, 2, 3}));
  // A sum of f16 that f16 does not have.
  Tensor large = full({1, 64}, 2048, f16);
  EXPECT_EQ(adaptive_avg_pool1d(large, 1).item<float>(), 2048);
  EXPECT_EQ(
      adaptive_max_pool1d(arange(4).reshape({1, 4}), 2).to_vector<int64_t>(),
      (std::vector<int64_t>{1, 3}));
  EXPECT_ERROR("adaptive_avg_pool1d: [1,4] to [0]: sizes must be 1 or more",
               adaptive_avg_pool1d(ones({1, 4}), 0));
  EXPECT_ERROR("adaptive_avg_pool2d: needs 2 spatial dimensions, channels and, "
               "if there are several, images: not [1,4]",
               adaptive_avg_pool2d(ones({1, 4}), 2));
  EXPECT_ERROR("adaptive_avg_pool1d: dtype must be a float, not i64; convert "
               "with astype",
               adaptive_avg_pool1d(arange(4).reshape({1, 4}), 2));
}

TEST(Pooling, DividesByWhatIsAskedFor) {
  Tensor x = row({1, 2, 3, 4, 5});
  EXPECT_EQ(avg_pool1d(x, 2, {.divisor_override = 4}).to_vector<float>(),
            (Floats{0.75, 1.75}));
  EXPECT_EQ(
      avg_pool1d(x, 3, {.stride = 2, .padding = 1, .divisor_override = -1})
          .to_vector<float>(),
      (Floats{-3, -9, -9}));
  EXPECT_EQ(avg_pool1d(x, 2, {.ceil_mode = true, .divisor_override = 2})
                .to_vector<float>(),
            (Floats{1.5, 3.5, 2.5}));
}

TEST(Unfold, WindowsAreColumns) {
  // torch.nn.functional.unfold(arange(18).view(1, 2, 3, 3), 2)
  Tensor x = arange(0, 18, 1, f32).reshape({1, 2, 3, 3});
  Tensor columns = unfold(x, 2);
  EXPECT_EQ(columns.shape(), (Shape{1, 8, 4}));
  EXPECT_EQ(
      columns.to_vector<float>(),
      (Floats{0, 1,  3,  4,  1,  2,  4,  5,  3,  4,  6,  7,  4,  5,  7,  8,
              9, 10, 12, 13, 10, 11, 13, 14, 12, 13, 15, 16, 13, 14, 16, 17}));
  // A convolution is a product with it.
  Tensor k = sin(arange(0, 3 * 2 * 2 * 3, 1, f32)).reshape({3, 2, 2, 3});
  Tensor image = cos(arange(0, 2 * 2 * 5 * 7, 1, f32)).reshape({2, 2, 5, 7});
  Tensor wide = unfold(image, {2, 3},
                       {.dilation = 2, .padding = {1, 2}, .stride = {2, 1}});
  Tensor direct = conv2d(image, k, {},
                         {.stride = {2, 1}, .padding = {1, 2}, .dilation = 2});
  Tensor product = matmul(k.reshape({3, 12}), wide).reshape(direct.shape());
  EXPECT_LT(max(abs(product - direct)).item<float>(), 1e-5f);
  EXPECT_ERROR("unfold: needs 2 spatial dimensions, channels and, if there are "
               "several, images: not [2,5]",
               unfold(ones({2, 5}), 3));
}

/// Sizes of one structure share kernels, and these are right.
TEST(Convolution, ASecondSizeCompilesForAll) {
  Tensor k = tensor({1.0f, 10.0f, 100.0f, 1.0f, 1.0f, 1.0f}).reshape({2, 1, 3});
  Tensor b = tensor({0.0f, 1.0f});
  eval(k, b);
  reset_compile_stats(true);
  for (int n : {9, 12, 20, 31}) {
    Tensor x = arange(n, f32).reshape({1, 1, n});
    x.eval();
    CompileStats before = compile_stats();
    Tensor y =
        max_pool1d(relu(conv1d(x, k, b, {.stride = 2, .padding = 1})), 2);
    Floats got = y.to_vector<float>();
    CompileStats after = compile_stats();
    EXPECT_EQ(after.symbolic_failed + after.sizes_not_expressible, 0u);
    EXPECT_EQ(after.compilations - before.compilations, n < 20 ? 1u : 0u) << n;
    int64_t windows = ((n - 1) / 2 + 1) / 2;
    ASSERT_EQ(got.size(), size_t(2 * windows));
    for (int64_t i = 0; i < windows; ++i) {
      // The larger of two windows is the second, at 2 (2 i + 1) - 1.
      float first = 4 * i + 1;
      float behind = 4 * i + 3 < n ? first + 2 : 0;
      EXPECT_EQ(got[i], std::max(first + 10 * (first + 1) + 100 * behind,
                                 (first - 2) + 10 * (first - 1) + 100 * first))
          << n;
      EXPECT_EQ(got[windows + i],
                1 + std::max(first + (first + 1) + behind, 3 * first - 3))
          << n;
    }
  }
}
