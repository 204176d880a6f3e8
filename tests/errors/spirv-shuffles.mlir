// On targets whose shuffles go through workgroup memory, a kernel of the user's own may not shuffle where some threads of a block may skip it.
// RUN: split-file %s %t
// RUN: not %tensorc compile %t/branch.mlir --target=opencl --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not %tensorc compile %t/branch.mlir --target=vulkan --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not %tensorc compile %t/loop.mlir --target=opencl --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not %tensorc compile %t/memory.mlir --target=opencl --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: %tensorc compile %t/uniform.mlir --target=opencl --emit=spirv -o %t.spv
// RUN: %tensorc compile %t/branch.mlir --target=cuda:sm_80 --emit=ptx -o %t.ptx

// BRANCH: branch.mlir:10:16: error: some: some threads of a block may skip this gpu.shuffle; on {{opencl|vulkan}} shuffles go through workgroup memory, and all threads must execute them
// BRANCH: branch.mlir:9:10: note: what it depends on here differs between threads or was read from memory; move the shuffle out
// LOOP: loop.mlir:12:16: error: some: some threads of a block may skip this gpu.shuffle
// LOOP: loop.mlir:11:10: note:
// MEMORY: memory.mlir:14:16: error: some: some threads of a block may skip this gpu.shuffle
// MEMORY: memory.mlir:9:12: note:

//--- branch.mlir
gpu.module @some {
  gpu.func @some(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %v = memref.load %x[%t] : memref<?xf32>
    %c32 = arith.constant 32 : index
    %first = arith.cmpi ult, %t, %c32 : index
    %r = scf.if %first -> (f32) {
      %s, %p = gpu.shuffle xor %v, %one, %w : f32
      scf.yield %s : f32
    } else {
      scf.yield %v : f32
    }
    memref.store %r, %x[%t] : memref<?xf32>
    gpu.return
  }
}
func.func @main() -> tensor<64xf32> {
  %0 = tx.kernel_call @some() grid <[1]> block [64] zeroed : () -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
//--- loop.mlir
gpu.module @some {
  gpu.func @some(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %v = memref.load %x[%t] : memref<?xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %subgroup = arith.divui %t, %c32 : index
    %r = scf.for %i = %c0 to %subgroup step %c1 iter_args(%a = %v) -> (f32) {
      %s, %p = gpu.shuffle xor %a, %one, %w : f32
      scf.yield %s : f32
    }
    memref.store %r, %x[%t] : memref<?xf32>
    gpu.return
  }
}
func.func @main() -> tensor<64xf32> {
  %0 = tx.kernel_call @some() grid <[1]> block [64] zeroed : () -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
//--- memory.mlir
gpu.module @some {
  gpu.func @some(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %v = memref.load %x[%t] : memref<?xf32>
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %r:2 = scf.while (%a = %zero, %b = %v) : (f32, f32) -> (f32, f32) {
      %more = arith.cmpf olt, %a, %v : f32
      scf.condition(%more) %a, %b : f32, f32
    } do {
    ^bb0(%a: f32, %b: f32):
      %s, %p = gpu.shuffle xor %b, %one, %w : f32
      scf.yield %s, %s : f32, f32
    }
    memref.store %r#1, %x[%t] : memref<?xf32>
    gpu.return
  }
}
func.func @main() -> tensor<64xf32> {
  %0 = tx.kernel_call @some() grid <[1]> block [64] zeroed : () -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
//--- uniform.mlir
gpu.module @some {
  gpu.func @some(%x: memref<?xf32>, %n: index) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %v = memref.load %x[%t] : memref<?xf32>
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %b = gpu.block_id x
    // A branch that depends on the block and on an argument, and a loop inside of it that carries a number from a constant.
    %few = arith.cmpi ult, %b, %n : index
    %first = scf.if %few -> (f32) {
      %sum:2 = scf.while (%step = %w, %a = %v) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi ugt, %step, %one : i32
        scf.condition(%more) %step, %a : i32, f32
      } do {
      ^bb0(%step: i32, %a: f32):
        %half = arith.shrui %step, %one : i32
        %s, %p = gpu.shuffle xor %a, %half, %w : f32
        %next = arith.addf %a, %s : f32
        scf.yield %half, %next : i32, f32
      }
      scf.yield %sum#1 : f32
    } else {
      scf.yield %v : f32
    }
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %first) -> (f32) {
      %s, %p = gpu.shuffle down %a, %one, %w : f32
      scf.yield %s : f32
    }
    memref.store %r, %x[%t] : memref<?xf32>
    gpu.return
  }
}
func.func @main() -> tensor<64xf32> {
  %0 = tx.kernel_call @some() grid <[1]> block [64] scalars <[3]> zeroed : () -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
