func.func @main(%y: tensor<13xf64>, %x: tensor<13xf64>)
    -> (tensor<13xf64> {tx.name = "f64"},
        tensor<13xf32> {tx.name = "f32"},
        tensor<13xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.atan2 %y, %x : tensor<13xf64>
  %y_f32 = tx.convert %y : tensor<13xf64> -> tensor<13xf32>
  %x_f32 = tx.convert %x : tensor<13xf64> -> tensor<13xf32>
  %r_f32 = tx.atan2 %y_f32, %x_f32 : tensor<13xf32>
  %y_bf16 = tx.convert %y : tensor<13xf64> -> tensor<13xbf16>
  %x_bf16 = tx.convert %x : tensor<13xf64> -> tensor<13xbf16>
  %r_bf16 = tx.atan2 %y_bf16, %x_bf16 : tensor<13xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<13xf64>, tensor<13xf32>, tensor<13xbf16>
}
