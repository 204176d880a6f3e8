// Constants of StableHLO are quantized as others are, kernels in any order of
// their dims, too.
//
// RUN: %tensorc compile %s --quantize-weights=i8 --stop-after=import 2>&1 | FileCheck %s
// RUN: %tensorc run %s --quantize-weights=i4 --random-inputs --compare=reference | FileCheck %s --check-prefix=RAN
//
// CHECK: line {{.*}} f32[4,3]: groups of 4, error at most {{.*}}, 48 B -> 24 B
// CHECK: line {{.*}} f32[1,1,4,2]: groups of 4, error at most {{.*}}, 32 B -> 16 B
// CHECK: 2 weights as i8: 80 B -> 40 B
// CHECK: tx.dequantize {{.*}} (tensor<4x3xi8>, tensor<1x3xf32>)
// CHECK: tx.dequantize {{.*}} (tensor<1x1x4x2xi8>, tensor<1x1x1x2xf32>)
// RAN: compare out0: largest error
// RAN: compare out1: largest error

func.func public @main(%x: tensor<2x4xf32>, %image: tensor<1x5x5x4xf32>) -> (tensor<2x3xf32>, tensor<1x5x5x2xf32>) {
  %w = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-1.0, 0.5, 0.25], [3.0, 3.0, -7.0], [0.0, 1.0, 2.5]]> : tensor<4x3xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %k = stablehlo.constant dense<[[[[1.0, 2.0], [3.0, -1.0], [0.5, 0.25], [1.5, 4.0]]]]> : tensor<1x1x4x2xf32>
  %1 = stablehlo.convolution(%image, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x4xf32>, tensor<1x1x4x2xf32>) -> tensor<1x5x5x2xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<1x5x5x2xf32>
}
