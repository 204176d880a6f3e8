// What a kernel is in PTX: wide loads past the caches, constant block size, no contraction, no call.
// RUN: %tensorc compile %s --start-from=emit --target=cuda:sm_80 --emit=ptx | FileCheck %s
// RUN: %tensorc compile %s --start-from=emit --target=cuda:sm_90a --emit=ptx | FileCheck %s --check-prefix=HOPPER
// RUN: %tensorc compile %s --start-from=emit --target=cuda:sm_75 --emit=ptx -O0 | FileCheck %s --check-prefix=TURING
// RUN: %tensorc compile %s --start-from=emit --target=cuda:sm_80 --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: %exits 1 env PATH= CUDA_PATH= CUDA_HOME= %tensorc compile %s --start-from=emit --target=cuda:sm_80 --emit=cubin -o %t.cubin 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not ls %t.cubin
// RUN: %exits 1 %tensorc compile %s --start-from=emit --target=cuda:sm_80 --emit=hsaco 2>&1 | FileCheck %s --check-prefix=HSACO
// MISSING: tensorc: error: ptxas, which makes a cubin, is neither in PATH nor in CUDA_PATH
// HSACO: tensorc: error: --emit=hsaco is not available for the target cuda:sm_80

// HOPPER: .version 8.0
// HOPPER: .target sm_90a
// TURING: .version 6.3
// TURING: .target sm_75
// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define ptx_kernel void @row(ptr addrspace(1) noalias nonnull readonly align 64 %0,

gpu.module @kernels {
  // CHECK: .version 7.0
  // CHECK: .target sm_80
  // CHECK: .visible .entry row(
  // CHECK: .param .u64 .ptr .global .align 64 row_param_0,
  // CHECK: .param .u8 row_param_2
  // CHECK: .reqntid 256, 1, 1
  // CHECK: .shared .align 64 .b8 row_shared0[128];
  // CHECK: ld.global.nc.v4.b32
  // CHECK: mul.rn.f32
  // CHECK: add.rn.f32
  // CHECK-NOT: fma
  // CHECK: st.shared.b32
  // CHECK: bar.sync 0;
  // CHECK: shfl.sync.bfly.b32
  // CHECK-NOT: call
  // CHECK: atom.global.add.f32
  gpu.func @row(%x: memref<?xf32> {llvm.noalias}, %y: memref<?xf32> {llvm.noalias}, %flag: i1)
      workgroup(%w: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c31 = arith.constant 31 : index
    %i = arith.muli %t, %c4 : index
    // 16 bytes need not be promised: the buffer's alignment and the index tell.
    %v = vector.load %x[%i] : memref<?xf32>, vector<4xf32>
    %a = vector.extract %v[0] : f32 from vector<4xf32>
    %b = vector.extract %v[1] : f32 from vector<4xf32>
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %b : f32
    %r = arith.select %flag, %q, %a : f32
    %l = arith.andi %t, %c31 : index
    memref.store %r, %w[%l] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = memref.load %w[%l] : memref<32xf32, #gpu.address_space<workgroup>>
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %s, %valid = gpu.shuffle xor %z, %one, %warp : f32
    %old = memref.atomic_rmw addf %s, %y[%t] : (f32, memref<?xf32>) -> f32
    gpu.return
  }
}
