// A row of few ascending runs is merged piece by piece: what comes before the head of another run is found by halving, and stored
// in one go. Rows of less than 512 elements are not, nor are those of which the first elements are stored.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s

// The vectors of a step are counted before runs are looked for one by one.
// CHECK-LABEL: func.func @argsort(
// CHECK:         vector.reduction <add>, {{.*}} : vector<16xi32> into i32
// CHECK:         memref.store {{.*}} : memref<44xindex>
// CHECK:         scf.while
// CHECK:         vector.store {{.*}}, %arg1[{{.*}}] : memref<?xi64>, vector<16xi64>
func.func @main(%x: tensor<40003xf32>) -> tensor<40003xi64> {
  %0 = tx.argsort %x dim = 0 : tensor<40003xf32>
  return %0 : tensor<40003xi64>
}

// CHECK-LABEL: func.func @sort(
// CHECK-NOT:     memref<44xindex>
// CHECK-LABEL: func.func @sort_1(
// CHECK-NOT:     memref<44xindex>
func.func @others(%x: tensor<40x500xf32>, %y: tensor<4000xf32>) -> (tensor<40x500xf32>, tensor<30xf32>) {
  %0 = tx.sort %x dim = 1 : tensor<40x500xf32>
  %1 = tx.sort %y dim = 0 : tensor<4000xf32>
  %2 = tx.slice %1 offsets = [0] strides = [1] : tensor<4000xf32> -> tensor<30xf32>
  return %0, %2 : tensor<40x500xf32>, tensor<30xf32>
}
