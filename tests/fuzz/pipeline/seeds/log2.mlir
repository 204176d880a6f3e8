func.func @main(%x: tensor<13xf64>)
    -> (tensor<13xf64> {tx.name = "f64"},
        tensor<13xf32> {tx.name = "f32"},
        tensor<13xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.log2 %x : tensor<13xf64>
  %x_f32 = tx.convert %x : tensor<13xf64> -> tensor<13xf32>
  %r_f32 = tx.log2 %x_f32 : tensor<13xf32>
  %x_bf16 = tx.convert %x : tensor<13xf64> -> tensor<13xbf16>
  %r_bf16 = tx.log2 %x_bf16 : tensor<13xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<13xf64>, tensor<13xf32>, tensor<13xbf16>
}
