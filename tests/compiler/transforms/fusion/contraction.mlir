// A contraction with what is cheap before it and element-wise after it.
//
// RUN: %tensorc-opt %s --split-input-file --tx-expand-degenerate --tx-fuse-ops | FileCheck %s

// CHECK-LABEL: @epilogue
// CHECK:       tx.fusion "contraction" "dot_general_add_max"
// CHECK-NOT:   tx.fusion
func.func @epilogue(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %z = tx.constant dense<0.0> : tensor<4x5xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %1 = tx.broadcast %b dims = [1] : tensor<5xf32> -> tensor<4x5xf32>
  %2 = tx.add %0, %1 : tensor<4x5xf32>
  %3 = tx.max %2, %z : tensor<4x5xf32>
  return %3 : tensor<4x5xf32>
}

// -----

// Cheap producers are read through; what is between two contractions belongs
// to the first.
// CHECK-LABEL: @two
// CHECK:       tx.fusion "contraction" "dot_general_max"
// CHECK:       tx.fusion "contraction" "dot_general"
// CHECK-SAME:  max stays outside: it is the epilogue of another contraction
// CHECK:       tx.convert
func.func @two(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>, %v: tensor<5x3xbf16>) -> tensor<4x3xf32> {
  %z = tx.constant dense<0.0> : tensor<4x5xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %1 = tx.max %0, %z : tensor<4x5xf32>
  %2 = tx.convert %v : tensor<5x3xbf16> -> tensor<5x3xf32>
  %3 = tx.dot_general %1, %2 batch = [] x [] contracting = [1] x [0] : (tensor<4x5xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return %3 : tensor<4x3xf32>
}

// -----

// y is read along rows, so a transposed one is stored that way first.
// CHECK-LABEL: @transposed
// CHECK:       tx.fusion "loop" "transpose"
// CHECK:       tx.fusion "contraction" "dot_general"
func.func @transposed(%x: tensor<4x8xf32>, %w: tensor<5x8xf32>) -> tensor<4x5xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// A matrix times a vector is a row reduction.
// CHECK-LABEL: @vector
// CHECK:       tx.fusion "row" "mul_sum"
// CHECK-NOT:   tx.fusion
func.func @vector(%x: tensor<4x8xf32>, %v: tensor<8xf32>) -> tensor<4xf32> {
  %0 = tx.dot_general %x, %v batch = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What is computed of x is computed again for each tile of columns, of which there are two here, and of y once.
// CHECK-LABEL: @columns
// CHECK:       tx.fusion "loop" "exp_add"
// CHECK:       tx.fusion "contraction" "mul_dot_general"
// CHECK-SAME:  add stays outside: it would be computed again for every tile of columns
func.func @columns(%x: tensor<40x8xf32>, %w: tensor<8x40xf32>) -> tensor<40x40xf32> {
  %0 = tx.exp %x : tensor<40x8xf32>
  %1 = tx.add %0, %x : tensor<40x8xf32>
  %2 = tx.mul %w, %w : tensor<8x40xf32>
  %3 = tx.dot_general %1, %2 batch = [] x [] contracting = [1] x [0] : (tensor<40x8xf32>, tensor<8x40xf32>) -> tensor<40x40xf32>
  return %3 : tensor<40x40xf32>
}

// -----

// Where the result is stored along x's columns, x and y change places, and the epilogue follows.
// CHECK-LABEL: @exchanged
// CHECK:       tx.fusion "contraction" "dot_general_mul"(%arg1, %arg0)
// CHECK:       tx.dot_general {{.*}} : (tensor<6x8xf32>, tensor<2x8x5xf32>) -> tensor<6x2x5xf32>
// CHECK-NOT:   tx.fusion
func.func @exchanged(%x: tensor<2x8x5xf32>, %w: tensor<6x8xf32>) -> tensor<2x6x5xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<2x8x5xf32>, tensor<6x8xf32>) -> tensor<2x5x6xf32>
  %1 = tx.transpose %0 permutation = [0, 2, 1] : tensor<2x5x6xf32> -> tensor<2x6x5xf32>
  %2 = tx.mul %1, %1 : tensor<2x6x5xf32>
  return %2 : tensor<2x6x5xf32>
}

// -----

// An element is in several windows: what a contraction can store is not computed for each.
// CHECK-LABEL: @windows
// CHECK:       tx.fusion "contraction" "dot_general_max"
// CHECK:       tx.fusion "row" "sum"
// CHECK-SAME:  max stays outside: it is the epilogue of a contraction, and windows overlap
func.func @windows(%x: tensor<4x8xf32>, %w: tensor<8x9xf32>) -> tensor<4x7xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x9xf32>) -> tensor<4x9xf32>
  %1 = tx.max %0, %0 : tensor<4x9xf32>
  %2 = tx.windows %1 dims = [1] sizes = [3] strides = [1] dilations = [1] : tensor<4x9xf32> -> tensor<4x7x3xf32>
  %3 = tx.sum %2 dims = [2] : tensor<4x7x3xf32> -> tensor<4x7xf32>
  return %3 : tensor<4x7xf32>
}

// -----

// Zero points of groups are unpacked once for all steps of a group, so they do not count as what is computed for each.
// CHECK-LABEL: @zero_points
// CHECK:       tx.fusion "contraction"
// CHECK-NOT:   stays outside
// CHECK-NOT:   tx.fusion
module attributes {tx.target = "cpu:x86-64-v4"} {
func.func @zero_points(%x: tensor<1x32x16xf32>, %q: tensor<32x16x64x2xui8>, %s: tensor<32x64x2xf32>, %z: tensor<32x64x2xui8>) -> tensor<1x64x2xf32> {
  %four = tx.constant dense<4> : tensor<32x16x64x2xui8>
  %groups = tx.constant dense<4> : tensor<32x64x2xui8>
  %0 = tx.shl %q, %four : tensor<32x16x64x2xui8>
  %1 = tx.shr_logical %0, %four : tensor<32x16x64x2xui8>
  %2 = tx.convert %1 : tensor<32x16x64x2xui8> -> tensor<32x16x64x2xf32>
  %3 = tx.shl %z, %groups : tensor<32x64x2xui8>
  %4 = tx.shr_logical %3, %groups : tensor<32x64x2xui8>
  %5 = tx.convert %4 : tensor<32x64x2xui8> -> tensor<32x64x2xf32>
  %6 = tx.broadcast %5 dims = [0, 2, 3] : tensor<32x64x2xf32> -> tensor<32x16x64x2xf32>
  %7 = tx.sub %2, %6 : tensor<32x16x64x2xf32>
  %8 = tx.broadcast %s dims = [0, 2, 3] : tensor<32x64x2xf32> -> tensor<32x16x64x2xf32>
  %9 = tx.mul %7, %8 : tensor<32x16x64x2xf32>
  %10 = tx.dot_general %x, %9 batch = [] x [] contracting = [1, 2] x [0, 1] : (tensor<1x32x16xf32>, tensor<32x16x64x2xf32>) -> tensor<1x64x2xf32>
  return %10 : tensor<1x64x2xf32>
}
}
