// Calls that do not fit their kernel.
// RUN: %tensorc-opt %s --tx-emit-program --split-input-file --verify-diagnostics

module attributes {tx.target = "sim"} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{nowhere: the kernel is not defined}}
    %y = tx.kernel_call @nowhere(%x) grid <[1]> block [4] : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{main: the kernel is not a gpu.module}}
    %y = tx.kernel_call @main(%x) grid <[1]> block [4] : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "cpu"} {
  gpu.module @k { gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>) kernel { gpu.return } }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{k: the kernel is for GPUs, not for cpu}}
    %y = tx.kernel_call @k(%x) grid <[1]> block [4] : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  gpu.module @k { gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>) kernel { gpu.return } }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{k: needs a block: neither the call nor known_block_size says how many threads}}
    %y = tx.kernel_call @k(%x) grid <[1]> : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  gpu.module @k {
    // expected-error@+1 {{has another known_block_size than its call}}
    gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} { gpu.return }
  }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = tx.kernel_call @k(%x) grid <[1]> block [4] : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  gpu.module @k { gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>) kernel { gpu.return } }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{k: the kernel takes 2 arguments, the call gives 1 inputs, 1 outputs and 1 scalars}}
    %y = tx.kernel_call @k(%x) grid <[1]> block [4] scalars <[4]> : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  gpu.module @k { gpu.func @k(%x: memref<?xi32>, %y: memref<?xf32>) kernel { gpu.return } }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{k: the kernel takes 'memref<?xi32>' as argument 0, the call gives a buffer of 'f32'}}
    %y = tx.kernel_call @k(%x) grid <[1]> block [4] : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  gpu.module @k { gpu.func @k(%x: memref<?x?xf32>, %y: memref<?xf32>) kernel { gpu.return } }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{k: the kernel takes 'memref<?x?xf32>' as argument 0; a buffer has one dim, or a static shape}}
    %y = tx.kernel_call @k(%x) grid <[1]> block [4] : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  gpu.module @k { gpu.func @k(%y: memref<?xf32>, %s: f32) kernel { gpu.return } }
  func.func @main() -> tensor<4xf32> {
    // expected-error@+1 {{k: the kernel takes 'f32' as argument 1, the call gives an integer}}
    %y = tx.kernel_call @k() grid <[1]> block [4] scalars <[4]> : () -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  gpu.module @k { gpu.func @k(%y: memref<?xf32>) kernel { gpu.return } }
  func.func @main() -> tensor<4xf32> {
    // expected-error@+1 {{nothing gives the size "n"}}
    %y = tx.kernel_call @k() grid <[n]> block [4] : () -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
module attributes {tx.target = "sim"} {
  gpu.module @k {
    gpu.func @k(%y: memref<?xf32>) kernel {
      // expected-error@+1 {{along z is not known to a kernel: pass it as a scalar}}
      %z = gpu.grid_dim z
      gpu.return
    }
  }
  func.func @main() -> tensor<4xf32> {
    %y = tx.kernel_call @k() grid <[1]> block [4] : () -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----
func.func @main() -> tensor<4xf32> {
  // expected-error@+1 {{has a grid of 4 dims, not of 1 to 3}}
  %y = tx.kernel_call @k() grid <[1, 1, 1, 1]> block [4] : () -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----
func.func @main() -> tensor<4xf32> {
  // expected-error@+1 {{has a block of more than 1024 threads}}
  %y = tx.kernel_call @k() grid <[1]> block [64, 64] : () -> tensor<4xf32>
  return %y : tensor<4xf32>
}
