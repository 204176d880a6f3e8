// Stable order; NaN is above all numbers, -0 equals 0.
//
// RUN: %npy %t.x.npy f64 '[[3, nan, -1, 0.0, inf, -0.0], [nan, 2, 2, -inf, nan, 1], [-0.0, 0.0, -0.0, 5, 4, 5]]'
// RUN: %npy %t.i.npy i64 '[[100, -128, 0, 7, 7], [-1, 0, 200, 1, -1]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=floats --input=%t.x.npy | FileCheck %s --check-prefix=FLOAT
// RUN: %run_op --entry=ints --input=%t.i.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=ambiguous --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:13,40 --shape=v:5 --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=x:129,67 --shape=v:33000 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,0 --shape=v:0 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,3 --shape=v:1 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=long --random-inputs --compare=reference
// RUN: %run_op --entry=long_named --random-inputs --shape=x:3,600 --compare=reference
// RUN: %run_op --entry=long_named --random-inputs --shape=x:2,511 --compare=reference
// RUN: %run_op --entry=twice --random-inputs --compare=reference
// RUN: %run_op --entry=parts --random-inputs --compare=reference

func.func @main(%x: tensor<3x6xf64>)
    -> (tensor<3x6xf64>, tensor<3x6xf64>, tensor<3x6xf64>, tensor<3x6xf64>) {
  %0 = tx.sort %x dim = 1 : tensor<3x6xf64>
  %1 = tx.sort %x dim = 1 descending : tensor<3x6xf64>
  %2 = tx.sort %x dim = 0 : tensor<3x6xf64>
  %3 = tx.sort %x dim = 0 descending : tensor<3x6xf64>
  return %0, %1, %2, %3
      : tensor<3x6xf64>, tensor<3x6xf64>, tensor<3x6xf64>, tensor<3x6xf64>
}
// CHECK:      out0: f64[3,6]
// CHECK-NEXT: {{\[\[}}-1, 0, -0, 3, inf, nan],
// CHECK-NEXT:  [-inf, 1, 2, 2, nan, nan],
// CHECK-NEXT:  [-0, 0, -0, 4, 5, 5]]
// CHECK-NEXT: out1: f64[3,6]
// CHECK-NEXT: {{\[\[}}nan, inf, 3, 0, -0, -1],
// CHECK-NEXT:  [nan, nan, 2, 2, 1, -inf],
// CHECK-NEXT:  [5, 5, 4, -0, 0, -0]]
// CHECK-NEXT: out2: f64[3,6]
// CHECK-NEXT: {{\[\[}}-0, 0, -1, -inf, 4, -0],
// CHECK-NEXT:  [3, 2, -0, 0, inf, 1],
// CHECK-NEXT:  [nan, nan, 2, 5, nan, 5]]
// CHECK-NEXT: out3: f64[3,6]
// CHECK-NEXT: {{\[\[}}nan, nan, 2, 5, nan, 5],
// CHECK-NEXT:  [3, 2, -0, 0, inf, 1],
// CHECK-NEXT:  [-0, 0, -1, -inf, 4, -0]]

func.func @floats(%x: tensor<3x6xf64>)
    -> (tensor<3x6xf32>, tensor<3x6xf16>, tensor<3x6xbf16>) {
  %f32c = tx.convert %x : tensor<3x6xf64> -> tensor<3x6xf32>
  %f32 = tx.sort %f32c dim = 1 : tensor<3x6xf32>
  %f16c = tx.convert %x : tensor<3x6xf64> -> tensor<3x6xf16>
  %f16 = tx.sort %f16c dim = 1 : tensor<3x6xf16>
  %bf16c = tx.convert %x : tensor<3x6xf64> -> tensor<3x6xbf16>
  %bf16 = tx.sort %bf16c dim = 1 : tensor<3x6xbf16>
  return %f32, %f16, %bf16
      : tensor<3x6xf32>, tensor<3x6xf16>, tensor<3x6xbf16>
}
// FLOAT:      out0: f32[3,6]
// FLOAT-NEXT: {{\[\[}}-1, 0, -0, 3, inf, nan],
// FLOAT-NEXT:  [-inf, 1, 2, 2, nan, nan],
// FLOAT-NEXT:  [-0, 0, -0, 4, 5, 5]]
// FLOAT-NEXT: out1: f16[3,6]
// FLOAT-NEXT: {{\[\[}}-1, 0, -0, 3, inf, nan],
// FLOAT-NEXT:  [-inf, 1, 2, 2, nan, nan],
// FLOAT-NEXT:  [-0, 0, -0, 4, 5, 5]]
// FLOAT-NEXT: out2: bf16[3,6]
// FLOAT-NEXT: {{\[\[}}-1, 0, -0, 3, inf, nan],
// FLOAT-NEXT:  [-inf, 1, 2, 2, nan, nan],
// FLOAT-NEXT:  [-0, 0, -0, 4, 5, 5]]

