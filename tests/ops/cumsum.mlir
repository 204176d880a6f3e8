// Sums up to each place; NaN and infinities stay, integers wrap.
//
// RUN: %npy %t.x.npy f64 '[[1, 2, nan, 4, 5], [-0.0, 3, -0.5, inf, -inf], [2, -0.0, 0.0, -7, 0.25]]'
// RUN: %npy %t.i.npy i64 '[[100, 27, 3, -128], [-1, 0, 200, 1]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=floats --input=%t.x.npy | FileCheck %s --check-prefix=FLOAT
// RUN: %run_op --entry=ints --input=%t.i.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:13,40 --shape=v:5 --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=x:129,67 --shape=v:33000 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,0 --shape=v:0 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,3 --shape=v:1 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=flipped --random-inputs --compare=reference

func.func @main(%x: tensor<3x5xf64>)
    -> (tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>) {
  %0 = tx.cumsum %x dim = 1 : tensor<3x5xf64>
  %1 = tx.cumsum %x dim = 1 reverse : tensor<3x5xf64>
  %2 = tx.cumsum %x dim = 1 exclusive : tensor<3x5xf64>
  %3 = tx.cumsum %x dim = 1 reverse exclusive : tensor<3x5xf64>
  %4 = tx.cumsum %x dim = 0 : tensor<3x5xf64>
  %5 = tx.cumsum %x dim = 0 reverse exclusive : tensor<3x5xf64>
  return %0, %1, %2, %3, %4, %5
      : tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>
}
// CHECK:      out0: f64[3,5]
// CHECK-NEXT: {{\[\[}}1, 3, nan, nan, nan],
// CHECK-NEXT:  [-0, 3, 2.5, inf, nan],
// CHECK-NEXT:  [2, 2, 2, -5, -4.75]]
// CHECK-NEXT: out1: f64[3,5]
// CHECK-NEXT: {{\[\[}}nan, nan, nan, 9, 5],
// CHECK-NEXT:  [nan, nan, nan, nan, -inf],
// CHECK-NEXT:  [-4.75, -6.75, -6.75, -6.75, 0.25]]
// CHECK-NEXT: out2: f64[3,5]
// CHECK-NEXT: {{\[\[}}0, 1, 3, nan, nan],
// CHECK-NEXT:  [0, 0, 3, 2.5, inf],
// CHECK-NEXT:  [0, 2, 2, 2, -5]]
// CHECK-NEXT: out3: f64[3,5]
// CHECK-NEXT: {{\[\[}}nan, nan, 9, 5, 0],
// CHECK-NEXT:  [nan, nan, nan, -inf, 0],
// CHECK-NEXT:  [-6.75, -6.75, -6.75, 0.25, 0]]
// CHECK-NEXT: out4: f64[3,5]
// CHECK-NEXT: {{\[\[}}1, 2, nan, 4, 5],
// CHECK-NEXT:  [1, 5, nan, inf, -inf],
// CHECK-NEXT:  [3, 5, nan, inf, -inf]]
// CHECK-NEXT: out5: f64[3,5]
// CHECK-NEXT: {{\[\[}}2, 3, -0.5, inf, -inf],
// CHECK-NEXT:  [2, 0, 0, -7, 0.25],
// CHECK-NEXT:  [0, 0, 0, 0, 0]]

func.func @floats(%x: tensor<3x5xf64>)
    -> (tensor<3x5xf32>, tensor<3x5xf16>, tensor<3x5xbf16>) {
  %f32c = tx.convert %x : tensor<3x5xf64> -> tensor<3x5xf32>
  %f32 = tx.cumsum %f32c dim = 1 : tensor<3x5xf32>
  %f16c = tx.convert %x : tensor<3x5xf64> -> tensor<3x5xf16>
  %f16 = tx.cumsum %f16c dim = 1 : tensor<3x5xf16>
  %bf16c = tx.convert %x : tensor<3x5xf64> -> tensor<3x5xbf16>
  %bf16 = tx.cumsum %bf16c dim = 1 : tensor<3x5xbf16>
  return %f32, %f16, %bf16
      : tensor<3x5xf32>, tensor<3x5xf16>, tensor<3x5xbf16>
}
// FLOAT:      out0: f32[3,5]
// FLOAT-NEXT: {{\[\[}}1, 3, nan, nan, nan],
// FLOAT-NEXT:  [-0, 3, 2.5, inf, nan],
// FLOAT-NEXT:  [2, 2, 2, -5, -4.75]]
// FLOAT-NEXT: out1: f16[3,5]
// FLOAT-NEXT: {{\[\[}}1, 3, nan, nan, nan],
// FLOAT-NEXT:  [-0, 3, 2.5, inf, nan],
// FLOAT-NEXT:  [2, 2, 2, -5, -4.75]]
// FLOAT-NEXT: out2: bf16[3,5]
// FLOAT-NEXT: {{\[\[}}1, 3, nan, nan, nan],
// FLOAT-NEXT:  [-0, 3, 2.5, inf, nan],
// FLOAT-NEXT:  [2, 2, 2, -5, -4.75]]

