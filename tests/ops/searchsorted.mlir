// Where values belong in what is sorted: NaN is above all, -0 equals 0. Numbers of NumPy's searchsorted.
//
// RUN: %npy %t.s.npy f64 '[-inf, -1, 0, 0, 2.5, 2.5, 2.5, inf, nan, nan]'
// RUN: %npy %t.x.npy f64 '[[-0.0, 2.5, 7], [nan, -inf, inf], [-1.5, 0, 100]]'
// RUN: %npy %t.r.npy i64 '[[1, 3, 5, 7], [-9, -3, -3, 0], [2, 2, 2, 2]]'
// RUN: %npy %t.i.npy i64 '[[0, 5], [-3, 1], [2, -100]]'
// RUN: %run_op --input=%t.s.npy --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=rows --input=%t.r.npy --input=%t.i.npy | FileCheck %s --check-prefix=ROW
// RUN: %run_op --entry=edges --input=%t.x.npy | FileCheck %s --check-prefix=EDGE
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=s:100 --shape=x:13,40 --shape=r:13,7 --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=s:1 --shape=x:129,67 --shape=r:129,1 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=s:0 --shape=x:3,5 --shape=r:3,0 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=s:9 --shape=x:0,3 --shape=r:0,4 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference

func.func @main(%s: tensor<10xf64>, %x: tensor<3x3xf64>)
    -> (tensor<3x3xi64>, tensor<3x3xi64>, tensor<3x3xi64>, tensor<3x3xi64>, tensor<3x3xi64>) {
  %0 = tx.searchsorted %s, %x : (tensor<10xf64>, tensor<3x3xf64>) -> tensor<3x3xi64>
  %1 = tx.searchsorted %s, %x right : (tensor<10xf64>, tensor<3x3xf64>) -> tensor<3x3xi64>
  %a = tx.convert %s : tensor<10xf64> -> tensor<10xf32>
  %b = tx.convert %x : tensor<3x3xf64> -> tensor<3x3xf32>
  %2 = tx.searchsorted %a, %b right : (tensor<10xf32>, tensor<3x3xf32>) -> tensor<3x3xi64>
  %c = tx.convert %s : tensor<10xf64> -> tensor<10xf16>
  %d = tx.convert %x : tensor<3x3xf64> -> tensor<3x3xf16>
  %3 = tx.searchsorted %c, %d : (tensor<10xf16>, tensor<3x3xf16>) -> tensor<3x3xi64>
  %e = tx.convert %s : tensor<10xf64> -> tensor<10xbf16>
  %f = tx.convert %x : tensor<3x3xf64> -> tensor<3x3xbf16>
  %4 = tx.searchsorted %e, %f : (tensor<10xbf16>, tensor<3x3xbf16>) -> tensor<3x3xi64>
  return %0, %1, %2, %3, %4 : tensor<3x3xi64>, tensor<3x3xi64>, tensor<3x3xi64>, tensor<3x3xi64>, tensor<3x3xi64>
}
// CHECK:      out0: i64[3,3]
// CHECK-NEXT: {{\[\[}}2, 4, 7],
// CHECK-NEXT:  [8, 0, 7],
// CHECK-NEXT:  [1, 2, 7]]
// CHECK-NEXT: out1: i64[3,3]
// CHECK-NEXT: {{\[\[}}4, 7, 7],
// CHECK-NEXT:  [10, 1, 8],
// CHECK-NEXT:  [1, 4, 7]]
// CHECK-NEXT: out2: i64[3,3]
// CHECK-NEXT: {{\[\[}}4, 7, 7],
// CHECK-NEXT:  [10, 1, 8],
// CHECK-NEXT:  [1, 4, 7]]
// CHECK-NEXT: out3: i64[3,3]
// CHECK-NEXT: {{\[\[}}2, 4, 7],
// CHECK-NEXT:  [8, 0, 7],
// CHECK-NEXT:  [1, 2, 7]]
// CHECK-NEXT: out4: i64[3,3]
// CHECK-NEXT: {{\[\[}}2, 4, 7],
// CHECK-NEXT:  [8, 0, 7],
// CHECK-NEXT:  [1, 2, 7]]

