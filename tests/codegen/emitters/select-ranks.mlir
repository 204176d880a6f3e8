// At most 256 elements that a selection has met are sorted by their ranks: lanes count those left of them that are not behind, and those
// right of them that come before, and a scatter sends them there. More are sorted as rows are, where
// there is room for more.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s

// CHECK-LABEL: func.func @argsort(
// CHECK:         arith.cmpi ule, {{.*}}, %c256 :
// CHECK:         scf.if
// CHECK:           scf.for {{.*}} step %c16
// CHECK-COUNT-3:     arith.extui {{.*}} : vector<16xi1> to vector<16xi32>
// CHECK:             vector.scatter {{.*}} vector<16xi32>
// CHECK:             vector.scatter {{.*}} vector<16xi64>
// CHECK:         else
// CHECK:           scf.while
func.func @main(%x: tensor<10x5000xi32>) -> tensor<10x100xi64> {
  %0 = tx.argsort %x dim = 1 : tensor<10x5000xi32>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<10x5000xi64> -> tensor<10x100xi64>
  return %1 : tensor<10x100xi64>
}

// CHECK-LABEL: func.func @argsort_0(
// CHECK-NOT:     %c256 :
// CHECK:         vector.scatter
// CHECK:         return
func.func @few(%x: tensor<10x5000xi32>) -> tensor<10x30xi64> {
  %0 = tx.argsort %x dim = 1 : tensor<10x5000xi32>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<10x5000xi64> -> tensor<10x30xi64>
  return %1 : tensor<10x30xi64>
}