func.func @ints(%x: tensor<2x5xi64>)
    -> (tensor<2x5xi8>, tensor<2x5xi16>, tensor<2x5xi32>, tensor<2x5xi64>, tensor<2x5xui8>, tensor<2x5xui16>, tensor<2x5xui32>, tensor<2x5xui64>, tensor<2x5xi1>) {
  %i8c = tx.convert %x : tensor<2x5xi64> -> tensor<2x5xi8>
  %i8 = tx.sort %i8c dim = 1 : tensor<2x5xi8>
  %i16c = tx.convert %x : tensor<2x5xi64> -> tensor<2x5xi16>
  %i16 = tx.sort %i16c dim = 1 : tensor<2x5xi16>
  %i32c = tx.convert %x : tensor<2x5xi64> -> tensor<2x5xi32>
  %i32 = tx.sort %i32c dim = 1 : tensor<2x5xi32>
  %i64 = tx.sort %x dim = 1 : tensor<2x5xi64>
  %ui8c = tx.convert %x : tensor<2x5xi64> -> tensor<2x5xui8>
  %ui8 = tx.sort %ui8c dim = 1 : tensor<2x5xui8>
  %ui16c = tx.convert %x : tensor<2x5xi64> -> tensor<2x5xui16>
  %ui16 = tx.sort %ui16c dim = 1 : tensor<2x5xui16>
  %ui32c = tx.convert %x : tensor<2x5xi64> -> tensor<2x5xui32>
  %ui32 = tx.sort %ui32c dim = 1 : tensor<2x5xui32>
  %ui64c = tx.convert %x : tensor<2x5xi64> -> tensor<2x5xui64>
  %ui64 = tx.sort %ui64c dim = 1 : tensor<2x5xui64>
  %i1c = tx.convert %x : tensor<2x5xi64> -> tensor<2x5xi1>
  %i1 = tx.sort %i1c dim = 1 : tensor<2x5xi1>
  return %i8, %i16, %i32, %i64, %ui8, %ui16, %ui32, %ui64, %i1
      : tensor<2x5xi8>, tensor<2x5xi16>, tensor<2x5xi32>, tensor<2x5xi64>, tensor<2x5xui8>, tensor<2x5xui16>, tensor<2x5xui32>, tensor<2x5xui64>, tensor<2x5xi1>
}
// INT:      out0: i8[2,5]
// INT-NEXT: {{\[\[}}-128, 0, 7, 7, 100],
// INT-NEXT:  [-56, -1, -1, 0, 1]]
// INT-NEXT: out1: i16[2,5]
// INT-NEXT: {{\[\[}}-128, 0, 7, 7, 100],
// INT-NEXT:  [-1, -1, 0, 1, 200]]
// INT-NEXT: out2: i32[2,5]
// INT-NEXT: {{\[\[}}-128, 0, 7, 7, 100],
// INT-NEXT:  [-1, -1, 0, 1, 200]]
// INT-NEXT: out3: i64[2,5]
// INT-NEXT: {{\[\[}}-128, 0, 7, 7, 100],
// INT-NEXT:  [-1, -1, 0, 1, 200]]
// INT-NEXT: out4: ui8[2,5]
// INT-NEXT: {{\[\[}}0, 7, 7, 100, 128],
// INT-NEXT:  [0, 1, 200, 255, 255]]
// INT-NEXT: out5: ui16[2,5]
// INT-NEXT: {{\[\[}}0, 7, 7, 100, 65408],
// INT-NEXT:  [0, 1, 200, 65535, 65535]]
// INT-NEXT: out6: ui32[2,5]
// INT-NEXT: {{\[\[}}0, 7, 7, 100, 4294967168],
// INT-NEXT:  [0, 1, 200, 4294967295, 4294967295]]
// INT-NEXT: out7: ui64[2,5]
// INT-NEXT: {{\[\[}}0, 7, 7, 100, 18446744073709551488],
// INT-NEXT:  [0, 1, 200, 18446744073709551615, 18446744073709551615]]
// INT-NEXT: out8: i1[2,5]
// INT-NEXT: {{\[\[}}false, true, true, true, true],
// INT-NEXT:  [false, true, true, true, true]]

