// A chain, sums along rows and columns, products, a softmax, narrow elements and doubles, of sizes that are no multiples of a register.
#mk = #tx.dims<[m, k]>
#kn = #tx.dims<[k, n]>
#mn = #tx.dims<[m, n]>
#km = #tx.dims<[k, m]>
#m = #tx.dims<[m]>
#k = #tx.dims<[k]>

func.func @main(%x: tensor<?x?xf32, #mk> {tx.name = "x"}, %y: tensor<?x?xf32, #kn> {tx.name = "y"},
                %i: tensor<?x?xi8, #mk> {tx.name = "i"}, %j: tensor<?x?xi8, #kn> {tx.name = "j"})
    -> (tensor<?x?xf32, #mk> {tx.name = "chain"}, tensor<?xf32, #m> {tx.name = "rows"}, tensor<?xf32, #k> {tx.name = "columns"},
        tensor<?x?xf32, #mn> {tx.name = "product"}, tensor<?x?xi32, #mn> {tx.name = "integers"},
        tensor<?x?xf32, #mk> {tx.name = "softmax"}, tensor<?x?xf16, #mk> {tx.name = "halves"},
        tensor<?x?xbf16, #km> {tx.name = "brains"}, tensor<?xf64, #m> {tx.name = "doubles"}, tensor<?x?xi1, #mk> {tx.name = "bits"}) {
  %0 = tx.mul %x, %x : tensor<?x?xf32, #mk>
  %1 = tx.add %0, %x : tensor<?x?xf32, #mk>
  %2 = tx.exp %1 : tensor<?x?xf32, #mk>
  %chain = tx.tanh %2 : tensor<?x?xf32, #mk>
  %rows = tx.sum %0 dims = [1] : tensor<?x?xf32, #mk> -> tensor<?xf32, #m>
  %columns = tx.reduce_max %x dims = [0] : tensor<?x?xf32, #mk> -> tensor<?xf32, #k>
  %product = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?xf32, #mk>, tensor<?x?xf32, #kn>) -> tensor<?x?xf32, #mn>
  %wi = tx.convert %i : tensor<?x?xi8, #mk> -> tensor<?x?xi32, #mk>
  %wj = tx.convert %j : tensor<?x?xi8, #kn> -> tensor<?x?xi32, #kn>
  %integers = tx.dot_general %wi, %wj batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?xi32, #mk>, tensor<?x?xi32, #kn>) -> tensor<?x?xi32, #mn>
  %softmax = tx.softmax %x dim = 1 : tensor<?x?xf32, #mk>
  %halves = tx.convert %chain : tensor<?x?xf32, #mk> -> tensor<?x?xf16, #mk>
  %t = tx.transpose %x permutation = [1, 0] : tensor<?x?xf32, #mk> -> tensor<?x?xf32, #km>
  %brains = tx.convert %t : tensor<?x?xf32, #km> -> tensor<?x?xbf16, #km>
  %d = tx.convert %x : tensor<?x?xf32, #mk> -> tensor<?x?xf64, #mk>
  %s = tx.sin %d : tensor<?x?xf64, #mk>
  %doubles = tx.sum %s dims = [1] : tensor<?x?xf64, #mk> -> tensor<?xf64, #m>
  %bits = tx.lt %0, %x : tensor<?x?xf32, #mk>
  return %chain, %rows, %columns, %product, %integers, %softmax, %halves, %brains, %doubles, %bits
       : tensor<?x?xf32, #mk>, tensor<?xf32, #m>, tensor<?xf32, #k>, tensor<?x?xf32, #mn>, tensor<?x?xi32, #mn>,
         tensor<?x?xf32, #mk>, tensor<?x?xf16, #mk>, tensor<?x?xbf16, #km>, tensor<?xf64, #m>, tensor<?x?xi1, #mk>
}
