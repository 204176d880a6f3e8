// Contractions in tiles: waits, commits and barriers; copied and computed operands, several slices and rows of tiles.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s --check-prefixes=CHECK,ASYNC
// RUN: %bin/tensorc-sim-mutate %s --device=sim:sm_80 | FileCheck %s --check-prefixes=CHECK,ASYNC
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s
// CHECK-NOT: SURVIVES
// ASYNC: dot_general copy_commit 0: nobody has waited
// ASYNC: dot_general copy_wait {{[0-9]+}}: nobody has waited
// ASYNC: dot_general barrier {{[0-9]+}}: {{a race|nobody has w}}

func.func @main(%a: tensor<70x160xf16>, %b: tensor<160x40xf16>, %c: tensor<2x33x100xbf16>, %d: tensor<2x100x24xbf16>)
    -> (tensor<70x40xf16>, tensor<2x33x24xbf16>) {
  %p = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
       : (tensor<70x160xf16>, tensor<160x40xf16>) -> tensor<70x40xf16>
  %n = tx.neg %c : tensor<2x33x100xbf16>
  %q = tx.dot_general %n, %d batch = [0] x [0] contracting = [2] x [1]
       : (tensor<2x33x100xbf16>, tensor<2x100x24xbf16>) -> tensor<2x33x24xbf16>
  return %p, %q : tensor<70x40xf16>, tensor<2x33x24xbf16>
}
