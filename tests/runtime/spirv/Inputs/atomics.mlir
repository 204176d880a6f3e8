// Atomics of a kernel of the user's own: native ones, and those by compare-and-swap.

gpu.module @count {
  gpu.func @count(%x: memref<?xi32>, %counts: memref<?xi32>, %most: memref<?xi32>, %sums: memref<?xf32>, %products: memref<?xf32>)
      workgroup(%shared: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 5.0e-01 : f32
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %first = arith.muli %block, %c64 : index
    %i = arith.addi %first, %t : index
    %v = memref.load %x[%i] : memref<?xi32>
    %k = arith.remui %i, %c4 : index
    %few = arith.cmpi ult, %t, %c4 : index
    scf.if %few {
      memref.store %zero, %shared[%t] : memref<4xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %a = memref.atomic_rmw addi %one, %shared[%k] : (i32, memref<4xi32, #gpu.address_space<workgroup>>) -> i32
    %b = memref.atomic_rmw maxs %v, %most[%k] : (i32, memref<?xi32>) -> i32
    %c = memref.atomic_rmw addf %half, %sums[%k] : (f32, memref<?xf32>) -> f32
    %d = memref.generic_atomic_rmw %products[%k] : memref<?xf32> {
    ^bb0(%old: f32):
      %next = arith.addf %old, %half : f32
      %more = arith.maximumf %next, %half : f32
      memref.atomic_yield %more : f32
    }
    gpu.barrier
    scf.if %few {
      %s = memref.load %shared[%t] : memref<4xi32, #gpu.address_space<workgroup>>
      %e = memref.atomic_rmw addi %s, %counts[%t] : (i32, memref<?xi32>) -> i32
    }
    gpu.return
  }
}

func.func @main() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %x = tx.iota dim = 0 : tensor<256xi32>
  %r:4 = tx.kernel_call @count(%x) grid <[4]> block [64] zeroed
      : (tensor<256xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}
