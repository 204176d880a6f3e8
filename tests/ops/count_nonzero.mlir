// How many elements are not 0: NaN is not, -0 is. Numbers of NumPy's count_nonzero.
//
// RUN: %npy %t.x.npy f64 '[[1, -0.0, nan, 0, inf], [0.0, 0, 0, -0.0, 0], [1e-300, -2, 0, 5e-324, -inf]]'
// RUN: %npy %t.i.npy i64 '[[0, 256, -1, 65536], [0, 0, 0, 4294967296]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=ints --input=%t.i.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:13,40 --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=x:129,67 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,0 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,3 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference

func.func @main(%x: tensor<3x5xf64>)
    -> (tensor<3xi64>, tensor<5xi64>, tensor<i64>, tensor<3x5xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) {
  %0 = tx.count_nonzero %x dims = [1] : tensor<3x5xf64> -> tensor<3xi64>
  %1 = tx.count_nonzero %x dims = [0] : tensor<3x5xf64> -> tensor<5xi64>
  %2 = tx.count_nonzero %x dims = [0, 1] : tensor<3x5xf64> -> tensor<i64>
  %3 = tx.count_nonzero %x dims = [] : tensor<3x5xf64> -> tensor<3x5xi64>
  %a = tx.convert %x : tensor<3x5xf64> -> tensor<3x5xf32>
  %4 = tx.count_nonzero %a dims = [1] : tensor<3x5xf32> -> tensor<3xi64>
  %b = tx.convert %x : tensor<3x5xf64> -> tensor<3x5xf16>
  %5 = tx.count_nonzero %b dims = [1] : tensor<3x5xf16> -> tensor<3xi64>
  %c = tx.convert %x : tensor<3x5xf64> -> tensor<3x5xbf16>
  %6 = tx.count_nonzero %c dims = [1] : tensor<3x5xbf16> -> tensor<3xi64>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<3xi64>, tensor<5xi64>, tensor<i64>, tensor<3x5xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>
}
// CHECK:      out0: i64[3]
// CHECK-NEXT: [3, 0, 4]
// CHECK-NEXT: out1: i64[5]
// CHECK-NEXT: [2, 1, 1, 1, 2]
// CHECK-NEXT: out2: i64[]
// CHECK-NEXT: 7
// CHECK-NEXT: out3: i64[3,5]
// CHECK-NEXT: {{\[\[}}1, 0, 1, 0, 1],
// CHECK-NEXT:  [0, 0, 0, 0, 0],
// CHECK-NEXT:  [1, 1, 0, 1, 1]]
// CHECK-NEXT: out4: i64[3]
// CHECK-NEXT: [3, 0, 2]
// CHECK-NEXT: out5: i64[3]
// CHECK-NEXT: [3, 0, 2]
// CHECK-NEXT: out6: i64[3]
// CHECK-NEXT: [3, 0, 2]

func.func @ints(%x: tensor<2x4xi64>)
    -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) {
  %i8c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xi8>
  %i8 = tx.count_nonzero %i8c dims = [1] : tensor<2x4xi8> -> tensor<2xi64>
  %i16c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xi16>
  %i16 = tx.count_nonzero %i16c dims = [1] : tensor<2x4xi16> -> tensor<2xi64>
  %i32c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xi32>
  %i32 = tx.count_nonzero %i32c dims = [1] : tensor<2x4xi32> -> tensor<2xi64>
  %i64 = tx.count_nonzero %x dims = [1] : tensor<2x4xi64> -> tensor<2xi64>
  %ui8c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xui8>
  %ui8 = tx.count_nonzero %ui8c dims = [1] : tensor<2x4xui8> -> tensor<2xi64>
  %ui16c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xui16>
  %ui16 = tx.count_nonzero %ui16c dims = [1] : tensor<2x4xui16> -> tensor<2xi64>
  %ui32c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xui32>
  %ui32 = tx.count_nonzero %ui32c dims = [1] : tensor<2x4xui32> -> tensor<2xi64>
  %ui64c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xui64>
  %ui64 = tx.count_nonzero %ui64c dims = [1] : tensor<2x4xui64> -> tensor<2xi64>
  %i1c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xi1>
  %i1 = tx.count_nonzero %i1c dims = [1] : tensor<2x4xi1> -> tensor<2xi64>
  return %i8, %i16, %i32, %i64, %ui8, %ui16, %ui32, %ui64, %i1
      : tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>
}
// INT:      out0: i64[2]
// INT-NEXT: [1, 0]
// INT-NEXT: out1: i64[2]
// INT-NEXT: [2, 0]
// INT-NEXT: out2: i64[2]
// INT-NEXT: [3, 0]
// INT-NEXT: out3: i64[2]
// INT-NEXT: [3, 1]
// INT-NEXT: out4: i64[2]
// INT-NEXT: [1, 0]
// INT-NEXT: out5: i64[2]
// INT-NEXT: [2, 0]
// INT-NEXT: out6: i64[2]
// INT-NEXT: [3, 0]
// INT-NEXT: out7: i64[2]
// INT-NEXT: [3, 1]
// INT-NEXT: out8: i64[2]
// INT-NEXT: [3, 1]

