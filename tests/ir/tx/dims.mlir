// Names of dims: expressions print in one canonical form and parse back.
//
// RUN: %tensorc-opt %s | %tensorc-opt | FileCheck %s

// CHECK: @bare(tensor<?x64xf32, #tx.dims<[n, 64]>>)
func.func private @bare(tensor<?x64xf32, #tx.dims<[n, 64]>>)
// CHECK: @sum(tensor<?x?xf32, #tx.dims<[n * 2 + 1, m + n]>>)
func.func private @sum(tensor<?x?xf32, #tx.dims<[1 + 2 * n, n + m]>>)
// CHECK: @difference(tensor<?x?xf32, #tx.dims<[n - 5, m * -1 + n]>>)
func.func private @difference(tensor<?x?xf32, #tx.dims<[n - 5, n - m]>>)
// CHECK: @product(tensor<?x?xf32, #tx.dims<[m * n, n * 3 + 3]>>)
func.func private @product(tensor<?x?xf32, #tx.dims<[n * m, (n + 1) * 3]>>)
// CHECK: @division(tensor<?x?x?xf32, #tx.dims<[n floordiv 2, (n + 1) ceildiv 4, n mod 8]>>)
func.func private @division(tensor<?x?x?xf32, #tx.dims<[n floordiv 2, (n + 1) ceildiv 4, n mod 8]>>)
// CHECK: @extremes(tensor<?x?x3xf32, #tx.dims<[min(m, n), max(m, n * 2) + 1, 3]>>)
func.func private @extremes(tensor<?x?x3xf32, #tx.dims<[min(n, m, n + 1), max(n * 2, m, -4) + 1, min(3, 4)]>>)
// However it was computed.
// CHECK: @expanded(tensor<?xf32, #tx.dims<[m + m * n + n * 2 + 2]>>)
func.func private @expanded(tensor<?xf32, #tx.dims<[(n + 1) * (m + 2)]>>)
// A name may be min.
// CHECK: @name(tensor<?xf32, #tx.dims<[min + 1]>>)
func.func private @name(tensor<?xf32, #tx.dims<[min + 1]>>)
// What simplifies to a number is one.
// CHECK: @number(tensor<?x3xf32, #tx.dims<[n, 3]>>)
func.func private @number(tensor<?x3xf32, #tx.dims<[n, n + 3 - n]>>)
// Equal sizes are one expression, so these two are one type.
func.func @same(%x: tensor<?x?xf32, #tx.dims<[b + a, b]>>) -> tensor<?x?xf32, #tx.dims<[a + b, b]>> {
  return %x : tensor<?x?xf32, #tx.dims<[b + a, b]>>
}

// CHECK: @attributes(
// CHECK-SAME: {tx.name = "x"}
// CHECK-SAME: {tx.scalar}
// CHECK-SAME: {tx.symbol = "k"}
// CHECK-SAME: tx.symbols = [#tx.symbol<"n", min = 1, max = 4096, divisor = 8>, #tx.symbol<"k">]
func.func @attributes(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"},
                      %lr: tensor<f32> {tx.scalar}, %k: index {tx.symbol = "k"})
    attributes {tx.symbols = [#tx.symbol<"n", min = 1, max = 4096, divisor = 8>, #tx.symbol<"k">]} {
  return
}
