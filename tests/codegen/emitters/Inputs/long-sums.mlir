// Products of a long K, whose panel for all of K exceeds L2 (contraction-blocked.mlir).

// Four vectors are all 64 columns. The block's rows are copied, and tiles of four rows read the copy.
// CHECK-LABEL: func.func @dot_general(
// CHECK:       %[[BLOCK:.*]] = memref.view {{.*}} to memref<9216xf32>
// CHECK:       scf.for {{.*}} to %c70000 step %c128 {
// CHECK:         vector.load {{.*}} vector<16xf32>
// CHECK:         vector.store {{.*}}, %[[BLOCK]]
// CHECK:         scf.for {{.*}} to %c5 step %c1 {
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-4:     vector.load %[[BLOCK]]
// CHECK-COUNT-16:    vector.fma
// CHECK-NOT:         vector.fma
func.func @few_columns(%x: tensor<20x70000xf32>, %y: tensor<70000x64xf32>) -> tensor<20x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<20x70000xf32>, tensor<70000x64xf32>) -> tensor<20x64xf32>
  return %0 : tensor<20x64xf32>
}

// 19 columns are one vector and one that begins early.
// CHECK-LABEL: func.func @dot_general_neg(
// CHECK:       scf.for {{.*}} to %c70001 step %c128 {
func.func @odd_columns(%x: tensor<13x70001xf32>, %y: tensor<70001x19xf32>) -> tensor<13x19xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<13x70001xf32>, tensor<70001x19xf32>) -> tensor<13x19xf32>
  %1 = tx.neg %0 : tensor<13x19xf32>
  return %1 : tensor<13x19xf32>
}