func.func @sizes(%a: tensor<1000xf32>, %b: tensor<37x41xf32>, %c: tensor<3x5x67xbf16>, %d: tensor<1x1xi64>, %e: tensor<0x5xf32>, %f: tensor<37x41xi32>, %h: tensor<5x9xf16>, %l: tensor<2x40961xf32>, %k: tensor<8195x9xf32>, %u: tensor<1x0x2xui16>, %w: tensor<70x1xf32>)
    -> (tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<3x5x67xbf16>, tensor<3x5x67xbf16>, tensor<1x1xi64>, tensor<1x1xi64>, tensor<0x5xf32>, tensor<0x5xf32>, tensor<5x9xf16>, tensor<5x9xf16>, tensor<1x0x2xui16>, tensor<1x0x2xui16>, tensor<70x1xf32>, tensor<70x1xf32>) {
  %0 = tx.sort %a dim = 0 : tensor<1000xf32>
  %1 = tx.sort %b dim = 0 : tensor<37x41xf32>
  %2 = tx.sort %b dim = 1 : tensor<37x41xf32>
  %3 = tx.sort %c dim = 0 : tensor<3x5x67xbf16>
  %4 = tx.sort %f dim = 0 : tensor<37x41xi32>
  %5 = tx.sort %l dim = 1 : tensor<2x40961xf32>
  %6 = tx.sort %k dim = 0 : tensor<8195x9xf32>
  %7 = tx.sort %a dim = 0 descending : tensor<1000xf32>
  %8 = tx.sort %b dim = 1 descending : tensor<37x41xf32>
  %9 = tx.sort %b dim = 0 descending : tensor<37x41xf32>
  %10 = tx.sort %c dim = 1 descending : tensor<3x5x67xbf16>
  %11 = tx.sort %f dim = 1 descending : tensor<37x41xi32>
  %12 = tx.sort %l dim = 1 descending : tensor<2x40961xf32>
  %13 = tx.sort %k dim = 0 descending : tensor<8195x9xf32>
  %14 = tx.sort %c dim = 2 descending : tensor<3x5x67xbf16>
  %15 = tx.sort %c dim = 1 descending : tensor<3x5x67xbf16>
  %16 = tx.sort %d dim = 0 : tensor<1x1xi64>
  %17 = tx.sort %d dim = 1 descending : tensor<1x1xi64>
  %18 = tx.sort %e dim = 0 : tensor<0x5xf32>
  %19 = tx.sort %e dim = 1 descending : tensor<0x5xf32>
  %20 = tx.sort %h dim = 0 descending : tensor<5x9xf16>
  %21 = tx.sort %h dim = 1 : tensor<5x9xf16>
  %22 = tx.sort %u dim = 0 descending : tensor<1x0x2xui16>
  %23 = tx.sort %u dim = 2 : tensor<1x0x2xui16>
  %24 = tx.sort %w dim = 1 descending : tensor<70x1xf32>
  %25 = tx.sort %w dim = 1 : tensor<70x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25
      : tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<3x5x67xbf16>, tensor<3x5x67xbf16>, tensor<1x1xi64>, tensor<1x1xi64>, tensor<0x5xf32>, tensor<0x5xf32>, tensor<5x9xf16>, tensor<5x9xf16>, tensor<1x0x2xui16>, tensor<1x0x2xui16>, tensor<70x1xf32>, tensor<70x1xf32>
}

func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %v: tensor<?xf32, #tx.dims<[k]>> {tx.name = "v"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>) {
  %0 = tx.sort %x dim = 0 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.sort %x dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.sort %v dim = 0 : tensor<?xf32, #tx.dims<[k]>>
  %3 = tx.sort %x dim = 0 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %4 = tx.sort %x dim = 1 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %5 = tx.sort %v dim = 0 descending : tensor<?xf32, #tx.dims<[k]>>
  return %0, %1, %2, %3, %4, %5
      : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>
}

