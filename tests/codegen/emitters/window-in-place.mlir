// An update whose output is the memory of what it updates stores its window, and nothing else. A product writes over what it is added to.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --entry=window --stop-after=emit | FileCheck %s --check-prefix=CPU
// RUN: %tensorc compile %s --target=sim:sm_90a --entry=window --stop-after=emit | FileCheck %s --check-prefix=GPU
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --entry=scattered --stop-after=emit | FileCheck %s --check-prefix=SCATTER
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --entry=read_too --stop-after=emit | FileCheck %s --check-prefix=READ
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --entry=product --stop-after=emit | FileCheck %s --check-prefix=PRODUCT

// CPU-LABEL: func.func @dynamic_update_slice(
// CPU:       memref.extract_aligned_pointer_as_index
// CPU:       memref.extract_aligned_pointer_as_index
// CPU:       %[[SAME:.*]] = arith.cmpi eq
// No row of x is left where it is the output.
// CPU:       %[[FIRST:.*]] = arith.select %[[SAME]]
// CPU:       scf.for %{{.*}} = %[[FIRST]] to
// And no row of the window elsewhere.
// CPU:       %[[TO:.*]] = arith.select %[[SAME]]
// CPU:       scf.for %{{.*}} = %{{.*}} to %[[TO]]
// CPU:         scf.for
// CPU:           vector.{{load|maskedload}}
// CPU:           vector.{{store|maskedstore}}
// CPU-LABEL: txp.func
// CPU:       txp.launch {{.*}}txp.in_place = array<i64: 0, 0>

// GPU-LABEL: gpu.func @dynamic_update_slice
// GPU:       %[[SAME:.*]] = arith.cmpi eq
// GPU:       scf.if %[[SAME]]
// GPU:         scf.for
// GPU:           memref.store
func.func @window(%x: tensor<16x4x?xf32, #tx.dims<[16, 4, n]>>, %u: tensor<16x1x?xf32, #tx.dims<[16, 1, n]>>, %i: tensor<i32>) -> tensor<16x4x?xf32, #tx.dims<[16, 4, n]>> {
  %zero = tx.constant dense<0> : tensor<i32>
  %0 = tx.dynamic_update_slice %x, %u[%zero, %i, %zero] : (tensor<16x4x?xf32, #tx.dims<[16, 4, n]>>, tensor<16x1x?xf32, #tx.dims<[16, 1, n]>>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x4x?xf32, #tx.dims<[16, 4, n]>>
  return %0 : tensor<16x4x?xf32, #tx.dims<[16, 4, n]>>
}

// Of a scatter, the kernel that computes x has nothing to do, and the other does not read it.
// SCATTER-LABEL: func.func @scatter_init
// SCATTER:       arith.cmpi eq
// SCATTER-LABEL: txp.func
// SCATTER:       txp.launch @kernels::@scatter_init {{.*}}txp.in_place = array<i64: 0, 0>, txp.keeps
// SCATTER:       txp.launch @kernels::@scatter {{.*}}txp.in_place = array<i64: 0, 0>
func.func @scattered(%x: tensor<50x24xf32>, %i: tensor<60xi32>, %u: tensor<60x24xf32>) -> tensor<50x24xf32> {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x24xf32>, tensor<60xi32>, tensor<60x24xf32>) -> tensor<50x24xf32>
  return %0 : tensor<50x24xf32>
}

// What the update reads of x would be overwritten by other threads.
// READ-NOT: extract_aligned_pointer
// READ-NOT: txp.in_place
func.func @read_too(%x: tensor<64x32xf32>, %u: tensor<32xf32>, %i: tensor<64xi32>) -> tensor<64x32xf32> {
  %0 = tx.scatter "add" %x, %i, %x update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<64x32xf32>, tensor<64xi32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// What is added to a product may be where its results go.
// PRODUCT: txp.launch {{.*}} txp.in_place = array<i64: {{[0-9]}}, 0>
func.func @product(%w: tensor<33x17xf32>, %x: tensor<33x50xf32>, %g: tensor<50x17xf32>) -> tensor<33x17xf32> {
  %d = tx.dot_general %x, %g batch = [] x [] contracting = [1] x [0] : (tensor<33x50xf32>, tensor<50x17xf32>) -> tensor<33x17xf32>
  %0 = tx.sub %w, %d : tensor<33x17xf32>
  return %0 : tensor<33x17xf32>
}
