// Transforms in a row, on both sides of other work.
func.func @main(%x: tensor<4x257xcomplex<f32>>, %y: tensor<3x128xcomplex<f64>>)
    -> (tensor<4x257xcomplex<f32>>, tensor<3x128xcomplex<f64>>, tensor<3x65xcomplex<f64>>) {
  %0 = tx.fourier %x complex lengths = [257] dims = [1] norm = backward : tensor<4x257xcomplex<f32>> -> tensor<4x257xcomplex<f32>>
  %1 = tx.mul %0, %0 : tensor<4x257xcomplex<f32>>
  %2 = tx.fourier %1 complex inverse lengths = [257] dims = [1] norm = backward : tensor<4x257xcomplex<f32>> -> tensor<4x257xcomplex<f32>>
  %3 = tx.fourier %y complex inverse lengths = [128] dims = [1] norm = ortho : tensor<3x128xcomplex<f64>> -> tensor<3x128xcomplex<f64>>
  %4 = tx.real %y : tensor<3x128xcomplex<f64>> -> tensor<3x128xf64>
  %5 = tx.fourier %4 real lengths = [128] dims = [1] norm = backward : tensor<3x128xf64> -> tensor<3x65xcomplex<f64>>
  return %2, %3, %5 : tensor<4x257xcomplex<f32>>, tensor<3x128xcomplex<f64>>, tensor<3x65xcomplex<f64>>
}

func.func @calls(%a: tensor<2x3x64xf32>, %b: tensor<2x3x128xf32>, %c: tensor<2x3x17xf64>, %d: tensor<2x3x16xf64>)
    -> (tensor<2x3x64xf32>, tensor<2x3x128xf32>, tensor<2x3x17xf64>, tensor<2x3x16xf64>) {
  %0 = tx.fft %a length = 64 : tensor<2x3x64xf32>
  %1 = tx.fft %b length = 128 : tensor<2x3x128xf32>
  %2 = tx.fft %c length = 17 inverse : tensor<2x3x17xf64>
  %3 = tx.fft %d length = 16 : tensor<2x3x16xf64>
  return %0, %1, %2, %3 : tensor<2x3x64xf32>, tensor<2x3x128xf32>, tensor<2x3x17xf64>, tensor<2x3x16xf64>
}

func.func @rows(%x: tensor<?x?x19xcomplex<f32>, #tx.dims<[n, m, 19]>> {tx.name = "x"})
    -> tensor<?x?x19xcomplex<f32>, #tx.dims<[n, m, 19]>> {
  %0 = tx.fourier %x complex lengths = [19] dims = [2] norm = backward : tensor<?x?x19xcomplex<f32>, #tx.dims<[n, m, 19]>> -> tensor<?x?x19xcomplex<f32>, #tx.dims<[n, m, 19]>>
  return %0 : tensor<?x?x19xcomplex<f32>, #tx.dims<[n, m, 19]>>
}

func.func @halves(%x: tensor<2x3x34xf16>, %y: tensor<2x3x34xbf16>) -> (tensor<2x3x34xf16>, tensor<2x3x34xbf16>) {
  %0 = tx.fft %x length = 34 : tensor<2x3x34xf16>
  %1 = tx.fft %y length = 34 inverse : tensor<2x3x34xbf16>
  return %0, %1 : tensor<2x3x34xf16>, tensor<2x3x34xbf16>
}

func.func @spoiled(%x: tensor<2x17xf32>) -> tensor<2xi1> {
  %0 = tx.fourier %x real lengths = [17] dims = [1] norm = backward : tensor<2x17xf32> -> tensor<2x9xcomplex<f32>>
  %1 = tx.real %0 : tensor<2x9xcomplex<f32>> -> tensor<2x9xf32>
  %2 = tx.is_finite %1 : tensor<2x9xf32>
  %3 = tx.all %2 dims = [1] : tensor<2x9xi1> -> tensor<2xi1>
  return %3 : tensor<2xi1>
}
