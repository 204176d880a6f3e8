// Narrow weights are read as they lie, and become floats in registers, whatever their scales are.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned_f8 --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// A scale per column lies along the lanes, and the weights lie along the sum: they are what counts.
// CHECK-LABEL: func.func @mul_dot_general(
// CHECK-NOT:   vector.gather
// CHECK:       vector.load {{.*}} : memref<?xi8>, vector<16xi8>
// CHECK-NOT:   vector.gather
// CHECK:       vector.shuffle
// CHECK-NOT:   vector.gather
// CHECK:       vector.fma
// CHECK-NOT:   vector.gather
func.func @turned(%x: tensor<3x67xf32>, %q: tensor<70x67xi8>, %s: tensor<70x1xf32>) -> tensor<3x70xf32> {
  %w = tx.dequantize %q, %s : (tensor<70x67xi8>, tensor<70x1xf32>) -> tensor<70x67xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<3x67xf32>, tensor<70x67xf32>) -> tensor<3x70xf32>
  return %0 : tensor<3x70xf32>
}

// CHECK-LABEL: func.func @mul_dot_general_0(
// CHECK-NOT:   vector.gather
func.func @turned_f8(%x: tensor<41x67xbf16>, %q: tensor<70x67xf8E4M3FN>, %s: tensor<70x1xbf16>) -> tensor<41x70xbf16> {
  %w = tx.dequantize %q, %s : (tensor<70x67xf8E4M3FN>, tensor<70x1xbf16>) -> tensor<70x67xbf16>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<41x67xbf16>, tensor<70x67xbf16>) -> tensor<41x70xbf16>
  return %0 : tensor<41x70xbf16>
}
}
