// Narrow weights are read as they lie, and become floats in registers, whatever their scales are.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned_f8 --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned_i4 --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=plain_i4 --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=halves --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=odd_i4 --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=table --device=cpu --random-inputs --compare=reference
// RUN: %tensorc compile %s --entry=table --target=cpu:x86-64-v4 --emit=asm -o - | FileCheck %s --check-prefix=TABLE

// The narrow way is the wide way, bit by bit.
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc run %s --entry=wide --device=cpu --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=as_wide --device=cpu --random-inputs --input=w=%t/out0.npy --input=v=%t/out1.npy | FileCheck %s --check-prefix=SAME
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc run %s --entry=wide_lines --device=cpu --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=lines --device=cpu --random-inputs --input=w=%t/out0.npy | FileCheck %s --check-prefix=LINES
// LINES: true

module attributes {tx.target = "cpu:x86-64-v4"} {
// A scale per column lies along the lanes, and the weights lie along the sum: they are what counts.
// CHECK-LABEL: func.func @mul_dot_general(
// CHECK-NOT:   vector.gather
// CHECK:       vector.load {{.*}} : memref<?xi8>, vector<64xi8>
// CHECK-NEXT:  vector.bitcast {{.*}} : vector<64xi8> to vector<16xi32>
// CHECK-NOT:   vector.gather
// CHECK:       vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK-NOT:   vector.gather
// CHECK:       vector.fma
// CHECK-NOT:   vector.gather
func.func @turned(%x: tensor<3x67xf32>, %q: tensor<70x67xi8>, %s: tensor<70x1xf32>) -> tensor<3x70xf32> {
  %w = tx.dequantize %q, %s : (tensor<70x67xi8>, tensor<70x1xf32>) -> tensor<70x67xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<3x67xf32>, tensor<70x67xf32>) -> tensor<3x70xf32>
  return %0 : tensor<3x70xf32>
}

// CHECK-LABEL: func.func @mul_dot_general_0(
// CHECK-NOT:   vector.gather
func.func @turned_f8(%x: tensor<41x67xbf16>, %q: tensor<70x67xf8E4M3FN>, %s: tensor<70x1xbf16>) -> tensor<41x70xbf16> {
  %w = tx.dequantize %q, %s : (tensor<70x67xf8E4M3FN>, tensor<70x1xbf16>) -> tensor<70x67xbf16>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<41x67xbf16>, tensor<70x67xbf16>) -> tensor<41x70xbf16>
  return %0 : tensor<41x70xbf16>
}

// Both elements of a byte come from one read; only the scales of groups are gathered.
// CHECK-LABEL: func.func @shl_shr_arith_mul_dot_general_2more(
// CHECK-NOT:   vector<16xi8> into
// CHECK:       vector.load {{.*}} : memref<?xi8>, vector<16xi8>
// CHECK-NEXT:  vector.bitcast {{.*}} : vector<16xi8> to vector<4xi32>
// CHECK-NOT:   vector<16xi8> into
func.func @turned_i4(%x: tensor<3x96xf32>, %q: tensor<70x96xi4>, %s: tensor<70x3xf32>) -> tensor<3x70xf32> {
  %w = tx.dequantize %q, %s : (tensor<70x96xi4>, tensor<70x3xf32>) -> tensor<70x96xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<3x96xf32>, tensor<70x96xf32>) -> tensor<3x70xf32>
  return %0 : tensor<3x70xf32>
}

