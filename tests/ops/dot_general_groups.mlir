// Contractions of f16 and bf16 that sm_90a does by groups of 128 threads, as they are or behind a transpose: edges of all sizes, epilogues.
//
// RUN: %run_op --entry=along_k --random-inputs --shape=x:130,72 --shape=y:70,72 --compare=reference
// RUN: %run_op --entry=along_k --random-inputs --shape=x:1,72 --shape=y:257,72 --compare=reference
// RUN: %run_op --entry=along_k --random-inputs --shape=x:0,72 --shape=y:5,72 --compare=reference
// RUN: %run_op --entry=along_places --random-inputs --shape=x:67,136 --shape=y:67,72 --compare=reference
// RUN: %run_op --entry=along_places --random-inputs --shape=x:1,136 --shape=y:1,72 --compare=reference
// RUN: %run_op --entry=along_places --random-inputs --shape=x:0,136 --shape=y:0,72 --compare=reference
// RUN: %run_op --entry=along_places_in_batches --random-inputs --shape=x:2,67,136 --shape=y:2,67,72 --compare=reference
// RUN: %run_op --entry=along_places_in_batches --random-inputs --shape=x:1,329,136 --shape=y:1,329,72 --compare=reference
// RUN: %run_op --entry=along_places_in_batches --random-inputs --shape=x:2,0,136 --shape=y:2,0,72 --compare=reference
// RUN: %run_op --entry=across --random-inputs --shape=x:2,328,136 --shape=y:2,72,328 --compare=reference
// RUN: %run_op --entry=usual --random-inputs --shape=x:129,328 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --shape=x:2,66,64 --shape=y:2,136,64 --compare=reference
// RUN: %run_op --entry=batches --random-inputs --shape=x:2,3,66,72 --shape=y:2,3,72,80 --compare=reference
// RUN: %run_op --entry=transposed --random-inputs --shape=x:131,72 --shape=residual:131 --compare=reference

// Rows of both are along k.
func.func @along_k(%x: tensor<?x72xf16, #tx.dims<[m, 72]>> {tx.name = "x"},
                   %y: tensor<?x72xf16, #tx.dims<[n, 72]>> {tx.name = "y"})
    -> tensor<?x?xf16, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1]
      : (tensor<?x72xf16, #tx.dims<[m, 72]>>, tensor<?x72xf16, #tx.dims<[n, 72]>>)
      -> tensor<?x?xf16, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf16, #tx.dims<[m, n]>>
}

// Rows of both are along places, and k has a name.
func.func @along_places(%x: tensor<?x136xbf16, #tx.dims<[k, 136]>> {tx.name = "x"},
                        %y: tensor<?x72xbf16, #tx.dims<[k, 72]>> {tx.name = "y"})
    -> tensor<136x72xbf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0]
      : (tensor<?x136xbf16, #tx.dims<[k, 136]>>, tensor<?x72xbf16, #tx.dims<[k, 72]>>)
      -> tensor<136x72xbf16>
  return %0 : tensor<136x72xbf16>
}

// More slices of k than stages, the last one in part.
func.func @usual(%x: tensor<?x328xbf16, #tx.dims<[m, 328]>> {tx.name = "x"},
                 %y: tensor<328x264xbf16> {tx.name = "y"}) -> tensor<?x264xbf16, #tx.dims<[m, 264]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x328xbf16, #tx.dims<[m, 328]>>, tensor<328x264xbf16>)
      -> tensor<?x264xbf16, #tx.dims<[m, 264]>>
  return %0 : tensor<?x264xbf16, #tx.dims<[m, 264]>>
}

// A batch, and what comes behind in the same kernel.
func.func @fused(%x: tensor<?x66x64xf16, #tx.dims<[b, 66, 64]>> {tx.name = "x"},
                 %y: tensor<?x136x64xf16, #tx.dims<[b, 136, 64]>> {tx.name = "y"},
                 %bias: tensor<136xf16>) -> tensor<?x66x136xf16, #tx.dims<[b, 66, 136]>> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [2]
      : (tensor<?x66x64xf16, #tx.dims<[b, 66, 64]>>, tensor<?x136x64xf16, #tx.dims<[b, 136, 64]>>)
      -> tensor<?x66x136xf16, #tx.dims<[b, 66, 136]>>
  %1 = tx.broadcast %bias dims = [2] : tensor<136xf16> -> tensor<?x66x136xf16, #tx.dims<[b, 66, 136]>>
  %2 = tx.add %0, %1 : tensor<?x66x136xf16, #tx.dims<[b, 66, 136]>>
  %3 = tx.tanh %2 : tensor<?x66x136xf16, #tx.dims<[b, 66, 136]>>
  return %3 : tensor<?x66x136xf16, #tx.dims<[b, 66, 136]>>
}

