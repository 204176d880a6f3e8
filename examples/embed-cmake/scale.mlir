// Scales each of n rows to a length of 1.
#rows = #tx.dims<[n, 3]>
#n = #tx.dims<[n]>

func.func @scale(%x: tensor<?x3xf32, #rows> {tx.name = "x"})
    -> (tensor<?x3xf32, #rows> {tx.name = "y"}) {
  %0 = tx.mul %x, %x : tensor<?x3xf32, #rows>
  %1 = tx.sum %0 dims = [1] : tensor<?x3xf32, #rows> -> tensor<?xf32, #n>
  %2 = tx.sqrt %1 : tensor<?xf32, #n>
  %3 = tx.broadcast %2 dims = [0] : tensor<?xf32, #n> -> tensor<?x3xf32, #rows>
  %y = tx.div %x, %3 : tensor<?x3xf32, #rows>
  return %y : tensor<?x3xf32, #rows>
}
