// Collectives over a size that only the run knows, on two devices and by the interpreter of all ranks. One package
// serves all sizes.
//
// RUN: %tensorc run %s --devices=cpu,cpu --random-inputs=1 --shape=arg0:5,4 --compare=reference | FileCheck %s
// RUN: env TENSORC_SIM_DEVICES=2 %tensorc run %s --devices=sim:0,sim:1 --random-inputs=2 --shape=arg0:8,4 --compare=reference | FileCheck %s
// RUN: %tensorc compile %s -o %t.tcpkg
// RUN: %tensorc run %t.tcpkg --devices=cpu,cpu --random-inputs=3 --shape=arg0:3,4 | FileCheck %s --check-prefix=SMALL
// RUN: %tensorc run %t.tcpkg --devices=cpu,cpu --random-inputs=3 --shape=arg0:6,4 | FileCheck %s --check-prefix=LARGE

func.func @main(%x: tensor<?x4xf32, #tx.dims<[n, 4]>>, %i: tensor<?x4xi32, #tx.dims<[n, 4]>>) -> (tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<?x4xbf16, #tx.dims<[n, 4]>>, tensor<?x4xi32, #tx.dims<[n, 4]>>, tensor<?x4xf32, #tx.dims<[2 * n, 4]>>, tensor<?x8xf32, #tx.dims<[n, 8]>>, tensor<?x2xf32, #tx.dims<[n, 2]>>, tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<?x2xf32, #tx.dims<[2 * n, 2]>>, tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<?x4xf32, #tx.dims<[n, 4]>>) {
  // The ranks get the same inputs, so the values are made to differ.
  %rank = tx.partition_id ranks = 2 : () -> tensor<i64>
  %number = tx.convert %rank : tensor<i64> -> tensor<f32>
  %numbers = tx.broadcast %number dims = [] : tensor<f32> -> tensor<?x4xf32, #tx.dims<[n, 4]>>
  %own = tx.add %x, %numbers : tensor<?x4xf32, #tx.dims<[n, 4]>>
  %half = tx.convert %own : tensor<?x4xf32, #tx.dims<[n, 4]>> -> tensor<?x4xbf16, #tx.dims<[n, 4]>>
  %whole = tx.convert %own : tensor<?x4xf32, #tx.dims<[n, 4]>> -> tensor<?x4xi32, #tx.dims<[n, 4]>>
  %mixed = tx.mul %i, %whole : tensor<?x4xi32, #tx.dims<[n, 4]>>
  %0 = tx.all_reduce %own sum ranks = 2 : (tensor<?x4xf32, #tx.dims<[n, 4]>>) -> tensor<?x4xf32, #tx.dims<[n, 4]>>
  %1 = tx.all_reduce %half product ranks = 2 : (tensor<?x4xbf16, #tx.dims<[n, 4]>>) -> tensor<?x4xbf16, #tx.dims<[n, 4]>>
  %2 = tx.all_reduce %mixed max ranks = 2 : (tensor<?x4xi32, #tx.dims<[n, 4]>>) -> tensor<?x4xi32, #tx.dims<[n, 4]>>
  %3 = tx.all_gather %own dim = 0 ranks = 2 : (tensor<?x4xf32, #tx.dims<[n, 4]>>) -> tensor<?x4xf32, #tx.dims<[2 * n, 4]>>
  %4 = tx.all_gather %own dim = 1 ranks = 2 groups = [1, 0] : (tensor<?x4xf32, #tx.dims<[n, 4]>>) -> tensor<?x8xf32, #tx.dims<[n, 8]>>
  %5 = tx.reduce_scatter %own sum dim = 1 ranks = 2 : (tensor<?x4xf32, #tx.dims<[n, 4]>>) -> tensor<?x2xf32, #tx.dims<[n, 2]>>
  %6 = tx.reduce_scatter %3 min dim = 0 ranks = 2 : (tensor<?x4xf32, #tx.dims<[2 * n, 4]>>) -> tensor<?x4xf32, #tx.dims<[n, 4]>>
  %7 = tx.all_to_all %own split = 1 concat = 0 ranks = 2 : (tensor<?x4xf32, #tx.dims<[n, 4]>>) -> tensor<?x2xf32, #tx.dims<[2 * n, 2]>>
  %8 = tx.collective_broadcast %own root = 1 ranks = 2 : (tensor<?x4xf32, #tx.dims<[n, 4]>>) -> tensor<?x4xf32, #tx.dims<[n, 4]>>
  %9 = tx.collective_permute %own pairs = [0, 1] ranks = 2 : (tensor<?x4xf32, #tx.dims<[n, 4]>>) -> tensor<?x4xf32, #tx.dims<[n, 4]>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<?x4xbf16, #tx.dims<[n, 4]>>, tensor<?x4xi32, #tx.dims<[n, 4]>>, tensor<?x4xf32, #tx.dims<[2 * n, 4]>>, tensor<?x8xf32, #tx.dims<[n, 8]>>, tensor<?x2xf32, #tx.dims<[n, 2]>>, tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<?x2xf32, #tx.dims<[2 * n, 2]>>, tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<?x4xf32, #tx.dims<[n, 4]>>
}
// CHECK-COUNT-20: compare rank{{[01].out[0-9]: (equal|largest error 0 )}}
// SMALL: rank1.out7: f32[6,2]
// LARGE: rank1.out7: f32[12,2]