func.func @ints(%x: tensor<2x4xi64>)
    -> (tensor<2x4xi8>, tensor<2x4xi16>, tensor<2x4xi32>, tensor<2x4xi64>, tensor<2x4xui8>, tensor<2x4xui16>, tensor<2x4xui32>, tensor<2x4xui64>, tensor<2x4xi8>) {
  %i8c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xi8>
  %i8 = tx.cumsum %i8c dim = 1 : tensor<2x4xi8>
  %i16c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xi16>
  %i16 = tx.cumsum %i16c dim = 1 : tensor<2x4xi16>
  %i32c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xi32>
  %i32 = tx.cumsum %i32c dim = 1 : tensor<2x4xi32>
  %i64 = tx.cumsum %x dim = 1 : tensor<2x4xi64>
  %ui8c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xui8>
  %ui8 = tx.cumsum %ui8c dim = 1 : tensor<2x4xui8>
  %ui16c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xui16>
  %ui16 = tx.cumsum %ui16c dim = 1 : tensor<2x4xui16>
  %ui32c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xui32>
  %ui32 = tx.cumsum %ui32c dim = 1 : tensor<2x4xui32>
  %ui64c = tx.convert %x : tensor<2x4xi64> -> tensor<2x4xui64>
  %ui64 = tx.cumsum %ui64c dim = 1 : tensor<2x4xui64>
  %ex = tx.cumsum %i8c dim = 1 reverse exclusive : tensor<2x4xi8>
  return %i8, %i16, %i32, %i64, %ui8, %ui16, %ui32, %ui64, %ex
      : tensor<2x4xi8>, tensor<2x4xi16>, tensor<2x4xi32>, tensor<2x4xi64>, tensor<2x4xui8>, tensor<2x4xui16>, tensor<2x4xui32>, tensor<2x4xui64>, tensor<2x4xi8>
}
// INT:      out0: i8[2,4]
// INT-NEXT: {{\[\[}}100, 127, -126, 2],
// INT-NEXT:  [-1, -1, -57, -56]]
// INT-NEXT: out1: i16[2,4]
// INT-NEXT: {{\[\[}}100, 127, 130, 2],
// INT-NEXT:  [-1, -1, 199, 200]]
// INT-NEXT: out2: i32[2,4]
// INT-NEXT: {{\[\[}}100, 127, 130, 2],
// INT-NEXT:  [-1, -1, 199, 200]]
// INT-NEXT: out3: i64[2,4]
// INT-NEXT: {{\[\[}}100, 127, 130, 2],
// INT-NEXT:  [-1, -1, 199, 200]]
// INT-NEXT: out4: ui8[2,4]
// INT-NEXT: {{\[\[}}100, 127, 130, 2],
// INT-NEXT:  [255, 255, 199, 200]]
// INT-NEXT: out5: ui16[2,4]
// INT-NEXT: {{\[\[}}100, 127, 130, 2],
// INT-NEXT:  [65535, 65535, 199, 200]]
// INT-NEXT: out6: ui32[2,4]
// INT-NEXT: {{\[\[}}100, 127, 130, 2],
// INT-NEXT:  [4294967295, 4294967295, 199, 200]]
// INT-NEXT: out7: ui64[2,4]
// INT-NEXT: {{\[\[}}100, 127, 130, 2],
// INT-NEXT:  [18446744073709551615, 18446744073709551615, 199, 200]]
// INT-NEXT: out8: i8[2,4]
// INT-NEXT: {{\[\[}}-98, -125, -128, 0],
// INT-NEXT:  [-55, -55, 1, 0]]

