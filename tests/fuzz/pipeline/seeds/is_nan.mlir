func.func @main(%x: tensor<8xf64>)
    -> (tensor<8xi1> {tx.name = "f64"},
        tensor<8xi1> {tx.name = "f32"},
        tensor<8xi1> {tx.name = "bf16"}) {
  %r_f64 = tx.is_nan %x : tensor<8xf64>
  %x_f32 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %r_f32 = tx.is_nan %x_f32 : tensor<8xf32>
  %x_bf16 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %r_bf16 = tx.is_nan %x_bf16 : tensor<8xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<8xi1>, tensor<8xi1>, tensor<8xi1>
}