func.func @fused(%x: tensor<33x130xf32>, %y: tensor<33x130xf32>)
    -> (tensor<33x130xf32>, tensor<33x130xf32>, tensor<130x33xf32>, tensor<33x130xf32>) {
  %e0 = tx.mul %x, %y : tensor<33x130xf32>
  %s0 = tx.sort %e0 dim = 1 : tensor<33x130xf32>
  %a0 = tx.add %s0, %x : tensor<33x130xf32>
  %e1 = tx.mul %x, %y : tensor<33x130xf32>
  %s1 = tx.sort %e1 dim = 0 descending : tensor<33x130xf32>
  %a1 = tx.add %s1, %x : tensor<33x130xf32>
  %w = tx.abs %x : tensor<33x130xf32>
  %p = tx.transpose %w permutation = [1, 0] : tensor<33x130xf32> -> tensor<130x33xf32>
  %q = tx.sort %p dim = 1 : tensor<130x33xf32>
  return %a0, %a1, %q, %w
      : tensor<33x130xf32>, tensor<33x130xf32>, tensor<130x33xf32>, tensor<33x130xf32>
}

// The same sort again: two results of one kernel.
func.func @twice(%x: tensor<13x7xf32>)
    -> (tensor<13x7xf32>, tensor<13x7xf32>, tensor<13x7xi64>, tensor<13x7xi64>) {
  %0 = tx.sort %x dim = 1 : tensor<13x7xf32>
  %1 = tx.argsort %x dim = 1 : tensor<13x7xf32>
  %2 = tx.sort %x dim = 1 : tensor<13x7xf32>
  %3 = tx.argsort %x dim = 1 : tensor<13x7xf32>
  return %0, %2, %1, %3
      : tensor<13x7xf32>, tensor<13x7xf32>, tensor<13x7xi64>, tensor<13x7xi64>
}

