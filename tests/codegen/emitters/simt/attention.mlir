// An attention in one pass over the keys: a running maximum and sum, results that stay in registers, no scores in global
// memory. attention-registers.mlir has attentions whose scores stay in registers, too.
//
// RUN: %tensorc compile %s --entry=tiles --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefixes=CHECK,TILES
// RUN: %tensorc compile %s --entry=tiles --target=cuda:sm_75 --stop-after=emit | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: %tensorc compile %s --entry=singles --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: %tensorc compile %s --entry=wide --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=WIDE
// RUN: %tensorc compile %s --entry=named --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=NAMED
// RUN: %tensorc compile %s --entry=transposed --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=ALONG
// RUN: %tensorc compile %s --entry=singles --target=cuda:sm_80 --stop-after=fuse -o %t.mlir
// RUN: sed s/cuda:sm_80/cpu/ %t.mlir > %t.cpu.mlir
// RUN: %exits 1 %tensorc compile %t.cpu.mlir --start-from=fuse --stop-after=emit 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: {{.*}}has another order than this target computes it in

// The queries' rows, once; nothing of a size that keys have is allocated.
// CHECK-LABEL: gpu.func @attention
// CHECK-SAME:  workgroup(%{{.*}} : memref<{{[0-9]+}}xi8, #gpu.address_space<workgroup>>)
// TILES-SAME:  known_block_size = array<i32: {{128|256}}, 1, 1>
// PLAIN-SAME:  known_block_size = array<i32: 256, 1, 1>
// CHECK-NOT:   gpu.barrier
// Tiles of keys: the row's maximum and sum so far, and results.
// TILES:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}}) -> (f32, f32, !txk.fragment<sum, f32>
// PLAIN:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}}) -> (f32, f32, vector<4xf32>
// CHECK:       gpu.barrier
// TILES:       txk.tile_mma
// TILES:       txk.tile_store
// PLAIN:       vector.fma
// CHECK:       gpu.barrier
// What the program computes from the products, in place, four keys per access; nothing is computed twice.
// CHECK:       vector.load {{.*}} vector<4xf32>
// CHECK:       arith.select
// CHECK:       arith.maximumf
// CHECK:       gpu.shuffle  xor
// CHECK:       arith.maximumf
// CHECK:       math.exp
// The weights of four keys, whose scores are one access.
// CHECK:       vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-4: math.exp
// CHECK-NOT:   math.exp
// TILES:       vector.store {{.*}} vector<4xf16>
// PLAIN:       vector.store {{.*}} vector<4xf32>
// CHECK:       gpu.barrier
// TILES:       txk.tile_scale
// TILES:       txk.tile_mma
// PLAIN:       vector.fma
// CHECK:       gpu.barrier
// CHECK:       scf.yield
// The epilogue, once, divides by the sum.
// CHECK:       gpu.shuffle  xor
// CHECK:       gpu.barrier
// CHECK:       arith.divf
// CHECK-NOT:   gpu.barrier
// CHECK:       gpu.return
func.func @tiles(%q: tensor<2x128x64xf16>, %k: tensor<2x128x64xf16>, %v: tensor<2x128x64xf16>)
    -> tensor<2x128x64xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x128x64xf16>, tensor<2x128x64xf16>) -> tensor<2x128x128xf16>
  %pw = tx.convert %p : tensor<2x128x128xf16> -> tensor<2x128x128xf32>
  %row = tx.iota dim = 0 : tensor<128x128xi32>
  %col = tx.iota dim = 1 : tensor<128x128xi32>
  %mask = tx.ge %row, %col : tensor<128x128xi32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<2x128x128xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<128x128xi1> -> tensor<2x128x128xi1>
  %xs = tx.select %mb, %pw, %nb : tensor<2x128x128xi1>, tensor<2x128x128xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<2x128x128xf32> -> tensor<2x128xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<2x128xf32> -> tensor<2x128x128xf32>
  %wd = tx.sub %xs, %wmb : tensor<2x128x128xf32>
  %we = tx.exp %wd : tensor<2x128x128xf32>
  %ws = tx.sum %we dims = [2] : tensor<2x128x128xf32> -> tensor<2x128xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<2x128xf32> -> tensor<2x128x128xf32>
  %w = tx.div %we, %wsb : tensor<2x128x128xf32>
  %wn = tx.convert %w : tensor<2x128x128xf32> -> tensor<2x128x128xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x128x128xf16>, tensor<2x128x64xf16>) -> tensor<2x128x64xf16>
  return %o : tensor<2x128x64xf16>
}

func.func @singles(%q: tensor<2x128x64xf32>, %k: tensor<2x128x64xf32>, %v: tensor<2x128x64xf32>)
    -> tensor<2x128x64xf32> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x128x64xf32>, tensor<2x128x64xf32>) -> tensor<2x128x128xf32>
  %row = tx.iota dim = 0 : tensor<128x128xi32>
  %col = tx.iota dim = 1 : tensor<128x128xi32>
  %mask = tx.ge %row, %col : tensor<128x128xi32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<2x128x128xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<128x128xi1> -> tensor<2x128x128xi1>
  %xs = tx.select %mb, %p, %nb : tensor<2x128x128xi1>, tensor<2x128x128xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<2x128x128xf32> -> tensor<2x128xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<2x128xf32> -> tensor<2x128x128xf32>
  %wd = tx.sub %xs, %wmb : tensor<2x128x128xf32>
  %we = tx.exp %wd : tensor<2x128x128xf32>
  %ws = tx.sum %we dims = [2] : tensor<2x128x128xf32> -> tensor<2x128xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<2x128xf32> -> tensor<2x128x128xf32>
  %w = tx.div %we, %wsb : tensor<2x128x128xf32>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x128x128xf32>, tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
  return %o : tensor<2x128x64xf32>
}

