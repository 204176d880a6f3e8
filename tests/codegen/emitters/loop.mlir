// Structure of loop kernels, and their numbers on every kind of shape.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=flat --random-inputs --shape=arg0:1000 --compare=reference
// RUN: %tensorc run %s --entry=flat --random-inputs --shape=arg0:0 --compare=reference
// RUN: %tensorc run %s --entry=long --random-inputs --shape=arg0:1000 --compare=reference
// RUN: %tensorc run %s --entry=rows --random-inputs --shape=arg0:37,19 --compare=reference
// RUN: %tensorc run %s --entry=strided --random-inputs --shape=arg0:7,120 --compare=reference
// RUN: %tensorc run %s --entry=parts --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=outer_parts --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=joined --random-inputs --shape=arg0:5 --shape=arg1:70 --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// One loop over all elements of a shape of any rank: whole vectors without masks, which the hardware would not look ahead
// for, then the rest.
// CHECK-LABEL: func.func @mul(
// CHECK:       scf.for
// CHECK:       vector.load {{.*}} vector<16xf32>
// CHECK:       scf.if
// CHECK:       vector.maskedload {{.*}} vector<16xf32>
// CHECK-NOT:   scf.for
// CHECK:       return
func.func @flat(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.mul %x, %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}

// A broadcast keeps rows and columns apart.
// CHECK-LABEL: func.func @add(
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK:       vector.maskedload
func.func @rows(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<1x?xf32, #tx.dims<[1, m]>>
  %1 = tx.broadcast %0 dims = [0, 1] : tensor<1x?xf32, #tx.dims<[1, m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.add %x, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %2 : tensor<?x?xf32, #tx.dims<[n, m]>>
}

// Lanes that are not neighbours in memory are gathered, if no other loop reads along memory.
// CHECK-LABEL: func.func @exp(
// CHECK:       vector.gather
func.func @strided(%x: tensor<?x120xf32, #tx.dims<[n, 120]>>) -> tensor<?x40xf32, #tx.dims<[n, 40]>> {
  %0 = tx.slice %x offsets = [0, 0] strides = [1, 3] : tensor<?x120xf32, #tx.dims<[n, 120]>> -> tensor<?x40xf32, #tx.dims<[n, 40]>>
  %1 = tx.exp %0 : tensor<?x40xf32, #tx.dims<[n, 40]>>
  return %1 : tensor<?x40xf32, #tx.dims<[n, 40]>>
}

// A long body is emitted once. It asks whether all lanes are on, and then reads without a mask. Two registers stand in each step,
// and each line of both is asked for.
// CHECK-LABEL: func.func @tanh(
// CHECK:       scf.for
// CHECK:       memref.prefetch
// CHECK:       memref.prefetch
// CHECK-NOT:   memref.prefetch
// CHECK:       %[[ALL:.*]] = vector.reduction <and>, {{.*}} : vector<32xi1> into i1
// CHECK:       scf.if %[[ALL]]
// CHECK:         vector.load
// CHECK:       } else {
// CHECK:         vector.maskedload
// CHECK:       math.tanh
// CHECK-NOT:   math.tanh
func.func @long(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.tanh %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}

// One register, where memory is waited for or rows are short.
// CHECK-LABEL: func.func @log(
// CHECK:       math.log {{.*}} : vector<16xf32>
func.func @from_memory(%x: tensor<4194304xf32>) -> tensor<4194304xf32> {
  %0 = tx.log %x : tensor<4194304xf32>
  return %0 : tensor<4194304xf32>
}

// CHECK-LABEL: func.func @expm1(
// CHECK:       vector<16xf32>
func.func @short_rows(%x: tensor<?x120xf32, #tx.dims<[n, 120]>>) -> tensor<?x40xf32, #tx.dims<[n, 40]>> {
  %0 = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<?x120xf32, #tx.dims<[n, 120]>> -> tensor<?x40xf32, #tx.dims<[n, 40]>>
  %1 = tx.expm1 %0 : tensor<?x40xf32, #tx.dims<[n, 40]>>
  return %1 : tensor<?x40xf32, #tx.dims<[n, 40]>>
}

// Each operand is read where its lanes are on, and nowhere else.
// CHECK-LABEL: func.func @concatenate(
// CHECK:       vector.maskedload
// CHECK:       vector.maskedload
// CHECK:       arith.select
func.func @joined(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[m]>>) -> tensor<?xf32, #tx.dims<[n + m]>> {
  %0 = tx.concatenate %x, %y dim = 0 : (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>) -> tensor<?xf32, #tx.dims<[n + m]>>
  return %0 : tensor<?xf32, #tx.dims<[n + m]>>
}

// Parts that are long are loops of their own, which read one operand each.
// CHECK-LABEL: func.func @concatenate_0(
// CHECK:       scf.for
// CHECK-NOT:   arith.cmpi
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c128
// CHECK-NOT:       scf.if
// CHECK:           vector.load
// CHECK-NOT:       scf.if
// CHECK:           vector.store
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c64
// CHECK-NOT:       scf.if
// CHECK:           vector.load
// CHECK:           vector.store
// CHECK:       return
func.func @parts(%x: tensor<5x128xf32>, %y: tensor<5x64xf32>) -> tensor<5x192xf32> {
  %0 = tx.concatenate %x, %y dim = 1 : (tensor<5x128xf32>, tensor<5x64xf32>) -> tensor<5x192xf32>
  return %0 : tensor<5x192xf32>
}

// Of an outer loop each row asks once.
// CHECK-LABEL: func.func @concatenate_exp(
// CHECK:       scf.for
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK-NOT:         scf.if
// CHECK:             math.exp
// CHECK:         } else {
// CHECK:           scf.for
// CHECK-NOT:         scf.if
// CHECK:             math.exp
// CHECK:       return
func.func @outer_parts(%x: tensor<2x3x64xf32>, %y: tensor<2x5x64xf32>) -> tensor<2x8x64xf32> {
  %0 = tx.concatenate %x, %y dim = 1 : (tensor<2x3x64xf32>, tensor<2x5x64xf32>) -> tensor<2x8x64xf32>
  %1 = tx.exp %0 : tensor<2x8x64xf32>
  return %1 : tensor<2x8x64xf32>
}

// Borders of a row are stored one by one, and the rest of it has no branch.
// CHECK-LABEL: func.func @concatenate_1(
// CHECK:       scf.for
// CHECK-NOT:   scf.if
// CHECK:         memref.load
// CHECK:         memref.store
// CHECK:         memref.load
// CHECK:         memref.store
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c32
// CHECK-NOT:       scf.if
// CHECK:           vector.load
// CHECK:           vector.store
// CHECK-NOT:   scf.if
// CHECK:         memref.load
// CHECK:         memref.store
// CHECK:       return
func.func @borders(%x: tensor<5x32xf32>) -> tensor<5x35xf32> {
  %0 = tx.slice %x offsets = [0, 2] strides = [1, -1] : tensor<5x32xf32> -> tensor<5x2xf32>
  %1 = tx.slice %x offsets = [0, 31] strides = [1, 1] : tensor<5x32xf32> -> tensor<5x1xf32>
  %2 = tx.concatenate %0, %x, %1 dim = 1 : (tensor<5x2xf32>, tensor<5x32xf32>, tensor<5x1xf32>) -> tensor<5x35xf32>
  return %2 : tensor<5x35xf32>
}
}
