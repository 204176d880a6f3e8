// The first index of the smallest element, row-major over the reduced
// dimensions together; the first NaN is the smallest.
//
// RUN: %npy %t.npy f64 '[[1, 3, 3], [nan, 5, nan], [-inf, -inf, -inf], [1, 2, nan], [0.0, -0.0, 0.0], [-0.0, 0.0, -1]]'
// RUN: %run_op --input=%t.npy | FileCheck %s
// RUN: %run_op --entry=ints | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,67 --compare=reference
// RUN: not %run_op --entry=empty --random-inputs --shape=x:0,2 2>&1 | FileCheck %s --check-prefix=EMPTY

func.func @main(%x: tensor<6x3xf64>)
    -> (tensor<6xi64>, tensor<6xi32>, tensor<6xi64>, tensor<3xi64>, tensor<i64>, tensor<6x3xi64>) {
  %0 = tx.argmin %x dims = [1] : tensor<6x3xf64> -> tensor<6xi64>
  %f = tx.convert %x : tensor<6x3xf64> -> tensor<6x3xf32>
  %1 = tx.argmin %f dims = [1] : tensor<6x3xf32> -> tensor<6xi32>
  %b = tx.convert %x : tensor<6x3xf64> -> tensor<6x3xbf16>
  %2 = tx.argmin %b dims = [1] : tensor<6x3xbf16> -> tensor<6xi64>
  %3 = tx.argmin %f dims = [0] : tensor<6x3xf32> -> tensor<3xi64>
  %4 = tx.argmin %f dims = [0, 1] : tensor<6x3xf32> -> tensor<i64>
  %5 = tx.argmin %f dims = [] : tensor<6x3xf32> -> tensor<6x3xi64>
  return %0, %1, %2, %3, %4, %5
      : tensor<6xi64>, tensor<6xi32>, tensor<6xi64>, tensor<3xi64>, tensor<i64>, tensor<6x3xi64>
}
// CHECK:      out0: i64[6]
// CHECK-NEXT: [0, 0, 0, 2, 0, 2]
// CHECK-NEXT: out1: i32[6]
// CHECK-NEXT: [0, 0, 0, 2, 0, 2]
// CHECK-NEXT: out2: i64[6]
// CHECK-NEXT: [0, 0, 0, 2, 0, 2]
// CHECK-NEXT: out3: i64[3]
// CHECK-NEXT: [1, 2, 1]
// CHECK-NEXT: out4: i64[]
// CHECK-NEXT: {{^}}3{{$}}
// CHECK-NEXT: out5: i64[6,3]
// CHECK-NEXT: {{\[\[}}0, 0, 0],

func.func @ints() -> (tensor<i64>, tensor<i32>, tensor<i64>, tensor<i64>, tensor<i64>) {
  %i = tx.iota dim = 0 : tensor<1000xi32>
  %c = tx.constant dense<500> : tensor<1000xi32>
  %d = tx.sub %i, %c : tensor<1000xi32>
  %n = tx.neg %d : tensor<1000xi32>
  %0 = tx.argmin %d dims = [0] : tensor<1000xi32> -> tensor<i64>
  %1 = tx.argmin %n dims = [0] : tensor<1000xi32> -> tensor<i32>
  %l = tx.convert %n : tensor<1000xi32> -> tensor<1000xi64>
  %2 = tx.argmin %l dims = [0] : tensor<1000xi64> -> tensor<i64>
  %b = tx.lt %i, %c : tensor<1000xi32>
  %3 = tx.argmin %b dims = [0] : tensor<1000xi1> -> tensor<i64>
  // 244...0, 255...0, again and again: the first 0.
  %u = tx.convert %n : tensor<1000xi32> -> tensor<1000xui8>
  %4 = tx.argmin %u dims = [0] : tensor<1000xui8> -> tensor<i64>
  return %0, %1, %2, %3, %4
      : tensor<i64>, tensor<i32>, tensor<i64>, tensor<i64>, tensor<i64>
}
// INT:      out0: i64[]
// INT-NEXT: {{^}}0{{$}}
// INT-NEXT: out1: i32[]
// INT-NEXT: {{^}}999{{$}}
// INT-NEXT: out2: i64[]
// INT-NEXT: {{^}}999{{$}}
// INT-NEXT: out3: i64[]
// INT-NEXT: {{^}}500{{$}}
// INT-NEXT: out4: i64[]
// INT-NEXT: {{^}}244{{$}}

func.func @sizes(%a: tensor<1000xf32>, %b: tensor<37x41xf32>, %c: tensor<3x5x67xbf16>,
                 %d: tensor<1x1xi64>, %e: tensor<0x5xf32>, %f: tensor<37x41xi32>, %g: tensor<f32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<i64>, tensor<37xi64>, tensor<41xi32>, tensor<5xi64>, tensor<1xi64>, tensor<0xi64>,
        tensor<37xi64>, tensor<i64>, tensor<?xi64, #tx.dims<[n]>>, tensor<?xi64, #tx.dims<[m]>>,
        tensor<i64>) {
  %0 = tx.argmin %a dims = [0] : tensor<1000xf32> -> tensor<i64>
  %1 = tx.argmin %b dims = [1] : tensor<37x41xf32> -> tensor<37xi64>
  %2 = tx.argmin %b dims = [0] : tensor<37x41xf32> -> tensor<41xi32>
  %3 = tx.argmin %c dims = [0, 2] : tensor<3x5x67xbf16> -> tensor<5xi64>
  %4 = tx.argmin %d dims = [0] : tensor<1x1xi64> -> tensor<1xi64>
  %5 = tx.argmin %e dims = [1] : tensor<0x5xf32> -> tensor<0xi64>
  // Ten values only: the first of many equal ones.
  %6 = tx.argmin %f dims = [1] : tensor<37x41xi32> -> tensor<37xi64>
  %7 = tx.argmin %g dims = [] : tensor<f32> -> tensor<i64>
  %8 = tx.argmin %xn dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xi64, #tx.dims<[n]>>
  %9 = tx.argmin %xn dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xi64, #tx.dims<[m]>>
  %10 = tx.argmin %xn dims = [0, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<i64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<i64>, tensor<37xi64>, tensor<41xi32>, tensor<5xi64>, tensor<1xi64>, tensor<0xi64>,
        tensor<37xi64>, tensor<i64>, tensor<?xi64, #tx.dims<[n]>>, tensor<?xi64, #tx.dims<[m]>>,
        tensor<i64>
}

func.func @empty(%x: tensor<?x2xf32, #tx.dims<[n, 2]>> {tx.name = "x"}) -> tensor<2xi64> {
  %0 = tx.argmin %x dims = [0] : tensor<?x2xf32, #tx.dims<[n, 2]>> -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
// EMPTY: argmin
