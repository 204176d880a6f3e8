// Rows of at most two vectors of lanes are no loop; the order and the bits are those of rows of any size.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: rm -rf %t && mkdir -p %t/few %t/any
// RUN: %tensorc run %s --entry=few --device=cpu --random-inputs --compare=reference --output-dir=%t/few
// RUN: %tensorc run %s --entry=any --device=cpu --random-inputs --shape=arg0:37,64 --output-dir=%t/any
// RUN: cmp %t/few/out0.npy %t/any/out0.npy
// RUN: cmp %t/few/out1.npy %t/any/out1.npy

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @mul_sum
// CHECK:       scf.for
// CHECK-NOT:   scf.for
// CHECK:       vector.load %arg0{{.*}} vector<32xf32>
// CHECK:       vector.load %arg0{{.*}} vector<32xf32>
// CHECK:       return
func.func @few(%x: tensor<37x64xf32>) -> (tensor<37xf32>, tensor<37x64xf32>) {
  %0 = tx.mul %x, %x : tensor<37x64xf32>
  %1 = tx.sum %0 dims = [1] : tensor<37x64xf32> -> tensor<37xf32>
  %2 = tx.broadcast %1 dims = [0] : tensor<37xf32> -> tensor<37x64xf32>
  %3 = tx.div %x, %2 : tensor<37x64xf32>
  return %1, %3 : tensor<37xf32>, tensor<37x64xf32>
}

func.func @any(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %0 = tx.mul %x, %x : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.sum %0 dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n]>>
  %2 = tx.broadcast %1 dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %3 = tx.div %x, %2 : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %1, %3 : tensor<?xf32, #tx.dims<[n]>>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
}
