// The hash of what a package is made from tells weights apart, which are as many
// bytes as before, and is the same for the same ones.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save('%t/1.npy', np.arange(32, dtype='f4')); np.save('%t/2.npy', np.arange(32, dtype='f4')[::-1])"
// RUN: %tensorc compile %s --weights=w=%t/1.npy -o %t/first.tcpkg
// RUN: %tensorc compile %s --weights=w=%t/1.npy -o %t/again.tcpkg
// RUN: %tensorc compile %s --weights=w=%t/2.npy -o %t/other.tcpkg
// RUN: cmp %t/first.tcpkg %t/again.tcpkg
// RUN: %tensorc explain %t/first.tcpkg | grep 'ir hash' >%t/first
// RUN: %tensorc explain %t/other.tcpkg | grep 'ir hash' >%t/other
// RUN: not cmp -s %t/first %t/other

func.func @main(%w: tensor<32xf32> {tx.name = "w"}, %x: tensor<32xf32> {tx.name = "x"}) -> tensor<32xf32> {
  %0 = tx.add %w, %x : tensor<32xf32>
  return %0 : tensor<32xf32>
}
