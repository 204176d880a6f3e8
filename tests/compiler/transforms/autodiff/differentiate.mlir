// The function beside the gradients: same arguments, the results first.
//
// RUN: tensorc-opt %s --tx-differentiate=wrt=0,2 --canonicalize --cse | FileCheck %s
// RUN: %tensorc differentiate %s -o %t.mlir
// RUN: %tensorc run %t.mlir --shape=x:5,3 --shape=w:3,2 --shape=b:2 --random-inputs --compare=reference
// RUN: %tensorc differentiate %s --of=loss --wrt=w | FileCheck %s --check-prefix=ONE
// RUN: not %tensorc differentiate %s --of=loss --wrt= 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: has no argument '' for --wrt

// Named sizes stay named, and a sum's gradient has no elements of its own.
func.func @main(%x: tensor<?x?xf32, #tx.dims<[n, k]>> {tx.name = "x"}, %w: tensor<?x?xf32, #tx.dims<[k, m]>> {tx.name = "w"},
                %b: tensor<?xf32, #tx.dims<[m]>> {tx.name = "b"}) -> (tensor<f32> {tx.name = "loss"}) {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?xf32, #tx.dims<[n, k]>>, tensor<?x?xf32, #tx.dims<[k, m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.broadcast %b dims = [1] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.add %0, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %3 = tx.sum %2 dims = [0, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<f32>
  return %3 : tensor<f32>
}
// CHECK-LABEL: func.func @main(
// CHECK-LABEL: func.func @main_gradient(
// CHECK-SAME:    -> (tensor<f32> {tx.name = "loss"}, tensor<?x?xf32, #tx.dims<[n, k]>> {tx.name = "grad_x"},
// CHECK-SAME:        tensor<?xf32, #tx.dims<[m]>> {tx.name = "grad_b"}) {
// CHECK:         %[[LOSS:.*]] = tx.sum
// CHECK:         %[[ONES:.*]] = tx.broadcast %{{.*}} dims = [{{.*}}] : {{.*}} -> tensor<?x?xf32, #tx.dims<[n, m]>>
// CHECK-DAG:     %[[B:.*]] = tx.sum %[[ONES]] dims = [0]
// CHECK-DAG:     %[[X:.*]] = tx.dot_general %[[ONES]], %arg1
// CHECK-NOT:     dot_general %arg0, %[[ONES]]
// CHECK:         return %[[LOSS]], %[[X]], %[[B]]

// ONE-NOT: @main(
// ONE: func.func @main_gradient(
// ONE-SAME: tensor<?x?xf32, #tx.dims<[k, m]>> {tx.name = "grad_w"}) {
