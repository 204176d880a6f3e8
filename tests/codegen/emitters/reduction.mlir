// Structure of row and column kernels, and their numbers.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=row --random-inputs --shape=arg0:7,1000 --compare=reference
// RUN: %tensorc run %s --entry=row --random-inputs --shape=arg0:1,20000 --compare=reference
// RUN: %tensorc run %s --entry=row --random-inputs --shape=arg0:3,0 --compare=reference
// RUN: %tensorc run %s --entry=column --random-inputs --shape=arg0:700,33 --compare=reference
// RUN: %tensorc run %s --entry=middle --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=middle --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// 32 lanes in blocks of a fixed size, then halves.
// CHECK-LABEL: func.func @sum(
// CHECK:       scf.for
// CHECK:       scf.for {{.*}} step %c8192
// CHECK:       scf.for {{.*}} step %c32
// CHECK:       arith.addf {{.*}} : vector<32xf32>
// CHECK:       vector.shuffle
// CHECK:       arith.addf {{.*}} : vector<16xf32>
// CHECK:       memref.store
func.func @row(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.sum %x dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}

// Lanes along the kept dim: no shuffles.
// CHECK-LABEL: func.func @reduce_max(
// CHECK-NOT:   vector.shuffle
// CHECK:       arith.maximumf {{.*}} : vector<64xf32>
// CHECK:       vector.maskedstore
func.func @column(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[m]>> {
  %0 = tx.reduce_max %x dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[m]>>
  return %0 : tensor<?xf32, #tx.dims<[m]>>
}

// Normalization over dims that are not neighbours: two phases and a store.
// CHECK-LABEL: func.func @sub_mul_sum_div
// CHECK-COUNT-3: step %c32
func.func @middle(%x: tensor<6x5x70xf32>) -> tensor<6x5x70xf32> {
  %s = tx.sum %x dims = [0, 2] : tensor<6x5x70xf32> -> tensor<5xf32>
  %sb = tx.broadcast %s dims = [1] : tensor<5xf32> -> tensor<6x5x70xf32>
  %d = tx.sub %x, %sb : tensor<6x5x70xf32>
  %q = tx.mul %d, %d : tensor<6x5x70xf32>
  %v = tx.sum %q dims = [0, 2] : tensor<6x5x70xf32> -> tensor<5xf32>
  %vb = tx.broadcast %v dims = [1] : tensor<5xf32> -> tensor<6x5x70xf32>
  %r = tx.div %d, %vb : tensor<6x5x70xf32>
  return %r : tensor<6x5x70xf32>
}
}
