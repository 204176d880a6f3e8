// An attention whose scores stay in registers: workgroup memory holds q, k, v and the results.
//
// RUN: %tensorc compile %s --entry=tiles --target=cuda:sm_80 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --entry=tiles --target=cuda:sm_90a --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --entry=wide --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=WIDE
// RUN: %tensorc compile %s --entry=named --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=NAMED
// RUN: %tensorc compile %s --entry=transposed --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=ALONG
// RUN: %tensorc compile %s --entry=tiles --target=cuda:sm_80 --stop-after=fuse | FileCheck %s --check-prefix=ORDER

// Four lanes share a row.
// ORDER: order = #tx.order<"matrix", lanes = [4], keys = 64>

// 128 rows of 72 f32, the results: more than q, k and v.
// CHECK-LABEL: gpu.func @attention
// CHECK-SAME:  workgroup(%{{.*}} : memref<36864xi8, #gpu.address_space<workgroup>>)
// CHECK-SAME:  known_block_size = array<i32: 128, 1, 1>
// CHECK:       txk.copy_commit
// CHECK-NOT:   gpu.barrier
// Maximum and sum of each of the lane's four rows, and eight tiles of results.
// CHECK:       scf.for {{.*}} -> (f32, f32, f32, f32, f32, f32, f32, f32, !txk.fragment<sum, f32>, {{.*}}!txk.fragment<sum, f32>)
// CHECK-NEXT:  txk.copy_wait 0
// CHECK-NEXT:  gpu.barrier
// CHECK-COUNT-4: txk.copy_async
// CHECK:       txk.copy_commit
// An operand of k is used for both tiles of rows.
// CHECK-COUNT-2: txk.tile_load {{.*}} -> !txk.fragment<left, f16>
// CHECK-NEXT:  txk.tile_load {{.*}} -> !txk.fragment<right, f16>
// CHECK-NEXT:  txk.tile_mma
// CHECK-NEXT:  txk.tile_mma
// CHECK:       txk.copy_wait 0
// CHECK-NEXT:  gpu.barrier
// CHECK:       scf.if
// CHECK:       txk.copy_commit
// Scores, maxima, weights: nothing is stored.
// CHECK-NOT:   {{store|gpu.barrier|memref.load|scf.if}}
// CHECK:       txk.tile_elements
// CHECK:       arith.select
// CHECK:       arith.maximumf {{.*}} : vector<8xf32>
// CHECK:       gpu.shuffle xor
// CHECK:       gpu.shuffle xor
// CHECK:       arith.subf {{.*}} : f32
// CHECK-NEXT:  arith.mulf {{.*}} : f32
// CHECK-NEXT:  txk.fast_exp2 {{.*}} : f32
// The maximum is subtracted first: its product with log2(e) is rounded.
// CHECK:       arith.subf {{.*}} : vector<8xf32>
// CHECK-NEXT:  arith.mulf {{.*}} : vector<8xf32>
// CHECK-NEXT:  txk.fast_exp2 {{.*}} : vector<8xf32>
// CHECK:       txk.tile_narrow {{.*}} -> !txk.fragment<left, f16>
// CHECK:       txk.tile_of_elements
// CHECK-NOT:   {{store|gpu.barrier|memref.load|scf.if}}
// CHECK:       txk.tile_load {{.*}} mn_major : {{.*}} -> !txk.fragment<right, f16>
// CHECK-NEXT:  txk.tile_mma
// CHECK-NEXT:  txk.tile_mma
// CHECK-NOT:   {{store|gpu.barrier|memref.load|scf.if}}
// CHECK:       scf.yield
// The results take the place of the operands.
// CHECK:       gpu.barrier
// CHECK:       arith.divf {{.*}} : vector<8xf32>
// CHECK:       txk.tile_store
// CHECK:       gpu.barrier
// CHECK-NOT:   arith.divf
// CHECK:       gpu.return
func.func @tiles(%q: tensor<96x128x64xf16>, %k: tensor<96x128x64xf16>, %v: tensor<96x128x64xf16>)
    -> tensor<96x128x64xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<96x128x64xf16>, tensor<96x128x64xf16>) -> tensor<96x128x128xf16>
  %pw = tx.convert %p : tensor<96x128x128xf16> -> tensor<96x128x128xf32>
  %row = tx.iota dim = 0 : tensor<128x128xi32>
  %col = tx.iota dim = 1 : tensor<128x128xi32>
  %mask = tx.ge %row, %col : tensor<128x128xi32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<96x128x128xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<128x128xi1> -> tensor<96x128x128xi1>
  %xs = tx.select %mb, %pw, %nb : tensor<96x128x128xi1>, tensor<96x128x128xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<96x128x128xf32> -> tensor<96x128xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<96x128xf32> -> tensor<96x128x128xf32>
  %wd = tx.sub %xs, %wmb : tensor<96x128x128xf32>
  %we = tx.exp %wd : tensor<96x128x128xf32>
  %ws = tx.sum %we dims = [2] : tensor<96x128x128xf32> -> tensor<96x128xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<96x128xf32> -> tensor<96x128x128xf32>
  %w = tx.div %we, %wsb : tensor<96x128x128xf32>
  %wn = tx.convert %w : tensor<96x128x128xf32> -> tensor<96x128x128xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<96x128x128xf16>, tensor<96x128x64xf16>) -> tensor<96x128x64xf16>
  return %o : tensor<96x128x64xf16>
}

// 16 tiles of results leave registers for scores of 32 keys only.
// WIDE:      scf.for {{.*}} -> (f32, f32, f32, f32, !txk.fragment<sum, f32>
// WIDE:      txk.tile_load {{.*}} -> !txk.fragment<left, bf16>
// WIDE-COUNT-2: txk.tile_load {{.*}} -> !txk.fragment<right, bf16>
// WIDE:      txk.tile_load {{.*}} -> !txk.fragment<left, bf16>
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

// Keys outside have a score of -inf. No branch surrounds a score. The number of queries is unknown, so a subgroup has one
// tile of rows: maximum and sum of two rows per lane.
// NAMED:     scf.for {{.*}} -> (f32, f32, f32, f32, !txk.fragment<sum, f32>
// NAMED:     txk.tile_elements
// NAMED-NOT: scf.if
// NAMED:     arith.select {{.*}} : f32
// NAMED:     arith.maximumf {{.*}} : vector<8xf32>
// NAMED:     scf.yield
// Without keys the sums are 0, and so are the results.
// NAMED:     arith.cmpi eq, %{{.*}}, %c0 : index
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

// k as it lies in memory: along the keys. Blocks of few queries have 64 rows, so that there are more of them.
// ALONG: workgroup(%{{.*}} : memref<27648xi8, #gpu.address_space<workgroup>>)
// ALONG: scf.for {{.*}} -> (f32, f32, f32, f32, !txk.fragment<sum, f32>
// ALONG: txk.tile_load {{.*}} mn_major : {{.*}} -> !txk.fragment<right, f16>
// ALONG: txk.tile_elements
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
