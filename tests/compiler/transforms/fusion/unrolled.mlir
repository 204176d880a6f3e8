// The steps of a loop that the host unrolled. A kernel has room for ten and a
// half of them: it ends with the tenth, so that the next ten are the same kernel.
//
// RUN: %tensorc-opt %s --tx-fuse-ops | FileCheck %s
// RUN: %tensorc compile %s --stop-after=emit | FileCheck %s --check-prefix=EMIT

// CHECK:       tx.fusion "loop"
// CHECK-COUNT-5: tx.exp
// CHECK-NOT:   tx.exp
// CHECK:       tx.fusion "loop"
// CHECK-COUNT-10: tx.exp
// CHECK-NOT:   tx.exp
// CHECK:       %[[C:.*]] = tx.fusion "loop"
// CHECK-COUNT-10: tx.exp
// CHECK-NOT:   tx.exp
// CHECK:       return %[[C]]

// EMIT:        txp.launch @kernels::@{{.*}}_6more
// EMIT:        txp.launch @kernels::@[[STEPS:[a-z0-9_]+]] extent
// EMIT:        txp.launch @kernels::@[[STEPS]] extent
// EMIT-NOT:    txp.launch
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %m0 = tx.mul %x, %x : tensor<1000xf32>
  %h0 = tx.exp %m0 : tensor<1000xf32>
  %m1 = tx.mul %h0, %x : tensor<1000xf32>
  %h1 = tx.exp %m1 : tensor<1000xf32>
  %m2 = tx.mul %h1, %x : tensor<1000xf32>
  %h2 = tx.exp %m2 : tensor<1000xf32>
  %m3 = tx.mul %h2, %x : tensor<1000xf32>
  %h3 = tx.exp %m3 : tensor<1000xf32>
  %m4 = tx.mul %h3, %x : tensor<1000xf32>
  %h4 = tx.exp %m4 : tensor<1000xf32>
  %m5 = tx.mul %h4, %x : tensor<1000xf32>
  %h5 = tx.exp %m5 : tensor<1000xf32>
  %m6 = tx.mul %h5, %x : tensor<1000xf32>
  %h6 = tx.exp %m6 : tensor<1000xf32>
  %m7 = tx.mul %h6, %x : tensor<1000xf32>
  %h7 = tx.exp %m7 : tensor<1000xf32>
  %m8 = tx.mul %h7, %x : tensor<1000xf32>
  %h8 = tx.exp %m8 : tensor<1000xf32>
  %m9 = tx.mul %h8, %x : tensor<1000xf32>
  %h9 = tx.exp %m9 : tensor<1000xf32>
  %m10 = tx.mul %h9, %x : tensor<1000xf32>
  %h10 = tx.exp %m10 : tensor<1000xf32>
  %m11 = tx.mul %h10, %x : tensor<1000xf32>
  %h11 = tx.exp %m11 : tensor<1000xf32>
  %m12 = tx.mul %h11, %x : tensor<1000xf32>
  %h12 = tx.exp %m12 : tensor<1000xf32>
  %m13 = tx.mul %h12, %x : tensor<1000xf32>
  %h13 = tx.exp %m13 : tensor<1000xf32>
  %m14 = tx.mul %h13, %x : tensor<1000xf32>
  %h14 = tx.exp %m14 : tensor<1000xf32>
  %m15 = tx.mul %h14, %x : tensor<1000xf32>
  %h15 = tx.exp %m15 : tensor<1000xf32>
  %m16 = tx.mul %h15, %x : tensor<1000xf32>
  %h16 = tx.exp %m16 : tensor<1000xf32>
  %m17 = tx.mul %h16, %x : tensor<1000xf32>
  %h17 = tx.exp %m17 : tensor<1000xf32>
  %m18 = tx.mul %h17, %x : tensor<1000xf32>
  %h18 = tx.exp %m18 : tensor<1000xf32>
  %m19 = tx.mul %h18, %x : tensor<1000xf32>
  %h19 = tx.exp %m19 : tensor<1000xf32>
  %m20 = tx.mul %h19, %x : tensor<1000xf32>
  %h20 = tx.exp %m20 : tensor<1000xf32>
  %m21 = tx.mul %h20, %x : tensor<1000xf32>
  %h21 = tx.exp %m21 : tensor<1000xf32>
  %m22 = tx.mul %h21, %x : tensor<1000xf32>
  %h22 = tx.exp %m22 : tensor<1000xf32>
  %m23 = tx.mul %h22, %x : tensor<1000xf32>
  %h23 = tx.exp %m23 : tensor<1000xf32>
  %m24 = tx.mul %h23, %x : tensor<1000xf32>
  %h24 = tx.exp %m24 : tensor<1000xf32>
  return %h24 : tensor<1000xf32>
}
