// The sums that a lane holds become a left operand of the next product without moving.
//
// RUN: %tensorc-opt %s --txk-expand-tiles=unit=mma16x8x16 | FileCheck %s
// RUN: %exits 1 %tensorc-opt %s --txk-expand-tiles=unit=mfma16x16x16 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'txk.tile_elements' op needs a target with another layout of sums

// CHECK-LABEL: gpu.func @chained
// CHECK:      %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK:      %[[D1:.*]] = vector.shuffle %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[W:.*]] = txk.fast_exp2 %[[D1]] : vector<8xf32>
// CHECK-NEXT: %[[L:.*]] = txk.nv.narrow bf16 %[[W]] : vector<8xf32>
// CHECK:      txk.nv.mma bf16 %[[L]]
// CHECK:      txk.nv.mma bf16 %[[L]]
// CHECK-NOT:  txk.tile
gpu.module @kernels {
  gpu.func @chained()
      workgroup(%m: memref<2048xbf16, #gpu.address_space<workgroup>>,
                %p: memref<384xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
    %c0 = arith.constant 0 : index
    %zero = txk.tile_zero : !txk.fragment<sum, f32>
    %l = txk.tile_load %m[%c0] stride 40 : memref<2048xbf16, #gpu.address_space<workgroup>> -> !txk.fragment<left, bf16>
    %r = txk.tile_load %m[%c0] stride 72 mn_major : memref<2048xbf16, #gpu.address_space<workgroup>> -> !txk.fragment<right, bf16>
    %d = txk.tile_mma %l, %r, %zero : !txk.fragment<left, bf16>, !txk.fragment<right, bf16>, !txk.fragment<sum, f32>
    %e = txk.tile_elements %d : !txk.fragment<sum, f32> -> vector<8xf32>
    %w = txk.fast_exp2 %e : vector<8xf32>
    %n = txk.tile_narrow %w : vector<8xf32> -> !txk.fragment<left, bf16>
    %s = txk.tile_of_elements %w : vector<8xf32> -> !txk.fragment<sum, f32>
    %f = txk.tile_mma %n, %r, %s : !txk.fragment<left, bf16>, !txk.fragment<right, bf16>, !txk.fragment<sum, f32>
    txk.tile_store %f, %p[%c0] stride 24 : !txk.fragment<sum, f32>, memref<384xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
