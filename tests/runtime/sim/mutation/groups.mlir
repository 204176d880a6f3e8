// A contraction by groups of 128 threads: barriers in memory, their fence, arrivals and waits, and the parts of a multiplication.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s
// CHECK-NOT: SURVIVES
// CHECK: dot_general nv.wgmma fence {{[0-9]+}}: no wgmma.fence

func.func @main(%x: tensor<64x66x328xf16>, %y: tensor<64x328x72xf16>) -> tensor<64x66x72xf16> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [1]
      : (tensor<64x66x328xf16>, tensor<64x328x72xf16>) -> tensor<64x66x72xf16>
  return %0 : tensor<64x66x72xf16>
}
