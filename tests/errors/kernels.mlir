// What LLVM would end the process for is refused where the user wrote it.
//
// RUN: split-file %s %t
// RUN: not %tensorc compile %t/scalable.mlir --target=cuda:sm_90 -o %t.tcpkg 2>&1 | FileCheck %t/scalable.mlir
// RUN: not %tensorc compile %t/asm.mlir --target=rocm:gfx942 -o %t.tcpkg 2>&1 | FileCheck %t/asm.mlir
// RUN: %tensorc compile %t/asm.mlir --target=cuda:sm_90 -o %t.tcpkg
// RUN: not %tensorc compile %t/intrinsic.mlir --target=cuda:sm_90 -o %t.tcpkg 2>&1 | FileCheck %t/intrinsic.mlir
// RUN: %tensorc compile %t/intrinsic.mlir --target=rocm:gfx942 -o %t.tcpkg

//--- scalable.mlir
// CHECK: scalable.mlir:[[#@LINE+4]]:{{.*}} error: {{.*}}a vector of scalable size: no GPU has them
gpu.module @k {
  gpu.func @k(%x: memref<1000xf32>, %y: memref<1000xf32>) kernel {
    %c0 = arith.constant 0 : index
    %z = vector.load %x[%c0] : memref<1000xf32>, vector<[4]xf32>
    vector.store %z, %y[%c0] : memref<1000xf32>, vector<[4]xf32>
    gpu.return
  }
}
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = tx.kernel_call @k(%x) grid <[4]> block [256] : (tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

//--- asm.mlir
// CHECK: asm.mlir:[[#@LINE+3]]:{{.*}} error: {{.*}}inline assembly is for cuda targets, not for rocm:gfx942
gpu.module @k {
  gpu.func @k(%x: memref<1000xf32>, %y: memref<1000xf32>) kernel {
    llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
    gpu.return
  }
}
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = tx.kernel_call @k(%x) grid <[4]> block [256] : (tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

//--- intrinsic.mlir
// CHECK: intrinsic.mlir:[[#@LINE+3]]:{{.*}} error: {{.*}}an intrinsic that cuda:sm_90 does not have
gpu.module @k {
  gpu.func @k(%x: memref<1000xf32>, %y: memref<1000xf32>) kernel {
    llvm.call_intrinsic "llvm.amdgcn.s.barrier"() : () -> ()
    gpu.return
  }
}
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = tx.kernel_call @k(%x) grid <[4]> block [256] : (tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