// Two subgroups share a row: 8 of 16 tiles of its results for each.
// WIDE:       scf.for {{.*}} -> (f32, f32, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>, !txk.fragment<sum, f32>)
func.func @wide(%q: tensor<128x256xbf16>, %k: tensor<128x256xbf16>, %v: tensor<128x256xbf16>)
    -> tensor<128x256xbf16> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<128x256xbf16>, tensor<128x256xbf16>) -> tensor<128x128xbf16>
  %pw = tx.convert %p : tensor<128x128xbf16> -> tensor<128x128xf32>
  %wm = tx.reduce_max %pw dims = [1] : tensor<128x128xf32> -> tensor<128xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<128xf32> -> tensor<128x128xf32>
  %wd = tx.sub %pw, %wmb : tensor<128x128xf32>
  %we = tx.exp %wd : tensor<128x128xf32>
  %ws = tx.sum %we dims = [1] : tensor<128x128xf32> -> tensor<128xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<128xf32> -> tensor<128x128xf32>
  %w = tx.div %we, %wsb : tensor<128x128xf32>
  %wn = tx.convert %w : tensor<128x128xf32> -> tensor<128x128xbf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<128x128xbf16>, tensor<128x256xbf16>) -> tensor<128x256xbf16>
  return %o : tensor<128x256xbf16>
}

// Without keys the loop has no barrier that lets the results take q's place, and sums
// are 0.
// NAMED:      gpu.barrier
// NAMED:      scf.for {{.*}} -> (f32, f32,
// NAMED:      arith.cmpi eq, %{{.*}}, %c0 : index
func.func @named(%q: tensor<?x64xf16, #tx.dims<[m, 64]>> {tx.name = "q"}, %k: tensor<?x64xf16, #tx.dims<[n, 64]>> {tx.name = "k"}, %v: tensor<?x64xf16, #tx.dims<[n, 64]>> {tx.name = "v"})
    -> tensor<?x64xf16, #tx.dims<[m, 64]>> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<?x64xf16, #tx.dims<[m, 64]>>, tensor<?x64xf16, #tx.dims<[n, 64]>>) -> tensor<?x?xf16, #tx.dims<[m, n]>>
  %pw = tx.convert %p : tensor<?x?xf16, #tx.dims<[m, n]>> -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %wm = tx.reduce_max %pw dims = [1] : tensor<?x?xf32, #tx.dims<[m, n]>> -> tensor<?xf32, #tx.dims<[m]>>
  %wmb = tx.broadcast %wm dims = [0] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %wd = tx.sub %pw, %wmb : tensor<?x?xf32, #tx.dims<[m, n]>>
  %we = tx.exp %wd : tensor<?x?xf32, #tx.dims<[m, n]>>
  %ws = tx.sum %we dims = [1] : tensor<?x?xf32, #tx.dims<[m, n]>> -> tensor<?xf32, #tx.dims<[m]>>
  %wsb = tx.broadcast %ws dims = [0] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %w = tx.div %we, %wsb : tensor<?x?xf32, #tx.dims<[m, n]>>
  %wn = tx.convert %w : tensor<?x?xf32, #tx.dims<[m, n]>> -> tensor<?x?xf16, #tx.dims<[m, n]>>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf16, #tx.dims<[m, n]>>, tensor<?x64xf16, #tx.dims<[n, 64]>>) -> tensor<?x64xf16, #tx.dims<[m, 64]>>
  return %o : tensor<?x64xf16, #tx.dims<[m, 64]>>
}

// k as it lies in memory: along the keys.
// ALONG: txk.tile_load {{.*}} mn_major : {{.*}} -> !txk.fragment<right, f16>
// ALONG: txk.tile_scale
func.func @transposed(%q: tensor<128x64xf16>, %k: tensor<64x128xf16>, %v: tensor<128x64xf16>)
    -> tensor<128x64xf16> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [0]
      : (tensor<128x64xf16>, tensor<64x128xf16>) -> tensor<128x128xf16>
  %pw = tx.convert %p : tensor<128x128xf16> -> tensor<128x128xf32>
  %wm = tx.reduce_max %pw dims = [1] : tensor<128x128xf32> -> tensor<128xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<128xf32> -> tensor<128x128xf32>
  %wd = tx.sub %pw, %wmb : tensor<128x128xf32>
  %we = tx.exp %wd : tensor<128x128xf32>
  %ws = tx.sum %we dims = [1] : tensor<128x128xf32> -> tensor<128xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<128xf32> -> tensor<128x128xf32>
  %w = tx.div %we, %wsb : tensor<128x128xf32>
  %wn = tx.convert %w : tensor<128x128xf32> -> tensor<128x128xf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<128x128xf16>, tensor<128x64xf16>) -> tensor<128x64xf16>
  return %o : tensor<128x64xf16>
}
