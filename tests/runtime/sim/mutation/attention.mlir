// An attention, by multiply-adds and in tiles: several tiles of keys, copied and stored. The results take memory of q, k and v.
//
// RUN: %bin/tensorc-sim-mutate %s --device=sim:sm_80 | FileCheck %s --check-prefixes=CHECK,ASYNC
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s --check-prefixes=CHECK,SYNC
// CHECK-NOT: SURVIVES
// ASYNC: attention copy_wait {{[0-9]+}}: nobody has waited
// ASYNC: 14 of 14 caught
// SYNC:  10 of 10 caught

func.func @main(%qa: tensor<20x8xf32>, %ka: tensor<37x8xf32>, %va: tensor<37x8xf32>,
                %qb: tensor<40x16xf16>, %kb: tensor<70x16xf16>, %vb: tensor<70x32xf16>)
    -> (tensor<20x8xf32>, tensor<40x32xf16>) {
  %pa = tx.dot_general %qa, %ka batch = [] x [] contracting = [1] x [1]
      : (tensor<20x8xf32>, tensor<37x8xf32>) -> tensor<20x37xf32>
  %wma = tx.reduce_max %pa dims = [1] : tensor<20x37xf32> -> tensor<20xf32>
  %wmba = tx.broadcast %wma dims = [0] : tensor<20xf32> -> tensor<20x37xf32>
  %wda = tx.sub %pa, %wmba : tensor<20x37xf32>
  %wea = tx.exp %wda : tensor<20x37xf32>
  %wsa = tx.sum %wea dims = [1] : tensor<20x37xf32> -> tensor<20xf32>
  %wsba = tx.broadcast %wsa dims = [0] : tensor<20xf32> -> tensor<20x37xf32>
  %wa = tx.div %wea, %wsba : tensor<20x37xf32>
  %oa = tx.dot_general %wa, %va batch = [] x [] contracting = [1] x [0]
      : (tensor<20x37xf32>, tensor<37x8xf32>) -> tensor<20x8xf32>
  %pb = tx.dot_general %qb, %kb batch = [] x [] contracting = [1] x [1]
      : (tensor<40x16xf16>, tensor<70x16xf16>) -> tensor<40x70xf16>
  %pwb = tx.convert %pb : tensor<40x70xf16> -> tensor<40x70xf32>
  %wmb = tx.reduce_max %pwb dims = [1] : tensor<40x70xf32> -> tensor<40xf32>
  %wmbb = tx.broadcast %wmb dims = [0] : tensor<40xf32> -> tensor<40x70xf32>
  %wdb = tx.sub %pwb, %wmbb : tensor<40x70xf32>
  %web = tx.exp %wdb : tensor<40x70xf32>
  %wsb = tx.sum %web dims = [1] : tensor<40x70xf32> -> tensor<40xf32>
  %wsbb = tx.broadcast %wsb dims = [0] : tensor<40xf32> -> tensor<40x70xf32>
  %wb = tx.div %web, %wsbb : tensor<40x70xf32>
  %wnb = tx.convert %wb : tensor<40x70xf32> -> tensor<40x70xf16>
  %ob = tx.dot_general %wnb, %vb batch = [] x [] contracting = [1] x [0]
      : (tensor<40x70xf16>, tensor<70x32xf16>) -> tensor<40x32xf16>
  return %oa, %ob : tensor<20x8xf32>, tensor<40x32xf16>
}
