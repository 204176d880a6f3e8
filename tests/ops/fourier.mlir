// Transforms of complex and real numbers and of halves of spectra: even, odd and prime lengths, along any dims.
// Expected numbers are NumPy's.
//
// RUN: %npy %t.x.npy f64 '[[1, 2, 0, -1], [0.5, -3, 2.25, 4]]'
// RUN: %npy %t.h.npy c128 '[1+5j, 2-1j, -3+4j]'
// RUN: %npy %t.z.npy c128 '[[1+1j, 2], [0, -1j]]'
// RUN: %npy %t.m.npy c128 '[[1, 2j, 3], [4, 5, 6j]]'
// RUN: %run_op --input=%t.x.npy --input=%t.h.npy --input=%t.z.npy --input=%t.m.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=dims --random-inputs --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:3,5,12 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:0,5,12 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:33,1,12 --compare=reference

func.func @main(%x: tensor<2x4xf64>, %h: tensor<3xcomplex<f64>>, %z: tensor<2x2xcomplex<f64>>, %m: tensor<2x3xcomplex<f64>>)
    -> (tensor<2x3xcomplex<f64>> {tx.name = "rfft"}, tensor<4xf64> {tx.name = "irfft"}, tensor<2x2xcomplex<f64>> {tx.name = "fft2"},
        tensor<2x4xf64> {tx.name = "irfft2"}) {
  %0 = tx.fourier %x real lengths = [4] dims = [1] norm = backward : tensor<2x4xf64> -> tensor<2x3xcomplex<f64>>
  // The imaginary part of the first element, and of the last one of an even length, does not count.
  %1 = tx.fourier %h hermitian inverse lengths = [4] dims = [0] norm = backward : tensor<3xcomplex<f64>> -> tensor<4xf64>
  %2 = tx.fourier %z complex lengths = [2, 2] dims = [0, 1] norm = forward : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  %3 = tx.fourier %m hermitian inverse lengths = [2, 4] dims = [0, 1] norm = backward : tensor<2x3xcomplex<f64>> -> tensor<2x4xf64>
  return %0, %1, %2, %3 : tensor<2x3xcomplex<f64>>, tensor<4xf64>, tensor<2x2xcomplex<f64>>, tensor<2x4xf64>
}
// CHECK:      rfft: c128[2,3]
// CHECK-NEXT: {{\[\[}}2{{[+-]}}0j, 1-3j, 0{{[+-]}}0j],
// CHECK-NEXT:  [3.75{{[+-]}}0j, -1.75+7j, 1.75{{[+-]}}0j]]
// CHECK:      irfft: f64[4]
// CHECK-NEXT: [0.5, 1.5, -1.5, 0.5]
// CHECK:      fft2: c128[2,2]
// CHECK-NEXT: {{\[\[}}0.75{{[+-]}}0j, -0.25+0.5j],
// CHECK-NEXT:  [0.75+0.5j, -0.25{{[+-]}}0j]]
// CHECK:      irfft2: f64[2,4]
// CHECK-NEXT: {{\[\[}}2.25, -0.25, -0.25, 0.75],
// CHECK-NEXT:  [-1.25, -1.25, 1.25, -0.25]]

