//===- main.cpp - User-defined kernels among other operations -------------===//
//
//   TENSORC_DEVICE=sim build/bin/kernels
//
// Computes the root mean square of n numbers. A user-defined kernel computes
// one partial sum per block of 256 threads in shared memory. It is written in
// CUDA C++ for cuda devices, and as a gpu.func for all other devices, including
// the simulator.
//
//===----------------------------------------------------------------------===//

#include "tensorc/tensorc.hpp"

#include <iostream>

using namespace tensorc;

static const char *const cudaText = R"(
extern "C" __global__ void block_sums(const float *x, float *sums, int n) {
  __shared__ float shared[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  shared[t] = i < n ? x[i] : 0;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      shared[t] += shared[t + half];
  }
  if (t == 0)
    sums[blockIdx.x] = shared[0];
}
)";

static const char *const gpuText = R"(
gpu.module @sums {
  gpu.func @block_sums(%x: memref<?xf32>, %sums: memref<?xf32>, %n: i32)
      workgroup(%shared: memref<256xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %count = arith.index_cast %n : i32 to index
    %inside = arith.cmpi ult, %i, %count : index
    %v = scf.if %inside -> f32 {
      %element = memref.load %x[%i] : memref<?xf32>
      scf.yield %element : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %v, %shared[%t] : memref<256xf32, #gpu.address_space<workgroup>>
    %end = scf.while (%half = %c128) : (index) -> index {
      %more = arith.cmpi ugt, %half, %c0 : index
      scf.condition(%more) %half : index
    } do {
    ^bb0(%half: index):
      gpu.barrier
      %adds = arith.cmpi ult, %t, %half : index
      scf.if %adds {
        %other = arith.addi %t, %half : index
        %a = memref.load %shared[%t] : memref<256xf32, #gpu.address_space<workgroup>>
        %b = memref.load %shared[%other] : memref<256xf32, #gpu.address_space<workgroup>>
        %sum = arith.addf %a, %b : f32
        memref.store %sum, %shared[%t] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      %next = arith.shrui %half, %c1 : index
      scf.yield %next : index
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %block = gpu.block_id x
      %sum = memref.load %shared[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %sum, %sums[%block] : memref<?xf32>
    }
    gpu.return
  }
}
)";

static Kernel makeBlockSums() {
  KernelOptions options;
  options.inputs = {{f32, "n"}};
  options.outputs = {{f32, "n ceildiv 256"}};
  options.grid = "n ceildiv 256";
  options.block = {256};
  options.scalars = "n";
  bool isCuda = default_device().name.rfind("cuda", 0) == 0;
  return isCuda ? cuda_kernel(cudaText, "block_sums", options)
                : gpu_kernel(gpuText, "block_sums", options);
}

int main() {
  try {
    Kernel blockSums = makeBlockSums();
    for (int64_t n : {1000, 100000, 77777}) {
      Tensor x = sin(arange(n, f32));
      // A user-defined kernel between two kernels of tensorc, in one
      // evaluation.
      Tensor rms = sqrt(sum(blockSums({x * x})) / static_cast<float>(n));
      std::cout << "rms of " << n << " numbers: " << rms.item<float>() << "\n";
    }
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "kernels: " << error.what() << "\n";
    return 1;
  }
}
