// Rows that come in order, or in strictly descending order, and rows in which one pair of neighbours disagrees.
//
// RUN: %npy %t.npy f32 '[[-inf] * 3 + [-0.0, 0.0, 0.0, -0.0] * 50 + [1] * 90 + [nan] * 10, [nan] * 10 + [inf] * 90 + [0.0, -0.0, -0.0, 0.0] * 50 + [-1] * 3, [2] * 303]'
// RUN: %run_op --input=x=%t.npy --compare=reference
// RUN: %run_op --entry=neighbours --compare=reference
// RUN: %run_op --entry=dtypes --compare=reference
// RUN: %run_op --entry=first --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:3,256 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:2,255 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:2,1031 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:3,1 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:3,0 --compare=reference

func.func @main(%x: tensor<3x303xf32> {tx.name = "x"}) -> (tensor<3x303xf32>, tensor<3x303xi64>, tensor<3x303xf32>, tensor<3x303xi64>, tensor<3x303xf16>) {
  %0 = tx.sort %x dim = 1 : tensor<3x303xf32>
  %1 = tx.argsort %x dim = 1 : tensor<3x303xf32>
  %2 = tx.sort %x dim = 1 descending : tensor<3x303xf32>
  %3 = tx.argsort %x dim = 1 descending : tensor<3x303xf32>
  %h = tx.convert %x : tensor<3x303xf32> -> tensor<3x303xf16>
  %4 = tx.sort %h dim = 1 : tensor<3x303xf16>
  return %0, %1, %2, %3, %4 : tensor<3x303xf32>, tensor<3x303xi64>, tensor<3x303xf32>, tensor<3x303xi64>, tensor<3x303xf16>
}

// In row r, element r is -1, and all others count up.
func.func @neighbours() -> (tensor<321x321xi32>, tensor<321x321xi32>, tensor<321x321xi64>, tensor<321x321xi64>, tensor<321x321xi32>, tensor<321x321xi64>, tensor<321x321xi32>) {
  %r = tx.iota dim = 0 : tensor<321x321xi32>
  %i = tx.iota dim = 1 : tensor<321x321xi32>
  %same = tx.eq %r, %i : tensor<321x321xi32>
  %low = tx.constant dense<-1> : tensor<321x321xi32>
  %x = tx.select %same, %low, %i : tensor<321x321xi1>, tensor<321x321xi32>
  %0 = tx.sort %x dim = 1 : tensor<321x321xi32>
  %1 = tx.sort %x dim = 1 descending : tensor<321x321xi32>
  %2 = tx.argsort %x dim = 1 : tensor<321x321xi32>
  %3 = tx.argsort %x dim = 1 descending : tensor<321x321xi32>
  %n = tx.neg %x : tensor<321x321xi32>
  %4 = tx.sort %n dim = 1 : tensor<321x321xi32>
  %5 = tx.argsort %n dim = 1 : tensor<321x321xi32>
  %6 = tx.sort %x dim = 0 : tensor<321x321xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<321x321xi32>, tensor<321x321xi32>, tensor<321x321xi64>, tensor<321x321xi64>, tensor<321x321xi32>, tensor<321x321xi64>, tensor<321x321xi32>
}

func.func @dtypes() -> (tensor<260xi16>, tensor<260xi16>, tensor<260xf64>, tensor<260xf64>, tensor<260xbf16>, tensor<260xui8>, tensor<260x3xf32>, tensor<260x3xi64>, tensor<260x3xf32>, tensor<260xi1>) {
  %a = tx.iota dim = 0 : tensor<260xi16>
  %0 = tx.sort %a dim = 0 : tensor<260xi16>
  %1 = tx.sort %a dim = 0 descending : tensor<260xi16>
  %b = tx.iota dim = 0 : tensor<260xf64>
  %2 = tx.sort %b dim = 0 : tensor<260xf64>
  %3 = tx.sort %b dim = 0 descending : tensor<260xf64>
  %c = tx.convert %b : tensor<260xf64> -> tensor<260xbf16>
  %4 = tx.sort %c dim = 0 descending : tensor<260xbf16>
  %d = tx.convert %a : tensor<260xi16> -> tensor<260xui8>
  %5 = tx.sort %d dim = 0 : tensor<260xui8>
  %e = tx.iota dim = 0 : tensor<260x3xf32>
  %6 = tx.sort %e dim = 0 : tensor<260x3xf32>
  %7 = tx.argsort %e dim = 0 descending : tensor<260x3xf32>
  %8 = tx.sort %e dim = 0 descending : tensor<260x3xf32>
  %g = tx.convert %a : tensor<260xi16> -> tensor<260xi1>
  %9 = tx.sort %g dim = 0 : tensor<260xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<260xi16>, tensor<260xi16>, tensor<260xf64>, tensor<260xf64>, tensor<260xbf16>, tensor<260xui8>, tensor<260x3xf32>, tensor<260x3xi64>, tensor<260x3xf32>, tensor<260xi1>
}

func.func @first() -> (tensor<2x20xf32>, tensor<2x20xi64>, tensor<2x20xf32>, tensor<2x20xi64>) {
  %x = tx.iota dim = 1 : tensor<2x5003xf32>
  %s = tx.sort %x dim = 1 : tensor<2x5003xf32>
  %0 = tx.slice %s offsets = [0, 0] strides = [1, 1] : tensor<2x5003xf32> -> tensor<2x20xf32>
  %a = tx.argsort %x dim = 1 : tensor<2x5003xf32>
  %1 = tx.slice %a offsets = [0, 0] strides = [1, 1] : tensor<2x5003xi64> -> tensor<2x20xi64>
  %d = tx.sort %x dim = 1 descending : tensor<2x5003xf32>
  %2 = tx.slice %d offsets = [0, 0] strides = [1, 1] : tensor<2x5003xf32> -> tensor<2x20xf32>
  %p = tx.argsort %x dim = 1 descending : tensor<2x5003xf32>
  %3 = tx.slice %p offsets = [0, 0] strides = [1, 1] : tensor<2x5003xi64> -> tensor<2x20xi64>
  return %0, %1, %2, %3 : tensor<2x20xf32>, tensor<2x20xi64>, tensor<2x20xf32>, tensor<2x20xi64>
}

// They count up.
func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?x?xi32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>, tensor<?x?xi32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>) {
  %q = tx.eq %x, %x : tensor<?x?xf32, #tx.dims<[n, m]>>
  %o = tx.convert %q : tensor<?x?xi1, #tx.dims<[n, m]>> -> tensor<?x?xi32, #tx.dims<[n, m]>>
  %c = tx.cumsum %o dim = 1 : tensor<?x?xi32, #tx.dims<[n, m]>>
  %0 = tx.sort %c dim = 1 : tensor<?x?xi32, #tx.dims<[n, m]>>
  %1 = tx.argsort %c dim = 1 : tensor<?x?xi32, #tx.dims<[n, m]>>
  %2 = tx.sort %c dim = 1 descending : tensor<?x?xi32, #tx.dims<[n, m]>>
  %3 = tx.argsort %c dim = 1 descending : tensor<?x?xi32, #tx.dims<[n, m]>>
  return %0, %1, %2, %3 : tensor<?x?xi32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>, tensor<?x?xi32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>
}
