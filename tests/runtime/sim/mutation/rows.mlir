// Rows: reductions along the inner axis, and what is around them.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s
// CHECK-NOT: SURVIVES

func.func @main(%x: tensor<9x3000xf32>, %i: tensor<5x700xi32>) -> (tensor<9x3000xf32>, tensor<5xi32>, tensor<9xf32>) {
  %m = tx.reduce_max %x dims = [1] : tensor<9x3000xf32> -> tensor<9xf32>
  %mb = tx.broadcast %m dims = [0] : tensor<9xf32> -> tensor<9x3000xf32>
  %d = tx.sub %x, %mb : tensor<9x3000xf32>
  %e = tx.exp %d : tensor<9x3000xf32>
  %s = tx.sum %e dims = [1] : tensor<9x3000xf32> -> tensor<9xf32>
  %sb = tx.broadcast %s dims = [0] : tensor<9xf32> -> tensor<9x3000xf32>
  %y = tx.div %e, %sb : tensor<9x3000xf32>
  %is = tx.sum %i dims = [1] : tensor<5x700xi32> -> tensor<5xi32>
  return %y, %is, %s : tensor<9x3000xf32>, tensor<5xi32>, tensor<9xf32>
}
