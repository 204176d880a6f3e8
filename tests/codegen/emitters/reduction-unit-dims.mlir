// Kept dims of size 1 at the end: lanes along them would be empty but for one, so they run along the reduced dim before them. The
// bits are those of a sum without these dims.
//
// RUN: %tensorc-opt %s --tx-expand-short-reductions --tx-fuse-ops | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc run %s --entry=flat --device=cpu --random-inputs --output-dir=%t
// RUN: cmp %t/out0.npy %t/out1.npy
// RUN: %tensorc run %s --entry=flat --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=norm --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=middle --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=short --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=named --device=cpu --random-inputs --shape=arg0:3001,1 --compare=reference
// RUN: %tensorc run %s --entry=all --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=norm --device=sim --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=named --device=sim --random-inputs --shape=arg0:301,1 --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @flat(
// CHECK:       tx.fusion "row"
// CHECK:       tx.fusion "row"
// CHECK:       return
func.func @flat(%x: tensor<50001x1xf32>) -> (tensor<f32>, tensor<f32>) {
  %0 = tx.sum %x dims = [0] : tensor<50001x1xf32> -> tensor<1xf32>
  %1 = tx.reshape %0 : tensor<1xf32> -> tensor<f32>
  %2 = tx.reshape %x : tensor<50001x1xf32> -> tensor<50001xf32>
  %3 = tx.sum %2 dims = [0] : tensor<50001xf32> -> tensor<f32>
  return %1, %3 : tensor<f32>, tensor<f32>
}

// One kernel, as of any row.
// CHECK-LABEL: func.func @norm(
// CHECK:       tx.fusion "row"
// CHECK-NOT:   tx.fusion
// CHECK:       return
func.func @norm(%x: tensor<1000x1xf32>) -> tensor<1000x1xf32> {
  %s = tx.sum %x dims = [0] : tensor<1000x1xf32> -> tensor<1xf32>
  %0 = tx.reshape %s : tensor<1xf32> -> tensor<1x1xf32>
  %1 = tx.broadcast %0 dims = [0, 1] : tensor<1x1xf32> -> tensor<1000x1xf32>
  %2 = tx.sub %x, %1 : tensor<1000x1xf32>
  return %2 : tensor<1000x1xf32>
}

// CHECK-LABEL: func.func @middle(
// CHECK-DAG:   tx.fusion "row" "sum"
// CHECK-DAG:   tx.fusion "column" "argmax"
// CHECK:       return
func.func @middle(%x: tensor<40x300x1x1xf32>, %y: tensor<40x300x1x2xf32>) -> (tensor<40x1x1xf32>, tensor<40x1x2xi64>) {
  %0 = tx.sum %x dims = [1] : tensor<40x300x1x1xf32> -> tensor<40x1x1xf32>
  %1 = tx.argmax %y dims = [1] : tensor<40x300x1x2xf32> -> tensor<40x1x2xi64>
  return %0, %1 : tensor<40x1x1xf32>, tensor<40x1x2xi64>
}

// CHECK-LABEL: func.func @short(
// CHECK-NOT:   tx.sum
// CHECK:       return
func.func @short(%x: tensor<1003x3x1xf32>) -> tensor<1003x1xf32> {
  %0 = tx.sum %x dims = [1] : tensor<1003x3x1xf32> -> tensor<1003x1xf32>
  return %0 : tensor<1003x1xf32>
}

// CHECK-LABEL: func.func @named(
// CHECK:       tx.fusion "row"
// CHECK:       return
func.func @named(%x: tensor<?x1xf32, #tx.dims<[n, 1]>>) -> tensor<1xf32> {
  %0 = tx.reduce_max %x dims = [0] : tensor<?x1xf32, #tx.dims<[n, 1]>> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

func.func @all(%x: tensor<1x1xf32>) -> tensor<1xf32> {
  %0 = tx.sum %x dims = [0] : tensor<1x1xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
}
