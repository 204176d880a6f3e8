// A row that comes in order is stored as it is, one in strictly descending order as its mirror image. Four vectors of neighbours
// are compared before a branch; with the first pair that disagrees the row is sorted. Not so short rows, which go side by side, and
// rows whose elements are not quick to compute.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=named --shape=x:3,64 --random-inputs --compare=reference

// CHECK-LABEL: func.func @sort(
// CHECK:         %[[HOLDS:.*]]:2 = scf.while
// CHECK-COUNT-8: vector.load %arg0[{{.*}}] : memref<?xf32>, vector<16xf32>
// CHECK:         vector.reduction <or>, {{.*}} : vector<16xi1>
// CHECK:         scf.if %[[HOLDS]]#1 {
// CHECK:           scf.if
// CHECK:             vector.load %arg0
// CHECK:             vector.shuffle {{.*}} [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
// CHECK:             vector.store {{.*}}, %arg1
// CHECK:           else {
// CHECK:             vector.load %arg0
// CHECK-NOT:         vector.shuffle
// CHECK:             vector.store {{.*}}, %arg1
func.func @main(%x: tensor<40003xf32>) -> tensor<40003xf32> {
  %0 = tx.sort %x dim = 0 : tensor<40003xf32>
  return %0 : tensor<40003xf32>
}

// CHECK-LABEL: func.func @exp_sort(
// CHECK-NOT:     vector.reduction <or>, {{.*}} : vector<16xi1>
// CHECK-LABEL: func.func @sort_0(
// CHECK-NOT:     vector.reduction <or>, {{.*}} : vector<16xi1>
func.func @others(%x: tensor<1000x63xi32>, %y: tensor<1000xf32>) -> (tensor<1000x63xi32>, tensor<1000xf32>) {
  %0 = tx.sort %x dim = 1 : tensor<1000x63xi32>
  %1 = tx.exp %y : tensor<1000xf32>
  %2 = tx.sort %1 dim = 0 : tensor<1000xf32>
  return %0, %2 : tensor<1000x63xi32>, tensor<1000xf32>
}

// As long as a step: a comparison of all pairs would read beyond it.
// CHECK-LABEL: func.func @sort_1(
// CHECK:         arith.cmpi uge, {{.*}}, %c65 : index
func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}) -> tensor<?x1xf32, #tx.dims<[n, 1]>> {
  %0 = tx.sort %x dim = 1 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  return %1 : tensor<?x1xf32, #tx.dims<[n, 1]>>
}
