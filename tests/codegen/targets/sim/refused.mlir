// What cannot be simulated is said where it is.
//
// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics --sim-convert-simt-to-host=shared-memory-bytes=1024

gpu.module @kernels {
  // expected-error @below {{needs known_block_size = array<i32: N, 1, 1> to be simulated}}
  gpu.func @no_size(%x: memref<?xf32>) kernel attributes {txk.kernel} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{needs 2048 bytes of workgroup memory; the target has 1024}}
  gpu.func @large(%x: memref<?xf32>) workgroup(%s: memref<512xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @other(%x: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
    // expected-error @below {{cannot be simulated}}
    gpu.printf "hello"
    gpu.return
  }
}
