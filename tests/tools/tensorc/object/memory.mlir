// What a caller may hand over: no elements, odd addresses, sizes of all kinds;
// what it may not is refused with words. Threads of the runtime serve as well
// as none, with the same bits.
//
// gcc cannot link a runtime with sanitizers.
// UNSUPPORTED: asan
//
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc compile %s --emit=header -o %t/memory.h
// RUN: %tensorc compile %s --emit=object -o %t/memory.o
// RUN: gcc -std=c99 -O1 -Wall -Wextra -pedantic -Werror -I%t -I%root/runtime/include %S/Inputs/memory.c %t/memory.o -L%bin/../lib -Wl,-rpath,%bin/../lib -ltensorc_rt -o %t/memory
// RUN: %t/memory | FileCheck %s
// RUN: %tensorc compile %s --emit=object --target=cpu:x86-64-v2 -O3 -o %t/memory-v2.o
// RUN: gcc -std=c99 -O1 -I%t -I%root/runtime/include %S/Inputs/memory.c %t/memory-v2.o -L%bin/../lib -Wl,-rpath,%bin/../lib -ltensorc_rt -o %t/memory-v2
// RUN: %t/memory-v2 | FileCheck %s
// RUN: nm -u %t/memory.o | count 0
// RUN: nm -u %t/memory-v2.o | count 0

// CHECK: large and odd: same
// CHECK: threads: same
// CHECK: empty: success
// CHECK: x is a null pointer
// CHECK: x is not aligned to 4 bytes
// CHECK: y is a null pointer
// CHECK: n is negative
// CHECK: size arithmetic overflows
// CHECK: the workspace is a null pointer
// CHECK: no inputs are given
// CHECK: no outputs are given
// CHECK: n is above 4096
// CHECK: success, unknown status, unknown status
// CHECK: sizes: -1 -1 0

#v = #tx.dims<[n]>

// Elements far apart in one go: stores past the caches.
func.func @main(%x: tensor<?xf32, #v> {tx.name = "x"}) -> (tensor<?xf32, #v> {tx.name = "y"}) {
  %0 = tx.add %x, %x : tensor<?xf32, #v>
  return %0 : tensor<?xf32, #v>
}

// Temporaries, scratch, and sums whose order no split changes.
func.func @rows(%x: tensor<?x300xf32, #tx.dims<[n, 300]>> {tx.name = "x"})
    -> (tensor<?x300xf32, #tx.dims<[n, 300]>> {tx.name = "y"}, tensor<f32> {tx.name = "total"}) {
  %0 = tx.softmax %x dim = 1 : tensor<?x300xf32, #tx.dims<[n, 300]>>
  %1 = tx.exp %x : tensor<?x300xf32, #tx.dims<[n, 300]>>
  %2 = tx.sum %1 dims = [0, 1] : tensor<?x300xf32, #tx.dims<[n, 300]>> -> tensor<f32>
  return %0, %2 : tensor<?x300xf32, #tx.dims<[n, 300]>>, tensor<f32>
}

func.func @bounded(%x: tensor<?xf32, #v> {tx.name = "x"}) -> tensor<?xf32, #v>
    attributes {tx.symbols = [#tx.symbol<"n", min = 1, max = 4096>]} {
  return %x : tensor<?xf32, #v>
}
