// Contractions: matrices, vectors, batches, any order of dimensions.
//
// RUN: %npy %t.x.npy f32 '[[1, 2, 3], [4, 5, 6]]'
// RUN: %npy %t.y.npy f32 '[[1, 0], [0.5, -1], [2, nan]]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=dtypes | FileCheck %s --check-prefix=DTYPES
// RUN: %run_op --entry=batch | FileCheck %s --check-prefix=BATCH
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:129,67 --shape=y:67,35 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:1,1 --shape=y:1,1 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:3,0 --shape=y:0,2 --compare=reference

func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>)
    -> (tensor<2x2xf32>, tensor<3x3xf32>, tensor<f32>, tensor<2x2xf32>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = tx.dot_general %x, %x batch = [] x [] contracting = [0] x [0]
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  // 1 + 4 + 9 + 16 + 25 + 36
  %2 = tx.dot_general %x, %x batch = [] x [] contracting = [0, 1] x [0, 1]
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>
  %3 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1]
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<3x3xf32>, tensor<f32>, tensor<2x2xf32>
}
// CHECK:      out0: f32[2,2]
// CHECK-NEXT: {{\[\[}}8, nan],
// CHECK-NEXT:  [18.5, nan]]
// CHECK-NEXT: out1: f32[3,3]
// CHECK-NEXT: {{\[\[}}17, 22, 27],
// CHECK-NEXT:  [22, 29, 36],
// CHECK-NEXT:  [27, 36, 45]]
// CHECK-NEXT: out2: f32[]
// CHECK-NEXT: {{^}}91{{$}}
// CHECK-NEXT: out3: f32[2,2]
// CHECK-NEXT: {{\[\[}}14, 32],
// CHECK-NEXT:  [32, 77]]

// The sum of squares 0...36 is 16206. bf16 accumulates in f32: 1000 ones are
// 1000, not 256, where bf16 itself would stop. Integers wrap.
func.func @dtypes() -> (tensor<f64>, tensor<bf16>, tensor<i32>, tensor<i64>, tensor<i8>, tensor<f16>) {
  %a = tx.iota dim = 0 : tensor<37xf64>
  %0 = tx.dot_general %a, %a batch = [] x [] contracting = [0] x [0]
      : (tensor<37xf64>, tensor<37xf64>) -> tensor<f64>
  %b = tx.constant dense<1.0> : tensor<1000xbf16>
  %1 = tx.dot_general %b, %b batch = [] x [] contracting = [0] x [0]
      : (tensor<1000xbf16>, tensor<1000xbf16>) -> tensor<bf16>
  %c = tx.iota dim = 0 : tensor<37xi32>
  %2 = tx.dot_general %c, %c batch = [] x [] contracting = [0] x [0]
      : (tensor<37xi32>, tensor<37xi32>) -> tensor<i32>
  %d = tx.constant dense<4294967296> : tensor<3xi64>
  %e = tx.iota dim = 0 : tensor<3xi64>
  %f = tx.add %d, %e : tensor<3xi64>
  %3 = tx.dot_general %f, %f batch = [] x [] contracting = [0] x [0]
      : (tensor<3xi64>, tensor<3xi64>) -> tensor<i64>
  %g = tx.iota dim = 0 : tensor<37xi8>
  %4 = tx.dot_general %g, %g batch = [] x [] contracting = [0] x [0]
      : (tensor<37xi8>, tensor<37xi8>) -> tensor<i8>
  %h = tx.constant dense<1.0> : tensor<3000xf16>
  %5 = tx.dot_general %h, %h batch = [] x [] contracting = [0] x [0]
      : (tensor<3000xf16>, tensor<3000xf16>) -> tensor<f16>
  return %0, %1, %2, %3, %4, %5
      : tensor<f64>, tensor<bf16>, tensor<i32>, tensor<i64>, tensor<i8>, tensor<f16>
}
// DTYPES:      out0: f64[]
// DTYPES-NEXT: {{^}}16206{{$}}
// DTYPES-NEXT: out1: bf16[]
// DTYPES-NEXT: {{^}}1000{{$}}
// DTYPES-NEXT: out2: i32[]
// DTYPES-NEXT: {{^}}16206{{$}}
// 2 * 2^32 * (0 + 1 + 2) + (0 + 1 + 4), modulo 2^64
// DTYPES-NEXT: out3: i64[]
// DTYPES-NEXT: {{^}}25769803781{{$}}
// 16206 modulo 256
// DTYPES-NEXT: out4: i8[]
// DTYPES-NEXT: {{^}}78{{$}}
// DTYPES-NEXT: out5: f16[]
// DTYPES-NEXT: {{^}}3000{{$}}

