// Contractions of f16 and bf16 that chips with matrix instructions do in tiles.
//
// RUN: %run_op --entry=exact | FileCheck %s --check-prefix=EXACT
// RUN: %run_op --entry=layouts --random-inputs --compare=reference
// RUN: %run_op --entry=edges --random-inputs --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=batches --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:70,40 --shape=y:40,24 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:1,3 --shape=y:3,1 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:5,0 --shape=y:0,3 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:129,64 --compare=reference
// RUN: %run_op --entry=long --random-inputs --compare=reference
// RUN: %run_op --entry=wide | FileCheck %s --check-prefix=WIDE
// RUN: %run_op --entry=wide_sizes --random-inputs --compare=reference
// RUN: %run_op --entry=special | FileCheck %s --check-prefix=SPECIAL

// Each element tells its row, column and step from all others: row r of x is 1 at
// step r and 2 at step r + 1, y[k, c] = 3 k + c, so the product is
// 3 r + c + 2 (3 (r + 1) + c) = 9 r + 3 c + 6, for r < 31.
func.func @exact() -> (tensor<3x3xf16>, tensor<3x3xbf16>) {
  %r = tx.iota dim = 0 : tensor<32x32xi32>
  %k = tx.iota dim = 1 : tensor<32x32xi32>
  %one = tx.constant dense<1> : tensor<32x32xi32>
  %next = tx.add %r, %one : tensor<32x32xi32>
  %same = tx.eq %r, %k : tensor<32x32xi32>
  %after = tx.eq %next, %k : tensor<32x32xi32>
  %ones = tx.convert %same : tensor<32x32xi1> -> tensor<32x32xf16>
  %twos = tx.convert %after : tensor<32x32xi1> -> tensor<32x32xf16>
  %x0 = tx.add %ones, %twos : tensor<32x32xf16>
  %x = tx.add %x0, %twos : tensor<32x32xf16>
  %three = tx.constant dense<3> : tensor<32x32xi32>
  %k3 = tx.mul %r, %three : tensor<32x32xi32>
  %yi = tx.add %k3, %k : tensor<32x32xi32>
  %y = tx.convert %yi : tensor<32x32xi32> -> tensor<32x32xf16>
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf16>
  %xb = tx.convert %x : tensor<32x32xf16> -> tensor<32x32xbf16>
  %yb = tx.convert %y : tensor<32x32xf16> -> tensor<32x32xbf16>
  %1 = tx.dot_general %xb, %yb batch = [] x [] contracting = [1] x [0]
      : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %s = tx.slice %0 offsets = [7, 3] strides = [9, 10] : tensor<32x32xf16> -> tensor<3x3xf16>
  %t = tx.slice %1 offsets = [0, 1] strides = [8, 2] : tensor<32x32xbf16> -> tensor<3x3xbf16>
  return %s, %t : tensor<3x3xf16>, tensor<3x3xbf16>
}
// EXACT:      out0: f16[3,3]
// EXACT-NEXT: {{\[\[}}78, 108, 138],
// EXACT-NEXT:  [159, 189, 219],
// EXACT-NEXT:  [240, 270, 300]]
// EXACT-NEXT: out1: bf16[3,3]
// EXACT-NEXT: {{\[\[}}9, 15, 21],
// EXACT-NEXT:  [81, 87, 93],
// EXACT-NEXT:  [153, 159, 165]]

// Both operands along k, along their free dim, and one of each.
func.func @layouts(%a: tensor<64x96xf16>, %b: tensor<96x80xf16>, %c: tensor<96x64xbf16>,
                   %d: tensor<80x96xbf16>)
    -> (tensor<64x80xf16>, tensor<64x64xf16>, tensor<80x80xf16>, tensor<64x80xbf16>) {
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
      : (tensor<64x96xf16>, tensor<96x80xf16>) -> tensor<64x80xf16>
  %1 = tx.dot_general %a, %a batch = [] x [] contracting = [1] x [1]
      : (tensor<64x96xf16>, tensor<64x96xf16>) -> tensor<64x64xf16>
  %2 = tx.dot_general %b, %b batch = [] x [] contracting = [0] x [0]
      : (tensor<96x80xf16>, tensor<96x80xf16>) -> tensor<80x80xf16>
  %3 = tx.dot_general %c, %d batch = [] x [] contracting = [0] x [1]
      : (tensor<96x64xbf16>, tensor<80x96xbf16>) -> tensor<64x80xbf16>
  return %0, %1, %2, %3 : tensor<64x80xf16>, tensor<64x64xf16>, tensor<80x80xf16>, tensor<64x80xbf16>
}

