// Composites become what they mean, except for those that a kind of fusion claims on the target.
//
// RUN: %tensorc-opt %s --split-input-file --tx-expand-composites | FileCheck %s

// CHECK-LABEL: module attributes {tx.target = "sim:sm_80"}
module attributes {tx.target = "sim:sm_80"} {
  // CHECK-LABEL: @many_queries
  // CHECK:       tx.attention
  // CHECK-NOT:   tx.dot_general
  func.func @many_queries(%q: tensor<2x64x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>, %s: tensor<f32>)
      -> tensor<2x64x32xf32> {
    %0 = tx.attention %q, %k, %v, %s groups = 1
        : (tensor<2x64x32xf32>, tensor<2x96x32xf32>, tensor<2x96x32xf32>, tensor<f32>) -> tensor<2x64x32xf32>
    return %0 : tensor<2x64x32xf32>
  }

  // CHECK-LABEL: @few_queries
  // CHECK-NOT:   tx.attention
  // CHECK:       tx.dot_general {{.*}}tx.from = "attention"
  func.func @few_queries(%q: tensor<2x4x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>, %s: tensor<f32>)
      -> tensor<2x4x32xf32> {
    %0 = tx.attention %q, %k, %v, %s groups = 1
        : (tensor<2x4x32xf32>, tensor<2x96x32xf32>, tensor<2x96x32xf32>, tensor<f32>) -> tensor<2x4x32xf32>
    return %0 : tensor<2x4x32xf32>
  }

  // Four heads of queries share one of keys: 8 rows of one product.
  // CHECK-LABEL: @shared_keys
  // CHECK:       tx.attention
  func.func @shared_keys(%q: tensor<4x2x32xf32>, %k: tensor<1x96x32xf32>, %v: tensor<1x96x32xf32>, %s: tensor<f32>)
      -> tensor<4x2x32xf32> {
    %0 = tx.attention %q, %k, %v, %s groups = 4
        : (tensor<4x2x32xf32>, tensor<1x96x32xf32>, tensor<1x96x32xf32>, tensor<f32>) -> tensor<4x2x32xf32>
    return %0 : tensor<4x2x32xf32>
  }

  // CHECK-LABEL: @no_keys
  // CHECK-NOT:   tx.attention
  func.func @no_keys(%q: tensor<2x64x32xf32>, %k: tensor<2x0x32xf32>, %v: tensor<2x0x32xf32>, %s: tensor<f32>)
      -> tensor<2x64x32xf32> {
    %0 = tx.attention %q, %k, %v, %s groups = 1
        : (tensor<2x64x32xf32>, tensor<2x0x32xf32>, tensor<2x0x32xf32>, tensor<f32>) -> tensor<2x64x32xf32>
    return %0 : tensor<2x64x32xf32>
  }

  // CHECK-LABEL: @transform
  // CHECK-NOT:   tx.fft
  func.func @transform(%x: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
    %0 = tx.fft %x length = 64 : tensor<2x8x64xf32>
    return %0 : tensor<2x8x64xf32>
  }
}

// -----

// CHECK-LABEL: module attributes {tx.target = "cpu"}
module attributes {tx.target = "cpu"} {
  // CHECK-LABEL: @many_queries
  // CHECK:       tx.attention
  // CHECK-NOT:   tx.dot_general
  func.func @many_queries(%q: tensor<2x64x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>, %s: tensor<f32>)
      -> tensor<2x64x32xf32> {
    %0 = tx.attention %q, %k, %v, %s groups = 1
        : (tensor<2x64x32xf32>, tensor<2x96x32xf32>, tensor<2x96x32xf32>, tensor<f32>) -> tensor<2x64x32xf32>
    return %0 : tensor<2x64x32xf32>
  }

  // CHECK-LABEL: @transform
  // CHECK:       tx.dft
  func.func @transform(%x: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
    %0 = tx.fft %x length = 64 : tensor<2x8x64xf32>
    return %0 : tensor<2x8x64xf32>
  }

  // 67 has a large prime factor: a convolution, whose transforms are claimed.
  // CHECK-LABEL: @prime
  // CHECK-COUNT-2: tx.dft
  func.func @prime(%x: tensor<2x8x67xf32>) -> tensor<2x8x67xf32> {
    %0 = tx.fft %x length = 67 : tensor<2x8x67xf32>
    return %0 : tensor<2x8x67xf32>
  }
}

// -----

// Without a target no kernel is known.
// CHECK-LABEL: @no_target
// CHECK-NOT:   tx.attention
func.func @no_target(%q: tensor<2x64x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>, %s: tensor<f32>)
    -> tensor<2x64x32xf32> {
  %0 = tx.attention %q, %k, %v, %s groups = 1
      : (tensor<2x64x32xf32>, tensor<2x96x32xf32>, tensor<2x96x32xf32>, tensor<f32>) -> tensor<2x64x32xf32>
  return %0 : tensor<2x64x32xf32>
}

// -----

// A transposed convolution with a kernel larger than the image is one product by the kernel as it lies, and a sum; others go by phases.
// CHECK-LABEL: @large_kernel
// CHECK-NOT:   tx.windows
// CHECK:       tx.dot_general %arg1, %arg0 {{.*}} contracting = [0] x [1]
// CHECK-COUNT-3: tx.add
// CHECK-NOT:   tx.add
func.func @large_kernel(%x: tensor<1x8x3x3xf32>, %k: tensor<8x16x4x4xf32>) -> tensor<1x16x6x6xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [4, 4] strides = [1, 1] dilations = [1, 1] low = [2, 2] high = [2, 2] input_dilations = [2, 2]
      : (tensor<1x8x3x3xf32>, tensor<8x16x4x4xf32>) -> tensor<1x16x6x6xf32>
  return %0 : tensor<1x16x6x6xf32>
}
// CHECK-LABEL: @large_image
// CHECK:       tx.windows
// CHECK-NOT:   tx.add
func.func @large_image(%x: tensor<1x8x30x30xf32>, %k: tensor<8x16x4x4xf32>) -> tensor<1x16x60x60xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [4, 4] strides = [1, 1] dilations = [1, 1] low = [2, 2] high = [2, 2] input_dilations = [2, 2]
      : (tensor<1x8x30x30xf32>, tensor<8x16x4x4xf32>) -> tensor<1x16x60x60xf32>
  return %0 : tensor<1x16x60x60xf32>
}
// Gaps that input and windows have in common are between results. What is left, 2 and 1, are phases.
// CHECK-LABEL: @common_gaps
// CHECK:       tx.windows {{.*}} strides = [1, 1] dilations = [1, 1]
// CHECK:       tx.pad {{.*}} low = [0, 0, 1, 1] high = [0, 0, 0, 0] interior = [0, 0, 1, 1]
func.func @common_gaps(%x: tensor<1x8x30x30xf32>, %k: tensor<8x16x3x3xf32>) -> tensor<1x16x116x58xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [2, 2] low = [1, 1] high = [2, 2] input_dilations = [4, 2]
      : (tensor<1x8x30x30xf32>, tensor<8x16x3x3xf32>) -> tensor<1x16x116x58xf32>
  return %0 : tensor<1x16x116x58xf32>
}
