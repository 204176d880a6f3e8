// Atomics that a target of SPIR-V lacks are refused at the user's line.
// RUN: split-file %s %t
// RUN: not %tensorc compile %t/narrow.mlir --target=vulkan --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not %tensorc compile %t/wide.mlir --target=vulkan:f32 --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %tensorc compile %t/wide.mlir --target=vulkan --emit=spirv -o %t.spv
// RUN: %tensorc compile %t/wide.mlir --target=opencl --emit=spirv -o %t.spv
// RUN: not %tensorc compile %t/shared.mlir --target=opencl --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=SHARED

// NARROW: narrow.mlir:6:10: error: {{.*}} on elements of 'i16' is not supported, only on 32 and 64 bits
// WIDE: wide.mlir:6:10: error: {{.*}} on elements of 'i64' needs 64-bit atomics, which the target does not have
// SHARED: shared.mlir:6:10: error: {{.*}} on 'f32' in workgroup memory is not supported, only on integers

//--- narrow.mlir
gpu.module @add {
  gpu.func @add(%x: memref<?xi16>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i16
    // A line that is named.
    %0 = memref.atomic_rmw addi %one, %x[%t] : (i16, memref<?xi16>) -> i16
    gpu.return
  }
}
func.func @main() -> tensor<4xi16> {
  %0 = tx.kernel_call @add() grid <[1]> block [4] zeroed : () -> tensor<4xi16>
  return %0 : tensor<4xi16>
}
//--- wide.mlir
gpu.module @add {
  gpu.func @add(%x: memref<?xi64>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i64
    // A line that is named.
    %0 = memref.atomic_rmw addi %one, %x[%t] : (i64, memref<?xi64>) -> i64
    gpu.return
  }
}
func.func @main() -> tensor<4xi64> {
  %0 = tx.kernel_call @add() grid <[1]> block [4] zeroed : () -> tensor<4xi64>
  return %0 : tensor<4xi64>
}
//--- shared.mlir
gpu.module @add {
  gpu.func @add(%x: memref<?xf32>) workgroup(%w: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    // A line that is named.
    %0 = memref.atomic_rmw addf %one, %w[%t] : (f32, memref<4xf32, #gpu.address_space<workgroup>>) -> f32
    memref.store %0, %x[%t] : memref<?xf32>
    gpu.return
  }
}
func.func @main() -> tensor<4xf32> {
  %0 = tx.kernel_call @add() grid <[1]> block [4] zeroed : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
