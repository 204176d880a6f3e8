// Kernels of the user's own with grids of two and three dims, whose sizes are passed to the kernel.

gpu.module @transpose {
  gpu.func @transpose(%x: memref<6x4xi32>, %y: memref<4x6xi32>) kernel {
    %i = gpu.global_id x
    %j = gpu.global_id y
    %v = memref.load %x[%i, %j] : memref<6x4xi32>
    memref.store %v, %y[%j, %i] : memref<4x6xi32>
    gpu.return
  }
}

gpu.module @number {
  gpu.func @number(%y: memref<?xi64>, %scale: index) kernel {
    %c10 = arith.constant 10 : index
    %i = gpu.block_id x
    %j = gpu.block_id y
    %k = gpu.block_id z
    %width = gpu.grid_dim x
    %height = gpu.grid_dim y
    %kj = arith.muli %k, %height : index
    %row = arith.addi %kj, %j : index
    %rows = arith.muli %row, %width : index
    %at = arith.addi %rows, %i : index
    %k10 = arith.muli %k, %c10 : index
    %k10j = arith.addi %k10, %j : index
    %kj10 = arith.muli %k10j, %c10 : index
    %kji = arith.addi %kj10, %i : index
    %scaled = arith.muli %kji, %scale : index
    %v = arith.index_cast %scaled : index to i64
    memref.store %v, %y[%at] : memref<?xi64>
    gpu.return
  }
}

func.func @main() -> (tensor<4x6xi32>, tensor<12xi64>) {
  %x = tx.iota dim = 0 : tensor<24xi32>
  %m = tx.reshape %x : tensor<24xi32> -> tensor<6x4xi32>
  %0 = tx.kernel_call @transpose(%m) grid <[3, 2]> block [2, 2] : (tensor<6x4xi32>) -> tensor<4x6xi32>
  %1 = tx.kernel_call @number() grid <[3, 2, 2]> block [1] scalars <[7]> : () -> tensor<12xi64>
  return %0, %1 : tensor<4x6xi32>, tensor<12xi64>
}
