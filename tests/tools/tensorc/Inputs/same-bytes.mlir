// Several entries, a check with a place in the source, and a constant.
func.func @main(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x"},
                %k: index {tx.symbol = "k"})
    -> (tensor<?xf32, #tx.dims<[n]>>, tensor<1x64xf32>) {
  %w = tx.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = tx.reshape %w : tensor<2x2xf32> -> tensor<4xf32>
  %s = tx.sum %v dims = [0] : tensor<4xf32> -> tensor<f32>
  %b = tx.broadcast %s dims = [] : tensor<f32> -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %0 = tx.mul %x, %b : tensor<?x64xf32, #tx.dims<[n, 64]>>
  %1 = tx.sum %0 dims = [1] : tensor<?x64xf32, #tx.dims<[n, 64]>> -> tensor<?xf32, #tx.dims<[n]>>
  %2 = tx.slice %0 offsets = [%k, 0] strides = [1, 1] : tensor<?x64xf32, #tx.dims<[n, 64]>> -> tensor<1x64xf32>
  return %1, %2 : tensor<?xf32, #tx.dims<[n]>>, tensor<1x64xf32>
}

func.func @other(%x: tensor<100xf32>) -> tensor<100xf32> {
  %c = tx.constant dense_resource<weights> : tensor<100xf32>
  %0 = tx.exp %x : tensor<100xf32>
  %1 = tx.add %0, %c : tensor<100xf32>
  return %1 : tensor<100xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x04000000000000000000803E0000003F0000403F0000803F0000A03F0000C03F0000E03F0000004000001040000020400000304000004040000050400000604000007040000080400000884000009040000098400000A0400000A8400000B0400000B8400000C0400000C8400000D0400000D8400000E0400000E8400000F0400000F84000000041000004410000084100000C4100001041000014410000184100001C4100002041000024410000284100002C4100003041000034410000384100003C4100004041000044410000484100004C4100005041000054410000584100005C4100006041000064410000684100006C4100007041000074410000784100007C41000080410000824100008441000086410000884100008A4100008C4100008E41000090410000924100009441000096410000984100009A4100009C4100009E410000A0410000A2410000A4410000A6410000A8410000AA410000AC410000AE410000B0410000B2410000B4410000B6410000B8410000BA410000BC410000BE410000C0410000C2410000C4410000C641"
    }
  }
#-}
