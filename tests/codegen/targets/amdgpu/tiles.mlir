// Contractions in tiles: mfma or wmma, its metadata, and no registers in memory.
// RUN: %tensorc compile %s --target=rocm:gfx90a --emit=hsaco -o %t.90a
// RUN: llvm-objdump -d %t.90a | FileCheck %s --check-prefixes=CODE,GFX90A
// RUN: llvm-objdump -d %t.90a | FileCheck %s --check-prefix=HALF90A
// RUN: llvm-readobj --notes %t.90a | FileCheck %s --check-prefix=NOTES
// RUN: %tensorc compile %s --target=rocm:gfx942 --emit=hsaco -o %t.942
// RUN: llvm-objdump -d %t.942 | FileCheck %s --check-prefixes=CODE,GFX942
// RUN: llvm-objdump -d %t.942 | FileCheck %s --check-prefix=HALF942
// RUN: llvm-readobj --notes %t.942 | FileCheck %s --check-prefix=NOTES
// RUN: %tensorc compile %s --target=rocm:gfx1100 --emit=asm | FileCheck %s --check-prefixes=WMMA,ROWS
// RUN: %tensorc compile %s --target=rocm:gfx1200 --emit=asm | FileCheck %s --check-prefixes=WMMA,HALF
// RUN: %tensorc compile %s --target=rocm:gfx1100-wmma --emit=asm | FileCheck %s --check-prefix=PLAIN
// CODE:   global_load_dwordx4
// CODE:   ds_write_b128
// CODE:   s_barrier
// CODE:   ds_read
// GFX90A: v_mfma_f32_16x16x16bf16_1k
// GFX942: v_mfma_f32_16x16x16_bf16
// HALF90A: v_mfma_f32_16x16x16f16
// HALF942: v_mfma_f32_16x16x16_f16
// NOTES:  .agpr_count
// NOTES:  .group_segment_fixed_size: 19456
// NOTES:  .max_flat_workgroup_size: 128
// NOTES:  .private_segment_fixed_size: 0
// NOTES:  .vgpr_spill_count: 0
// NOTES:  .wavefront_size: 64
// ROWS-DAG: v_wmma_f32_16x16x16_bf16 v[{{[0-9]+:[0-9]+}}], v[{{[0-9]+:[0-9]+}}]
// ROWS-DAG: v_wmma_f32_16x16x16_f16
// HALF-DAG: v_wmma_f32_16x16x16_bf16
// HALF-DAG: v_wmma_f32_16x16x16_f16
// WMMA: .vgpr_spill_count: 0
// PLAIN-NOT: wmma
func.func @main(%x: tensor<70x64xbf16>, %y: tensor<64x72xbf16>, %z: tensor<70x64xf16>, %w: tensor<64x72xf16>) -> (tensor<70x72xbf16>, tensor<70x72xf16>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<70x64xbf16>, tensor<64x72xbf16>) -> tensor<70x72xbf16>
  %1 = tx.dot_general %z, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<70x64xf16>, tensor<64x72xf16>) -> tensor<70x72xf16>
  return %0, %1 : tensor<70x72xbf16>, tensor<70x72xf16>
}
