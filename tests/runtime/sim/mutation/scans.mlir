// Scans of rows, and sorts, whose threads exchange keys through global memory.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s
// CHECK-NOT: SURVIVES

func.func @main(%x: tensor<2x700xf32>, %y: tensor<2x600xi32>) -> (tensor<2x700xf32>, tensor<2x600xi32>, tensor<2x600xi64>) {
  %0 = tx.cumsum %x dim = 1 : tensor<2x700xf32>
  %1 = tx.sort %y dim = 1 : tensor<2x600xi32>
  %2 = tx.argsort %y dim = 1 : tensor<2x600xi32>
  return %0, %1, %2 : tensor<2x700xf32>, tensor<2x600xi32>, tensor<2x600xi64>
}
