// Few columns of many rows: no more registers than they fill, and several blocks in turns. The bits are those of any number of columns.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: rm -rf %t && mkdir -p %t/few %t/any %t/wide %t/other
// RUN: %tensorc run %s --entry=few --device=cpu --random-inputs --output-dir=%t/few
// RUN: %tensorc run %s --entry=any --device=cpu --random-inputs --shape=arg0:9999,3 --output-dir=%t/any
// RUN: cmp %t/few/out0.npy %t/any/out0.npy
// RUN: cmp %t/few/out1.npy %t/any/out1.npy
// RUN: %tensorc run %s --entry=wide --device=cpu --random-inputs --output-dir=%t/wide
// RUN: %tensorc run %s --entry=any --device=cpu --random-inputs --shape=arg0:2817,20 --output-dir=%t/other
// RUN: cmp %t/wide/out0.npy %t/other/out0.npy
// RUN: %tensorc run %s --entry=any --device=cpu --random-inputs --shape=arg0:1,3 --compare=reference
// RUN: %tensorc run %s --entry=named --device=cpu --random-inputs --shape=arg0:4096,3 --compare=reference
// RUN: %tensorc run %s --entry=named --device=cpu --random-inputs --shape=arg0:3001,3 --compare=reference
// RUN: %tensorc run %s --entry=named --device=cpu --random-inputs --shape=arg0:5,3 --compare=reference
// RUN: %tensorc run %s --entry=named --device=cpu --random-inputs --shape=arg0:0,3 --compare=reference
// RUN: %tensorc run %s --entry=planes --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @{{.*}}_partial
// CHECK:       scf.for {{.*}} vector<4xf32>
// CHECK-COUNT-4: vector.maskedload %arg0{{.*}} vector<4xf32>
// CHECK:       scf.yield
// CHECK:       return
func.func @few(%x: tensor<9999x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = tx.sum %x dims = [0] : tensor<9999x3xf32> -> tensor<3xf32>
  %1 = tx.reduce_max %x dims = [0] : tensor<9999x3xf32> -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @{{.*}}_partial
// CHECK-NOT:   vector<64xf32>
// CHECK:       vector.maskedload %arg0{{.*}} vector<32xf32>
// CHECK:       return
func.func @wide(%x: tensor<2817x20xf32>) -> tensor<20xf32> {
  %0 = tx.sum %x dims = [0] : tensor<2817x20xf32> -> tensor<20xf32>
  return %0 : tensor<20xf32>
}

func.func @any(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> (tensor<?xf32, #tx.dims<[m]>>, tensor<?xf32, #tx.dims<[m]>>) {
  %0 = tx.sum %x dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[m]>>
  %1 = tx.reduce_max %x dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[m]>>
  return %0, %1 : tensor<?xf32, #tx.dims<[m]>>, tensor<?xf32, #tx.dims<[m]>>
}

func.func @named(%x: tensor<?x3xf32, #tx.dims<[n, 3]>>) -> tensor<3xf32> {
  %0 = tx.mul %x, %x : tensor<?x3xf32, #tx.dims<[n, 3]>>
  %1 = tx.sum %0 dims = [0] : tensor<?x3xf32, #tx.dims<[n, 3]>> -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// Several work items beside the blocks.
func.func @planes(%x: tensor<2x5000x5xf64>) -> tensor<2x5xf64> {
  %0 = tx.sum %x dims = [1] : tensor<2x5000x5xf64> -> tensor<2x5xf64>
  return %0 : tensor<2x5xf64>
}
}
