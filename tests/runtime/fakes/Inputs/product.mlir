// A product that is large enough for matrix instructions.
func.func @main(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}
