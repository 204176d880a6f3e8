// Short rows with a costly op on their results: a group of rows is reduced, and the op runs in lanes, one per row. The bits are
// those of rows that are finished one by one.
//
// RUN: %tensorc compile %s --entry=shares --target=cpu:x86-64-v4 --stop-after=fuse | %tensorc-opt --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=shares --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CPU=x86-64-v3 %tensorc run %s --entry=shares --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=kept --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=named --device=cpu --random-inputs --shape=arg0:50,5 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=named --device=cpu --random-inputs --shape=arg0:1,5 --compare=reference
// RUN: %tensorc run %s --entry=long --device=cpu --random-inputs --compare=reference
//
// RUN: rm -rf %t && mkdir -p %t/short %t/long
// RUN: %tensorc run %s --entry=draw --device=cpu --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=alone --device=cpu --input=%t/out0.npy --output-dir=%t/short
// RUN: %tensorc run %s --entry=among --device=cpu --input=%t/out0.npy --output-dir=%t/long
// RUN: cmp %t/short/out0.npy %t/long/out0.npy

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @log_softmax(
// CHECK:       memref.alloca() {{.*}}memref<16xf32>
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK-NOT:     math.log
// CHECK:           memref.store
// CHECK:         math.log {{.*}} : vector<16xf32>
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK-NOT:     math.log
// CHECK:         return
func.func @shares(%x: tensor<37x16xf32>, %y: tensor<2x50x33xf32>) -> (tensor<37x16xf32>, tensor<2x50x33xf32>) {
  %0 = tx.log_softmax %x dim = 1 : tensor<37x16xf32>
  %1 = tx.log_softmax %y dim = 2 : tensor<2x50x33xf32>
  return %0, %1 : tensor<37x16xf32>, tensor<2x50x33xf32>
}

// Results of rows are stored as vectors, of each dtype, and next to elements.
func.func @kept(%x: tensor<19x5xf64>) -> (tensor<19xf64>, tensor<19x5xf64>, tensor<19xi64>) {
  %0 = tx.sum %x dims = [1] : tensor<19x5xf64> -> tensor<19xf64>
  %1 = tx.abs %0 : tensor<19xf64>
  %2 = tx.log %1 : tensor<19xf64>
  %3 = tx.broadcast %2 dims = [0] : tensor<19xf64> -> tensor<19x5xf64>
  %4 = tx.mul %x, %3 : tensor<19x5xf64>
  %5 = tx.argmax %x dims = [1] : tensor<19x5xf64> -> tensor<19xi64>
  return %2, %4, %5 : tensor<19xf64>, tensor<19x5xf64>, tensor<19xi64>
}

func.func @named(%x: tensor<?x5xf32, #tx.dims<[n, 5]>>) -> tensor<?x5xf32, #tx.dims<[n, 5]>> {
  %0 = tx.log_softmax %x dim = 1 : tensor<?x5xf32, #tx.dims<[n, 5]>>
  return %0 : tensor<?x5xf32, #tx.dims<[n, 5]>>
}

// Rows of more than four steps are finished one by one.
func.func @long(%x: tensor<20x129xf32>) -> tensor<20x129xf32> {
  %0 = tx.log_softmax %x dim = 1 : tensor<20x129xf32>
  return %0 : tensor<20x129xf32>
}

func.func @draw(%x: tensor<1x16xf32>) -> tensor<1x16xf32> {
  return %x : tensor<1x16xf32>
}
// The only row of all, whose dim has no loop.
func.func @alone(%x: tensor<1x16xf32>) -> tensor<16xf32> {
  %0 = tx.log_softmax %x dim = 1 : tensor<1x16xf32>
  %1 = tx.reshape %0 : tensor<1x16xf32> -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
func.func @among(%x: tensor<1x16xf32>) -> tensor<16xf32> {
  %b = tx.broadcast %x dims = [0, 1] : tensor<1x16xf32> -> tensor<21x16xf32>
  %o = tx.mul %b, %b : tensor<21x16xf32>
  %c = tx.concatenate %b, %o dim = 0 : (tensor<21x16xf32>, tensor<21x16xf32>) -> tensor<42x16xf32>
  %0 = tx.log_softmax %c dim = 1 : tensor<42x16xf32>
  %1 = tx.slice %0 offsets = [20, 0] strides = [1, 1] : tensor<42x16xf32> -> tensor<1x16xf32>
  %2 = tx.reshape %1 : tensor<1x16xf32> -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
}
