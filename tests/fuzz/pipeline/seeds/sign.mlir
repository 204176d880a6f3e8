func.func @main(%x: tensor<9xf64>)
    -> (tensor<9xf64> {tx.name = "f64"},
        tensor<9xf32> {tx.name = "f32"},
        tensor<9xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.sign %x : tensor<9xf64>
  %x_f32 = tx.convert %x : tensor<9xf64> -> tensor<9xf32>
  %r_f32 = tx.sign %x_f32 : tensor<9xf32>
  %x_bf16 = tx.convert %x : tensor<9xf64> -> tensor<9xbf16>
  %r_bf16 = tx.sign %x_bf16 : tensor<9xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<9xf64>, tensor<9xf32>, tensor<9xbf16>
}