// A sequence for each row.
func.func @rows(%r: tensor<3x4xi64>, %x: tensor<3x2xi64>)
    -> (tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>) {
  %ri8 = tx.convert %r : tensor<3x4xi64> -> tensor<3x4xi8>
  %xi8 = tx.convert %x : tensor<3x2xi64> -> tensor<3x2xi8>
  %i8 = tx.searchsorted %ri8, %xi8 : (tensor<3x4xi8>, tensor<3x2xi8>) -> tensor<3x2xi64>
  %ri16 = tx.convert %r : tensor<3x4xi64> -> tensor<3x4xi16>
  %xi16 = tx.convert %x : tensor<3x2xi64> -> tensor<3x2xi16>
  %i16 = tx.searchsorted %ri16, %xi16 right : (tensor<3x4xi16>, tensor<3x2xi16>) -> tensor<3x2xi64>
  %ri32 = tx.convert %r : tensor<3x4xi64> -> tensor<3x4xi32>
  %xi32 = tx.convert %x : tensor<3x2xi64> -> tensor<3x2xi32>
  %i32 = tx.searchsorted %ri32, %xi32 : (tensor<3x4xi32>, tensor<3x2xi32>) -> tensor<3x2xi64>
  %i64 = tx.searchsorted %r, %x right : (tensor<3x4xi64>, tensor<3x2xi64>) -> tensor<3x2xi64>
  %rui8 = tx.convert %r : tensor<3x4xi64> -> tensor<3x4xui8>
  %xui8 = tx.convert %x : tensor<3x2xi64> -> tensor<3x2xui8>
  %sui8 = tx.sort %rui8 dim = 1 : tensor<3x4xui8>
  %ui8 = tx.searchsorted %sui8, %xui8 : (tensor<3x4xui8>, tensor<3x2xui8>) -> tensor<3x2xi64>
  %rui16 = tx.convert %r : tensor<3x4xi64> -> tensor<3x4xui16>
  %xui16 = tx.convert %x : tensor<3x2xi64> -> tensor<3x2xui16>
  %sui16 = tx.sort %rui16 dim = 1 : tensor<3x4xui16>
  %ui16 = tx.searchsorted %sui16, %xui16 right : (tensor<3x4xui16>, tensor<3x2xui16>) -> tensor<3x2xi64>
  %rui32 = tx.convert %r : tensor<3x4xi64> -> tensor<3x4xui32>
  %xui32 = tx.convert %x : tensor<3x2xi64> -> tensor<3x2xui32>
  %sui32 = tx.sort %rui32 dim = 1 : tensor<3x4xui32>
  %ui32 = tx.searchsorted %sui32, %xui32 : (tensor<3x4xui32>, tensor<3x2xui32>) -> tensor<3x2xi64>
  %rui64 = tx.convert %r : tensor<3x4xi64> -> tensor<3x4xui64>
  %xui64 = tx.convert %x : tensor<3x2xi64> -> tensor<3x2xui64>
  %sui64 = tx.sort %rui64 dim = 1 : tensor<3x4xui64>
  %ui64 = tx.searchsorted %sui64, %xui64 : (tensor<3x4xui64>, tensor<3x2xui64>) -> tensor<3x2xi64>
  return %i8, %i16, %i32, %i64, %ui8, %ui16, %ui32, %ui64
      : tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>, tensor<3x2xi64>
}
// ROW:      out0: i64[3,2]
// ROW-NEXT: {{\[\[}}0, 2],
// ROW-NEXT:  [1, 4],
// ROW-NEXT:  [0, 0]]
// ROW-NEXT: out1: i64[3,2]
// ROW-NEXT: {{\[\[}}0, 3],
// ROW-NEXT:  [3, 4],
// ROW-NEXT:  [4, 0]]
// ROW-NEXT: out2: i64[3,2]
// ROW-NEXT: {{\[\[}}0, 2],
// ROW-NEXT:  [1, 4],
// ROW-NEXT:  [0, 0]]
// ROW-NEXT: out3: i64[3,2]
// ROW-NEXT: {{\[\[}}0, 3],
// ROW-NEXT:  [3, 4],
// ROW-NEXT:  [4, 0]]
// ROW-NEXT: out4: i64[3,2]
// ROW-NEXT: {{\[\[}}0, 2],
// ROW-NEXT:  [2, 1],
// ROW-NEXT:  [0, 4]]
// ROW-NEXT: out5: i64[3,2]
// ROW-NEXT: {{\[\[}}0, 3],
// ROW-NEXT:  [4, 1],
// ROW-NEXT:  [4, 4]]
// ROW-NEXT: out6: i64[3,2]
// ROW-NEXT: {{\[\[}}0, 2],
// ROW-NEXT:  [2, 1],
// ROW-NEXT:  [0, 4]]
// ROW-NEXT: out7: i64[3,2]
// ROW-NEXT: {{\[\[}}0, 2],
// ROW-NEXT:  [2, 1],
// ROW-NEXT:  [0, 4]]

