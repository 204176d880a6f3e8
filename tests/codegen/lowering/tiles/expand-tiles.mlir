// Tiles become the registers and instructions of a chip, also those that loops carry.
//
// RUN: %tensorc-opt %s --split-input-file --txk-expand-tiles=unit=mma16x8x16 | FileCheck %s --check-prefix=MMA
// RUN: %tensorc-opt %s --split-input-file --txk-expand-tiles=unit=mfma16x16x16 | FileCheck %s --check-prefix=MFMA
// RUN: %exits 1 %tensorc-opt %s --split-input-file --txk-expand-tiles 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'txk.tile_zero' op needs a target that multiplies matrices

// MMA-LABEL: gpu.func @product
// MMA:       %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// MMA:       arith.constant dense<0.000000e+00> : vector<8xf32>
// MMA:       scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<8xf32>)
// MMA:       %[[LEFT:.*]] = txk.nv.ldmatrix %{{.*}}[%{{.*}}] : memref<2048xbf16
// MMA:       %[[RIGHT:.*]] = txk.nv.ldmatrix %{{.*}}[%{{.*}}] trans : memref<2048xbf16
// MMA:       %[[R0:.*]] = vector.shuffle %[[RIGHT]], %[[RIGHT]] [0, 1]
// MMA:       %[[S0:.*]] = vector.shuffle %[[SUM]], %[[SUM]] [0, 1, 2, 3]
// MMA:       %[[D0:.*]] = txk.nv.mma bf16 %[[LEFT]], %[[R0]], %[[S0]]
// MMA:       %[[D1:.*]] = txk.nv.mma bf16 %[[LEFT]]
// MMA:       vector.shuffle %[[D0]], %[[D1]] [0, 1, 2, 3, 4, 5, 6, 7]
// MMA-COUNT-4: vector.store {{.*}} {alignment = 8 : i64} : {{.*}}, vector<2xf32>
// MMA-NOT:   txk.tile

// MFMA-LABEL: gpu.func @product
// MFMA:      arith.remui %{{.*}}, %c64
// MFMA:      scf.for {{.*}} -> (vector<4xf32>)
// MFMA:      vector.load {{.*}} {alignment = 8 : i64} : {{.*}}, vector<4xbf16>
// MFMA:      %[[LEFT:.*]] = vector.bitcast %{{.*}} : vector<4xbf16> to vector<2xi32>
// MFMA-COUNT-4: memref.load
// MFMA:      %[[RIGHT:.*]] = vector.bitcast %{{.*}} : vector<4xbf16> to vector<2xi32>
// MFMA:      txk.amd.mfma bf16 %[[LEFT]], %[[RIGHT]]
// MFMA-COUNT-4: memref.store
// MFMA-NOT:  txk.tile
gpu.module @kernels {
  gpu.func @product()
      workgroup(%m: memref<2048xbf16, #gpu.address_space<workgroup>>,
                %p: memref<384xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = txk.tile_zero : !txk.fragment<sum, f32>
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %zero) -> (!txk.fragment<sum, f32>) {
      %l = txk.tile_load %m[%k] stride 40 : memref<2048xbf16, #gpu.address_space<workgroup>> -> !txk.fragment<left, bf16>
      %r = txk.tile_load %m[%k] stride 72 mn_major : memref<2048xbf16, #gpu.address_space<workgroup>> -> !txk.fragment<right, bf16>
      %d = txk.tile_mma %l, %r, %s : !txk.fragment<left, bf16>, !txk.fragment<right, bf16>, !txk.fragment<sum, f32>
      scf.yield %d : !txk.fragment<sum, f32>
    }
    txk.tile_store %sum, %p[%c0] stride 24 : !txk.fragment<sum, f32>, memref<384xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// A lane multiplies its registers by the numbers of the rows they belong to.
//
// MMA-LABEL: gpu.func @scaled
// MMA:       %[[LOW:.*]] = memref.load
// MMA:       %[[HIGH:.*]] = memref.load
// MMA:       %[[F:.*]] = vector.from_elements %[[LOW]], %[[LOW]], %[[HIGH]], %[[HIGH]], %[[LOW]], %[[LOW]], %[[HIGH]], %[[HIGH]]
// MMA:       arith.mulf %{{.*}}, %[[F]] : vector<8xf32>

// MFMA-LABEL: gpu.func @scaled
// MFMA:      %[[F:.*]] = vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// MFMA:      arith.mulf %{{.*}}, %[[F]] : vector<4xf32>
gpu.module @kernels {
  gpu.func @scaled()
      workgroup(%rows: memref<64xf32, #gpu.address_space<workgroup>>,
                %p: memref<384xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = txk.tile_zero : !txk.fragment<sum, f32>
    %t = txk.tile_scale %zero, %rows[%c16] : !txk.fragment<sum, f32>, memref<64xf32, #gpu.address_space<workgroup>>
    txk.tile_store %t, %p[%c0] stride 24 : !txk.fragment<sum, f32>, memref<384xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
