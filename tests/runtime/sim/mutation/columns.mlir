// Columns: reductions along an outer axis, and of everything.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s
// CHECK-NOT: SURVIVES

func.func @main(%x: tensor<900x70xf32>, %h: tensor<300x50xf16>) -> (tensor<70xf32>, tensor<f32>, tensor<50xf16>) {
  %c = tx.sum %x dims = [0] : tensor<900x70xf32> -> tensor<70xf32>
  %a = tx.sum %x dims = [0, 1] : tensor<900x70xf32> -> tensor<f32>
  %m = tx.reduce_max %h dims = [0] : tensor<300x50xf16> -> tensor<50xf16>
  return %c, %a, %m : tensor<70xf32>, tensor<f32>, tensor<50xf16>
}
