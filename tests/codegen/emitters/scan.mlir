// Structure of scans and sorts for the CPU. Numbers are those of tests/ops.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=few --device=cpu --random-inputs --shape=x:3,40000 --output-dir=%t.many
// RUN: env TENSORC_NUM_THREADS=1 %tensorc run %s --entry=few --device=cpu --random-inputs --shape=x:3,40000 --output-dir=%t.one
// RUN: cmp %t.many/out0.npy %t.one/out0.npy
// Few rows are split, many are not: the bits are the same.
// RUN: %tensorc run %s --entry=same_bits --device=cpu --random-inputs | FileCheck %s --check-prefix=SAME

module attributes {tx.target = "cpu:x86-64-v4"} {
// 16 lanes along the row: prefixes by doubling steps, whatever the registers are.
// CHECK-LABEL: func.func @exp_cumsum_mul(
// CHECK:       vector.maskedload {{.*}} vector<16xf32>
// CHECK:       math.exp {{.*}} : vector<16xf32>
// CHECK-COUNT-4: vector.shuffle
// CHECK-NOT:   vector.shuffle
// CHECK:       arith.mulf
// CHECK:       vector.maskedstore
func.func @row(%x: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %0 = tx.exp %x : tensor<100x100xf32>
  %1 = tx.cumsum %0 dim = 1 : tensor<100x100xf32>
  %2 = tx.mul %1, %x : tensor<100x100xf32>
  return %2 : tensor<100x100xf32>
}

// Lanes across the rows.
// CHECK-LABEL: func.func @cummax(
// CHECK-NOT:   vector.shuffle
// CHECK:       arith.maximumf {{.*}} : vector<64xf32>
func.func @column(%x: tensor<100x640xf32>) -> tensor<100x640xf32> {
  %0 = tx.cummax %x dim = 0 : tensor<100x640xf32>
  return %0 : tensor<100x640xf32>
}

// Totals of chunks, what lies before each, results.
// CHECK-LABEL: func.func @cumprod_totals(
// CHECK-LABEL: func.func @cumprod_bases(
// CHECK-LABEL: func.func @cumprod(
func.func @split(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.cumprod %x dim = 0 : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}

// A sort and an argsort: keys and places side by side in the scratch.
// CHECK-LABEL: func.func @sort_argsort(
// CHECK-SAME:  %[[SCRATCH:[a-z0-9]+]]: memref<?xi8>)
// CHECK:       memref.view %[[SCRATCH]]{{.*}} to memref<200xi64>
// CHECK:       memref.view %[[SCRATCH]]{{.*}} to memref<200xf32>
// CHECK:       scf.while
// CHECK:       arith.cmpf ult
func.func @sort(%x: tensor<7x100xf32>) -> (tensor<7x100xf32>, tensor<7x100xi64>) {
  %0 = tx.sort %x dim = 1 : tensor<7x100xf32>
  %1 = tx.argsort %x dim = 1 : tensor<7x100xf32>
  return %0, %1 : tensor<7x100xf32>, tensor<7x100xi64>
}

// Keys alone: 16 vectors are sorted in registers, with runs of 16 in each lane, which are merged; only merges of
// several lanes shuffle, one way for each number of lanes. Then the square is transposed. Where zeros or NaN have
// other bits, keys are merged as above.
// CHECK-LABEL: func.func @sort(
// CHECK:         vector.load {{.*}} vector<16xf32>
// CHECK:         scf.if
// CHECK-COUNT-63: arith.maxsi {{.*}} : vector<16xi32>
// CHECK-NOT:     vector.shuffle
// CHECK:         scf.while
// CHECK-COUNT-4:   scf.if
// CHECK:           arith.cmpi uge
// CHECK-COUNT-32:  arith.maxsi {{.*}} : vector<16xi32>
// CHECK-COUNT-64: vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK:         else
// CHECK:         arith.cmpf ult
func.func @values(%x: tensor<7x100xf32>) -> tensor<7x100xf32> {
  %0 = tx.sort %x dim = 1 : tensor<7x100xf32>
  return %0 : tensor<7x100xf32>
}

// The first elements: a vector that has none before the last one kept is left;
// of another one the keys go packed behind those kept, with their places, and
// are sorted with them, each sent to its rank.
// CHECK-LABEL: func.func @sort_argsort_0(
// CHECK:       scf.while
// CHECK:         scf.while
// CHECK:           vector.load {{.*}} vector<16xf32>
// CHECK:           arith.cmpf ult, {{.*}} : vector<16xf32>
// CHECK:           vector.reduction <or>
// CHECK:           scf.if
// CHECK:             %[[KEYS:.*]] = llvm.call_intrinsic "llvm.experimental.vector.compress"
// CHECK:             vector.store %[[KEYS]]
// CHECK:             llvm.call_intrinsic "llvm.experimental.vector.compress"{{.*}} vector<16xi32>
// CHECK:             vector.store {{.*}} vector<16xi64>
// CHECK:             llvm.intr.ctpop
// CHECK-NOT:         scf.for
// CHECK:         scf.while
// CHECK:           arith.cmpf ult, {{.*}} : f32
// CHECK:         scf.for
// CHECK:           arith.cmpf ult, {{.*}} : vector<16xf32>
// CHECK:           arith.extui {{.*}} : vector<16xi1> to vector<16xi32>
// CHECK:         vector.scatter {{.*}} vector<16xf32>
// CHECK:         vector.scatter {{.*}} vector<16xi64>
func.func @top(%x: tensor<7x1000xf32>) -> (tensor<7x10xf32>, tensor<7x10xi64>) {
  %0 = tx.sort %x dim = 1 descending : tensor<7x1000xf32>
  %1 = tx.argsort %x dim = 1 descending : tensor<7x1000xf32>
  %2 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<7x1000xf32> -> tensor<7x10xf32>
  %3 = tx.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<7x1000xi64> -> tensor<7x10xi64>
  return %2, %3 : tensor<7x10xf32>, tensor<7x10xi64>
}

func.func @few(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}) -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.cumsum %x dim = 1 reverse : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, m]>>
}

// SAME: true
func.func @same_bits(%x: tensor<40000xf32>) -> tensor<i1> {
  %0 = tx.cumsum %x dim = 0 : tensor<40000xf32>
  %1 = tx.broadcast %x dims = [1] : tensor<40000xf32> -> tensor<9x40000xf32>
  %2 = tx.cumsum %1 dim = 1 : tensor<9x40000xf32>
  %3 = tx.broadcast %0 dims = [1] : tensor<40000xf32> -> tensor<9x40000xf32>
  %4 = tx.eq %2, %3 : tensor<9x40000xf32>
  %5 = tx.all %4 dims = [0, 1] : tensor<9x40000xi1> -> tensor<i1>
  return %5 : tensor<i1>
}
}