func.func @sizes(%a: tensor<1000xf32>, %b: tensor<37x41xf32>, %c: tensor<3x5x67xbf16>, %d: tensor<1x1xi64>, %e: tensor<0x5xf32>, %f: tensor<37x41xi32>, %h: tensor<5x9xf16>, %l: tensor<2x40961xf32>, %k: tensor<8195x9xf32>, %u: tensor<1x0x2xui16>, %w: tensor<70x1xf32>)
    -> (tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<3x5x67xbf16>, tensor<3x5x67xbf16>, tensor<1x1xi64>, tensor<1x1xi64>, tensor<0x5xf32>, tensor<0x5xf32>, tensor<5x9xf16>, tensor<5x9xf16>, tensor<1x0x2xui16>, tensor<1x0x2xui16>, tensor<70x1xf32>, tensor<70x1xf32>) {
  %ls = tx.abs %l : tensor<2x40961xf32>
  %ks = tx.abs %k : tensor<8195x9xf32>
  %0 = tx.cumsum %a dim = 0 : tensor<1000xf32>
  %1 = tx.cumsum %b dim = 0 : tensor<37x41xf32>
  %2 = tx.cumsum %b dim = 1 : tensor<37x41xf32>
  %3 = tx.cumsum %c dim = 0 : tensor<3x5x67xbf16>
  %4 = tx.cumsum %f dim = 0 : tensor<37x41xi32>
  %5 = tx.cumsum %ls dim = 1 : tensor<2x40961xf32>
  %6 = tx.cumsum %ks dim = 0 : tensor<8195x9xf32>
  %7 = tx.cumsum %a dim = 0 reverse : tensor<1000xf32>
  %8 = tx.cumsum %b dim = 1 reverse : tensor<37x41xf32>
  %9 = tx.cumsum %b dim = 0 reverse : tensor<37x41xf32>
  %10 = tx.cumsum %c dim = 1 reverse : tensor<3x5x67xbf16>
  %11 = tx.cumsum %f dim = 1 reverse : tensor<37x41xi32>
  %12 = tx.cumsum %ls dim = 1 reverse : tensor<2x40961xf32>
  %13 = tx.cumsum %ks dim = 0 reverse : tensor<8195x9xf32>
  %14 = tx.cumsum %a dim = 0 exclusive : tensor<1000xf32>
  %15 = tx.cumsum %b dim = 0 exclusive : tensor<37x41xf32>
  %16 = tx.cumsum %b dim = 1 exclusive : tensor<37x41xf32>
  %17 = tx.cumsum %c dim = 2 exclusive : tensor<3x5x67xbf16>
  %18 = tx.cumsum %f dim = 0 exclusive : tensor<37x41xi32>
  %19 = tx.cumsum %ls dim = 1 exclusive : tensor<2x40961xf32>
  %20 = tx.cumsum %ks dim = 0 exclusive : tensor<8195x9xf32>
  %21 = tx.cumsum %a dim = 0 reverse exclusive : tensor<1000xf32>
  %22 = tx.cumsum %b dim = 1 reverse exclusive : tensor<37x41xf32>
  %23 = tx.cumsum %b dim = 0 reverse exclusive : tensor<37x41xf32>
  %24 = tx.cumsum %c dim = 0 reverse exclusive : tensor<3x5x67xbf16>
  %25 = tx.cumsum %f dim = 1 reverse exclusive : tensor<37x41xi32>
  %26 = tx.cumsum %ls dim = 1 reverse exclusive : tensor<2x40961xf32>
  %27 = tx.cumsum %ks dim = 0 reverse exclusive : tensor<8195x9xf32>
  %28 = tx.cumsum %c dim = 2 reverse exclusive : tensor<3x5x67xbf16>
  %29 = tx.cumsum %c dim = 1 reverse exclusive : tensor<3x5x67xbf16>
  %30 = tx.cumsum %d dim = 0 : tensor<1x1xi64>
  %31 = tx.cumsum %d dim = 1 reverse : tensor<1x1xi64>
  %32 = tx.cumsum %e dim = 0 : tensor<0x5xf32>
  %33 = tx.cumsum %e dim = 1 reverse exclusive : tensor<0x5xf32>
  %34 = tx.cumsum %h dim = 0 reverse : tensor<5x9xf16>
  %35 = tx.cumsum %h dim = 1 : tensor<5x9xf16>
  %36 = tx.cumsum %u dim = 0 reverse exclusive : tensor<1x0x2xui16>
  %37 = tx.cumsum %u dim = 2 : tensor<1x0x2xui16>
  %38 = tx.cumsum %w dim = 1 reverse exclusive : tensor<70x1xf32>
  %39 = tx.cumsum %w dim = 1 : tensor<70x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39
      : tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<37x41xi32>, tensor<2x40961xf32>, tensor<8195x9xf32>, tensor<3x5x67xbf16>, tensor<3x5x67xbf16>, tensor<1x1xi64>, tensor<1x1xi64>, tensor<0x5xf32>, tensor<0x5xf32>, tensor<5x9xf16>, tensor<5x9xf16>, tensor<1x0x2xui16>, tensor<1x0x2xui16>, tensor<70x1xf32>, tensor<70x1xf32>
}