// Sizes that no vector and no tile divides, one step, one row; rows that begin at
// odd places; strides.
func.func @edges(%a: tensor<67x37xf16>, %b: tensor<37x41xf16>, %c: tensor<1x300xbf16>,
                 %d: tensor<300x20xbf16>, %e: tensor<17x16xf16>, %f: tensor<16x1xf16>,
                 %g: tensor<40x100xf16>, %h: tensor<32x40xf16>)
    -> (tensor<67x41xf16>, tensor<1x20xbf16>, tensor<17x1xf16>, tensor<40x40xf16>, tensor<40x32xf16>) {
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
      : (tensor<67x37xf16>, tensor<37x41xf16>) -> tensor<67x41xf16>
  %1 = tx.dot_general %c, %d batch = [] x [] contracting = [1] x [0]
      : (tensor<1x300xbf16>, tensor<300x20xbf16>) -> tensor<1x20xbf16>
  %2 = tx.dot_general %e, %f batch = [] x [] contracting = [1] x [0]
      : (tensor<17x16xf16>, tensor<16x1xf16>) -> tensor<17x1xf16>
  %s = tx.slice %g offsets = [0, 3] strides = [1, 1] : tensor<40x100xf16> -> tensor<40x64xf16>
  %3 = tx.dot_general %s, %s batch = [] x [] contracting = [1] x [1]
      : (tensor<40x64xf16>, tensor<40x64xf16>) -> tensor<40x40xf16>
  %t = tx.slice %g offsets = [0, 1] strides = [1, 3] : tensor<40x100xf16> -> tensor<40x32xf16>
  %5 = tx.transpose %t permutation = [1, 0] : tensor<40x32xf16> -> tensor<32x40xf16>
  %6 = tx.dot_general %h, %5 batch = [] x [] contracting = [0] x [0]
      : (tensor<32x40xf16>, tensor<32x40xf16>) -> tensor<40x40xf16>
  %7 = tx.add %3, %6 : tensor<40x40xf16>
  %8 = tx.dot_general %7, %t batch = [] x [] contracting = [1] x [0]
      : (tensor<40x40xf16>, tensor<40x32xf16>) -> tensor<40x32xf16>
  return %0, %1, %2, %7, %8
      : tensor<67x41xf16>, tensor<1x20xbf16>, tensor<17x1xf16>, tensor<40x40xf16>, tensor<40x32xf16>
}

// Work on an operand before, and bias, activation and a residual behind; one operand
// needs none and is copied.
func.func @fused(%x: tensor<65x64xf32>, %s: tensor<64xf32>, %y: tensor<64x72xf16>,
                 %b: tensor<72xf16>, %r: tensor<65x72xf16>) -> tensor<65x72xf16> {
  %sb = tx.broadcast %s dims = [1] : tensor<64xf32> -> tensor<65x64xf32>
  %xs = tx.mul %x, %sb : tensor<65x64xf32>
  %xh = tx.convert %xs : tensor<65x64xf32> -> tensor<65x64xf16>
  %0 = tx.dot_general %xh, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<65x64xf16>, tensor<64x72xf16>) -> tensor<65x72xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<72xf16> -> tensor<65x72xf16>
  %1 = tx.add %0, %bb : tensor<65x72xf16>
  %2 = tx.tanh %1 : tensor<65x72xf16>
  %3 = tx.add %2, %r : tensor<65x72xf16>
  return %3 : tensor<65x72xf16>
}

// Two batch dims in another order on each side, two free and two contracted dims.
func.func @batches(%x: tensor<2x3x20x48xf16>, %y: tensor<3x48x2x24xf16>,
                   %u: tensor<5x7x4x16xbf16>, %v: tensor<4x16x33xbf16>)
    -> (tensor<2x3x20x24xf16>, tensor<5x7x33xbf16>) {
  %0 = tx.dot_general %x, %y batch = [0, 1] x [2, 0] contracting = [3] x [1]
      : (tensor<2x3x20x48xf16>, tensor<3x48x2x24xf16>) -> tensor<2x3x20x24xf16>
  %1 = tx.dot_general %u, %v batch = [] x [] contracting = [2, 3] x [0, 1]
      : (tensor<5x7x4x16xbf16>, tensor<4x16x33xbf16>) -> tensor<5x7x33xbf16>
  return %0, %1 : tensor<2x3x20x24xf16>, tensor<5x7x33xbf16>
}

