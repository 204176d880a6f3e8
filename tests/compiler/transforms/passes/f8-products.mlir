// Products of 8-bit floats are multiplied in bf16 by targets that have instructions for it, and in f32 by others.
//
// RUN: sed s/TARGET/cuda:sm_80/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: sed s/TARGET/rocm:gfx942/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: sed s/TARGET/cpu:x86-64-amx/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: sed s/TARGET/cuda:sm_75/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,F32
// RUN: sed s/TARGET/cpu:x86-64-v3/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,F32
//
// The conversions are fused into the product, which is on tiles.
// RUN: sed s/TARGET/cuda:sm_80/ %s > %t.mlir
// RUN: %tensorc compile %t.mlir --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=TILES
// TILES-COUNT-1: gpu.func
// TILES: arith.extf {{.*}} : vector<8xf8E4M3FN> to vector<8xf32>
// TILES: txk.tile_mma {{.*}} !txk.fragment<left, bf16>
// TILES-NOT: gpu.func

module attributes {tx.target = "TARGET"} {
// CHECK-LABEL: func.func @mixed(
// BF16:        %[[X:.*]] = tx.convert %{{.*}} : tensor<64x64xf8E4M3FN> -> tensor<64x64xbf16>
// BF16:        %[[Y:.*]] = tx.convert %{{.*}} : tensor<64x64xf8E5M2> -> tensor<64x64xbf16>
// BF16:        tx.dot_general %[[X]], %[[Y]] {{.*}} : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32>
// F32:         %[[X:.*]] = tx.convert %{{.*}} : tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
// F32:         %[[Y:.*]] = tx.convert %{{.*}} : tensor<64x64xf8E5M2> -> tensor<64x64xf32>
// F32:         tx.dot_general %[[X]], %[[Y]] {{.*}} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @mixed(%x: tensor<64x64xf8E4M3FN>, %y: tensor<64x64xf8E5M2>) -> tensor<64x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf8E4M3FN>, tensor<64x64xf8E5M2>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
}