// While the columns of one line are summed, two vectors in turns, the next line is turned into the other half of a buffer, and
// the next tile's columns are asked for in the order of memory. (One row is a sum of rows, so x has two.)
// CHECK-LABEL: func.func @mul_dot_general_1(
// CHECK:       memref.alloca() {alignment = 64 : i64} : memref<1024xi32>
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-16: memref.prefetch
// CHECK-COUNT-16: vector.load {{.*}} : memref<?xi8>, vector<64xi8>
// CHECK-COUNT-16: vector.store {{.*}} : memref<1024xi32>, vector<16xi32>
// CHECK:       scf.for {{.*}} iter_args
// CHECK:       vector.load {{.*}} : memref<1024xi32>, vector<16xi32>
// CHECK-COUNT-4: vector.fma
// CHECK:       vector.load {{.*}} : memref<1024xi32>, vector<16xi32>
// CHECK-COUNT-4: vector.fma
func.func @lines(%x: tensor<2x640xf32>, %q: tensor<64x640xi8>, %s: tensor<64x1xf32>, %w: tensor<64x640xf32> {tx.name = "w"})
    -> (tensor<i1> {tx.name = "lines"}) {
  %v = tx.dequantize %q, %s : (tensor<64x640xi8>, tensor<64x1xf32>) -> tensor<64x640xf32>
  %0 = tx.dot_general %x, %v batch = [] x [] contracting = [1] x [1] : (tensor<2x640xf32>, tensor<64x640xf32>) -> tensor<2x64xf32>
  %1 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<2x640xf32>, tensor<64x640xf32>) -> tensor<2x64xf32>
  %2 = tx.eq %0, %1 : tensor<2x64xf32>
  %3 = tx.all %2 dims = [0, 1] : tensor<2x64xi1> -> tensor<i1>
  return %3 : tensor<i1>
}
func.func @wide_lines(%x: tensor<2x640xf32>, %q: tensor<64x640xi8>, %s: tensor<64x1xf32>) -> tensor<64x640xf32> {
  %v = tx.dequantize %q, %s : (tensor<64x640xi8>, tensor<64x1xf32>) -> tensor<64x640xf32>
  return %v : tensor<64x640xf32>
}

// Where all columns are there, a vector of bytes is two vectors of every other column, whose sums are woven at the end.
// CHECK-LABEL: func.func @shl_shr_arith_mul_dot_general_2more_0(
// CHECK:       %[[BYTES:.*]] = vector.load {{.*}} : memref<?xi8>, vector<16xi8>
// CHECK-NEXT:  arith.shli %[[BYTES]]
// CHECK:       arith.mulf
// CHECK-NEXT:  arith.shrsi %[[BYTES]]
// CHECK-COUNT-8: vector.fma
// CHECK:       vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xf32>, vector<16xf32>
// CHECK-NEXT:  vector.shuffle {{.*}} [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31] : vector<16xf32>, vector<16xf32>
func.func @halves(%x: tensor<1x96xf32>, %q: tensor<96x128xi4>, %s: tensor<3x128xf32>) -> tensor<1x128xf32> {
  %w = tx.dequantize %q, %s : (tensor<96x128xi4>, tensor<3x128xf32>) -> tensor<96x128xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<1x96xf32>, tensor<96x128xf32>) -> tensor<1x128xf32>
  return %0 : tensor<1x128xf32>
}

// Lanes are elements that share bytes two by two.
// CHECK-LABEL: func.func @shl_shr_arith_mul_dot_general_2more_1(
// CHECK-NOT:   vector.gather
// CHECK:       memref<?xi8>, vector<8x{{.*}}
// CHECK-NEXT:  vector.shuffle {{.*}} [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7] : vector<8xi8>, vector<8xi8>
// CHECK-NOT:   vector.gather
// CHECK-LABEL: func.func
func.func @plain_i4(%x: tensor<3x96xbf16>, %q: tensor<96x70xi4>, %s: tensor<3x70xbf16>) -> tensor<3x70xbf16> {
  %w = tx.dequantize %q, %s : (tensor<96x70xi4>, tensor<3x70xbf16>) -> tensor<96x70xbf16>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<3x96xbf16>, tensor<96x70xbf16>) -> tensor<3x70xbf16>
  return %0 : tensor<3x70xbf16>
}

// Rows do not begin at bytes.
func.func @odd_i4(%x: tensor<3x67xf32>, %q: tensor<67x71xui4>, %s: tensor<1x71xf32>) -> tensor<3x71xf32> {
  %w = tx.dequantize %q, %s : (tensor<67x71xui4>, tensor<1x71xf32>) -> tensor<67x71xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<3x67xf32>, tensor<67x71xf32>) -> tensor<3x71xf32>
  return %0 : tensor<3x71xf32>
}

