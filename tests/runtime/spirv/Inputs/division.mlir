// Signed division by kernels of the user's own: the remainder and the quotients that are rounded up and down.

gpu.module @i8 {
  gpu.func @i8(%x: memref<?xi8>, %y: memref<?xi8>, %rest: memref<?xi8>, %up: memref<?xi8>, %down: memref<?xi8>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<?xi8>
    %b = memref.load %y[%i] : memref<?xi8>
    %r = arith.remsi %a, %b : i8
    memref.store %r, %rest[%i] : memref<?xi8>
    %u = arith.ceildivsi %a, %b : i8
    memref.store %u, %up[%i] : memref<?xi8>
    %d = arith.floordivsi %a, %b : i8
    memref.store %d, %down[%i] : memref<?xi8>
    gpu.return
  }
}

gpu.module @i32 {
  gpu.func @i32(%x: memref<?xi32>, %y: memref<?xi32>, %rest: memref<?xi32>, %up: memref<?xi32>, %down: memref<?xi32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<?xi32>
    %b = memref.load %y[%i] : memref<?xi32>
    %r = arith.remsi %a, %b : i32
    memref.store %r, %rest[%i] : memref<?xi32>
    %u = arith.ceildivsi %a, %b : i32
    memref.store %u, %up[%i] : memref<?xi32>
    %d = arith.floordivsi %a, %b : i32
    memref.store %d, %down[%i] : memref<?xi32>
    gpu.return
  }
}

gpu.module @i64 {
  gpu.func @i64(%x: memref<?xi64>, %y: memref<?xi64>, %rest: memref<?xi64>, %up: memref<?xi64>, %down: memref<?xi64>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<?xi64>
    %b = memref.load %y[%i] : memref<?xi64>
    %r = arith.remsi %a, %b : i64
    memref.store %r, %rest[%i] : memref<?xi64>
    %u = arith.ceildivsi %a, %b : i64
    memref.store %u, %up[%i] : memref<?xi64>
    %d = arith.floordivsi %a, %b : i64
    memref.store %d, %down[%i] : memref<?xi64>
    gpu.return
  }
}

func.func @main() -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) {
  %x_i8 = tx.constant dense<[-128, -127, -7, -1, 0, 7, 127, -128]> : tensor<8xi8>
  %y_i8 = tx.constant dense<[3, -3, 2, 5, -4, -4, 10, -128]> : tensor<8xi8>
  %i8:3 = tx.kernel_call @i8(%x_i8, %y_i8) grid <[1]> block [8]
      : (tensor<8xi8>, tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>)
  %x_i32 = tx.constant dense<[-2147483648, -2147483647, -7, -1, 0, 7, 2147483647, -2147483648]> : tensor<8xi32>
  %y_i32 = tx.constant dense<[3, -3, 2, 5, -4, -4, 10, -128]> : tensor<8xi32>
  %i32:3 = tx.kernel_call @i32(%x_i32, %y_i32) grid <[1]> block [8]
      : (tensor<8xi32>, tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>)
  %x_i64 = tx.constant dense<[-9223372036854775808, -9223372036854775807, -7, -1, 0, 7, 9223372036854775807, -9223372036854775808]> : tensor<8xi64>
  %y_i64 = tx.constant dense<[3, -3, 2, 5, -4, -4, 10, -128]> : tensor<8xi64>
  %i64:3 = tx.kernel_call @i64(%x_i64, %y_i64) grid <[1]> block [8]
      : (tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
  return %i8#0, %i8#1, %i8#2, %i32#0, %i32#1, %i32#2, %i64#0, %i64#1, %i64#2
      : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>
}
