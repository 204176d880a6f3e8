// Results of several kinds of elements, of sizes that the caller gives.
#n = #tx.dims<[n, 3]>
module @mix {
  func.func @main(%x: tensor<?x3xf32, #n> {tx.name = "x"}, %s: tensor<f32> {tx.name = "s", tx.scalar},
                  %i: tensor<?xi4, #tx.dims<[n]>> {tx.name = "i"})
      -> (tensor<?x3xf32, #n> {tx.name = "floats"}, tensor<?x3xf16, #n> {tx.name = "halves"},
          tensor<?x3xbf16, #n> {tx.name = "brains"}, tensor<?x3xf8E4M3FN, #n> {tx.name = "eighths"},
          tensor<?xi4, #tx.dims<[n]>> {tx.name = "nibbles"}, tensor<?xi1, #tx.dims<[n]>> {tx.name = "bits"}) {
    %b = tx.broadcast %s dims = [] : tensor<f32> -> tensor<?x3xf32, #n>
    %e = tx.exp %x : tensor<?x3xf32, #n>
    %y = tx.mul %e, %b : tensor<?x3xf32, #n>
    %h = tx.convert %y : tensor<?x3xf32, #n> -> tensor<?x3xf16, #n>
    %w = tx.convert %y : tensor<?x3xf32, #n> -> tensor<?x3xbf16, #n>
    %q = tx.convert %x : tensor<?x3xf32, #n> -> tensor<?x3xf8E4M3FN, #n>
    %l = tx.convert %i : tensor<?xi4, #tx.dims<[n]>> -> tensor<?xi32, #tx.dims<[n]>>
    %m = tx.neg %l : tensor<?xi32, #tx.dims<[n]>>
    %d = tx.convert %m : tensor<?xi32, #tx.dims<[n]>> -> tensor<?xi4, #tx.dims<[n]>>
    %p = tx.lt %m, %l : tensor<?xi32, #tx.dims<[n]>>
    return %y, %h, %w, %q, %d, %p : tensor<?x3xf32, #n>, tensor<?x3xf16, #n>, tensor<?x3xbf16, #n>, tensor<?x3xf8E4M3FN, #n>,
        tensor<?xi4, #tx.dims<[n]>>, tensor<?xi1, #tx.dims<[n]>>
  }
}
