// Sums, products, counts and contractions of complex numbers.
//
// RUN: %npy %t.x.npy c64 '[[1+2j, 3-4j, 0], [1j, 2, 1+1j]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=x:33,1 --compare=reference
// RUN: %run_op --entry=dots --random-inputs --compare=reference

func.func @main(%x: tensor<2x3xcomplex<f32>>)
    -> (tensor<2xcomplex<f32>> {tx.name = "sum"}, tensor<3xcomplex<f32>> {tx.name = "prod"},
        tensor<complex<f32>> {tx.name = "all"}, tensor<2x3xcomplex<f32>> {tx.name = "cumsum"},
        tensor<2x3xcomplex<f32>> {tx.name = "cumprod"}, tensor<2x3xcomplex<f32>> {tx.name = "back"},
        tensor<2xi64> {tx.name = "count"}) {
  %0 = tx.sum %x dims = [1] : tensor<2x3xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %1 = tx.prod %x dims = [0] : tensor<2x3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %2 = tx.prod %x dims = [0, 1] : tensor<2x3xcomplex<f32>> -> tensor<complex<f32>>
  %3 = tx.cumsum %x dim = 1 : tensor<2x3xcomplex<f32>>
  %4 = tx.cumprod %x dim = 1 : tensor<2x3xcomplex<f32>>
  %5 = tx.cumprod %x dim = 0 reverse exclusive : tensor<2x3xcomplex<f32>>
  %6 = tx.count_nonzero %x dims = [1] : tensor<2x3xcomplex<f32>> -> tensor<2xi64>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<complex<f32>>, tensor<2x3xcomplex<f32>>,
        tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2xi64>
}
// CHECK:      sum: c64[2]
// CHECK-NEXT: [4-2j, 3+2j]
// CHECK-NEXT: prod: c64[3]
// CHECK-NEXT: [-2+1j, 6-8j, 0+0j]
// CHECK-NEXT: all: c64[]
// CHECK-NEXT: {{-?0[+-]0j}}
// CHECK-NEXT: cumsum: c64[2,3]
// CHECK-NEXT: {{\[}}[1+2j, 4-2j, 4-2j],
// CHECK-NEXT:  [0+1j, 2+1j, 3+2j]]
// CHECK-NEXT: cumprod: c64[2,3]
// CHECK-NEXT: {{\[}}[1+2j, 11+2j, {{-?0[+-]0j}}],
// CHECK-NEXT:  [0+1j, {{-?0}}+2j, -2+2j]]
// CHECK-NEXT: back: c64[2,3]
// CHECK-NEXT: {{\[}}[0+1j, 2+0j, 1+1j],
// CHECK-NEXT:  [1+0j, 1+0j, 1+0j]]
// CHECK-NEXT: count: i64[2]
// CHECK-NEXT: [2, 3]

func.func @sizes(%x: tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> {tx.name = "x"}, %e: tensor<3x0xcomplex<f64>>)
    -> (tensor<?xcomplex<f32>, #tx.dims<[n]>>, tensor<?xcomplex<f32>, #tx.dims<[m]>>, tensor<complex<f32>>,
        tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) {
  %0 = tx.sum %x dims = [1] : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> -> tensor<?xcomplex<f32>, #tx.dims<[n]>>
  %1 = tx.prod %x dims = [0] : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> -> tensor<?xcomplex<f32>, #tx.dims<[m]>>
  %2 = tx.sum %x dims = [0, 1] : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> -> tensor<complex<f32>>
  %3 = tx.cumprod %x dim = 1 : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>
  %4 = tx.sum %e dims = [1] : tensor<3x0xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %5 = tx.prod %e dims = [1] : tensor<3x0xcomplex<f64>> -> tensor<3xcomplex<f64>>
  return %0, %1, %2, %3, %4, %5
      : tensor<?xcomplex<f32>, #tx.dims<[n]>>, tensor<?xcomplex<f32>, #tx.dims<[m]>>, tensor<complex<f32>>,
        tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
}

func.func @dots(%x: tensor<17x33xcomplex<f32>>, %y: tensor<33x9xcomplex<f32>>,
                %b: tensor<2x3x5xcomplex<f64>>, %c: tensor<2x5xcomplex<f64>>)
    -> (tensor<17x9xcomplex<f32>>, tensor<2x3xcomplex<f64>>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<17x33xcomplex<f32>>, tensor<33x9xcomplex<f32>>) -> tensor<17x9xcomplex<f32>>
  %1 = tx.dot_general %b, %c batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x3x5xcomplex<f64>>, tensor<2x5xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  return %0, %1 : tensor<17x9xcomplex<f32>>, tensor<2x3xcomplex<f64>>
}
