// What SPIR-V lacks is refused at the user's line.
// RUN: split-file %s %t
// RUN: not %tensorc compile %t/alloca.mlir --target=opencl --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=ALLOCA
// RUN: not %tensorc compile %t/wide.mlir --target=vulkan --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %tensorc compile %t/wide.mlir --target=opencl --emit=spirv -o %t.spv
// RUN: not %tensorc compile %t/odd.mlir --target=vulkan --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not %tensorc compile %t/power.mlir --target=opencl --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not %tensorc compile %t/branch.mlir --target=opencl --emit=spirv -o %t.spv 2>&1 | FileCheck %s --check-prefix=BRANCH

// ALLOCA: alloca.mlir:6:10: error: failed to legalize operation 'memref.alloca'
// WIDE: wide.mlir:6:10: error: {{.*}}'vector.load'
// ODD: odd.mlir:7:10: error: {{.*}}'arith.extsi'
// POWER: power.mlir:8:10: error: {{.*}}'math.fpowi'
// BRANCH: branch.mlir:7:5: error: {{.*}}'cf.cond_br'
//--- alloca.mlir
gpu.module @mine {
  gpu.func @mine(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloca() : memref<4xf32>
    %v = memref.load %a[%c0] : memref<4xf32>
    memref.store %v, %x[%t] : memref<?xf32>
    gpu.return
  }
}
func.func @main() -> tensor<64xf32> {
  %0 = tx.kernel_call @mine() grid <[1]> block [64] zeroed : () -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
//--- wide.mlir
gpu.module @mine {
  gpu.func @mine(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = vector.load %x[%t] : memref<?xf32>, vector<8xf32>
    %w = arith.addf %v, %v : vector<8xf32>
    vector.store %w, %x[%t] : memref<?xf32>, vector<8xf32>
    gpu.return
  }
}
func.func @main() -> tensor<64xf32> {
  %0 = tx.kernel_call @mine() grid <[1]> block [64] zeroed : () -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
//--- odd.mlir
gpu.module @mine {
  gpu.func @mine(%x: memref<?xi32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %x[%t] : memref<?xi32>
    %n = arith.extsi %v : i32 to i128
    %m = arith.muli %n, %n : i128
    %w = arith.trunci %m : i128 to i32
    memref.store %w, %x[%t] : memref<?xi32>
    gpu.return
  }
}
func.func @main() -> tensor<64xi32> {
  %0 = tx.kernel_call @mine() grid <[1]> block [64] zeroed : () -> tensor<64xi32>
  return %0 : tensor<64xi32>
}
//--- power.mlir
gpu.module @mine {
  gpu.func @mine(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %x[%t] : memref<?xf32>
    %n = arith.constant 3 : i32
    %m = math.fpowi %v, %n : f32, i32
    memref.store %m, %x[%t] : memref<?xf32>
    gpu.return
  }
}
func.func @main() -> tensor<64xf32> {
  %0 = tx.kernel_call @mine() grid <[1]> block [64] zeroed : () -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
//--- branch.mlir
gpu.module @mine {
  gpu.func @mine(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %few = arith.cmpi ult, %t, %c1 : index
    cf.cond_br %few, ^store, ^end
  ^store:
    %v = memref.load %x[%t] : memref<?xf32>
    memref.store %v, %x[%t] : memref<?xf32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
func.func @main() -> tensor<64xf32> {
  %0 = tx.kernel_call @mine() grid <[1]> block [64] zeroed : () -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
