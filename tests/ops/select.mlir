// Copies bits: NaNs and zeros keep their signs, whatever the dtype.
//
// RUN: %npy %t.p.npy i1 '[true, false, true, false, true]'
// RUN: %npy %t.x.npy f64 '[1.5, 2, nan, inf, -0.0]'
// RUN: %npy %t.y.npy f64 '[-1, -0.0, 3, -inf, 0]'
// RUN: %run_op --input=%t.p.npy --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=pn:129,9 --compare=reference

func.func @main(%p: tensor<5xi1>, %x: tensor<5xf64>, %y: tensor<5xf64>)
    -> (tensor<5xf64> {tx.name = "f64"}, tensor<5xf32> {tx.name = "f32"},
        tensor<5xbf16> {tx.name = "bf16"}, tensor<5xi64> {tx.name = "i64"},
        tensor<5xi32> {tx.name = "i32"}, tensor<5xi1> {tx.name = "i1"}) {
  %f64 = tx.select %p, %x, %y : tensor<5xi1>, tensor<5xf64>
  %x1 = tx.convert %x : tensor<5xf64> -> tensor<5xf32>
  %y1 = tx.convert %y : tensor<5xf64> -> tensor<5xf32>
  %f32 = tx.select %p, %x1, %y1 : tensor<5xi1>, tensor<5xf32>
  %x2 = tx.convert %x : tensor<5xf64> -> tensor<5xbf16>
  %y2 = tx.convert %y : tensor<5xf64> -> tensor<5xbf16>
  %bf16 = tx.select %p, %x2, %y2 : tensor<5xi1>, tensor<5xbf16>
  %x3 = tx.iota dim = 0 : tensor<5xi64>
  %y3 = tx.neg %x3 : tensor<5xi64>
  %i64 = tx.select %p, %x3, %y3 : tensor<5xi1>, tensor<5xi64>
  %x4 = tx.iota dim = 0 : tensor<5xi32>
  %y4 = tx.neg %x4 : tensor<5xi32>
  %i32 = tx.select %p, %x4, %y4 : tensor<5xi1>, tensor<5xi32>
  %q = tx.not %p : tensor<5xi1>
  %i1 = tx.select %p, %q, %p : tensor<5xi1>, tensor<5xi1>
  return %f64, %f32, %bf16, %i64, %i32, %i1
      : tensor<5xf64>, tensor<5xf32>, tensor<5xbf16>, tensor<5xi64>,
        tensor<5xi32>, tensor<5xi1>
}
// CHECK:      f64: f64[5]
// CHECK-NEXT: [1.5, -0, nan, -inf, -0]
// CHECK-NEXT: f32: f32[5]
// CHECK-NEXT: [1.5, -0, nan, -inf, -0]
// CHECK-NEXT: bf16: bf16[5]
// CHECK-NEXT: [1.5, -0, nan, -inf, -0]
// CHECK-NEXT: i64: i64[5]
// CHECK-NEXT: [0, -1, 2, -3, 4]
// CHECK-NEXT: i32: i32[5]
// CHECK-NEXT: [0, -1, 2, -3, 4]
// CHECK-NEXT: i1: i1[5]
// CHECK-NEXT: [false, false, false, false, false]

func.func @sizes(%p0: tensor<i1>, %x0: tensor<f32>, %y0: tensor<f32>,
                 %p1: tensor<0xi1>, %x1: tensor<0xi64>, %y1: tensor<0xi64>,
                 %p2: tensor<37xi1>, %x2: tensor<37xbf16>, %y2: tensor<37xbf16>,
                 %p3: tensor<1000xi1>, %x3: tensor<1000xf64>, %y3: tensor<1000xf64>,
                 %pn: tensor<?x?xi1, #tx.dims<[n, m]>> {tx.name = "pn"},
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>>,
                 %yn: tensor<?x?xf32, #tx.dims<[n, m]>>)
    -> (tensor<f32>, tensor<0xi64>, tensor<37xbf16>, tensor<1000xf64>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.select %p0, %x0, %y0 : tensor<i1>, tensor<f32>
  %r1 = tx.select %p1, %x1, %y1 : tensor<0xi1>, tensor<0xi64>
  %r2 = tx.select %p2, %x2, %y2 : tensor<37xi1>, tensor<37xbf16>
  %r3 = tx.select %p3, %x3, %y3 : tensor<1000xi1>, tensor<1000xf64>
  %rn = tx.select %pn, %xn, %yn
      : tensor<?x?xi1, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %rn
      : tensor<f32>, tensor<0xi64>, tensor<37xbf16>, tensor<1000xf64>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
