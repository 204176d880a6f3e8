func.func @main(%x: tensor<12xf64>)
    -> (tensor<12xf64> {tx.name = "f64"},
        tensor<12xf32> {tx.name = "f32"},
        tensor<12xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.cbrt %x : tensor<12xf64>
  %x_f32 = tx.convert %x : tensor<12xf64> -> tensor<12xf32>
  %r_f32 = tx.cbrt %x_f32 : tensor<12xf32>
  %x_bf16 = tx.convert %x : tensor<12xf64> -> tensor<12xbf16>
  %r_bf16 = tx.cbrt %x_bf16 : tensor<12xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<12xf64>, tensor<12xf32>, tensor<12xbf16>
}
