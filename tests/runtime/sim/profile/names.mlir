// A name that is no UTF-8 is printed with a replacement character.
//
// RUN: %tensorc explain %s --target=sim:sm_80 --profile | FileCheck %s
// CHECK: caf{{.*}}-é.mlir:3

func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tx.exp %x : tensor<64xf32> loc("caf\E9-\C3\A9.mlir":3:4)
  return %0 : tensor<64xf32>
}
