// Rows of bytes that a sum reads once, as a product of one row by quantized weights that lie along the sum does: nothing is
// gathered, and what comes next in memory is prefetched. So are rows of more bytes than L2 holds.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --entry=groups --target=cpu:x86-64-v4 --emit=asm -o - | FileCheck %s --check-prefix=TABLE
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=groups --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=group_of_vectors --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=bytes --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=odd --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=odd_groups --device=cpu --random-inputs --compare=reference

// The narrow way is the wide way, bit by bit.
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc run %s --entry=wide --device=cpu --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=as_wide --device=cpu --random-inputs --input=v=%t/out0.npy --input=w=%t/out1.npy | FileCheck %s --check-prefix=SAME

module attributes {tx.target = "cpu:x86-64-v4"} {
// All lanes are in one group, whose scale is read once.
// CHECK-LABEL: func.func @shl_shr_arith_mul_sum_2more(
// CHECK-NOT:   vector.gather
// CHECK:       memref.prefetch %{{.*}}, read, locality<3>, data : memref<?xi8>
// CHECK:       vector.load {{.*}} : memref<?xi8>, vector<16xi8>
// CHECK:       arith.sitofp {{.*}} : vector<32xi8> to vector<32xf32>
// CHECK-NOT:   vector.gather
// CHECK:       %[[SCALE:.*]] = memref.load
// CHECK-NEXT:  vector.broadcast %[[SCALE]] : f32 to vector<32xf32>
// CHECK-NOT:   vector.gather
// A group's products with its scale are a table.
// TABLE:       vmulps {{.*}}{1to16}
// TABLE-COUNT-2: vpmuldq
// TABLE:       vperm{{d|ps}} %zmm
// TABLE-NEXT:  vmulps {{.*}}(
// TABLE:       vaddps
func.func @groups(%x: tensor<640xf32>, %q: tensor<70x640xi4>, %s: tensor<70x20xf32>) -> tensor<70xf32> {
  %v = tx.dequantize %q, %s : (tensor<70x640xi4>, tensor<70x20xf32>) -> tensor<70x640xf32>
  %0 = tx.broadcast %x dims = [1] : tensor<640xf32> -> tensor<70x640xf32>
  %1 = tx.mul %0, %v : tensor<70x640xf32>
  %2 = tx.sum %1 dims = [1] : tensor<70x640xf32> -> tensor<70xf32>
  return %2 : tensor<70xf32>
}

// CHECK-LABEL: func.func @shl_shr_logical_mul_sum_2more(
// CHECK-NOT:   vector.gather
func.func @group_of_vectors(%x: tensor<5x128xf32>, %q: tensor<70x640xui4>, %s: tensor<70x5xf32>) -> tensor<70xf32> {
  %v = tx.dequantize %q, %s : (tensor<70x640xui4>, tensor<70x5xf32>) -> tensor<70x640xf32>
  %w = tx.reshape %v : tensor<70x640xf32> -> tensor<70x5x128xf32>
  %0 = tx.broadcast %x dims = [1, 2] : tensor<5x128xf32> -> tensor<70x5x128xf32>
  %1 = tx.mul %0, %w : tensor<70x5x128xf32>
  %2 = tx.sum %1 dims = [1, 2] : tensor<70x5x128xf32> -> tensor<70xf32>
  return %2 : tensor<70xf32>
}

// CHECK-LABEL: func.func @mul_sum(
// CHECK:       memref.prefetch %{{.*}}, read, locality<3>, data : memref<?xi8>
// CHECK-NOT:   memref.prefetch
// CHECK:       vector.load {{.*}} : memref<?xi8>, vector<32xi8>
func.func @bytes(%x: tensor<640xf32>, %q: tensor<70x640xi8>, %s: tensor<70x1xf32>) -> tensor<70xf32> {
  %v = tx.dequantize %q, %s : (tensor<70x640xi8>, tensor<70x1xf32>) -> tensor<70x640xf32>
  %0 = tx.broadcast %x dims = [1] : tensor<640xf32> -> tensor<70x640xf32>
  %1 = tx.mul %0, %v : tensor<70x640xf32>
  %2 = tx.sum %1 dims = [1] : tensor<70x640xf32> -> tensor<70xf32>
  return %2 : tensor<70xf32>
}

// Wide elements are prefetched where the matrix is larger than L2; the row that all products share is not.
// CHECK-LABEL: func.func @mul_sum_0(
// CHECK:       vector.load %arg0
// CHECK-COUNT-2: memref.prefetch %arg1{{.*}}, read, locality<3>, data : memref<?xf32>
// CHECK-NEXT:  vector.load %arg1
func.func @large(%x: tensor<1x640xf32>, %y: tensor<700x640xf32>) -> tensor<1x700xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1] : (tensor<1x640xf32>, tensor<700x640xf32>) -> tensor<1x700xf32>
  return %0 : tensor<1x700xf32>
}
// CHECK-LABEL: func.func @mul_sum_1(
// CHECK-NOT:   memref.prefetch
func.func @small(%x: tensor<1x640xf32>, %y: tensor<70x640xf32>) -> tensor<1x70xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1] : (tensor<1x640xf32>, tensor<70x640xf32>) -> tensor<1x70xf32>
  return %0 : tensor<1x70xf32>
}