// x[b, i, k] = b + i + k of shape [2, 1, 3], y[k, b] = k: 0 (b) + 1 (b + 1) + 2 (b + 2).
func.func @batch() -> (tensor<2x1xi32>, tensor<2x3x2x3xi32>) {
  %b = tx.iota dim = 0 : tensor<2x1x3xi32>
  %k = tx.iota dim = 2 : tensor<2x1x3xi32>
  %x = tx.add %b, %k : tensor<2x1x3xi32>
  %y = tx.iota dim = 0 : tensor<3x2xi32>
  %0 = tx.dot_general %x, %y batch = [0] x [1] contracting = [2] x [0]
      : (tensor<2x1x3xi32>, tensor<3x2xi32>) -> tensor<2x1xi32>
  // Nothing but an outer product where the contracted dimension has size 1.
  %1 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1]
      : (tensor<2x1x3xi32>, tensor<2x1x3xi32>) -> tensor<2x3x2x3xi32>
  return %0, %1 : tensor<2x1xi32>, tensor<2x3x2x3xi32>
}
// BATCH:      out0: i32[2,1]
// BATCH-NEXT: {{\[\[}}5],
// BATCH-NEXT:  [8]]
// BATCH-NEXT: out1: i32[2,3,2,3]
// BATCH-NEXT: {{\[\[\[\[}}0, 0, 0],
// BATCH-NEXT:    [0, 0, 0]],
// BATCH-NEXT:   {{\[\[}}0, 1, 2],
// BATCH-NEXT:    [1, 2, 3]],

func.func @sizes(%a: tensor<37x41xf32>, %b: tensor<41x67xf32>, %c: tensor<2x3x37xf32>,
                 %d: tensor<2x37x5xf32>, %e: tensor<129xf32>, %f: tensor<129x33xf64>,
                 %g: tensor<64x64xbf16>, %h: tensor<0x5xf32>, %i: tensor<5x0xf32>, %j: tensor<1x1xf32>,
                 %k: tensor<17x200xi64>)
    -> (tensor<37x67xf32>, tensor<67x37xf32>, tensor<2x3x5xf32>, tensor<f32>, tensor<129x129xf32>,
        tensor<33x33xf64>, tensor<64x64xbf16>, tensor<0x0xf32>, tensor<5x5xf32>, tensor<1x1xf32>,
        tensor<17x17xi64>, tensor<41xf32>) {
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
      : (tensor<37x41xf32>, tensor<41x67xf32>) -> tensor<37x67xf32>
  %1 = tx.dot_general %b, %a batch = [] x [] contracting = [0] x [1]
      : (tensor<41x67xf32>, tensor<37x41xf32>) -> tensor<67x37xf32>
  %2 = tx.dot_general %c, %d batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x3x37xf32>, tensor<2x37x5xf32>) -> tensor<2x3x5xf32>
  %3 = tx.dot_general %e, %e batch = [] x [] contracting = [0] x [0]
      : (tensor<129xf32>, tensor<129xf32>) -> tensor<f32>
  %4 = tx.dot_general %e, %e batch = [] x [] contracting = [] x []
      : (tensor<129xf32>, tensor<129xf32>) -> tensor<129x129xf32>
  %5 = tx.dot_general %f, %f batch = [] x [] contracting = [0] x [0]
      : (tensor<129x33xf64>, tensor<129x33xf64>) -> tensor<33x33xf64>
  %6 = tx.dot_general %g, %g batch = [] x [] contracting = [1] x [1]
      : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %7 = tx.dot_general %h, %i batch = [] x [] contracting = [1] x [0]
      : (tensor<0x5xf32>, tensor<5x0xf32>) -> tensor<0x0xf32>
  %8 = tx.dot_general %i, %h batch = [] x [] contracting = [1] x [0]
      : (tensor<5x0xf32>, tensor<0x5xf32>) -> tensor<5x5xf32>
  %9 = tx.dot_general %j, %j batch = [] x [] contracting = [1] x [0]
      : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %10 = tx.dot_general %k, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<17x200xi64>, tensor<17x200xi64>) -> tensor<17x17xi64>
  %v = tx.slice %e offsets = [0] strides = [3] : tensor<129xf32> -> tensor<37xf32>
  %11 = tx.dot_general %v, %a batch = [] x [] contracting = [0] x [0]
      : (tensor<37xf32>, tensor<37x41xf32>) -> tensor<41xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
      : tensor<37x67xf32>, tensor<67x37xf32>, tensor<2x3x5xf32>, tensor<f32>, tensor<129x129xf32>,
        tensor<33x33xf64>, tensor<64x64xbf16>, tensor<0x0xf32>, tensor<5x5xf32>, tensor<1x1xf32>,
        tensor<17x17xi64>, tensor<41xf32>
}

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[m, k]>> {tx.name = "x"},
                    %y: tensor<?x?xf32, #tx.dims<[k, n]>> {tx.name = "y"})
    -> (tensor<?x?xf32, #tx.dims<[m, n]>>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf32, #tx.dims<[m, k]>>, tensor<?x?xf32, #tx.dims<[k, n]>>)
      -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %1 = tx.dot_general %y, %x batch = [] x [] contracting = [0] x [1]
      : (tensor<?x?xf32, #tx.dims<[k, n]>>, tensor<?x?xf32, #tx.dims<[m, k]>>)
      -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0, %1 : tensor<?x?xf32, #tx.dims<[m, n]>>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
