// Structure of contraction kernels, and their numbers.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --random-inputs --shape=arg0:37,19 --shape=arg1:19,45 --compare=reference
// RUN: %tensorc run %s --random-inputs --shape=arg0:1,1 --shape=arg1:1,1 --compare=reference
// RUN: %tensorc run %s --random-inputs --shape=arg0:5,0 --shape=arg1:0,3 --compare=reference
// RUN: %tensorc run %s --entry=batched --random-inputs --shape=arg0:3,4,15,8 --shape=arg1:3,8,33 --compare=reference
// RUN: %tensorc run %s --entry=few_rows --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// The first tile of rows packs y's columns; 14 x 2 accumulators in registers for
// the whole sum; the epilogue loops over the tile's rows.
// CHECK-LABEL: func.func @dot_general_max(
// CHECK:       memref.alloca() {{.*}} : memref<448xf32>
// CHECK:       %[[PANEL:.*]] = memref.view
// CHECK:       scf.for
// CHECK:       scf.if
// CHECK-NEXT:    scf.for
// CHECK-COUNT-2:   vector.maskedload
// CHECK:           vector.store {{.*}}, %[[PANEL]]
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-2: vector.load %[[PANEL]]
// CHECK-COUNT-28: vector.fma
// CHECK-NOT:   vector.fma
// CHECK:       scf.for
// CHECK:       arith.maximumf
// CHECK:       vector.maskedstore
func.func @main(%x: tensor<?x?xf32, #tx.dims<[n, k]>>, %w: tensor<?x?xf32, #tx.dims<[k, m]>>)
    -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?xf32, #tx.dims<[n, k]>>, tensor<?x?xf32, #tx.dims<[k, m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %z = tx.constant dense<0.0> : tensor<f32>
  %zb = tx.broadcast %z dims = [] : tensor<f32> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.max %0, %zb : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %1 : tensor<?x?xf32, #tx.dims<[n, m]>>
}

// Rows of several dims run as one.
func.func @batched(%x: tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, k]>>, %y: tensor<?x?x?xbf16, #tx.dims<[b, k, m]>>)
    -> tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, m]>> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [3] x [1]
       : (tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, k]>>, tensor<?x?x?xbf16, #tx.dims<[b, k, m]>>)
       -> tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, m]>>
  return %0 : tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, m]>>
}
// One tile holds all rows: y is read in place.
// CHECK-LABEL: func.func @dot_general_0(
// CHECK-NOT:   scf.if
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-2: vector.load
// CHECK-COUNT-28: vector.fma
func.func @few_rows(%x: tensor<3x8xf32>, %y: tensor<8x64xf32>) -> tensor<3x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<3x8xf32>, tensor<8x64xf32>) -> tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
}
}
