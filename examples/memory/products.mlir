// Four products in a row, and a last one that reads the first: as in a training step, a value from the beginning is
// needed at the end.
//   tensorc explain products.mlir --shape=x:1024,64 --memory-limit=1000K
func.func @main(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x"}, %w: tensor<64x64xf32> {tx.name = "w"})
    -> (tensor<64x64xf32> {tx.name = "y"}) {
  %a = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %b = tx.dot_general %a, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %c = tx.dot_general %b, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %d = tx.dot_general %c, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %y = tx.dot_general %a, %d batch = [] x [] contracting = [0] x [0]
       : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<?x64xf32, #tx.dims<[n, 64]>>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
