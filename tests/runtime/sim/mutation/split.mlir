// A contraction in tiles whose k is split among blocks.
//
// RUN: %bin/tensorc-sim-mutate %s --device=sim:sm_80 | FileCheck %s
// CHECK-NOT: SURVIVES
// CHECK: dot_general_parts copy_wait 2: nobody has waited
// CHECK: 7 of 7 caught

func.func @main(%a: tensor<20x1056xf16>, %b: tensor<1056x24xf16>) -> tensor<20x24xf16> {
  %p = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
       : (tensor<20x1056xf16>, tensor<1056x24xf16>) -> tensor<20x24xf16>
  return %p : tensor<20x24xf16>
}
