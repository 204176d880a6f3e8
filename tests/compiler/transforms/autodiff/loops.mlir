// A while with a bound has the gradient of a scan of branches; a scan keeps of
// its iterations what the way back reads.
//
// RUN: %npy %t.x.npy f32 3
// RUN: tensorc-opt %s --tx-differentiate=wrt=0 --canonicalize --cse | FileCheck %s
// RUN: tensorc-opt %s --tx-expand-gradients | FileCheck %s --check-prefix=COUNTED
// RUN: %tensorc differentiate %s --of=y --wrt=x -o %t.mlir
// RUN: %tensorc run %t.mlir --input=x=%t.x.npy | FileCheck %s --check-prefix=VALUES
// RUN: %tensorc run %t.mlir --input=x=%t.x.npy --device=reference | FileCheck %s --check-prefix=VALUES
// RUN: %tensorc compile %t.mlir -o %t.tcpkg
// RUN: %tensorc run %t.tcpkg --input=x=%t.x.npy | FileCheck %s --check-prefix=VALUES
// RUN: tensorc-opt %s --tx-differentiate="entry=sums wrt=0" --canonicalize --cse | FileCheck %s --check-prefix=SUMS
// RUN: tensorc-opt %s --tx-differentiate="wrt=0" --tx-differentiate="entry=main_gradient of=1 wrt=0" -o %t.twice.mlir
// RUN: %tensorc run %t.twice.mlir --entry=main_gradient_gradient --input=x=%t.x.npy | FileCheck %s --check-prefix=TWICE

// CHECK-LABEL: func.func @main_gradient(
// CHECK-NOT:     tx.while
// CHECK:         tx.scan <[5]> carried = 1 scanned = 0
// CHECK:           tx.if
// CHECK:         tx.scan <[5]> carried = 1 scanned = 1({{.*}}) reverse

// COUNTED-LABEL: func.func @main(
// COUNTED:         tx.while(%arg0, %{{.*}}) : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<i64>)
// COUNTED:           tx.lt %{{.*}} : tensor<i64>
// COUNTED:           tx.and
// COUNTED:         } do {
// COUNTED:           tx.add %{{.*}} : tensor<i64>

// 3 is squared three times: x^8.
// VALUES: 6561
// VALUES: 17496
// TWICE:  6561
// TWICE:  17496
// TWICE:  40824
func.func @main(%x: tensor<f32> {tx.name = "x"}) -> (tensor<f32> {tx.name = "y"}) {
  %0 = tx.while most = 5 (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %t = tx.constant dense<100.0> : tensor<f32>
    %p = tx.lt %a, %t : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<f32>):
    %b = tx.mul %a, %a : tensor<f32>
    tx.return %b : tensor<f32>
  }
  return %0 : tensor<f32>
}

// The gradient of a product reads what was carried, that of a sum does not.
// SUMS-LABEL: func.func @sums_gradient(
// SUMS:         tx.scan <[9]> carried = 2 scanned = 0(%arg0, %{{.*}}) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<9x64xf32>)
// SUMS:         tx.scan <[9]> carried = 2 scanned = 1(
// SUMS-SAME:      tensor<9x64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
func.func @sums(%x: tensor<64xf32>) -> tensor<f32> {
  %zero = tx.constant dense<0.0> : tensor<64xf32>
  %0:2 = tx.scan <[9]> carried = 2 scanned = 0 (%x, %zero) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<64xf32>, %s: tensor<64xf32>):
    %b = tx.sin %a : tensor<64xf32>
    %t = tx.add %s, %b : tensor<64xf32>
    tx.return %b, %t : tensor<64xf32>, tensor<64xf32>
  }
  %1 = tx.sum %0#1 dims = [0] : tensor<64xf32> -> tensor<f32>
  return %1 : tensor<f32>
}
