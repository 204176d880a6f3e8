// Contractions from tiles in workgroup memory.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s
// CHECK-NOT: SURVIVES

func.func @main(%a: tensor<70x100xf32>, %b: tensor<100x45xf32>, %c: tensor<2x33x64xf16>, %d: tensor<2x64x20xf16>)
    -> (tensor<70x45xf32>, tensor<2x33x20xf16>) {
  %p = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
       : (tensor<70x100xf32>, tensor<100x45xf32>) -> tensor<70x45xf32>
  %q = tx.dot_general %c, %d batch = [0] x [0] contracting = [2] x [1]
       : (tensor<2x33x64xf16>, tensor<2x64x20xf16>) -> tensor<2x33x20xf16>
  return %p, %q : tensor<70x45xf32>, tensor<2x33x20xf16>
}