func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %v: tensor<?xf32, #tx.dims<[k]>> {tx.name = "v"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>) {
  %sx = tx.abs %x : tensor<?x?xf32, #tx.dims<[n, m]>>
  %sv = tx.abs %v : tensor<?xf32, #tx.dims<[k]>>
  %0 = tx.cumsum %sx dim = 0 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.cumsum %sx dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.cumsum %sv dim = 0 : tensor<?xf32, #tx.dims<[k]>>
  %3 = tx.cumsum %sx dim = 0 reverse : tensor<?x?xf32, #tx.dims<[n, m]>>
  %4 = tx.cumsum %sx dim = 1 reverse : tensor<?x?xf32, #tx.dims<[n, m]>>
  %5 = tx.cumsum %sv dim = 0 reverse : tensor<?xf32, #tx.dims<[k]>>
  %6 = tx.cumsum %sx dim = 0 exclusive : tensor<?x?xf32, #tx.dims<[n, m]>>
  %7 = tx.cumsum %sx dim = 1 exclusive : tensor<?x?xf32, #tx.dims<[n, m]>>
  %8 = tx.cumsum %sv dim = 0 exclusive : tensor<?xf32, #tx.dims<[k]>>
  %9 = tx.cumsum %sx dim = 0 reverse exclusive : tensor<?x?xf32, #tx.dims<[n, m]>>
  %10 = tx.cumsum %sx dim = 1 reverse exclusive : tensor<?x?xf32, #tx.dims<[n, m]>>
  %11 = tx.cumsum %sv dim = 0 reverse exclusive : tensor<?xf32, #tx.dims<[k]>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
      : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xf32, #tx.dims<[k]>>
}

func.func @fused(%x: tensor<33x130xf32>, %y: tensor<33x130xf32>)
    -> (tensor<33x130xf32>, tensor<33x130xf32>, tensor<130x33xf32>, tensor<33x130xf32>) {
  %e0 = tx.mul %x, %y : tensor<33x130xf32>
  %s0 = tx.cumsum %e0 dim = 1 : tensor<33x130xf32>
  %a0 = tx.add %s0, %x : tensor<33x130xf32>
  %e1 = tx.mul %x, %y : tensor<33x130xf32>
  %s1 = tx.cumsum %e1 dim = 0 reverse : tensor<33x130xf32>
  %a1 = tx.add %s1, %x : tensor<33x130xf32>
  %w = tx.abs %x : tensor<33x130xf32>
  %p = tx.transpose %w permutation = [1, 0] : tensor<33x130xf32> -> tensor<130x33xf32>
  %q = tx.cumsum %p dim = 1 : tensor<130x33xf32>
  return %a0, %a1, %q, %w
      : tensor<33x130xf32>, tensor<33x130xf32>, tensor<130x33xf32>, tensor<33x130xf32>
}

// Flips around scans of whole numbers, and of floats with whole and other lanes.
func.func @flipped(%x: tensor<7x64xf32>, %y: tensor<7x67xf32>, %i: tensor<7x67xi32>)
    -> (tensor<7x64xf32>, tensor<7x67xf32>, tensor<7x67xi32>) {
  %0 = tx.slice %x offsets = [6, 63] strides = [-1, -1] : tensor<7x64xf32> -> tensor<7x64xf32>
  %1 = tx.cumsum %0 dim = 1 exclusive : tensor<7x64xf32>
  %2 = tx.slice %1 offsets = [6, 63] strides = [-1, -1] : tensor<7x64xf32> -> tensor<7x64xf32>
  %3 = tx.cumsum %y dim = 1 reverse : tensor<7x67xf32>
  %4 = tx.slice %3 offsets = [0, 66] strides = [1, -1] : tensor<7x67xf32> -> tensor<7x67xf32>
  %5 = tx.cumsum %i dim = 1 : tensor<7x67xi32>
  %6 = tx.slice %5 offsets = [0, 66] strides = [1, -1] : tensor<7x67xi32> -> tensor<7x67xi32>
  return %2, %4, %6 : tensor<7x64xf32>, tensor<7x67xf32>, tensor<7x67xi32>
}
