func.func @narrow() -> (tensor<2xf16>, tensor<2xi8>, tensor<2xui8>, tensor<2xui64>) {
  %0 = tx.constant dense<[0.1, -65504.0]> : tensor<2xf16>
  %1 = tx.constant dense<[-128, 127]> : tensor<2xi8>
  %2 = tx.constant dense<[0, 255]> : tensor<2xui8>
  %3 = tx.constant dense<[0, 18446744073709551615]> : tensor<2xui64>
  return %0, %1, %2, %3 : tensor<2xf16>, tensor<2xi8>, tensor<2xui8>, tensor<2xui64>
}
