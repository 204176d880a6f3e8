// Complex numbers are pairs in memory: read and stored as they lie, and taken apart and put together in registers.
//
// RUN: %tensorc-opt %s --tx-expand-complex --canonicalize --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=chain --random-inputs --shape=arg0:1009 --shape=arg1:1009 --compare=reference
// RUN: %tensorc run %s --entry=chain --random-inputs --shape=arg0:1 --shape=arg1:1 --compare=reference
// RUN: %tensorc run %s --entry=chain --random-inputs --shape=arg0:0 --shape=arg1:0 --compare=reference
// RUN: %tensorc run %s --entry=rows --random-inputs --shape=arg0:13,37 --shape=arg1:37 --shape=arg2:13 --compare=reference
// RUN: %tensorc run %s --entry=long --random-inputs --shape=arg0:101 --compare=reference
// RUN: %tensorc run %s --entry=imaginary --random-inputs --shape=arg0:101 --compare=reference
// RUN: %tensorc run %s --entry=backwards --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=backwards_pairs --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=views --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=joined --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=sum --random-inputs --shape=arg0:13,37 --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// Two loads of each operand, as whole vectors; nothing is gathered.
// CHECK-LABEL: func.func @sub_mul_add_concatenate_1more(
// CHECK:       scf.for
// CHECK-COUNT-2: vector.load {{.*}} vector<16xf32>
// CHECK:       vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]
// CHECK:       vector.shuffle {{.*}} [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31]
// CHECK-COUNT-2: vector.load {{.*}} vector<16xf32>
// CHECK-NOT:   vector.load
// CHECK:       vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
// CHECK:       vector.shuffle {{.*}} [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31]
// CHECK:       vector.store
// CHECK:       vector.store
// CHECK:       scf.if
// CHECK:       vector.maskedload
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @chain(%x: tensor<?xcomplex<f32>, #tx.dims<[n]>>, %y: tensor<?xcomplex<f32>, #tx.dims<[n]>>) -> tensor<?xcomplex<f32>, #tx.dims<[n]>> {
  %0 = tx.mul %x, %y : tensor<?xcomplex<f32>, #tx.dims<[n]>>
  %1 = tx.add %0, %x : tensor<?xcomplex<f32>, #tx.dims<[n]>>
  return %1 : tensor<?xcomplex<f32>, #tx.dims<[n]>>
}

// Beside broadcast complex and real numbers: 4 pairs are a vector of f64.
// CHECK-LABEL: func.func @{{.*}}concatenate
// CHECK:       vector.load {{.*}} vector<8xf64>
// CHECK:       vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @rows(%x: tensor<?x?xcomplex<f64>, #tx.dims<[n, m]>>, %y: tensor<?xcomplex<f64>, #tx.dims<[m]>>, %z: tensor<?xf64, #tx.dims<[n]>>) -> tensor<?x?xcomplex<f64>, #tx.dims<[n, m]>> {
  %0 = tx.broadcast %y dims = [1] : tensor<?xcomplex<f64>, #tx.dims<[m]>> -> tensor<?x?xcomplex<f64>, #tx.dims<[n, m]>>
  %1 = tx.broadcast %z dims = [0] : tensor<?xf64, #tx.dims<[n]>> -> tensor<?x?xf64, #tx.dims<[n, m]>>
  %2 = tx.complex %1, %1 : tensor<?x?xf64, #tx.dims<[n, m]>> -> tensor<?x?xcomplex<f64>, #tx.dims<[n, m]>>
  %3 = tx.mul %x, %0 : tensor<?x?xcomplex<f64>, #tx.dims<[n, m]>>
  %4 = tx.sub %3, %2 : tensor<?x?xcomplex<f64>, #tx.dims<[n, m]>>
  return %4 : tensor<?x?xcomplex<f64>, #tx.dims<[n, m]>>
}

