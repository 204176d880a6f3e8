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
