// What a contraction of few rows reads in each iteration is packed before the
// loop, and read there as it lies.
//
// RUN: %tensorc-opt %s --tx-hoist-packing | FileCheck %s
// RUN: tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit -o - | FileCheck %s --check-prefix=KERNEL
// RUN: %tensorc run %s --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=turned --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=two_rows --random-inputs --compare=reference
// RUN: tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse -o - | FileCheck %s --check-prefix=WIDE

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: @main
// CHECK:       %[[PARTS:.*]] = tx.reshape %arg1 : tensor<24x64xf32> -> tensor<24x2x32xf32>
// CHECK:       %[[PANELS:.*]] = tx.transpose %[[PARTS]] permutation = [1, 0, 2]
// CHECK:       tx.scan <[9]> carried = 1 scanned = 0(%arg0, %[[PANELS]])
// CHECK:       ^bb0(%{{.*}}: tensor<i64>, %[[H:.*]]: tensor<16x24xf32>, %[[P:.*]]: tensor<2x24x32xf32>):
// CHECK:       %[[D:.*]] = tx.dot_general %[[H]], %[[P]] batch = [] x [] contracting = [1] x [1]
// CHECK:       tx.reshape %[[D]] : tensor<16x2x32xf32> -> tensor<16x64xf32>

// Two tiles of rows, and no panel in scratch.
// KERNEL-LABEL: func.func @dot_general
// KERNEL-NOT:   memref.view
// KERNEL:       vector.fma
// KERNEL:       return
func.func @main(%h: tensor<16x24xf32>, %w: tensor<24x64xf32>) -> tensor<16x24xf32> {
  %0 = tx.scan <[9]> carried = 1 scanned = 0 (%h, %w) : (tensor<16x24xf32>, tensor<24x64xf32>) -> tensor<16x24xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<16x24xf32>, %b: tensor<24x64xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<16x24xf32>, tensor<24x64xf32>) -> tensor<16x64xf32>
    %s = tx.slice %d offsets = [0, 40] strides = [1, 1] : tensor<16x64xf32> -> tensor<16x24xf32>
    %c = tx.constant dense<0.1> : tensor<16x24xf32>
    %m = tx.mul %s, %c : tensor<16x24xf32>
    %t = tx.tanh %m : tensor<16x24xf32>
    tx.return %t : tensor<16x24xf32>
  }
  return %0 : tensor<16x24xf32>
}

// CHECK-LABEL: @turned
// CHECK:       tx.transpose %{{.*}} permutation = [0, 2, 1] : tensor<2x32x24xf32> -> tensor<2x24x32xf32>
func.func @turned(%h: tensor<16x24xf32>, %w: tensor<64x24xf32>) -> tensor<16x24xf32> {
  %0 = tx.scan <[9]> carried = 1 scanned = 0 (%h, %w) : (tensor<16x24xf32>, tensor<64x24xf32>) -> tensor<16x24xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<16x24xf32>, %b: tensor<64x24xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1] : (tensor<16x24xf32>, tensor<64x24xf32>) -> tensor<16x64xf32>
    %s = tx.slice %d offsets = [0, 40] strides = [1, 1] : tensor<16x64xf32> -> tensor<16x24xf32>
    %c = tx.constant dense<0.1> : tensor<16x24xf32>
    %m = tx.mul %s, %c : tensor<16x24xf32>
    %t = tx.tanh %m : tensor<16x24xf32>
    tx.return %t : tensor<16x24xf32>
  }
  return %0 : tensor<16x24xf32>
}

// Two rows have few sums at once, so the blocks are as wide. (One is a sum of w's rows.)
// CHECK-LABEL: @two_rows
// CHECK:       tx.transpose %{{.*}} permutation = [0, 2, 1] : tensor<2x64x32xf32> -> tensor<2x32x64xf32>
// WIDE-LABEL: @two_rows
// WIDE:       tx.scan
// WIDE:       tx.fusion "contraction"
// WIDE-SAME:  vectors = 4
func.func @two_rows(%h: tensor<2x32xf32>, %w: tensor<128x32xf32>) -> tensor<2x32xf32> {
  %0 = tx.scan <[9]> carried = 1 scanned = 0 (%h, %w) : (tensor<2x32xf32>, tensor<128x32xf32>) -> tensor<2x32xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<2x32xf32>, %b: tensor<128x32xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1] : (tensor<2x32xf32>, tensor<128x32xf32>) -> tensor<2x128xf32>
    %s = tx.slice %d offsets = [0, 80] strides = [1, 1] : tensor<2x128xf32> -> tensor<2x32xf32>
    %t = tx.tanh %s : tensor<2x32xf32>
    tx.return %t : tensor<2x32xf32>
  }
  return %0 : tensor<2x32xf32>
}

// It reads what lies along its columns no slower from the third cache.
// CHECK-LABEL: @one_row_of_much
// CHECK-NOT:   tx.transpose
func.func @one_row_of_much(%h: tensor<1x512xf32>, %w: tensor<512x1024xf32>) -> tensor<1x512xf32> {
  %0 = tx.scan <[9]> carried = 1 scanned = 0 (%h, %w) : (tensor<1x512xf32>, tensor<512x1024xf32>) -> tensor<1x512xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<1x512xf32>, %b: tensor<512x1024xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<1x512xf32>, tensor<512x1024xf32>) -> tensor<1x1024xf32>
    %s = tx.slice %d offsets = [0, 80] strides = [1, 1] : tensor<1x1024xf32> -> tensor<1x512xf32>
    tx.return %s : tensor<1x512xf32>
  }
  return %0 : tensor<1x512xf32>
}

// What another op reads, too, stays as it is.
// CHECK-LABEL: @shared
// CHECK-NOT:   tensor<2x24x32xf32>
func.func @shared(%h: tensor<16x24xf32>, %w: tensor<24x64xf32>) -> tensor<24x64xf32> {
  %0:2 = tx.scan <[9]> carried = 1 scanned = 0 (%h, %w) : (tensor<16x24xf32>, tensor<24x64xf32>) -> (tensor<16x24xf32>, tensor<9x24x64xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<16x24xf32>, %b: tensor<24x64xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<16x24xf32>, tensor<24x64xf32>) -> tensor<16x64xf32>
    %s = tx.slice %d offsets = [0, 40] strides = [1, 1] : tensor<16x64xf32> -> tensor<16x24xf32>
    tx.return %s, %b : tensor<16x24xf32>, tensor<24x64xf32>
  }
  %1 = tx.sum %0#1 dims = [0] : tensor<9x24x64xf32> -> tensor<24x64xf32>
  return %1 : tensor<24x64xf32>
}
}