// Floats of 4 bits are looked up in a table.
// TABLE:     vpmovzxbq
// TABLE:     vpmul{{u?}}dq
// TABLE:     vperm{{d|ps}} %zmm
// TABLE-NOT: vpsllvw
func.func @table(%x: tensor<3x96xf32>, %q: tensor<96x70xi4>, %u: tensor<96x128xui4>, %s: tensor<3x70xf32>, %t: tensor<3x128xf32>)
    -> (tensor<3x70xf32>, tensor<3x128xf32>) {
  %w = tx.dequantize %q, %s : (tensor<96x70xi4>, tensor<3x70xf32>) -> tensor<96x70xf32>
  %v = tx.dequantize %u, %t : (tensor<96x128xui4>, tensor<3x128xf32>) -> tensor<96x128xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<3x96xf32>, tensor<96x70xf32>) -> tensor<3x70xf32>
  %1 = tx.dot_general %x, %v batch = [] x [] contracting = [1] x [0] : (tensor<3x96xf32>, tensor<96x128xf32>) -> tensor<3x128xf32>
  return %0, %1 : tensor<3x70xf32>, tensor<3x128xf32>
}

func.func @wide(%x: tensor<5x96xf32>, %q: tensor<70x96xi4>, %s: tensor<70x3xf32>, %p: tensor<96x70xi4>, %t: tensor<3x70xf32>)
    -> (tensor<70x96xf32>, tensor<96x70xf32>) {
  %w = tx.dequantize %q, %s : (tensor<70x96xi4>, tensor<70x3xf32>) -> tensor<70x96xf32>
  %v = tx.dequantize %p, %t : (tensor<96x70xi4>, tensor<3x70xf32>) -> tensor<96x70xf32>
  return %w, %v : tensor<70x96xf32>, tensor<96x70xf32>
}
// SAME:      turned: i1[]
// SAME-NEXT: true
// SAME-NEXT: plain: i1[]
// SAME-NEXT: true
func.func @as_wide(%x: tensor<5x96xf32>, %q: tensor<70x96xi4>, %s: tensor<70x3xf32>, %p: tensor<96x70xi4>, %t: tensor<3x70xf32>,
                   %w: tensor<70x96xf32> {tx.name = "w"}, %v: tensor<96x70xf32> {tx.name = "v"})
    -> (tensor<i1> {tx.name = "turned"}, tensor<i1> {tx.name = "plain"}) {
  %a = tx.dequantize %q, %s : (tensor<70x96xi4>, tensor<70x3xf32>) -> tensor<70x96xf32>
  %b = tx.dequantize %p, %t : (tensor<96x70xi4>, tensor<3x70xf32>) -> tensor<96x70xf32>
  %0 = tx.dot_general %x, %a batch = [] x [] contracting = [1] x [1] : (tensor<5x96xf32>, tensor<70x96xf32>) -> tensor<5x70xf32>
  %1 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<5x96xf32>, tensor<70x96xf32>) -> tensor<5x70xf32>
  %2 = tx.dot_general %x, %b batch = [] x [] contracting = [1] x [0] : (tensor<5x96xf32>, tensor<96x70xf32>) -> tensor<5x70xf32>
  %3 = tx.dot_general %x, %v batch = [] x [] contracting = [1] x [0] : (tensor<5x96xf32>, tensor<96x70xf32>) -> tensor<5x70xf32>
  %4 = tx.eq %0, %1 : tensor<5x70xf32>
  %5 = tx.eq %2, %3 : tensor<5x70xf32>
  %6 = tx.all %4 dims = [0, 1] : tensor<5x70xi1> -> tensor<i1>
  %7 = tx.all %5 dims = [0, 1] : tensor<5x70xi1> -> tensor<i1>
  return %6, %7 : tensor<i1>, tensor<i1>
}
}
