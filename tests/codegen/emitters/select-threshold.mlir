// A row is read twice: first for the first key of each class, that is of one lane of every so many vectors. The k-th of them is found bit
// by bit, and nothing that is behind it is sorted. One element needs no count; a row that is not quick to compute is not read twice.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s

// CHECK-LABEL: func.func @sort_argsort(
// CHECK:         scf.for {{.*}} step %c128
// CHECK-COUNT-8:   vector.load %arg0[{{.*}}] : memref<?xf32>, vector<16xf32>
// CHECK-COUNT-8: arith.cmpf uno, {{.*}} : vector<16xf32>
// CHECK:         scf.for
// CHECK-COUNT-8:   llvm.intr.ctpop
// CHECK:           arith.shrui
// CHECK:         scf.while
// CHECK:         vector.reduction <or>, {{.*}} : vector<16xi1>
func.func @main(%x: tensor<1000x10000xf32>) -> (tensor<1000x60xf32>, tensor<1000x60xi64>) {
  %0 = tx.sort %x dim = 1 descending : tensor<1000x10000xf32>
  %1 = tx.argsort %x dim = 1 descending : tensor<1000x10000xf32>
  %2 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<1000x10000xf32> -> tensor<1000x60xf32>
  %3 = tx.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<1000x10000xi64> -> tensor<1000x60xi64>
  return %2, %3 : tensor<1000x60xf32>, tensor<1000x60xi64>
}

// CHECK-LABEL: func.func @sort(
// CHECK:         scf.for {{.*}} step %c64
// CHECK-COUNT-4:   vector.load %arg0[{{.*}}] : memref<?xi32>, vector<16xi32>
// CHECK-COUNT-4: vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK-NOT:     arith.shrui
// CHECK:         scf.while
func.func @one(%x: tensor<10x5000xi32>) -> tensor<10x1xi32> {
  %0 = tx.sort %x dim = 1 : tensor<10x5000xi32>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<10x5000xi32> -> tensor<10x1xi32>
  return %1 : tensor<10x1xi32>
}

// CHECK-LABEL: func.func @tanh_sort(
// CHECK-NOT:     scf.for {{.*}} step %c64
// CHECK:         return
func.func @slow(%x: tensor<10x5000xf32>) -> tensor<10x1xf32> {
  %0 = tx.tanh %x : tensor<10x5000xf32>
  %1 = tx.sort %0 dim = 1 : tensor<10x5000xf32>
  %2 = tx.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<10x5000xf32> -> tensor<10x1xf32>
  return %2 : tensor<10x1xf32>
}
