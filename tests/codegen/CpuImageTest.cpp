//===- CpuImageTest.cpp - Text kernel to right numbers --------------------===//

#include "tests/codegen/KernelRunner.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace tensorc;
using namespace tensorc::test;

namespace {

const char *const kScaleAdd = R"(
  func.func @scale_add(%x: memref<?xf32>, %y: memref<?xf32>, %a: f32, %n: i64,
                       %begin: index, %end: index, %scratch: memref<?xi8>)
      attributes {txk.kernel} {
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %av = vector.broadcast %a : f32 to vector<16xf32>
    scf.for %i = %begin to %end step %c16 {
      %left = arith.subi %end, %i : index
      %mask = vector.create_mask %left : vector<16xi1>
      %v = vector.maskedload %x[%i], %mask, %zero : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %m = arith.mulf %v, %av : vector<16xf32>
      %s = arith.addf %m, %av : vector<16xf32>
      vector.maskedstore %y[%i], %mask, %s : memref<?xf32>, vector<16xi1>, vector<16xf32>
    }
    return
  })";

class CpuImage : public testing::TestWithParam<const char *> {
protected:
  KernelRunner runner;
  codegen::CpuTargetOptions options{GetParam(), 2};
};

TEST_P(CpuImage, MaskedLoopWithScalars) {
  auto image = runner.compile(kScaleAdd, options);
  std::vector<float> x(100), y(100, -1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  Words words;
  words.buffer(x.data()).buffer(y.data()).scalar(2.5f).scalar(int64_t(100));
  image->find("scale_add")(words.data(), 3, 77, nullptr);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(y[i], i < 3 || i >= 77 ? -1.0f : x[i] * 2.5f + 2.5f) << i;
}

INSTANTIATE_TEST_SUITE_P(Targets, CpuImage,
                         testing::Values("cpu", "cpu:x86-64-v2",
                                         "cpu:x86-64-v3"));

} // namespace
