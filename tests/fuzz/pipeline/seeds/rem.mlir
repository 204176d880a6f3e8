func.func @main(%x: tensor<16xf64>, %y: tensor<16xf64>)
    -> (tensor<16xf64> {tx.name = "f64"},
        tensor<16xf32> {tx.name = "f32"},
        tensor<16xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.rem %x, %y : tensor<16xf64>
  %x_f32 = tx.convert %x : tensor<16xf64> -> tensor<16xf32>
  %y_f32 = tx.convert %y : tensor<16xf64> -> tensor<16xf32>
  %r_f32 = tx.rem %x_f32, %y_f32 : tensor<16xf32>
  %x_bf16 = tx.convert %x : tensor<16xf64> -> tensor<16xbf16>
  %y_bf16 = tx.convert %y : tensor<16xf64> -> tensor<16xbf16>
  %r_bf16 = tx.rem %x_bf16, %y_bf16 : tensor<16xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<16xf64>, tensor<16xf32>, tensor<16xbf16>
}