func.func @symbolic(%x: tensor<?x?xf16, #tx.dims<[m, k]>> {tx.name = "x"},
                    %y: tensor<?x?xf16, #tx.dims<[k, n]>> {tx.name = "y"})
    -> tensor<?x?xf16, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf16, #tx.dims<[m, k]>>, tensor<?x?xf16, #tx.dims<[k, n]>>)
      -> tensor<?x?xf16, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf16, #tx.dims<[m, n]>>
}

// The usual case: any number of rows, and tiles of 128 x 128.
func.func @rows(%x: tensor<?x64xbf16, #tx.dims<[m, 64]>> {tx.name = "x"},
                %y: tensor<64x136xbf16> {tx.name = "y"}) -> tensor<?x136xbf16, #tx.dims<[m, 136]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x64xbf16, #tx.dims<[m, 64]>>, tensor<64x136xbf16>)
      -> tensor<?x136xbf16, #tx.dims<[m, 136]>>
  return %0 : tensor<?x136xbf16, #tx.dims<[m, 136]>>
}

// Few tiles and many steps: parts of k, the last one shorter, and an epilogue behind
// their sum.
func.func @long(%x: tensor<17x1100xbf16>, %y: tensor<1100x40xbf16>, %b: tensor<40xbf16>,
                %u: tensor<2x5x2048xf16>, %v: tensor<2x20x2048xf16>)
    -> (tensor<17x40xbf16>, tensor<2x5x20xf16>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<17x1100xbf16>, tensor<1100x40xbf16>) -> tensor<17x40xbf16>
  %bb = tx.broadcast %b dims = [1] : tensor<40xbf16> -> tensor<17x40xbf16>
  %1 = tx.add %0, %bb : tensor<17x40xbf16>
  %2 = tx.dot_general %u, %v batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x5x2048xf16>, tensor<2x20x2048xf16>) -> tensor<2x5x20xf16>
  return %1, %2 : tensor<17x40xbf16>, tensor<2x5x20xf16>
}

// Infinities and NaN stay in their rows and columns; sums are f32, so that
// 60000 + 60000 - 60000 is not infinite.
func.func @special() -> (tensor<2x2xf16>, tensor<1x1xf16>) {
  %r = tx.iota dim = 0 : tensor<16x16xi32>
  %c = tx.iota dim = 1 : tensor<16x16xi32>
  %zero = tx.constant dense<0> : tensor<16x16xi32>
  %big = tx.constant dense<60000.0> : tensor<16x16xf16>
  %first = tx.constant dense<1> : tensor<16x16xi32>
  %isFirst = tx.eq %c, %first : tensor<16x16xi32>
  %negative = tx.neg %big : tensor<16x16xf16>
  // Every row of x: 60000 but -60000 in step 1; y is 1 in steps 0, 1 and 2.
  %x = tx.select %isFirst, %negative, %big : tensor<16x16xi1>, tensor<16x16xf16>
  %two = tx.constant dense<2> : tensor<16x16xi32>
  %low = tx.le %r, %two : tensor<16x16xi32>
  %y = tx.convert %low : tensor<16x16xi1> -> tensor<16x16xf16>
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf16>
  %inf = tx.constant dense<0x7C00> : tensor<16x16xf16>
  %row0 = tx.eq %r, %zero : tensor<16x16xi32>
  %one = tx.constant dense<1.0> : tensor<16x16xf16>
  %u = tx.select %row0, %inf, %one : tensor<16x16xi1>, tensor<16x16xf16>
  %col0 = tx.eq %c, %zero : tensor<16x16xi32>
  %none = tx.constant dense<0.0> : tensor<16x16xf16>
  %v = tx.select %col0, %none, %one : tensor<16x16xi1>, tensor<16x16xf16>
  %1 = tx.dot_general %u, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf16>
  %s = tx.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<16x16xf16> -> tensor<2x2xf16>
  %t = tx.slice %0 offsets = [3, 4] strides = [1, 1] : tensor<16x16xf16> -> tensor<1x1xf16>
  return %s, %t : tensor<2x2xf16>, tensor<1x1xf16>
}
// SPECIAL:      out0: f16[2,2]
// SPECIAL-NEXT: {{\[\[}}nan, inf],
// SPECIAL-NEXT:  [0, 16]]
// SPECIAL-NEXT: out1: f16[1,1]
// SPECIAL-NEXT: {{.*}}60000