func.func @sizes(%a: tensor<1000xf32>, %b: tensor<37x41xf32>, %c: tensor<3x5x67xbf16>, %d: tensor<1x1xi64>, %e: tensor<0x5xf32>, %f: tensor<37x41xi8>, %g: tensor<f32>, %h: tensor<70001xi1>, %l: tensor<8195x9xui16>)
    -> (tensor<i64>, tensor<37xi64>, tensor<41xi64>, tensor<5xi64>, tensor<1xi64>, tensor<5xi64>, tensor<0xi64>, tensor<37xi64>, tensor<i64>, tensor<i64>, tensor<9xi64>) {
  %0 = tx.count_nonzero %a dims = [0] : tensor<1000xf32> -> tensor<i64>
  %1 = tx.count_nonzero %b dims = [1] : tensor<37x41xf32> -> tensor<37xi64>
  %2 = tx.count_nonzero %b dims = [0] : tensor<37x41xf32> -> tensor<41xi64>
  %3 = tx.count_nonzero %c dims = [0, 2] : tensor<3x5x67xbf16> -> tensor<5xi64>
  %4 = tx.count_nonzero %d dims = [0] : tensor<1x1xi64> -> tensor<1xi64>
  %5 = tx.count_nonzero %e dims = [0] : tensor<0x5xf32> -> tensor<5xi64>
  %6 = tx.count_nonzero %e dims = [1] : tensor<0x5xf32> -> tensor<0xi64>
  %7 = tx.count_nonzero %f dims = [1] : tensor<37x41xi8> -> tensor<37xi64>
  %8 = tx.count_nonzero %g dims = [] : tensor<f32> -> tensor<i64>
  %9 = tx.count_nonzero %h dims = [0] : tensor<70001xi1> -> tensor<i64>
  %10 = tx.count_nonzero %l dims = [0] : tensor<8195x9xui16> -> tensor<9xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<i64>, tensor<37xi64>, tensor<41xi64>, tensor<5xi64>, tensor<1xi64>, tensor<5xi64>, tensor<0xi64>, tensor<37xi64>, tensor<i64>, tensor<i64>, tensor<9xi64>
}

func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?xi64, #tx.dims<[n]>>, tensor<?xi64, #tx.dims<[m]>>, tensor<i64>) {
  %0 = tx.count_nonzero %x dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xi64, #tx.dims<[n]>>
  %1 = tx.count_nonzero %x dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xi64, #tx.dims<[m]>>
  %2 = tx.count_nonzero %x dims = [0, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<i64>
  return %0, %1, %2 : tensor<?xi64, #tx.dims<[n]>>, tensor<?xi64, #tx.dims<[m]>>, tensor<i64>
}

// A sum of the same elements joins its kernel.
func.func @fused(%x: tensor<33x65xf32>, %y: tensor<33x65xf32>) -> (tensor<33xi64>, tensor<33xf32>) {
  %d = tx.sub %x, %y : tensor<33x65xf32>
  %zero = tx.constant dense<0.0> : tensor<33x65xf32>
  %p = tx.max %d, %zero : tensor<33x65xf32>
  %0 = tx.count_nonzero %p dims = [1] : tensor<33x65xf32> -> tensor<33xi64>
  %1 = tx.sum %p dims = [1] : tensor<33x65xf32> -> tensor<33xf32>
  return %0, %1 : tensor<33xi64>, tensor<33xf32>
}
