// The linked code object: what the driver reads of a kernel, and that nothing is left to a library.
// RUN: %tensorc compile %s --start-from=emit --target=rocm:gfx90a --emit=hsaco -o %t.90a
// RUN: llvm-readobj --file-headers --notes --dyn-symbols %t.90a | FileCheck %s --check-prefixes=CHECK,CDNA -DCHIP=gfx90a
// RUN: %tensorc compile %s --start-from=emit --target=rocm:gfx942 --emit=hsaco -o %t.942
// RUN: llvm-readobj --file-headers --notes --dyn-symbols %t.942 | FileCheck %s --check-prefixes=CHECK,CDNA -DCHIP=gfx942
// RUN: %tensorc compile %s --start-from=emit --target=rocm:gfx1100 --emit=hsaco -o %t.1100
// RUN: llvm-readobj --file-headers --notes --dyn-symbols %t.1100 | FileCheck %s --check-prefixes=CHECK,RDNA -DCHIP=gfx1100
// RUN: llvm-objdump -d %t.942 | FileCheck %s --check-prefix=CODE
// RUN: %tensorc compile %s --start-from=emit --target=rocm:gfx942 --emit=asm | FileCheck %s --check-prefix=CODE
// RUN: %tensorc compile %s --start-from=emit --target=rocm:gfx942 --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: %exits 1 %tensorc compile %s --start-from=emit --target=rocm:gfx942 --emit=ptx 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: tensorc: error: --emit=ptx is not available for the target rocm:gfx942

// CHECK: Format: elf64-amdgpu
// CHECK: Type: SharedObject
// CHECK: Name: row.kd
// CHECK: .actual_access: read_only
// CHECK: .size: 8
// CHECK: .value_kind: global_buffer
// CHECK: .offset: 16
// CHECK-NEXT: .size: 1
// CHECK: .value_kind: by_value
// CHECK: .offset: 24
// CHECK-NEXT: .size: 8
// No hidden arguments behind ours.
// CHECK: .group_segment_fixed_size: 256
// CHECK: .kernarg_segment_size: 32
// CHECK: .max_flat_workgroup_size: 256
// CHECK: .name: row
// CHECK: .private_segment_fixed_size: 0
// CHECK: .reqd_workgroup_size:
// CHECK-NEXT: - 256
// CDNA: .wavefront_size: 64
// RDNA: .wavefront_size: 32
// CHECK: amdhsa.target: amdgcn-amd-amdhsa--[[CHIP]]
// CODE: {{global|flat}}_load_dwordx4
// CODE: s_barrier
// CODE: ds_bpermute_b32
// CODE: global_atomic_add_f32
// LLVM: target triple = "amdgcn-amd-amdhsa"
// LLVM: define amdgpu_kernel void @row(ptr addrspace(1) noalias nonnull readonly align 64 %0,

gpu.module @kernels {
  gpu.func @row(%x: memref<?xf32> {llvm.noalias}, %y: memref<?xf32> {llvm.noalias}, %flag: i1, %n: i64)
      workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c63 = arith.constant 63 : index
    %i = arith.muli %t, %c4 : index
    %v = vector.load %x[%i] : memref<?xf32>, vector<4xf32>
    %a = vector.reduction <add>, %v : vector<4xf32> into f32
    %b = arith.select %flag, %a, %a : f32
    %m = arith.index_cast %n : i64 to index
    %l = arith.andi %t, %c63 : index
    memref.store %b, %w[%l] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c63, %l : index
    %z = memref.load %w[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    %one = arith.constant 1 : i32
    %wave = arith.constant 32 : i32
    %s, %valid = gpu.shuffle xor %z, %one, %wave : f32
    %j = arith.addi %t, %m : index
    %old = memref.atomic_rmw addf %s, %y[%j] : (f32, memref<?xf32>) -> f32
    gpu.return
  }
}
