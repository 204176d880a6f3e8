// Contractions in tiles of matrix instructions, where the target has them, the dtype is one of theirs, and sizes are worth it.
//
// RUN: %tensorc compile %s --entry=main --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefixes=CHECK,ASYNC
// RUN: %tensorc compile %s --entry=main --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefixes=CHECK,SYNC
// RUN: %tensorc compile %s --entry=main --target=cuda:sm_75 --stop-after=emit | FileCheck %s --check-prefix=PLAIN
// RUN: %tensorc compile %s --entry=main --target=rocm:gfx1100 --stop-after=emit | FileCheck %s --check-prefixes=CHECK,SYNC
// RUN: %tensorc compile %s --entry=main --target=rocm:gfx1100-wmma --stop-after=emit | FileCheck %s --check-prefix=PLAIN
// RUN: %tensorc compile %s --entry=few_steps --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=PLAIN
// RUN: %tensorc compile %s --entry=tiny --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=PLAIN
// RUN: %tensorc compile %s --entry=singles --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=PLAIN
// RUN: %tensorc compile %s --entry=odd --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=ODD
// RUN: %tensorc compile %s --entry=large --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=LARGE
// RUN: %tensorc compile %s --entry=large --target=rocm:gfx90a --stop-after=emit | FileCheck %s --check-prefix=LARGE64

// Slices of 64 x (32 + 8) and 32 x (64 + 8) elements of two bytes: three of each
// where copies run ahead, else two. The patch begins where they do.
// CHECK-LABEL: gpu.func @
// ASYNC-SAME:  memref<29184xi8, #gpu.address_space<workgroup>>
// SYNC-SAME:   memref<19456xi8, #gpu.address_space<workgroup>>
// CHECK-SAME:  known_block_size = array<i32: 128, 1, 1>
// CHECK:       %[[XS:.*]] = memref.view %[[SHARED:.*]][%c0][]
// CHECK:       %[[YS:.*]] = memref.view %[[SHARED]][
// CHECK:       %[[PATCH:.*]] = memref.view %[[SHARED]][%c0][] {{.*}} to memref<{{.*}}xf32
// What is multiplied by a scale is computed; y is copied where that is an
// instruction.
// CHECK:       arith.mulf
// CHECK:       vector.store {{.*}} %[[XS]]{{.*}}alignment = 16
// ASYNC:       txk.copy_async %{{.*}} to %[[YS]]
// ASYNC:       txk.copy_commit
// ASYNC:       txk.copy_commit
// SYNC:        vector.store {{.*}} %[[YS]]{{.*}}alignment = 16
// SYNC-NOT:    txk.copy
// One barrier for each slice, behind the wait for it.
// CHECK:       scf.for {{.*}} step %c32 iter_args(
// ASYNC-NEXT:  txk.copy_wait 1
// CHECK-NEXT:  gpu.barrier
// CHECK:       scf.if
// ASYNC:       txk.copy_commit
// CHECK-NOT:   gpu.barrier
// CHECK:       txk.tile_load %[[XS]]{{.*}} stride 40 : {{.*}} -> !txk.fragment<left, f16>
// CHECK:       txk.tile_load %[[YS]]{{.*}} stride 72 mn_major : {{.*}} -> !txk.fragment<right, f16>
// CHECK:       txk.tile_mma
// The epilogue, once, in a loop over rows of tiles.
// CHECK:       scf.for {{.*}} iter_args(
// CHECK-NEXT:  gpu.barrier
// CHECK:       txk.tile_store %{{.*}}, %[[PATCH]]
// CHECK:       gpu.barrier
// CHECK:       vector.load %[[PATCH]]{{.*}} : {{.*}}, vector<8xf32>
// CHECK:       math.tanh
// CHECK-NOT:   math.tanh
// CHECK:       gpu.return

// PLAIN-NOT: txk.tile
// PLAIN:     vector.fma
// PLAIN-NOT: txk.tile

func.func @main(%x: tensor<70x96xf16>, %s: tensor<96xf16>, %y: tensor<96x48xf16>, %b: tensor<48xf16>) -> tensor<70x48xf16> {
  %sb = tx.broadcast %s dims = [1] : tensor<96xf16> -> tensor<70x96xf16>
  %xs = tx.mul %x, %sb : tensor<70x96xf16>
  %0 = tx.dot_general %xs, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<70x96xf16>, tensor<96x48xf16>) -> tensor<70x48xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<48xf16> -> tensor<70x48xf16>
  %1 = tx.add %0, %bb : tensor<70x48xf16>
  %2 = tx.tanh %1 : tensor<70x48xf16>
  return %2 : tensor<70x48xf16>
}

func.func @few_steps(%x: tensor<64x15xf16>, %y: tensor<15x64xf16>) -> tensor<64x64xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<64x15xf16>, tensor<15x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

func.func @tiny(%x: tensor<99x8x64xf16>, %y: tensor<99x64x15xf16>) -> tensor<99x8x15xf16> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [1]
       : (tensor<99x8x64xf16>, tensor<99x64x15xf16>) -> tensor<99x8x15xf16>
  return %0 : tensor<99x8x15xf16>
}

// f32 is not rounded to what tensor cores take.
func.func @singles(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// Rows begin at any place: one element at a time, still into tiles.
// ODD-NOT: txk.copy
// ODD:     memref.store {{.*}} : memref<{{.*}}xbf16, #gpu.address_space<workgroup>>
// ODD:     txk.tile_mma
func.func @odd(%x: tensor<64x33xbf16>, %y: tensor<33x63xbf16>) -> tensor<64x63xbf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<64x33xbf16>, tensor<33x63xbf16>) -> tensor<64x63xbf16>
  return %0 : tensor<64x63xbf16>
}

// Tiles of 128 x 128 where there are many: 4 x 2 sums of 16 x 16 for each of 8
// subgroups, or 4 x 4 for each of 4.
// Four buffers of 128 x 40 and 32 x 136 elements, which the launch asks for.
// LARGE:     memref<75776xi8, #gpu.address_space<workgroup>>
// LARGE-SAME: known_block_size = array<i32: 256, 1, 1>
// LARGE-SAME: txk.dynamic_shared = 75776 : i64
// The numbers of this slice's buffer and of the previous one, which is filled next, are carried.
// LARGE:     scf.for {{.*}} -> (!txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, i32, i32) {
// LARGE-COUNT-16: txk.tile_mma
// LARGE-NOT: txk.tile_mma
// LARGE:     txp.launch {{.*}} block(256) shared(75776)
// LARGE64-NOT: dynamic_shared
// LARGE64:   known_block_size = array<i32: 256, 1, 1>
// LARGE64-COUNT-32: txk.tile_mma
// LARGE64-NOT: txk.tile_mma
func.func @large(%x: tensor<2048x512xf16>, %y: tensor<512x1024xf16>) -> tensor<2048x1024xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<2048x512xf16>, tensor<512x1024xf16>) -> tensor<2048x1024xf16>
  return %0 : tensor<2048x1024xf16>
}