// Rows that are sorted by digits: many equal keys, zeros of both signs, NaN.
func.func @long(%x: tensor<3x777xf64>, %i8: tensor<1030x2xi8>, %ui8: tensor<1030x2xui8>, %i16: tensor<1030x2xi16>, %ui16: tensor<1030x2xui16>, %i32: tensor<1030x2xi32>, %ui32: tensor<1030x2xui32>, %i64: tensor<1030x2xi64>, %ui64: tensor<1030x2xui64>, %i1: tensor<1030x2xi1>)
    -> (tensor<3x777xi32>, tensor<3x777xi64>, tensor<3x777xi32>, tensor<3x777xi64>, tensor<3x777xi64>, tensor<3x777xi64>, tensor<3x777xi64>, tensor<3x777xi64>, tensor<3x777xi16>, tensor<3x777xi64>, tensor<3x777xi16>, tensor<3x777xi64>, tensor<3x777xi16>, tensor<3x777xi64>, tensor<3x777xi16>, tensor<3x777xi64>, tensor<1030x2xi8>, tensor<1030x2xi64>, tensor<1030x2xi8>, tensor<1030x2xi64>, tensor<1030x2xui8>, tensor<1030x2xi64>, tensor<1030x2xui8>, tensor<1030x2xi64>, tensor<1030x2xi16>, tensor<1030x2xi64>, tensor<1030x2xi16>, tensor<1030x2xi64>, tensor<1030x2xui16>, tensor<1030x2xi64>, tensor<1030x2xui16>, tensor<1030x2xi64>, tensor<1030x2xi32>, tensor<1030x2xi64>, tensor<1030x2xi32>, tensor<1030x2xi64>, tensor<1030x2xui32>, tensor<1030x2xi64>, tensor<1030x2xui32>, tensor<1030x2xi64>, tensor<1030x2xi64>, tensor<1030x2xi64>, tensor<1030x2xi64>, tensor<1030x2xi64>, tensor<1030x2xui64>, tensor<1030x2xi64>, tensor<1030x2xui64>, tensor<1030x2xi64>, tensor<1030x2xi1>, tensor<1030x2xi64>, tensor<1030x2xi1>, tensor<1030x2xi64>) {
  %f32x = tx.convert %x : tensor<3x777xf64> -> tensor<3x777xf32>
  %f32f = tx.floor %f32x : tensor<3x777xf32>
  %f32zero = tx.constant dense<0.0> : tensor<3x777xf32>
  %f32one = tx.constant dense<1.0> : tensor<3x777xf32>
  %f32nan = tx.constant dense<0x7FC00000> : tensor<3x777xf32>
  %f32p = tx.gt %f32f, %f32zero : tensor<3x777xf32>
  %f32q = tx.gt %f32f, %f32one : tensor<3x777xf32>
  %f32m = tx.mul %f32x, %f32zero : tensor<3x777xf32>
  %f32s = tx.select %f32p, %f32f, %f32m : tensor<3x777xi1>, tensor<3x777xf32>
  %f32v = tx.select %f32q, %f32nan, %f32s : tensor<3x777xi1>, tensor<3x777xf32>
  %f32a0 = tx.sort %f32v dim = 1 : tensor<3x777xf32>
  %f32a1 = tx.bitcast %f32a0 : tensor<3x777xf32> -> tensor<3x777xi32>
  %f32a2 = tx.argsort %f32v dim = 1 : tensor<3x777xf32>
  %f32d0 = tx.sort %f32v dim = 1 descending : tensor<3x777xf32>
  %f32d1 = tx.bitcast %f32d0 : tensor<3x777xf32> -> tensor<3x777xi32>
  %f32d2 = tx.argsort %f32v dim = 1 descending : tensor<3x777xf32>
  %f64x = tx.convert %x : tensor<3x777xf64> -> tensor<3x777xf64>
  %f64f = tx.floor %f64x : tensor<3x777xf64>
  %f64zero = tx.constant dense<0.0> : tensor<3x777xf64>
  %f64one = tx.constant dense<1.0> : tensor<3x777xf64>
  %f64nan = tx.constant dense<0x7FF8000000000000> : tensor<3x777xf64>
  %f64p = tx.gt %f64f, %f64zero : tensor<3x777xf64>
  %f64q = tx.gt %f64f, %f64one : tensor<3x777xf64>
  %f64m = tx.mul %f64x, %f64zero : tensor<3x777xf64>
  %f64s = tx.select %f64p, %f64f, %f64m : tensor<3x777xi1>, tensor<3x777xf64>
  %f64v = tx.select %f64q, %f64nan, %f64s : tensor<3x777xi1>, tensor<3x777xf64>
  %f64a0 = tx.sort %f64v dim = 1 : tensor<3x777xf64>
  %f64a1 = tx.bitcast %f64a0 : tensor<3x777xf64> -> tensor<3x777xi64>
  %f64a2 = tx.argsort %f64v dim = 1 : tensor<3x777xf64>
  %f64d0 = tx.sort %f64v dim = 1 descending : tensor<3x777xf64>
  %f64d1 = tx.bitcast %f64d0 : tensor<3x777xf64> -> tensor<3x777xi64>
  %f64d2 = tx.argsort %f64v dim = 1 descending : tensor<3x777xf64>
  %f16x = tx.convert %x : tensor<3x777xf64> -> tensor<3x777xf16>
  %f16f = tx.floor %f16x : tensor<3x777xf16>
  %f16zero = tx.constant dense<0.0> : tensor<3x777xf16>
  %f16one = tx.constant dense<1.0> : tensor<3x777xf16>
  %f16nan = tx.constant dense<0x7E00> : tensor<3x777xf16>
  %f16p = tx.gt %f16f, %f16zero : tensor<3x777xf16>
  %f16q = tx.gt %f16f, %f16one : tensor<3x777xf16>
  %f16m = tx.mul %f16x, %f16zero : tensor<3x777xf16>
  %f16s = tx.select %f16p, %f16f, %f16m : tensor<3x777xi1>, tensor<3x777xf16>
  %f16v = tx.select %f16q, %f16nan, %f16s : tensor<3x777xi1>, tensor<3x777xf16>
  %f16a0 = tx.sort %f16v dim = 1 : tensor<3x777xf16>
  %f16a1 = tx.bitcast %f16a0 : tensor<3x777xf16> -> tensor<3x777xi16>
  %f16a2 = tx.argsort %f16v dim = 1 : tensor<3x777xf16>
  %f16d0 = tx.sort %f16v dim = 1 descending : tensor<3x777xf16>
  %f16d1 = tx.bitcast %f16d0 : tensor<3x777xf16> -> tensor<3x777xi16>
  %f16d2 = tx.argsort %f16v dim = 1 descending : tensor<3x777xf16>
  %bf16x = tx.convert %x : tensor<3x777xf64> -> tensor<3x777xbf16>
  %bf16f = tx.floor %bf16x : tensor<3x777xbf16>
  %bf16zero = tx.constant dense<0.0> : tensor<3x777xbf16>
  %bf16one = tx.constant dense<1.0> : tensor<3x777xbf16>
  %bf16nan = tx.constant dense<0x7FC0> : tensor<3x777xbf16>
  %bf16p = tx.gt %bf16f, %bf16zero : tensor<3x777xbf16>
  %bf16q = tx.gt %bf16f, %bf16one : tensor<3x777xbf16>
  %bf16m = tx.mul %bf16x, %bf16zero : tensor<3x777xbf16>
  %bf16s = tx.select %bf16p, %bf16f, %bf16m : tensor<3x777xi1>, tensor<3x777xbf16>
  %bf16v = tx.select %bf16q, %bf16nan, %bf16s : tensor<3x777xi1>, tensor<3x777xbf16>
  %bf16a0 = tx.sort %bf16v dim = 1 : tensor<3x777xbf16>
  %bf16a1 = tx.bitcast %bf16a0 : tensor<3x777xbf16> -> tensor<3x777xi16>
  %bf16a2 = tx.argsort %bf16v dim = 1 : tensor<3x777xbf16>
  %bf16d0 = tx.sort %bf16v dim = 1 descending : tensor<3x777xbf16>
  %bf16d1 = tx.bitcast %bf16d0 : tensor<3x777xbf16> -> tensor<3x777xi16>
  %bf16d2 = tx.argsort %bf16v dim = 1 descending : tensor<3x777xbf16>
  %i8a0 = tx.sort %i8 dim = 0 : tensor<1030x2xi8>
  %i8a1 = tx.argsort %i8 dim = 0 : tensor<1030x2xi8>
  %i8d0 = tx.sort %i8 dim = 0 descending : tensor<1030x2xi8>
  %i8d1 = tx.argsort %i8 dim = 0 descending : tensor<1030x2xi8>
  %ui8a0 = tx.sort %ui8 dim = 0 : tensor<1030x2xui8>
  %ui8a1 = tx.argsort %ui8 dim = 0 : tensor<1030x2xui8>
  %ui8d0 = tx.sort %ui8 dim = 0 descending : tensor<1030x2xui8>
  %ui8d1 = tx.argsort %ui8 dim = 0 descending : tensor<1030x2xui8>
  %i16a0 = tx.sort %i16 dim = 0 : tensor<1030x2xi16>
  %i16a1 = tx.argsort %i16 dim = 0 : tensor<1030x2xi16>
  %i16d0 = tx.sort %i16 dim = 0 descending : tensor<1030x2xi16>
  %i16d1 = tx.argsort %i16 dim = 0 descending : tensor<1030x2xi16>
  %ui16a0 = tx.sort %ui16 dim = 0 : tensor<1030x2xui16>
  %ui16a1 = tx.argsort %ui16 dim = 0 : tensor<1030x2xui16>
  %ui16d0 = tx.sort %ui16 dim = 0 descending : tensor<1030x2xui16>
  %ui16d1 = tx.argsort %ui16 dim = 0 descending : tensor<1030x2xui16>
  %i32a0 = tx.sort %i32 dim = 0 : tensor<1030x2xi32>
  %i32a1 = tx.argsort %i32 dim = 0 : tensor<1030x2xi32>
  %i32d0 = tx.sort %i32 dim = 0 descending : tensor<1030x2xi32>
  %i32d1 = tx.argsort %i32 dim = 0 descending : tensor<1030x2xi32>
  %ui32a0 = tx.sort %ui32 dim = 0 : tensor<1030x2xui32>
  %ui32a1 = tx.argsort %ui32 dim = 0 : tensor<1030x2xui32>
  %ui32d0 = tx.sort %ui32 dim = 0 descending : tensor<1030x2xui32>
  %ui32d1 = tx.argsort %ui32 dim = 0 descending : tensor<1030x2xui32>
  %i64a0 = tx.sort %i64 dim = 0 : tensor<1030x2xi64>
  %i64a1 = tx.argsort %i64 dim = 0 : tensor<1030x2xi64>
  %i64d0 = tx.sort %i64 dim = 0 descending : tensor<1030x2xi64>
  %i64d1 = tx.argsort %i64 dim = 0 descending : tensor<1030x2xi64>
  %ui64a0 = tx.sort %ui64 dim = 0 : tensor<1030x2xui64>
  %ui64a1 = tx.argsort %ui64 dim = 0 : tensor<1030x2xui64>
  %ui64d0 = tx.sort %ui64 dim = 0 descending : tensor<1030x2xui64>
  %ui64d1 = tx.argsort %ui64 dim = 0 descending : tensor<1030x2xui64>
  %i1a0 = tx.sort %i1 dim = 0 : tensor<1030x2xi1>
  %i1a1 = tx.argsort %i1 dim = 0 : tensor<1030x2xi1>
  %i1d0 = tx.sort %i1 dim = 0 descending : tensor<1030x2xi1>
  %i1d1 = tx.argsort %i1 dim = 0 descending : tensor<1030x2xi1>
  return %f32a1, %f32a2, %f32d1, %f32d2, %f64a1, %f64a2, %f64d1, %f64d2, %f16a1, %f16a2, %f16d1, %f16d2, %bf16a1, %bf16a2, %bf16d1, %bf16d2, %i8a0, %i8a1, %i8d0, %i8d1, %ui8a0, %ui8a1, %ui8d0, %ui8d1, %i16a0, %i16a1, %i16d0, %i16d1, %ui16a0, %ui16a1, %ui16d0, %ui16d1, %i32a0, %i32a1, %i32d0, %i32d1, %ui32a0, %ui32a1, %ui32d0, %ui32d1, %i64a0, %i64a1, %i64d0, %i64d1, %ui64a0, %ui64a1, %ui64d0, %ui64d1, %i1a0, %i1a1, %i1d0, %i1d1
      : tensor<3x777xi32>, tensor<3x777xi64>, tensor<3x777xi32>, tensor<3x777xi64>, tensor<3x777xi64>, tensor<3x777xi64>, tensor<3x777xi64>, tensor<3x777xi64>, tensor<3x777xi16>, tensor<3x777xi64>, tensor<3x777xi16>, tensor<3x777xi64>, tensor<3x777xi16>, tensor<3x777xi64>, tensor<3x777xi16>, tensor<3x777xi64>, tensor<1030x2xi8>, tensor<1030x2xi64>, tensor<1030x2xi8>, tensor<1030x2xi64>, tensor<1030x2xui8>, tensor<1030x2xi64>, tensor<1030x2xui8>, tensor<1030x2xi64>, tensor<1030x2xi16>, tensor<1030x2xi64>, tensor<1030x2xi16>, tensor<1030x2xi64>, tensor<1030x2xui16>, tensor<1030x2xi64>, tensor<1030x2xui16>, tensor<1030x2xi64>, tensor<1030x2xi32>, tensor<1030x2xi64>, tensor<1030x2xi32>, tensor<1030x2xi64>, tensor<1030x2xui32>, tensor<1030x2xi64>, tensor<1030x2xui32>, tensor<1030x2xi64>, tensor<1030x2xi64>, tensor<1030x2xi64>, tensor<1030x2xi64>, tensor<1030x2xi64>, tensor<1030x2xui64>, tensor<1030x2xi64>, tensor<1030x2xui64>, tensor<1030x2xi64>, tensor<1030x2xi1>, tensor<1030x2xi64>, tensor<1030x2xi1>, tensor<1030x2xi64>
}