// What is long is emitted once. It asks whether all lanes are on, once for both vectors.
// CHECK-LABEL: func.func @{{.*}}concatenate
// CHECK:       vector.reduction <and>
// CHECK:       scf.if
// CHECK-COUNT-2: vector.load
// CHECK:       else
// CHECK-COUNT-2: vector.maskedload
// CHECK-COUNT-2: vector.maskedstore
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @long(%x: tensor<?xcomplex<f32>, #tx.dims<[n]>>) -> tensor<?xcomplex<f32>, #tx.dims<[n]>> {
  %0 = tx.exp %x : tensor<?xcomplex<f32>, #tx.dims<[n]>>
  return %0 : tensor<?xcomplex<f32>, #tx.dims<[n]>>
}

// One part alone.
// CHECK-LABEL: func.func @neg(
// CHECK-COUNT-2: vector.load {{.*}} vector<16xf32>
// CHECK:       vector.shuffle {{.*}} [1, 3, 5
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @imaginary(%x: tensor<?xcomplex<f32>, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.imag %x : tensor<?xcomplex<f32>, #tx.dims<[n]>> -> tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.neg %0 : tensor<?xf32, #tx.dims<[n]>>
  return %1 : tensor<?xf32, #tx.dims<[n]>>
}

// The last lane comes first in memory.
// CHECK-LABEL: func.func @neg
// CHECK:       vector.load {{.*}} vector<16xf32>
// CHECK:       vector.shuffle {{.*}} [15, 14, 13
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @backwards(%x: tensor<101xf32>) -> tensor<97xf32> {
  %0 = tx.slice %x offsets = [99] strides = [-1] : tensor<101xf32> -> tensor<97xf32>
  %1 = tx.neg %0 : tensor<97xf32>
  return %1 : tensor<97xf32>
}

// CHECK-LABEL: func.func @{{.*}}concatenate
// CHECK-COUNT-2: vector.load {{.*}} vector<16xf32>
// CHECK:       vector.shuffle {{.*}} [30, 28, 26
// CHECK:       vector.shuffle {{.*}} [31, 29, 27
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @backwards_pairs(%x: tensor<101xcomplex<f32>>) -> tensor<97xcomplex<f32>> {
  %0 = tx.slice %x offsets = [99] strides = [-1] : tensor<101xcomplex<f32>> -> tensor<97xcomplex<f32>>
  %1 = tx.neg %0 : tensor<97xcomplex<f32>>
  return %1 : tensor<97xcomplex<f32>>
}

// Steps over numbers are gathered, and a transpose.
func.func @views(%x: tensor<17x19xcomplex<f64>>) -> (tensor<17x7xcomplex<f64>>, tensor<19x17xcomplex<f64>>) {
  %0 = tx.slice %x offsets = [0, 1] strides = [1, 2] : tensor<17x19xcomplex<f64>> -> tensor<17x7xcomplex<f64>>
  %1 = tx.neg %0 : tensor<17x7xcomplex<f64>>
  %2 = tx.transpose %x permutation = [1, 0] : tensor<17x19xcomplex<f64>> -> tensor<19x17xcomplex<f64>>
  return %1, %2 : tensor<17x7xcomplex<f64>>, tensor<19x17xcomplex<f64>>
}

func.func @joined(%x: tensor<17x190xcomplex<f32>>, %y: tensor<17x3xcomplex<f32>>) -> (tensor<17x193xcomplex<f32>>, tensor<17x199xcomplex<f32>>) {
  %0 = tx.concatenate %x, %y dim = 1 : (tensor<17x190xcomplex<f32>>, tensor<17x3xcomplex<f32>>) -> tensor<17x193xcomplex<f32>>
  %zero = tx.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
  %1 = tx.pad %x, %zero low = [0, 4] high = [0, 5] interior = [0, 0] : tensor<17x190xcomplex<f32>> -> tensor<17x199xcomplex<f32>>
  return %0, %1 : tensor<17x193xcomplex<f32>>, tensor<17x199xcomplex<f32>>
}

// Sums of rows.
// CHECK-LABEL: func.func @{{.*}}sum
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @sum(%x: tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>) -> tensor<?xcomplex<f32>, #tx.dims<[n]>> {
  %0 = tx.sum %x dims = [1] : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> -> tensor<?xcomplex<f32>, #tx.dims<[n]>>
  return %0 : tensor<?xcomplex<f32>, #tx.dims<[n]>>
}
}