// Lanes that are off read nothing, and a group may end within a vector.
// CHECK-LABEL: func.func @shl_shr_arith_mul_sum_2more_0(
func.func @odd(%x: tensor<67xf32>, %q: tensor<7x67xi4>, %s: tensor<7x1xf32>) -> tensor<7xf32> {
  %v = tx.dequantize %q, %s : (tensor<7x67xi4>, tensor<7x1xf32>) -> tensor<7x67xf32>
  %0 = tx.broadcast %x dims = [1] : tensor<67xf32> -> tensor<7x67xf32>
  %1 = tx.mul %0, %v : tensor<7x67xf32>
  %2 = tx.sum %1 dims = [1] : tensor<7x67xf32> -> tensor<7xf32>
  return %2 : tensor<7xf32>
}
func.func @odd_groups(%x: tensor<144xf32>, %q: tensor<7x144xi4>, %s: tensor<7x3xf32>) -> tensor<7xf32> {
  %v = tx.dequantize %q, %s : (tensor<7x144xi4>, tensor<7x3xf32>) -> tensor<7x144xf32>
  %0 = tx.broadcast %x dims = [1] : tensor<144xf32> -> tensor<7x144xf32>
  %1 = tx.mul %0, %v : tensor<7x144xf32>
  %2 = tx.sum %1 dims = [1] : tensor<7x144xf32> -> tensor<7xf32>
  return %2 : tensor<7xf32>
}

func.func @wide(%x: tensor<640xf32>, %q: tensor<70x640xi4>, %s: tensor<70x20xf32>, %u: tensor<7x144xui4>, %t: tensor<7x3xf32>)
    -> (tensor<70x640xf32>, tensor<7x144xf32>) {
  %v = tx.dequantize %q, %s : (tensor<70x640xi4>, tensor<70x20xf32>) -> tensor<70x640xf32>
  %w = tx.dequantize %u, %t : (tensor<7x144xui4>, tensor<7x3xf32>) -> tensor<7x144xf32>
  return %v, %w : tensor<70x640xf32>, tensor<7x144xf32>
}
// SAME:      groups: i1[]
// SAME-NEXT: true
// SAME-NEXT: odd: i1[]
// SAME-NEXT: true
func.func @as_wide(%x: tensor<640xf32>, %q: tensor<70x640xi4>, %s: tensor<70x20xf32>, %u: tensor<7x144xui4>, %t: tensor<7x3xf32>,
                   %v: tensor<70x640xf32> {tx.name = "v"}, %w: tensor<7x144xf32> {tx.name = "w"})
    -> (tensor<i1> {tx.name = "groups"}, tensor<i1> {tx.name = "odd"}) {
  %a = tx.dequantize %q, %s : (tensor<70x640xi4>, tensor<70x20xf32>) -> tensor<70x640xf32>
  %b = tx.dequantize %u, %t : (tensor<7x144xui4>, tensor<7x3xf32>) -> tensor<7x144xf32>
  %y = tx.slice %x offsets = [0] strides = [1] : tensor<640xf32> -> tensor<144xf32>
  %0 = tx.broadcast %x dims = [1] : tensor<640xf32> -> tensor<70x640xf32>
  %1 = tx.broadcast %y dims = [1] : tensor<144xf32> -> tensor<7x144xf32>
  %2 = tx.mul %0, %a : tensor<70x640xf32>
  %3 = tx.mul %0, %v : tensor<70x640xf32>
  %4 = tx.mul %1, %b : tensor<7x144xf32>
  %5 = tx.mul %1, %w : tensor<7x144xf32>
  %6 = tx.sum %2 dims = [1] : tensor<70x640xf32> -> tensor<70xf32>
  %7 = tx.sum %3 dims = [1] : tensor<70x640xf32> -> tensor<70xf32>
  %8 = tx.sum %4 dims = [1] : tensor<7x144xf32> -> tensor<7xf32>
  %9 = tx.sum %5 dims = [1] : tensor<7x144xf32> -> tensor<7xf32>
  %10 = tx.eq %6, %7 : tensor<70xf32>
  %11 = tx.eq %8, %9 : tensor<7xf32>
  %12 = tx.all %10 dims = [0] : tensor<70xi1> -> tensor<i1>
  %13 = tx.all %11 dims = [0] : tensor<7xi1> -> tensor<i1>
  return %12, %13 : tensor<i1>, tensor<i1>
}
}
