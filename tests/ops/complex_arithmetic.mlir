// Arithmetic and comparisons of complex numbers: products by four real ones, quotients by Smith's algorithm, as NumPy's.
//
// RUN: %npy %t.x.npy c128 '[1+2j, 3-4j, 1e300+1e300j, 1+1j, c(1, -1), c(inf, 0), c(1, nan), 0, c(-0.0, 0.0)]'
// RUN: %npy %t.y.npy c128 '[2-1j, 3-4j, 1e300+1e300j, 0, c(-0.0, 0.0), 2+0j, 1+1j, 0, 1+0j]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=a:129,3 --compare=reference

func.func @main(%x: tensor<9xcomplex<f64>>, %y: tensor<9xcomplex<f64>>)
    -> (tensor<9xcomplex<f64>> {tx.name = "sum"}, tensor<9xcomplex<f64>> {tx.name = "difference"},
        tensor<9xcomplex<f64>> {tx.name = "product"}, tensor<9xcomplex<f64>> {tx.name = "quotient"},
        tensor<9xi1> {tx.name = "eq"}, tensor<9xi1> {tx.name = "ne"}, tensor<9xi1> {tx.name = "nan"},
        tensor<9xi1> {tx.name = "inf"}, tensor<9xi1> {tx.name = "finite"}, tensor<9xcomplex<f64>> {tx.name = "select"}) {
  %0 = tx.add %x, %y : tensor<9xcomplex<f64>>
  %1 = tx.sub %x, %y : tensor<9xcomplex<f64>>
  %2 = tx.mul %x, %y : tensor<9xcomplex<f64>>
  %3 = tx.div %x, %y : tensor<9xcomplex<f64>>
  %4 = tx.eq %x, %y : tensor<9xcomplex<f64>>
  %5 = tx.ne %x, %y : tensor<9xcomplex<f64>>
  %6 = tx.is_nan %x : tensor<9xcomplex<f64>>
  %7 = tx.is_inf %x : tensor<9xcomplex<f64>>
  %8 = tx.is_finite %x : tensor<9xcomplex<f64>>
  %9 = tx.select %8, %x, %y : tensor<9xi1>, tensor<9xcomplex<f64>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
      : tensor<9xcomplex<f64>>, tensor<9xcomplex<f64>>, tensor<9xcomplex<f64>>, tensor<9xcomplex<f64>>, tensor<9xi1>,
        tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xcomplex<f64>>
}
// CHECK:      sum: c128[9]
// CHECK-NEXT: [3+1j, 6-8j, 2e+300+2e+300j, 1+1j, 1-1j, inf+0j, 2+nanj, 0+0j, 1+0j]
// CHECK-NEXT: difference: c128[9]
// CHECK-NEXT: [-1+3j, 0+0j, 0+0j, 1+1j, 1-1j, inf+0j, 0+nanj, 0+0j, -1+0j]
// CHECK-NEXT: product: c128[9]
// CHECK-NEXT: [4+3j, -7-24j, nan+infj, 0+0j, {{-?0[+-]0j}}, inf+nanj, nan+nanj, 0+0j, {{-?0[+-]0j}}]
// CHECK-NEXT: quotient: c128[9]
// CHECK-NEXT: [0+1j, 1-0j, 1+0j, inf+infj, inf-infj, inf+nanj, nan+nanj, nan+nanj, {{-?0[+-]0j}}]
// CHECK-NEXT: eq: i1[9]
// CHECK-NEXT: [false, true, true, false, false, false, false, true, false]
// CHECK-NEXT: ne: i1[9]
// CHECK-NEXT: [true, false, false, true, true, true, true, false, true]
// CHECK-NEXT: nan: i1[9]
// CHECK-NEXT: [false, false, false, false, false, false, true, false, false]
// CHECK-NEXT: inf: i1[9]
// CHECK-NEXT: [false, false, false, false, false, true, false, false, false]
// CHECK-NEXT: finite: i1[9]
// CHECK-NEXT: [true, true, true, true, true, false, false, true, true]
// CHECK-NEXT: select: c128[9]
// CHECK-NEXT: [1+2j, 3-4j, 1e+300+1e+300j, 1+1j, 1-1j, 2+0j, 1+1j, 0+0j, -0+0j]

func.func @sizes(%a: tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> {tx.name = "a"},
                 %b: tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>, %c: tensor<1031xcomplex<f32>>)
    -> (tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>, tensor<1031xcomplex<f32>>, tensor<1031xi1>) {
  %0 = tx.mul %a, %b : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>
  %1 = tx.div %0, %b : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>
  %2 = tx.sub %1, %a : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>
  %3 = tx.add %0, %2 : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>
  %4 = tx.mul %c, %c : tensor<1031xcomplex<f32>>
  %5 = tx.eq %4, %c : tensor<1031xcomplex<f32>>
  return %3, %4, %5 : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>, tensor<1031xcomplex<f32>>, tensor<1031xi1>
}
