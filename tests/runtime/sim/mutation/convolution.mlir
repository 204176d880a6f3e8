// A convolution in tiles: windows copied beside padding, and computed ones.
//
// RUN: %bin/tensorc-sim-mutate %s --device=sim:sm_90a | FileCheck %s --check-prefixes=CHECK,ASYNC
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s
// CHECK-NOT: SURVIVES
// CHECK: pad_dot_general barrier
// ASYNC: pad_dot_general_1 copy_commit {{[0-9]+}}: nobody has waited
// ASYNC: pad_dot_general_1 copy_wait {{[0-9]+}}: nobody has waited
// CHECK: pad_dot_general_1 barrier

func.func @main(%x: tensor<1x6x5x16xf16>, %w: tensor<3x3x16x24xf16>, %y: tensor<1x4x6x5xbf16>, %v: tensor<24x4x3x3xbf16>)
    -> (tensor<1x6x5x24xf16>, tensor<1x24x6x5xbf16>) {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<1x6x5x16xf16> -> tensor<1x8x7x16xf16>
  %0 = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x8x7x16xf16> -> tensor<1x6x5x16x3x3xf16>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x6x5x16x3x3xf16>, tensor<3x3x16x24xf16>) -> tensor<1x6x5x24xf16>
  %none = tx.constant dense<0.0> : tensor<bf16>
  %q = tx.pad %y, %none low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<1x4x6x5xbf16> -> tensor<1x4x8x7xbf16>
  %2 = tx.windows %q dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x4x8x7xbf16> -> tensor<1x4x6x5x3x3xbf16>
  %3 = tx.dot_general %2, %v batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<1x4x6x5x3x3xbf16>, tensor<24x4x3x3xbf16>) -> tensor<1x6x5x24xbf16>
  %4 = tx.transpose %3 permutation = [0, 3, 1, 2] : tensor<1x6x5x24xbf16> -> tensor<1x24x6x5xbf16>
  return %1, %4 : tensor<1x6x5x24xf16>, tensor<1x24x6x5xbf16>
}