func.func @sizes(%a: tensor<3x1xf32>, %b: tensor<17x2xf32>, %c: tensor<2x9xf64>, %d: tensor<2x34xf32>, %e: tensor<2x512xf32>,
                 %f: tensor<3x1xcomplex<f32>>, %g: tensor<3x2xcomplex<f64>>, %h: tensor<2x5xcomplex<f32>>, %i: tensor<2x18xcomplex<f64>>,
                 %j: tensor<2x257xcomplex<f32>>)
    -> (tensor<3x1xcomplex<f32>>, tensor<17x2xcomplex<f32>>, tensor<2x5xcomplex<f64>>, tensor<2x18xcomplex<f32>>, tensor<2x257xcomplex<f32>>,
        tensor<3x1xf32>, tensor<3x2xf64>, tensor<2x9xf32>, tensor<2x34xf64>, tensor<2x512xf32>) {
  %0 = tx.fourier %a real lengths = [1] dims = [1] norm = backward : tensor<3x1xf32> -> tensor<3x1xcomplex<f32>>
  %1 = tx.fourier %b real inverse lengths = [2] dims = [1] norm = ortho : tensor<17x2xf32> -> tensor<17x2xcomplex<f32>>
  %2 = tx.fourier %c real lengths = [9] dims = [1] norm = ortho : tensor<2x9xf64> -> tensor<2x5xcomplex<f64>>
  %3 = tx.fourier %d real lengths = [34] dims = [1] norm = forward : tensor<2x34xf32> -> tensor<2x18xcomplex<f32>>
  %4 = tx.fourier %e real inverse lengths = [512] dims = [1] norm = forward : tensor<2x512xf32> -> tensor<2x257xcomplex<f32>>
  %5 = tx.fourier %f hermitian lengths = [1] dims = [1] norm = backward : tensor<3x1xcomplex<f32>> -> tensor<3x1xf32>
  %6 = tx.fourier %g hermitian lengths = [2] dims = [1] norm = backward : tensor<3x2xcomplex<f64>> -> tensor<3x2xf64>
  %7 = tx.fourier %h hermitian inverse lengths = [9] dims = [1] norm = ortho : tensor<2x5xcomplex<f32>> -> tensor<2x9xf32>
  %8 = tx.fourier %i hermitian lengths = [34] dims = [1] norm = forward : tensor<2x18xcomplex<f64>> -> tensor<2x34xf64>
  %9 = tx.fourier %j hermitian inverse lengths = [512] dims = [1] norm = backward : tensor<2x257xcomplex<f32>> -> tensor<2x512xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
      : tensor<3x1xcomplex<f32>>, tensor<17x2xcomplex<f32>>, tensor<2x5xcomplex<f64>>, tensor<2x18xcomplex<f32>>, tensor<2x257xcomplex<f32>>,
        tensor<3x1xf32>, tensor<3x2xf64>, tensor<2x9xf32>, tensor<2x34xf64>, tensor<2x512xf32>
}

func.func @dims(%x: tensor<6x5x4xf32>, %y: tensor<6x5x4xcomplex<f32>>, %h: tensor<6x4x3xcomplex<f64>>)
    -> (tensor<6x5x3xcomplex<f32>>, tensor<4x5x4xcomplex<f32>>, tensor<6x5x4xcomplex<f32>>, tensor<6x6x3xf64>) {
  %0 = tx.fourier %x real lengths = [6, 5, 4] dims = [0, 1, 2] norm = backward : tensor<6x5x4xf32> -> tensor<6x5x3xcomplex<f32>>
  %1 = tx.fourier %x real inverse lengths = [4, 6] dims = [2, 0] norm = ortho : tensor<6x5x4xf32> -> tensor<4x5x4xcomplex<f32>>
  %2 = tx.fourier %y complex inverse lengths = [5] dims = [1] norm = backward : tensor<6x5x4xcomplex<f32>> -> tensor<6x5x4xcomplex<f32>>
  %3 = tx.fourier %h hermitian lengths = [6, 6] dims = [0, 1] norm = backward : tensor<6x4x3xcomplex<f64>> -> tensor<6x6x3xf64>
  return %0, %1, %2, %3 : tensor<6x5x3xcomplex<f32>>, tensor<4x5x4xcomplex<f32>>, tensor<6x5x4xcomplex<f32>>, tensor<6x6x3xf64>
}

// Batches of sizes that a run knows.
func.func @rows(%x: tensor<?x?x12xf32, #tx.dims<[n, m, 12]>> {tx.name = "x"}) -> tensor<?x?x12xf32, #tx.dims<[n, m, 12]>> {
  %0 = tx.fourier %x real lengths = [12] dims = [2] norm = backward
      : tensor<?x?x12xf32, #tx.dims<[n, m, 12]>> -> tensor<?x?x7xcomplex<f32>, #tx.dims<[n, m, 7]>>
  %1 = tx.mul %0, %0 : tensor<?x?x7xcomplex<f32>, #tx.dims<[n, m, 7]>>
  %2 = tx.fourier %1 hermitian inverse lengths = [12] dims = [2] norm = backward
      : tensor<?x?x7xcomplex<f32>, #tx.dims<[n, m, 7]>> -> tensor<?x?x12xf32, #tx.dims<[n, m, 12]>>
  return %2 : tensor<?x?x12xf32, #tx.dims<[n, m, 12]>>
}
