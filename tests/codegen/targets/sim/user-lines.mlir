// What the emitters add of their own names the line of the user's last operation.
//
// RUN: %tensorc compile %s --target=sim:sm_90a --emit=llvm | FileCheck %s
// The load of the user's operation, and the first shuffle beside it:
// CHECK: @sum.sites = {{.*}} [i32 [[USER:[0-9]+]], i32 1, i32 16, i32 16, i32 [[USER]], i32 {{[0-9]+}}, i32 0, i32 262144,
// CHECK: @sum.strings = {{.*}}vector.load, line {{[0-9]+}} after emit\00{{[^\]*}}user-lines.mlir:[[#@LINE+3]]:8\00gpu.shuffle

func.func @main(%x: tensor<9x3000xf32>) -> tensor<9xf32> {
  %s = tx.sum %x dims = [1] : tensor<9x3000xf32> -> tensor<9xf32>
  return %s : tensor<9xf32>
}
