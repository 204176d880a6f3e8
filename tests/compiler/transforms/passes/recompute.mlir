// Where most bytes are alive, element-wise values are not kept that follow from
// what is kept anyway.
//
// RUN: %tensorc-opt %s --tx-recompute | FileCheck %s
// RUN: tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse -o - | FileCheck %s --check-prefix=FUSE
// RUN: %tensorc run %s --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=forward --random-inputs --compare=reference

// The result of the product is kept. What is made of it is made again behind
// the product at which most is alive, for a kernel that runs late.
// CHECK-LABEL: @main
// CHECK:       %[[X:.*]] = tx.dot_general %arg0, %arg1
// CHECK:       %[[EARLY:.*]] = tx.tanh %[[X]] : tensor<8192x64xf32>
// CHECK:       %[[Y:.*]] = tx.dot_general %[[EARLY]], %arg2
// CHECK:       %[[Z:.*]] = tx.dot_general %[[Y]], %arg2
// CHECK:       %[[LATE:.*]] = tx.tanh %[[X]] {late}
// CHECK:       tx.mul %[[Z]], %[[LATE]] {late}
//
// The last kernel reads the product, and not its tanh.
// FUSE-LABEL: @main
// FUSE:       %[[ALL:.*]]:2 = tx.fusion "contraction" "dot_general_tanh"(%arg0, %arg1)
// FUSE:       tx.yield %[[T:.*]], %[[X:.*]] : tensor<8192x64xf32>, tensor<8192x64xf32>
// FUSE:       tx.fusion "contraction" "{{.*}}"({{.*}}%[[ALL]]#1
// FUSE-NOT:   late
func.func @main(%a: tensor<8192x2xf32>, %w: tensor<2x64xf32>, %v: tensor<64x2xf32>) -> tensor<8192x64xf32> {
  %0 = tx.dot_general %a, %w batch = [] x [] contracting = [1] x [0] : (tensor<8192x2xf32>, tensor<2x64xf32>) -> tensor<8192x64xf32>
  %1 = tx.tanh %0 : tensor<8192x64xf32>
  %2 = tx.dot_general %1, %v batch = [] x [] contracting = [1] x [0] : (tensor<8192x64xf32>, tensor<64x2xf32>) -> tensor<8192x2xf32>
  %3 = tx.dot_general %2, %v batch = [] x [] contracting = [1] x [1] : (tensor<8192x2xf32>, tensor<64x2xf32>) -> tensor<8192x64xf32>
  %4 = tx.mul %3, %1 : tensor<8192x64xf32>
  %5 = tx.add %4, %0 : tensor<8192x64xf32>
  return %5 : tensor<8192x64xf32>
}

// Nothing is kept for long: an element-wise value and its readers, one behind
// the other.
// CHECK-LABEL: @forward
// CHECK-NOT:   late
// CHECK:       return
func.func @forward(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = tx.exp %a : tensor<512x512xf32>
  %1 = tx.sum %0 dims = [1] : tensor<512x512xf32> -> tensor<512xf32>
  %2 = tx.broadcast %1 dims = [0] : tensor<512xf32> -> tensor<512x512xf32>
  %3 = tx.div %0, %2 : tensor<512x512xf32>
  return %3 : tensor<512x512xf32>
}
