// The first elements of columns: a lane has a row. Each vector is compared with the last one kept, and an insertion moves those kept on.
// One element is kept without a branch. Short rows are gathered, long ones go through a room for more.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s

// CHECK-LABEL: func.func @sort_argsort(
// CHECK:         vector.load %arg0[{{.*}}] : memref<?xf32>, vector<16xf32>
// CHECK:         vector.reduction <or>, {{.*}} : vector<16xi1>
// CHECK:         scf.if
// CHECK:           scf.while
// CHECK:           vector.store {{.*}} : memref<160xf32>, vector<16xf32>
// CHECK:           vector.store {{.*}} : memref<160xi32>, vector<16xi32>
// CHECK:         vector.store {{.*}}, %arg1
// CHECK:         vector.store {{.*}}, %arg2
func.func @main(%x: tensor<2000x704xf32>) -> (tensor<5x704xf32>, tensor<5x704xi64>) {
  %0 = tx.sort %x dim = 0 descending : tensor<2000x704xf32>
  %1 = tx.argsort %x dim = 0 descending : tensor<2000x704xf32>
  %2 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<2000x704xf32> -> tensor<5x704xf32>
  %3 = tx.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<2000x704xi64> -> tensor<5x704xi64>
  return %2, %3 : tensor<5x704xf32>, tensor<5x704xi64>
}

// CHECK-LABEL: func.func @sort(
// CHECK-NOT:     vector.gather
// CHECK-LABEL: func.func @sort_1(
// CHECK:         vector.gather %arg0
// CHECK-LABEL: func.func @sort_2(
// CHECK-NOT:     scf.while
// CHECK:         vector.load %arg0[{{.*}}] : memref<?xf32>, vector<16xf32>
// CHECK-NOT:     scf.while
// CHECK:         return
func.func @others(%x: tensor<64x32xf32>, %y: tensor<64x100xf32>, %z: tensor<64x300xf32>)
    -> (tensor<1x32xf32>, tensor<64x3xf32>, tensor<64x3xf32>) {
  %0 = tx.sort %x dim = 0 : tensor<64x32xf32>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<64x32xf32> -> tensor<1x32xf32>
  %2 = tx.sort %y dim = 1 : tensor<64x100xf32>
  %3 = tx.slice %2 offsets = [0, 0] strides = [1, 1] : tensor<64x100xf32> -> tensor<64x3xf32>
  %4 = tx.sort %z dim = 1 : tensor<64x300xf32>
  %5 = tx.slice %4 offsets = [0, 0] strides = [1, 1] : tensor<64x300xf32> -> tensor<64x3xf32>
  return %1, %3, %5 : tensor<1x32xf32>, tensor<64x3xf32>, tensor<64x3xf32>
}