// Nothing, one number, constants, i1, and a scalar to look for.
func.func @edges(%x: tensor<3x3xf64>)
    -> (tensor<3x3xi64>, tensor<3x3xi64>, tensor<3x3xi64>, tensor<i64>, tensor<3x3xi64>) {
  %none = tx.constant dense<0.0> : tensor<0xf64>
  %0 = tx.searchsorted %none, %x : (tensor<0xf64>, tensor<3x3xf64>) -> tensor<3x3xi64>
  %one = tx.constant dense<2.5> : tensor<1xf64>
  %1 = tx.searchsorted %one, %x right : (tensor<1xf64>, tensor<3x3xf64>) -> tensor<3x3xi64>
  %same = tx.constant dense<2.5> : tensor<70xf64>
  %2 = tx.searchsorted %same, %x right : (tensor<70xf64>, tensor<3x3xf64>) -> tensor<3x3xi64>
  %v = tx.constant dense<7.0> : tensor<f64>
  %flat = tx.reshape %x : tensor<3x3xf64> -> tensor<9xf64>
  %order = tx.sort %flat dim = 0 : tensor<9xf64>
  %3 = tx.searchsorted %order, %v : (tensor<9xf64>, tensor<f64>) -> tensor<i64>
  %false = tx.constant dense<[false, false, true]> : tensor<3xi1>
  %p = tx.convert %x : tensor<3x3xf64> -> tensor<3x3xi1>
  %4 = tx.searchsorted %false, %p : (tensor<3xi1>, tensor<3x3xi1>) -> tensor<3x3xi64>
  return %0, %1, %2, %3, %4 : tensor<3x3xi64>, tensor<3x3xi64>, tensor<3x3xi64>, tensor<i64>, tensor<3x3xi64>
}
// EDGE:      out0: i64[3,3]
// EDGE-NEXT: {{\[\[}}0, 0, 0],
// EDGE-NEXT:  [0, 0, 0],
// EDGE-NEXT:  [0, 0, 0]]
// EDGE-NEXT: out1: i64[3,3]
// EDGE-NEXT: {{\[\[}}0, 1, 1],
// EDGE-NEXT:  [1, 0, 1],
// EDGE-NEXT:  [0, 0, 1]]
// EDGE-NEXT: out2: i64[3,3]
// EDGE-NEXT: {{\[\[}}0, 70, 70],
// EDGE-NEXT:  [70, 0, 70],
// EDGE-NEXT:  [0, 0, 70]]
// EDGE-NEXT: out3: i64[]
// EDGE-NEXT: 5
// EDGE-NEXT: out4: i64[3,3]
// EDGE-NEXT: {{\[\[}}0, 2, 2],
// EDGE-NEXT:  [2, 2, 2],
// EDGE-NEXT:  [2, 0, 2]]

