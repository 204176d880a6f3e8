// Loops of one thread: a vector of 16 bytes each, and their numbers on every kind of shape.
//
// RUN: %tensorc compile %s --entry=flat --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=FLAT
// RUN: %tensorc compile %s --entry=even --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=EVEN
// RUN: %tensorc compile %s --entry=odd_rows --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=ODD
// RUN: %tensorc compile %s --entry=rows --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=ROWS
// RUN: %tensorc compile %s --entry=halves --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=HALVES
// RUN: %tensorc compile %s --entry=joined --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=JOINED
// RUN: %tensorc run %s --entry=flat --device=sim:sm_90a --random-inputs --shape=arg0:4099 --compare=reference
// RUN: %tensorc run %s --entry=flat --device=sim:sm_90a --random-inputs --shape=arg0:0 --compare=reference
// RUN: %tensorc run %s --entry=flat --device=sim:sm_90a --random-inputs --shape=arg0:1 --compare=reference
// RUN: %tensorc run %s --entry=even --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=odd_rows --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=rows --device=sim:sm_90a --random-inputs --shape=arg0:37,19 --compare=reference
// RUN: %tensorc run %s --entry=rows --device=sim:gfx942 --random-inputs --shape=arg0:37,64 --compare=reference
// RUN: %tensorc run %s --entry=halves --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=joined --device=sim:sm_90a --random-inputs --shape=arg0:5 --shape=arg1:700 --compare=reference

// A block takes 256 vectors of 4; what is left of the last one is stored element by element.
// FLAT-LABEL: gpu.func @mul(
// FLAT-SAME:  kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel}
// FLAT:       gpu.block_id x
// FLAT:       gpu.thread_id x
// FLAT:       scf.if
// FLAT:       scf.if
// FLAT:       vector.load {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// FLAT:       vector.store {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// FLAT:       else
// FLAT:       scf.for
// FLAT:       memref.store
// FLAT:       gpu.return
// FLAT:       txp.launch @kernels::@mul {{.*}}block(256)
func.func @flat(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.mul %x, %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}

// Sizes that blocks divide need no condition at all, and small ones no 64-bit index.
// EVEN-LABEL: gpu.func @mul(
// EVEN-NOT:   scf.if
// EVEN:       gpu.block_id x upper_bound 4
// EVEN:       arith.muli %{{.*}}, %c256_i32
// EVEN:       gpu.thread_id x upper_bound 256
// EVEN:       arith.addi %{{.*}} : i32
// EVEN-NOT:   scf.if
// EVEN:       vector.store {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// EVEN:       gpu.return
func.func @even(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = tx.mul %x, %x : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// Rows of 6 have room for whole vectors of 2.
// ODD-LABEL: gpu.func @add(
// ODD:       vector.load {{.*}} {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
// ODD:       vector.store {{.*}} {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
// ODD-NOT:   memref.store
// ODD:       gpu.return
func.func @odd_rows(%x: tensor<50x6xf32>, %y: tensor<6xf32>) -> tensor<50x6xf32> {
  %0 = tx.broadcast %y dims = [1] : tensor<6xf32> -> tensor<50x6xf32>
  %1 = tx.add %x, %0 : tensor<50x6xf32>
  return %1 : tensor<50x6xf32>
}

// Whether rows of any size are aligned is asked once.
// ROWS-LABEL: gpu.func @add(
// ROWS:       arith.remui
// ROWS:       scf.if
// ROWS:       vector.load {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// ROWS:       else
// ROWS:       memref.load
func.func @rows(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<1x?xf32, #tx.dims<[1, m]>>
  %1 = tx.broadcast %0 dims = [0, 1] : tensor<1x?xf32, #tx.dims<[1, m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.add %x, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %2 : tensor<?x?xf32, #tx.dims<[n, m]>>
}

// HALVES-LABEL: gpu.func @mul(
// HALVES:       vector.load {{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
func.func @halves(%x: tensor<1000xbf16>) -> tensor<1000xbf16> {
  %0 = tx.mul %x, %x : tensor<1000xbf16>
  return %0 : tensor<1000xbf16>
}

// Consecutive threads take single elements where a vector may have parts of two operands.
// JOINED-LABEL: gpu.func @concatenate(
// JOINED-NOT:   vector
// JOINED:       memref.store
func.func @joined(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[m]>>) -> tensor<?xf32, #tx.dims<[n + m]>> {
  %0 = tx.concatenate %x, %y dim = 0 : (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>) -> tensor<?xf32, #tx.dims<[n + m]>>
  return %0 : tensor<?xf32, #tx.dims<[n + m]>>
}
