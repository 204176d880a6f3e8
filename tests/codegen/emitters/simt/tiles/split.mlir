// Few tiles and a long k: parts of k by blocks of their own, then one kernel that adds them in order.
//
// RUN: %tensorc compile %s --entry=main --target=cuda:sm_80 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --entry=many --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=ONE
// RUN: %tensorc compile %s --entry=named --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=ONE
// RUN: %tensorc run %s --entry=main --device=sim:sm_80 --random-inputs --compare=reference

// Four parts of 512 steps, each a tile of 64 x 64 sums.
// CHECK-LABEL: gpu.func @dot_general_tanh_parts(
// CHECK:       gpu.block_id x upper_bound 4
// CHECK:       txk.tile_mma
// CHECK:       vector.store {{.*}} : memref<?xf32>, vector<4xf32>
// CHECK-NOT:   math.tanh
// CHECK:       gpu.return
// CHECK-LABEL: gpu.func @dot_general_tanh(
// CHECK-NOT:   txk.tile
// CHECK:       scf.for {{.*}} = %c1 to %c4 step %c1
// CHECK:       arith.addf
// CHECK:       math.tanh
// CHECK:       txp.alloc
// CHECK:       txp.launch @kernels::@dot_general_tanh_parts
// CHECK:       txp.launch @kernels::@dot_general_tanh
func.func @main(%x: tensor<33x2048xf16>, %y: tensor<2048x48xf16>) -> tensor<33x48xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<33x2048xf16>, tensor<2048x48xf16>) -> tensor<33x48xf16>
  %1 = tx.tanh %0 : tensor<33x48xf16>
  return %1 : tensor<33x48xf16>
}

// ONE:     txk.tile_mma
// ONE:     txp.launch
// ONE-NOT: txp.launch
func.func @many(%x: tensor<640x2048xf16>, %y: tensor<2048x640xf16>) -> tensor<640x640xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<640x2048xf16>, tensor<2048x640xf16>) -> tensor<640x640xf16>
  return %0 : tensor<640x640xf16>
}
func.func @named(%x: tensor<?x2048xf16, #tx.dims<[m, 2048]>>, %y: tensor<2048x48xf16>) -> tensor<?x48xf16, #tx.dims<[m, 48]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<?x2048xf16, #tx.dims<[m, 2048]>>, tensor<2048x48xf16>) -> tensor<?x48xf16, #tx.dims<[m, 48]>>
  return %0 : tensor<?x48xf16, #tx.dims<[m, 48]>>
}
