// A square of rows past the last one, beside an input that holds one element for a whole row.
//
// RUN: env TENSORC_CHECK=memory %tensorc run %s --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=wide --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=sizes --shape=x:10,9 --random-inputs --compare=reference

func.func @main(%x: tensor<10x9xf64>) -> tensor<10x9x10xf64> {
  %t = tx.transpose %x permutation = [1, 0] : tensor<10x9xf64> -> tensor<9x10xf64>
  %a = tx.broadcast %x dims = [0, 1] : tensor<10x9xf64> -> tensor<10x9x10xf64>
  %b = tx.broadcast %t dims = [1, 2] : tensor<9x10xf64> -> tensor<10x9x10xf64>
  %r = tx.mul %a, %b : tensor<10x9x10xf64>
  return %r : tensor<10x9x10xf64>
}

func.func @wide(%x: tensor<100x33xf32>) -> tensor<100x33x100xf32> {
  %t = tx.transpose %x permutation = [1, 0] : tensor<100x33xf32> -> tensor<33x100xf32>
  %a = tx.broadcast %x dims = [0, 1] : tensor<100x33xf32> -> tensor<100x33x100xf32>
  %b = tx.broadcast %t dims = [1, 2] : tensor<33x100xf32> -> tensor<100x33x100xf32>
  %r = tx.mul %a, %b : tensor<100x33x100xf32>
  return %r : tensor<100x33x100xf32>
}

func.func @sizes(%x: tensor<?x?xi64, #tx.dims<[n, m]>> {tx.name = "x"}) -> tensor<?x?x?xi64, #tx.dims<[n, m, n]>> {
  %t = tx.transpose %x permutation = [1, 0] : tensor<?x?xi64, #tx.dims<[n, m]>> -> tensor<?x?xi64, #tx.dims<[m, n]>>
  %a = tx.broadcast %x dims = [0, 1] : tensor<?x?xi64, #tx.dims<[n, m]>> -> tensor<?x?x?xi64, #tx.dims<[n, m, n]>>
  %b = tx.broadcast %t dims = [1, 2] : tensor<?x?xi64, #tx.dims<[m, n]>> -> tensor<?x?x?xi64, #tx.dims<[n, m, n]>>
  %r = tx.mul %a, %b : tensor<?x?x?xi64, #tx.dims<[n, m, n]>>
  return %r : tensor<?x?x?xi64, #tx.dims<[n, m, n]>>
}
