func.func @main(%x: tensor<15xf64>, %y: tensor<15xf64>)
    -> (tensor<15xf64> {tx.name = "f64"},
        tensor<15xf32> {tx.name = "f32"},
        tensor<15xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.pow %x, %y : tensor<15xf64>
  %x_f32 = tx.convert %x : tensor<15xf64> -> tensor<15xf32>
  %y_f32 = tx.convert %y : tensor<15xf64> -> tensor<15xf32>
  %r_f32 = tx.pow %x_f32, %y_f32 : tensor<15xf32>
  %x_bf16 = tx.convert %x : tensor<15xf64> -> tensor<15xbf16>
  %y_bf16 = tx.convert %y : tensor<15xf64> -> tensor<15xbf16>
  %r_bf16 = tx.pow %x_bf16, %y_bf16 : tensor<15xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<15xf64>, tensor<15xf32>, tensor<15xbf16>
}
