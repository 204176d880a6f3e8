// Contractions in tiles of shared memory, and their numbers on every kind of shape.
//
// RUN: %tensorc compile %s --entry=main --target=cuda:sm_90 --stop-after=emit | FileCheck %s
// RUN: %tensorc run %s --device=sim:sm_90a --random-inputs --shape=arg0:67,19 --shape=arg1:19,130 --compare=reference
// RUN: %tensorc run %s --device=sim:gfx942 --random-inputs --shape=arg0:1,1 --shape=arg1:1,1 --compare=reference
// RUN: %tensorc run %s --device=sim:sm_90a --random-inputs --shape=arg0:5,0 --shape=arg1:0,3 --compare=reference
// RUN: %tensorc run %s --device=sim:sm_90a --random-inputs --shape=arg0:0,5 --shape=arg1:5,3 --compare=reference
// RUN: %tensorc run %s --entry=batched --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=few_rows --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=halves --device=sim:gfx942 --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=wide --device=sim:sm_90a --random-inputs --compare=reference

// Two slices of 8 x (64 + 4), or a tile of 64 x 64; 4 x 4 accumulators for each of 256 threads.
// CHECK-LABEL: gpu.func @dot_general_add_max(
// CHECK-SAME:  workgroup(%[[SHARED:[a-z0-9]+]] : memref<4096xf32, #gpu.address_space<workgroup>>)
// CHECK:       %[[SUMS:[a-z0-9]+]]:4 = scf.for
// CHECK:       memref.store %{{.*}}, %[[SHARED]]
// CHECK:       memref.store %{{.*}}, %[[SHARED]]
// CHECK:       gpu.barrier
// CHECK:       scf.for
// CHECK:       vector.load %[[SHARED]]{{.*}} {alignment = 16 : i64}
// CHECK-COUNT-4: vector.fma {{.*}} vector<4xf32>
// CHECK:       gpu.barrier
// CHECK:       vector.store %[[SUMS]]#0, %[[SHARED]]
// CHECK:       gpu.barrier
// The epilogue, once.
// CHECK:       arith.addf
// CHECK-NOT:   arith.addf
// CHECK:       gpu.return
func.func @main(%x: tensor<?x?xf32, #tx.dims<[m, k]>>, %y: tensor<?x?xf32, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?xf32, #tx.dims<[m, k]>>, tensor<?x?xf32, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %one = tx.constant dense<1.0> : tensor<f32>
  %b = tx.broadcast %one dims = [] : tensor<f32> -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %1 = tx.add %0, %b : tensor<?x?xf32, #tx.dims<[m, n]>>
  %2 = tx.max %1, %b : tensor<?x?xf32, #tx.dims<[m, n]>>
  return %2 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

func.func @batched(%x: tensor<2x3x35x18xbf16>, %y: tensor<2x18x68xbf16>) -> tensor<2x3x35x68xbf16> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [3] x [1]
       : (tensor<2x3x35x18xbf16>, tensor<2x18x68xbf16>) -> tensor<2x3x35x68xbf16>
  return %0 : tensor<2x3x35x68xbf16>
}

// One row for each thread where there are at most 16.
func.func @few_rows(%x: tensor<3x40xf32>, %y: tensor<40x64xf32>) -> tensor<3x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<3x40xf32>, tensor<40x64xf32>) -> tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
}

// x is read along its rows, y along k; products are of what a prologue computes.
func.func @halves(%x: tensor<33x47xf16>, %y: tensor<12x33xf16>) -> tensor<47x12xf16> {
  %e = tx.neg %x : tensor<33x47xf16>
  %0 = tx.dot_general %e, %y batch = [] x [] contracting = [0] x [1]
       : (tensor<33x47xf16>, tensor<12x33xf16>) -> tensor<47x12xf16>
  return %0 : tensor<47x12xf16>
}

// 64-bit accumulators need twice the memory.
func.func @wide(%x: tensor<70x20xf64>, %y: tensor<20x66xf64>, %i: tensor<20x20xi64>) -> (tensor<70x66xf64>, tensor<20x20xi64>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<70x20xf64>, tensor<20x66xf64>) -> tensor<70x66xf64>
  %1 = tx.dot_general %i, %i batch = [] x [] contracting = [1] x [0]
       : (tensor<20x20xi64>, tensor<20x20xi64>) -> tensor<20x20xi64>
  return %0, %1 : tensor<70x66xf64>, tensor<20x20xi64>
}
