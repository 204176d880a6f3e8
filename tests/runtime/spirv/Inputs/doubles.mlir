// Arithmetic of f64, which a device without it computes by integers.
func.func @binary(%x: tensor<?xf64, #tx.dims<[n]>>, %y: tensor<?xf64, #tx.dims<[n]>>)
    -> (tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>,
        tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>,
        tensor<?xf64, #tx.dims<[n]>>, tensor<?xi1, #tx.dims<[n]>>, tensor<?xi1, #tx.dims<[n]>>,
        tensor<?xi1, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>) {
  %0 = tx.add %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %1 = tx.sub %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %2 = tx.mul %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %3 = tx.div %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %4 = tx.max %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %5 = tx.min %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %6 = tx.copysign %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %7 = tx.lt %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %8 = tx.ge %x, %y : tensor<?xf64, #tx.dims<[n]>>
  %9 = tx.ne %x, %y : tensor<?xf64, #tx.dims<[n]>>
  // Signs of zeros.
  %c = tx.constant dense<1.0> : tensor<f64>
  %one = tx.broadcast %c dims = [] : tensor<f64> -> tensor<?xf64, #tx.dims<[n]>>
  %zero = tx.sub %one, %one : tensor<?xf64, #tx.dims<[n]>>
  %s0 = tx.copysign %one, %0 : tensor<?xf64, #tx.dims<[n]>>
  %z0 = tx.eq %0, %zero : tensor<?xf64, #tx.dims<[n]>>
  %10 = tx.select %z0, %s0, %zero : tensor<?xi1, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>
  %s2 = tx.copysign %one, %2 : tensor<?xf64, #tx.dims<[n]>>
  %z2 = tx.eq %2, %zero : tensor<?xf64, #tx.dims<[n]>>
  %11 = tx.select %z2, %s2, %zero : tensor<?xi1, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
      : tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>,
        tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>,
        tensor<?xf64, #tx.dims<[n]>>, tensor<?xi1, #tx.dims<[n]>>, tensor<?xi1, #tx.dims<[n]>>,
        tensor<?xi1, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>
}

func.func @fma(%x: tensor<?xf64, #tx.dims<[n]>>, %y: tensor<?xf64, #tx.dims<[n]>>,
               %z: tensor<?xf64, #tx.dims<[n]>>) -> tensor<?xf64, #tx.dims<[n]>> {
  %0 = tx.fma %x, %y, %z : tensor<?xf64, #tx.dims<[n]>>
  return %0 : tensor<?xf64, #tx.dims<[n]>>
}

func.func @unary(%x: tensor<?xf64, #tx.dims<[n]>>)
    -> (tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>,
        tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>,
        tensor<?xf16, #tx.dims<[n]>>, tensor<?xbf16, #tx.dims<[n]>>, tensor<?xi64, #tx.dims<[n]>>,
        tensor<?xui64, #tx.dims<[n]>>, tensor<?xi32, #tx.dims<[n]>>, tensor<?xui8, #tx.dims<[n]>>) {
  %0 = tx.sqrt %x : tensor<?xf64, #tx.dims<[n]>>
  %1 = tx.floor %x : tensor<?xf64, #tx.dims<[n]>>
  %2 = tx.ceil %x : tensor<?xf64, #tx.dims<[n]>>
  %3 = tx.trunc %x : tensor<?xf64, #tx.dims<[n]>>
  %4 = tx.round_even %x : tensor<?xf64, #tx.dims<[n]>>
  %5 = tx.convert %x : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xf32, #tx.dims<[n]>>
  %6 = tx.convert %x : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xf16, #tx.dims<[n]>>
  %7 = tx.convert %x : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xbf16, #tx.dims<[n]>>
  %8 = tx.convert %x : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xi64, #tx.dims<[n]>>
  %9 = tx.convert %x : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xui64, #tx.dims<[n]>>
  %10 = tx.convert %x : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xi32, #tx.dims<[n]>>
  %11 = tx.convert %x : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xui8, #tx.dims<[n]>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
      : tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>,
        tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>,
        tensor<?xf16, #tx.dims<[n]>>, tensor<?xbf16, #tx.dims<[n]>>, tensor<?xi64, #tx.dims<[n]>>,
        tensor<?xui64, #tx.dims<[n]>>, tensor<?xi32, #tx.dims<[n]>>, tensor<?xui8, #tx.dims<[n]>>
}

func.func @widen(%x: tensor<?xi64, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[n]>>)
    -> (tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf16, #tx.dims<[n]>>,
        tensor<?xf64, #tx.dims<[n]>>) {
  %0 = tx.convert %x : tensor<?xi64, #tx.dims<[n]>> -> tensor<?xf64, #tx.dims<[n]>>
  %u = tx.convert %x : tensor<?xi64, #tx.dims<[n]>> -> tensor<?xui64, #tx.dims<[n]>>
  %1 = tx.convert %u : tensor<?xui64, #tx.dims<[n]>> -> tensor<?xf64, #tx.dims<[n]>>
  %2 = tx.convert %x : tensor<?xi64, #tx.dims<[n]>> -> tensor<?xf16, #tx.dims<[n]>>
  %3 = tx.convert %y : tensor<?xf32, #tx.dims<[n]>> -> tensor<?xf64, #tx.dims<[n]>>
  return %0, %1, %2, %3 : tensor<?xf64, #tx.dims<[n]>>, tensor<?xf64, #tx.dims<[n]>>, tensor<?xf16, #tx.dims<[n]>>,
        tensor<?xf64, #tx.dims<[n]>>
}

// The sine of what only f64 distinguishes.
func.func @functions(%x: tensor<?xf32, #tx.dims<[n]>>)
    -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>) {
  %0 = tx.sin %x : tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.tan %x : tensor<?xf32, #tx.dims<[n]>>
  %2 = tx.pow %x, %x : tensor<?xf32, #tx.dims<[n]>>
  return %0, %1, %2 : tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>
}
