// Contractions of bytes. gfx90a multiplies 16 K steps at a time.
// RUN: %tensorc compile %s --target=rocm:gfx90a --emit=asm | FileCheck %s --check-prefixes=CHECK,GFX90A
// RUN: %tensorc compile %s --target=rocm:gfx942 --emit=asm | FileCheck %s --check-prefixes=CHECK,GFX942
// RUN: %tensorc compile %s --target=rocm:gfx950 --emit=asm | FileCheck %s --check-prefixes=CHECK,GFX942
// RUN: %tensorc compile %s --target=rocm:gfx1100 --emit=asm | FileCheck %s --check-prefixes=CHECK,WMMA
// RUN: %tensorc compile %s --target=rocm:gfx1200 --emit=asm | FileCheck %s --check-prefixes=CHECK,WMMA
// GFX90A: v_mfma_i32_16x16x16i8
// GFX942: v_mfma_i32_16x16x32_i8
// WMMA:   v_wmma_i32_16x16x16_iu8 {{.*}} neg_lo:[1,1,0]
// CHECK:  .vgpr_spill_count: 0
func.func @main(%x: tensor<70x128xi8>, %y: tensor<72x128xi8>) -> tensor<70x72xi32> {
  %a = tx.convert %x : tensor<70x128xi8> -> tensor<70x128xi32>
  %b = tx.convert %y : tensor<72x128xi8> -> tensor<72x128xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1]
       : (tensor<70x128xi32>, tensor<72x128xi32>) -> tensor<70x72xi32>
  return %0 : tensor<70x72xi32>
}