// Results in f32, in which the sums are: bf16 has no 257, f16 no 2049. The
// operands of the last two are f32, rounded as matmul_precision has it: 1 + 2^-9
// to 1, a step further to 1 + 2^-7.
func.func @wide() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %a = tx.constant dense<1.0> : tensor<17x257xbf16>
  %b = tx.constant dense<1.0> : tensor<257x18xbf16>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
      : (tensor<17x257xbf16>, tensor<257x18xbf16>) -> tensor<17x18xf32>
  %least = tx.reduce_min %0 dims = [0, 1] : tensor<17x18xf32> -> tensor<f32>
  %most = tx.reduce_max %0 dims = [0, 1] : tensor<17x18xf32> -> tensor<f32>
  %c = tx.constant dense<1.0> : tensor<2049xf16>
  %inner = tx.dot_general %c, %c batch = [] x [] contracting = [0] x [0]
      : (tensor<2049xf16>, tensor<2049xf16>) -> tensor<f32>
  %d = tx.constant dense<[1.001953125, 1.00390625, 1.005859375]> : tensor<3xf32>
  %e = tx.convert %d : tensor<3xf32> -> tensor<3xbf16>
  %rounded = tx.dot_general %e, %e batch = [] x [] contracting = [0] x [0]
      : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<f32>
  %f = tx.broadcast %e dims = [1] : tensor<3xbf16> -> tensor<40x3xbf16>
  %products = tx.dot_general %f, %f batch = [] x [] contracting = [0] x [0]
      : (tensor<40x3xbf16>, tensor<40x3xbf16>) -> tensor<3x3xf32>
  %all = tx.reduce_max %products dims = [0, 1] : tensor<3x3xf32> -> tensor<f32>
  return %least, %most, %inner, %rounded, %all
      : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
// WIDE:      {{^}}257{{$}}
// WIDE:      {{^}}257{{$}}
// WIDE:      {{^}}2049{{$}}
// 1 + 1 + (1 + 2^-7)^2
// WIDE:      {{^}}3.015686{{$}}
// WIDE:      {{^}}40.62744{{$}}

func.func @wide_sizes(%a: tensor<70x129xf32>, %b: tensor<129x67xf32>, %bias: tensor<67xf32>,
                      %c: tensor<2x40x64xbf16>, %d: tensor<2x24x64xbf16>, %e: tensor<33x48xf16>,
                      %f: tensor<0x5xbf16>, %g: tensor<48xf16>)
    -> (tensor<70x67xf32>, tensor<2x40x24xf32>, tensor<33x33xf32>, tensor<5x5xf32>, tensor<33xf32>) {
  %x = tx.convert %a : tensor<70x129xf32> -> tensor<70x129xbf16>
  %y = tx.convert %b : tensor<129x67xf32> -> tensor<129x67xbf16>
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<70x129xbf16>, tensor<129x67xbf16>) -> tensor<70x67xf32>
  %1 = tx.broadcast %bias dims = [1] : tensor<67xf32> -> tensor<70x67xf32>
  %2 = tx.add %0, %1 : tensor<70x67xf32>
  %3 = tx.dot_general %c, %d batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x40x64xbf16>, tensor<2x24x64xbf16>) -> tensor<2x40x24xf32>
  %4 = tx.dot_general %e, %e batch = [] x [] contracting = [1] x [1]
      : (tensor<33x48xf16>, tensor<33x48xf16>) -> tensor<33x33xf32>
  %5 = tx.dot_general %f, %f batch = [] x [] contracting = [0] x [0]
      : (tensor<0x5xbf16>, tensor<0x5xbf16>) -> tensor<5x5xf32>
  %6 = tx.dot_general %e, %g batch = [] x [] contracting = [1] x [0]
      : (tensor<33x48xf16>, tensor<48xf16>) -> tensor<33xf32>
  return %2, %3, %4, %5, %6
      : tensor<70x67xf32>, tensor<2x40x24xf32>, tensor<33x33xf32>, tensor<5x5xf32>, tensor<33xf32>
}
