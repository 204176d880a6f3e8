// A size that only an index argument gives, by its symbol's name.
//
// RUN: %tensorc run %s --device=cpu --random-inputs --shape=x:3,4 --shape=k:5 --compare=reference | FileCheck %s
// RUN: %exits 1 %tensorc run %s --device=cpu --random-inputs --shape=x:3,4 --shape=k:13 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// CHECK: out0: f32[5]
// OUTSIDE: slice: reads outside dimension 0
func.func @main(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %k: index {tx.symbol = "k"})
    -> tensor<?xf32, #tx.dims<[k]>> {
  %0 = tx.reshape %x : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n * m]>>
  %1 = tx.slice %0 offsets = [0] strides = [1] : tensor<?xf32, #tx.dims<[n * m]>> -> tensor<?xf32, #tx.dims<[k]>>
  %2 = tx.exp %1 : tensor<?xf32, #tx.dims<[k]>>
  return %2 : tensor<?xf32, #tx.dims<[k]>>
}

// A size that the type fixes cannot be given another.
// RUN: %exits 1 %tensorc run %s --entry=fixed --random-inputs --shape=x:3,65 2>&1 | FileCheck %s --check-prefix=FIXED
// FIXED: --shape of x does not fit its type {{.*}}: a dimension is 64, not 65
func.func @fixed(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x"}) -> tensor<?x64xf32, #tx.dims<[n, 64]>> {
  %0 = tx.exp %x : tensor<?x64xf32, #tx.dims<[n, 64]>>
  return %0 : tensor<?x64xf32, #tx.dims<[n, 64]>>
}
