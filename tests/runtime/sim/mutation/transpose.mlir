// Transposes through workgroup memory.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s
// CHECK-NOT: SURVIVES

func.func @main(%x: tensor<130x75xf32>, %b: tensor<3x64x40xi8>) -> (tensor<75x130xf32>, tensor<3x40x64xi8>) {
  %e = tx.exp %x : tensor<130x75xf32>
  %t = tx.transpose %e permutation = [1, 0] : tensor<130x75xf32> -> tensor<75x130xf32>
  %u = tx.transpose %b permutation = [0, 2, 1] : tensor<3x64x40xi8> -> tensor<3x40x64xi8>
  return %t, %u : tensor<75x130xf32>, tensor<3x40x64xi8>
}
