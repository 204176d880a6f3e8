// Grids that a GPU does not take are refused before the driver sees them.
// RUN: %exits 1 %fake_gpus %tensorc run %s --entry=blocks --device=cuda:0 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: %exits 1 %fake_gpus %tensorc run %s --entry=threads --device=rocm:0 2>&1 | FileCheck %s --check-prefix=THREADS
// BLOCKS: error: cuda:0: kernel 'nothing'{{.*}} has a grid of 4294967296 x 1 x 1 blocks of 32 x 1 x 1 threads; the device takes at most 2147483647 x 65535 x 65535 blocks
// THREADS: error: rocm:0: kernel 'nothing'{{.*}} has a grid of 4194304 x 1 x 1 blocks of 1024 x 1 x 1 threads; the device takes at most 2147483647 x 65535 x 65535 blocks and 4294967295 threads along a dim

gpu.module @nothing {
  gpu.func @nothing(%y: memref<?xf32>) kernel {
    gpu.return
  }
}

func.func @blocks() -> tensor<4xf32> {
  %y = tx.kernel_call @nothing() grid <[65536, 65536]> block [32] zeroed : () -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @threads() -> tensor<4xf32> {
  %y = tx.kernel_call @nothing() grid <[4194304]> block [1024] zeroed : () -> tensor<4xf32>
  return %y : tensor<4xf32>
}