// Both ways of sorting, and the choice at run time.
func.func @long_named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>, tensor<?x?xf64, #tx.dims<[n, m]>>, tensor<?x?xi8, #tx.dims<[n, m]>>) {
  %0 = tx.sort %x dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.argsort %x dim = 1 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %d = tx.convert %x : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf64, #tx.dims<[n, m]>>
  %2 = tx.sort %d dim = 1 : tensor<?x?xf64, #tx.dims<[n, m]>>
  %i = tx.convert %x : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xi8, #tx.dims<[n, m]>>
  %3 = tx.sort %i dim = 1 : tensor<?x?xi8, #tx.dims<[n, m]>>
  return %0, %1, %2, %3
      : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>, tensor<?x?xf64, #tx.dims<[n, m]>>, tensor<?x?xi8, #tx.dims<[n, m]>>
}

// Rows with zeros of both signs and NaN, as bits: long enough for a network of vectors, which is not stable.
func.func @ambiguous(%x: tensor<7x300xf32>)
    -> (tensor<7x300xi32>, tensor<7x300xi32>, tensor<7x300xi64>, tensor<7x300xi64>, tensor<7x5xi32>) {
  %zero = tx.constant dense<0.0> : tensor<7x300xf32>
  %half = tx.constant dense<0.5> : tensor<7x300xf32>
  %low = tx.constant dense<-1.0> : tensor<7x300xf32>
  %nan = tx.constant dense<0x7FC00000> : tensor<7x300xf32>
  %signed = tx.mul %x, %zero : tensor<7x300xf32>
  %isHigh = tx.gt %x, %half : tensor<7x300xf32>
  %isLow = tx.lt %x, %low : tensor<7x300xf32>
  %0 = tx.select %isLow, %x, %signed : tensor<7x300xi1>, tensor<7x300xf32>
  %1 = tx.select %isHigh, %nan, %0 : tensor<7x300xi1>, tensor<7x300xf32>
  %2 = tx.sort %1 dim = 1 : tensor<7x300xf32>
  %3 = tx.bitcast %2 : tensor<7x300xf32> -> tensor<7x300xi32>
  %4 = tx.sort %1 dim = 1 descending : tensor<7x300xf32>
  %5 = tx.bitcast %4 : tensor<7x300xf32> -> tensor<7x300xi32>
  %d = tx.convert %0 : tensor<7x300xf32> -> tensor<7x300xf64>
  %6 = tx.sort %d dim = 1 : tensor<7x300xf64>
  %7 = tx.bitcast %6 : tensor<7x300xf64> -> tensor<7x300xi64>
  %8 = tx.sort %d dim = 1 descending : tensor<7x300xf64>
  %9 = tx.bitcast %8 : tensor<7x300xf64> -> tensor<7x300xi64>
  %m = tx.mul %signed, %signed : tensor<7x300xf32>
  %p = tx.select %isHigh, %signed, %m : tensor<7x300xi1>, tensor<7x300xf32>
  %q = tx.neg %p : tensor<7x300xf32>
  %10 = tx.sort %q dim = 1 : tensor<7x300xf32>
  %11 = tx.slice %10 offsets = [0, 0] strides = [1, 1] : tensor<7x300xf32> -> tensor<7x5xf32>
  %12 = tx.bitcast %11 : tensor<7x5xf32> -> tensor<7x5xi32>
  return %3, %5, %7, %9, %12
      : tensor<7x300xi32>, tensor<7x300xi32>, tensor<7x300xi64>, tensor<7x300xi64>, tensor<7x5xi32>
}

// Long enough to be parted by pivots: of the random integers, many are equal.
func.func @parts(%a: tensor<3001xf32>, %b: tensor<1601xf64>, %c: tensor<2x2300xi32>, %d: tensor<2x1300xi64>, %e: tensor<2050xui32>)
    -> (tensor<3001xf32>, tensor<1601xf64>, tensor<2x2300xi32>, tensor<2x1300xi64>, tensor<2050xui32>) {
  %0 = tx.sort %a dim = 0 descending : tensor<3001xf32>
  %1 = tx.sort %b dim = 0 : tensor<1601xf64>
  %2 = tx.sort %c dim = 1 : tensor<2x2300xi32>
  %3 = tx.sort %d dim = 1 descending : tensor<2x1300xi64>
  %4 = tx.sort %e dim = 0 : tensor<2050xui32>
  return %0, %1, %2, %3, %4 : tensor<3001xf32>, tensor<1601xf64>, tensor<2x2300xi32>, tensor<2x1300xi64>, tensor<2050xui32>
}