// Rows of both are along places, and k has a name; in batches enough.
func.func @along_places_in_batches(%x: tensor<?x?x136xbf16, #tx.dims<[b, k, 136]>> {tx.name = "x"},
                                   %y: tensor<?x?x72xbf16, #tx.dims<[b, k, 72]>> {tx.name = "y"})
    -> tensor<?x136x72xbf16, #tx.dims<[b, 136, 72]>> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [1] x [1]
      : (tensor<?x?x136xbf16, #tx.dims<[b, k, 136]>>, tensor<?x?x72xbf16, #tx.dims<[b, k, 72]>>)
      -> tensor<?x136x72xbf16, #tx.dims<[b, 136, 72]>>
  return %0 : tensor<?x136x72xbf16, #tx.dims<[b, 136, 72]>>
}

// Rows of the left one are along places, those of the right one along k.
func.func @across(%x: tensor<?x328x136xf16, #tx.dims<[b, 328, 136]>> {tx.name = "x"},
                  %y: tensor<?x72x328xf16, #tx.dims<[b, 72, 328]>> {tx.name = "y"})
    -> tensor<?x136x72xf16, #tx.dims<[b, 136, 72]>> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [1] x [2]
      : (tensor<?x328x136xf16, #tx.dims<[b, 328, 136]>>, tensor<?x72x328xf16, #tx.dims<[b, 72, 328]>>)
      -> tensor<?x136x72xf16, #tx.dims<[b, 136, 72]>>
  return %0 : tensor<?x136x72xf16, #tx.dims<[b, 136, 72]>>
}

// Two batches, each a dim of the windows.
func.func @batches(%x: tensor<?x3x66x72xf16, #tx.dims<[b, 3, 66, 72]>> {tx.name = "x"},
                   %y: tensor<?x3x72x80xf16, #tx.dims<[b, 3, 72, 80]>> {tx.name = "y"})
    -> tensor<?x3x66x80xf16, #tx.dims<[b, 3, 66, 80]>> {
  %0 = tx.dot_general %x, %y batch = [0, 1] x [0, 1] contracting = [3] x [2]
      : (tensor<?x3x66x72xf16, #tx.dims<[b, 3, 66, 72]>>, tensor<?x3x72x80xf16, #tx.dims<[b, 3, 72, 80]>>)
      -> tensor<?x3x66x80xf16, #tx.dims<[b, 3, 66, 80]>>
  return %0 : tensor<?x3x66x80xf16, #tx.dims<[b, 3, 66, 80]>>
}

// Rows and columns of the product are columns and rows of two outputs; both operands are one input.
func.func @transposed(%x: tensor<?x72xbf16, #tx.dims<[m, 72]>> {tx.name = "x"},
                      %residual: tensor<?xf32, #tx.dims<[m]>> {tx.name = "residual"})
    -> (tensor<?x?xf32, #tx.dims<[m, m]>>, tensor<?x?xf32, #tx.dims<[m, m]>>) {
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1]
      : (tensor<?x72xbf16, #tx.dims<[m, 72]>>, tensor<?x72xbf16, #tx.dims<[m, 72]>>)
      -> tensor<?x?xbf16, #tx.dims<[m, m]>>
  %1 = tx.convert %0 : tensor<?x?xbf16, #tx.dims<[m, m]>> -> tensor<?x?xf32, #tx.dims<[m, m]>>
  %2 = tx.transpose %1 permutation = [1, 0] : tensor<?x?xf32, #tx.dims<[m, m]>> -> tensor<?x?xf32, #tx.dims<[m, m]>>
  %3 = tx.broadcast %residual dims = [0] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x?xf32, #tx.dims<[m, m]>>
  %4 = tx.add %2, %3 : tensor<?x?xf32, #tx.dims<[m, m]>>
  %5 = tx.mul %2, %3 : tensor<?x?xf32, #tx.dims<[m, m]>>
  return %4, %5 : tensor<?x?xf32, #tx.dims<[m, m]>>, tensor<?x?xf32, #tx.dims<[m, m]>>
}
