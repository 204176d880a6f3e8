// Tiles of bytes and of tf32, and tiles of chips with wmma.
//
// RUN: %tensorc-opt %s --split-input-file --txk-expand-tiles=unit=mma16x8x16 | FileCheck %s --check-prefixes=CHECK,MMA
// RUN: sed '/^.. MMA ONLY/,$d' %s | %tensorc-opt --split-input-file --txk-expand-tiles=unit=mfma16x16x16 | FileCheck %s --check-prefixes=CHECK,MFMA
// RUN: sed '/^.. MMA ONLY/,$d' %s | %tensorc-opt --split-input-file --txk-expand-tiles=unit=wmma-rows | FileCheck %s --check-prefixes=CHECK,WMMA,ROWS
// RUN: sed '/^.. MMA ONLY/,$d' %s | %tensorc-opt --split-input-file --txk-expand-tiles=unit=wmma-half-rows | FileCheck %s --check-prefixes=CHECK,WMMA,HALF

// CHECK-LABEL: gpu.func @halves
// WMMA:        arith.remui %{{.*}}, %c32
// ROWS:        vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<16xbf16>
// ROWS:        vector.bitcast %{{.*}} : vector<16xbf16> to vector<8xi32>
// ROWS-COUNT-16: memref.load
// ROWS:        txk.amd.wmma bf16 {{.*}} : vector<8xi32>, vector<8xi32>, vector<8xf32>
// HALF:        vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xbf16>
// HALF-COUNT-8: memref.load
// HALF:        txk.amd.wmma bf16 {{.*}} : vector<4xi32>, vector<4xi32>, vector<8xf32>
// Element i of a sum is in row 2 i + l / 16, or in row i + 8 (l / 16).
// WMMA-COUNT-8: memref.store
// WMMA-NOT:    memref.store
gpu.module @kernels {
  gpu.func @halves()
      workgroup(%m: memref<2048xbf16, #gpu.address_space<workgroup>>,
                %p: memref<384xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %c0 = arith.constant 0 : index
    %zero = txk.tile_zero : !txk.fragment<sum, f32>
    %l = txk.tile_load %m[%c0] stride 40 : memref<2048xbf16, #gpu.address_space<workgroup>> -> !txk.fragment<left, bf16>
    %r = txk.tile_load %m[%c0] stride 72 mn_major : memref<2048xbf16, #gpu.address_space<workgroup>> -> !txk.fragment<right, bf16>
    %d = txk.tile_mma %l, %r, %zero : !txk.fragment<left, bf16>, !txk.fragment<right, bf16>, !txk.fragment<sum, f32>
    txk.tile_store %d, %p[%c0] stride 24 : !txk.fragment<sum, f32>, memref<384xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// 32 K steps of bytes: one instruction, or two of 16 steps.
// CHECK-LABEL: gpu.func @bytes
// MMA:         %[[L:.*]] = txk.nv.ldmatrix {{.*}} : memref<2048xi8
// MMA-COUNT-16: memref.load
// MMA:         vector.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
// MMA-COUNT-2: txk.nv.mma_bytes %[[L]], %{{.*}}, %{{.*}}
// MFMA:        vector.load {{.*}}, vector<8xi8>
// MFMA:        txk.amd.mfma_i8
// MFMA-NOT:    txk.amd.mfma_i8
// ROWS-COUNT-2: txk.amd.wmma i8 {{.*}} : vector<4xi32>, vector<4xi32>, vector<8xi32>
// HALF-COUNT-2: txk.amd.wmma i8 {{.*}} : vector<2xi32>, vector<2xi32>, vector<8xi32>
gpu.module @kernels {
  gpu.func @bytes()
      workgroup(%m: memref<2048xi8, #gpu.address_space<workgroup>>,
                %p: memref<384xi32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %c0 = arith.constant 0 : index
    %zero = txk.tile_zero : !txk.fragment<sum, i32>
    %l = txk.tile_load %m[%c0] stride 80 : memref<2048xi8, #gpu.address_space<workgroup>> -> !txk.fragment<left, i8>
    %r = txk.tile_load %m[%c0] stride 80 mn_major : memref<2048xi8, #gpu.address_space<workgroup>> -> !txk.fragment<right, i8>
    %d = txk.tile_mma %l, %r, %zero : !txk.fragment<left, i8>, !txk.fragment<right, i8>, !txk.fragment<sum, i32>
    txk.tile_store %d, %p[%c0] stride 24 : !txk.fragment<sum, i32>, memref<384xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// MMA ONLY
// -----

// 8 K steps of tf32, and an unsigned operand.
// MMA-LABEL: gpu.func @words
// MMA:         %[[L:.*]] = txk.nv.ldmatrix {{.*}} : memref<2048xf32
// MMA-COUNT-4: memref.load
// MMA:         vector.bitcast %{{.*}} : vector<4xf32> to vector<4xi32>
// MMA-COUNT-2: txk.nv.mma tf32 %[[L]]
// MMA:         txk.nv.mma_bytes {{.*}} {right_unsigned}
gpu.module @kernels {
  gpu.func @words()
      workgroup(%m: memref<2048xf32, #gpu.address_space<workgroup>>,
                %b: memref<2048xi8, #gpu.address_space<workgroup>>,
                %p: memref<384xf32, #gpu.address_space<workgroup>>,
                %q: memref<384xi32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %c0 = arith.constant 0 : index
    %zero = txk.tile_zero : !txk.fragment<sum, f32>
    %l = txk.tile_load %m[%c0] stride 20 : memref<2048xf32, #gpu.address_space<workgroup>> -> !txk.fragment<left, tf32>
    %r = txk.tile_load %m[%c0] stride 68 mn_major : memref<2048xf32, #gpu.address_space<workgroup>> -> !txk.fragment<right, tf32>
    %d = txk.tile_mma %l, %r, %zero : !txk.fragment<left, tf32>, !txk.fragment<right, tf32>, !txk.fragment<sum, f32>
    txk.tile_store %d, %p[%c0] stride 24 : !txk.fragment<sum, f32>, memref<384xf32, #gpu.address_space<workgroup>>
    %none = txk.tile_zero : !txk.fragment<sum, i32>
    %s = txk.tile_load %b[%c0] stride 80 : memref<2048xi8, #gpu.address_space<workgroup>> -> !txk.fragment<left, i8>
    %u = txk.tile_load %b[%c0] stride 80 : memref<2048xi8, #gpu.address_space<workgroup>> -> !txk.fragment<right, ui8>
    %e = txk.tile_mma %s, %u, %none : !txk.fragment<left, i8>, !txk.fragment<right, ui8>, !txk.fragment<sum, i32>
    txk.tile_store %e, %q[%c0] stride 24 : !txk.fragment<sum, i32>, memref<384xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