func.func @sizes(%a: tensor<1000xf32>, %b: tensor<37x41xf32>, %c: tensor<3x5x67xbf16>, %d: tensor<3x5x2xbf16>, %e: tensor<0xf32>, %f: tensor<100003xi8>, %g: tensor<1001xi8>, %h: tensor<37x1xf32>)
    -> (tensor<37x41xi64>, tensor<3x5x2xi64>, tensor<0xi64>, tensor<1001xi64>, tensor<37x1xi64>, tensor<37x41xi64>) {
  %sa = tx.sort %a dim = 0 : tensor<1000xf32>
  %0 = tx.searchsorted %sa, %b : (tensor<1000xf32>, tensor<37x41xf32>) -> tensor<37x41xi64>
  %sc = tx.sort %c dim = 2 : tensor<3x5x67xbf16>
  %1 = tx.searchsorted %sc, %d right : (tensor<3x5x67xbf16>, tensor<3x5x2xbf16>) -> tensor<3x5x2xi64>
  %2 = tx.searchsorted %sa, %e : (tensor<1000xf32>, tensor<0xf32>) -> tensor<0xi64>
  %sf = tx.sort %f dim = 0 : tensor<100003xi8>
  %3 = tx.searchsorted %sf, %g : (tensor<100003xi8>, tensor<1001xi8>) -> tensor<1001xi64>
  %sb = tx.sort %b dim = 1 : tensor<37x41xf32>
  %4 = tx.searchsorted %sb, %h : (tensor<37x41xf32>, tensor<37x1xf32>) -> tensor<37x1xi64>
  %sh = tx.sort %h dim = 1 : tensor<37x1xf32>
  %5 = tx.searchsorted %sh, %b right : (tensor<37x1xf32>, tensor<37x41xf32>) -> tensor<37x41xi64>
  return %0, %1, %2, %3, %4, %5
      : tensor<37x41xi64>, tensor<3x5x2xi64>, tensor<0xi64>, tensor<1001xi64>, tensor<37x1xi64>, tensor<37x41xi64>
}

func.func @named(%s: tensor<?xf32, #tx.dims<[k]>> {tx.name = "s"}, %x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"},
                 %r: tensor<?x?xf32, #tx.dims<[n, q]>> {tx.name = "r"})
    -> (tensor<?x?xi64, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>) {
  %ss = tx.sort %s dim = 0 : tensor<?xf32, #tx.dims<[k]>>
  %0 = tx.searchsorted %ss, %x
      : (tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xi64, #tx.dims<[n, m]>>
  %sr = tx.sort %r dim = 1 : tensor<?x?xf32, #tx.dims<[n, q]>>
  %1 = tx.searchsorted %sr, %x right
      : (tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xi64, #tx.dims<[n, m]>>
  return %0, %1 : tensor<?x?xi64, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>
}

// Within a kernel of other ops, under a guard, along another dim than the lanes', and of a value that all lanes share.
func.func @fused(%s: tensor<50xf32>, %x: tensor<33x65xf32>, %y: tensor<65xf32>)
    -> (tensor<33x65xf32>, tensor<65x33xi64>, tensor<33x70xi64>, tensor<9x65xi64>) {
  %ss = tx.sort %s dim = 0 : tensor<50xf32>
  %d = tx.mul %x, %x : tensor<33x65xf32>
  %0 = tx.searchsorted %ss, %d : (tensor<50xf32>, tensor<33x65xf32>) -> tensor<33x65xi64>
  %f = tx.convert %0 : tensor<33x65xi64> -> tensor<33x65xf32>
  %1 = tx.add %f, %x : tensor<33x65xf32>
  %t = tx.transpose %0 permutation = [1, 0] : tensor<33x65xi64> -> tensor<65x33xi64>
  %v = tx.constant dense<-1> : tensor<i64>
  %p = tx.pad %0, %v low = [0, 2] high = [0, 3] interior = [0, 0] : tensor<33x65xi64> -> tensor<33x70xi64>
  %c = tx.slice %y offsets = [3] strides = [1] : tensor<65xf32> -> tensor<9xf32>
  %2 = tx.searchsorted %ss, %c right : (tensor<50xf32>, tensor<9xf32>) -> tensor<9xi64>
  %w = tx.broadcast %2 dims = [0] : tensor<9xi64> -> tensor<9x65xi64>
  return %1, %t, %p, %w : tensor<33x65xf32>, tensor<65x33xi64>, tensor<33x70xi64>, tensor<9x65xi64>
}
