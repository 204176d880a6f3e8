// A long row of floats, of which each has an ordinal of its own, is distributed as ordinals: the passes make none. Zeros of
// both signs share one, so a row with them is distributed as keys.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --random-inputs --compare=reference

// CHECK-LABEL: func.func @sort
// The keys as ordinals.
// CHECK:         scf.if
// CHECK:         arith.xori {{.*}} : vector<8xi32>
// CHECK:         vector.store
// CHECK-NOT:     arith.cmpf
// The ordinals as keys.
// CHECK:         vector.load
// CHECK-NEXT:    arith.bitcast {{.*}} : vector<8xf32> to vector<8xi32>
// CHECK-NEXT:    arith.xori {{.*}} : vector<8xi32>
// CHECK:         } else {
// CHECK:         arith.cmpf oeq
func.func @main(%x: tensor<40003xf32>) -> tensor<40003xf32> {
  %0 = tx.sort %x dim = 0 : tensor<40003xf32>
  return %0 : tensor<40003xf32>
}
