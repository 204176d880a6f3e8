#rows = #tx.dims<[n, 64]>

func.func @relu(%x: tensor<?x64xf32, #rows>) -> tensor<?x64xf32, #rows> {
  %h = tx.mul %x, %x : tensor<?x64xf32, #rows>
  %y = tx.max %h, %h : tensor<?x64xf32, #rows>
  return %y : tensor<?x64xf32, #rows>
}

module @kernels {
  func.func @kernel(%x: vector<64xi8>, %s: vector<16xi32>) -> vector<16xi32> {
    %k = txk.add_products %x, %x, %s : vector<64xi8>, vector<16xi32>
    return %k : vector<16xi32>
  }
}

txp.func private @next(%i: i64) -> i64 {
  %one = arith.constant 1 : i64
  %n = arith.addi %i, %one : i64
  txp.return %n : i64
}

txp.func private @main(%i: i64) -> i64 {
  %m = txp.call @next(%i) : (i64) -> i64
  txp.return %m : i64
}
