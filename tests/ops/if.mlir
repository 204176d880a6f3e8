// Only the chosen block counts.
//
// RUN: %npy %t.yes.npy i1 true
// RUN: %npy %t.no.npy i1 false
// RUN: %npy %t.x.npy f32 '[1, -2, 4]'
// RUN: %npy %t.s.npy f32 3
// RUN: %run_op --input=p=%t.yes.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=YES
// RUN: %run_op --input=p=%t.no.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=NO
// RUN: %run_op --entry=scalars --input=p=%t.yes.npy --input=x=%t.x.npy --input=s=%t.s.npy | FileCheck %s --check-prefix=SCALARS-YES
// RUN: %run_op --entry=scalars --input=p=%t.no.npy --input=x=%t.x.npy --input=s=%t.s.npy | FileCheck %s --check-prefix=SCALARS-NO
// RUN: %run_op --entry=nested --input=x=%t.x.npy | FileCheck %s --check-prefix=NESTED
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=x:7,33 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=2 --shape=x:1,0 --compare=reference
// RUN: %run_op --entry=packed --input=p=%t.yes.npy | FileCheck %s --check-prefix=PACKED-YES
// RUN: %run_op --entry=packed --input=p=%t.no.npy | FileCheck %s --check-prefix=PACKED-NO

// Results of several dtypes and shapes; a block may yield what it was given.
func.func @main(%p: tensor<i1> {tx.name = "p"}, %x: tensor<3xf32> {tx.name = "x"}) -> (tensor<3xf32>, tensor<f32>) {
  %0:2 = tx.if %p (%x) : tensor<i1>, (tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
  ^bb0(%a: tensor<3xf32>):
    %d = tx.add %a, %a : tensor<3xf32>
    %s = tx.sum %d dims = [0] : tensor<3xf32> -> tensor<f32>
    tx.return %d, %s : tensor<3xf32>, tensor<f32>
  } else {
  ^bb0(%a: tensor<3xf32>):
    %m = tx.reduce_max %a dims = [0] : tensor<3xf32> -> tensor<f32>
    tx.return %a, %m : tensor<3xf32>, tensor<f32>
  }
  %1 = tx.neg %0#0 : tensor<3xf32>
  return %1, %0#1 : tensor<3xf32>, tensor<f32>
}
// YES:      out0: f32[3]
// YES-NEXT: [-2, 4, -8]
// YES-NEXT: out1: f32[]
// YES-NEXT: 6
// NO:       out0: f32[3]
// NO-NEXT:  [-1, 2, -4]
// NO-NEXT:  out1: f32[]
// NO-NEXT:  4

// Scalars of the call have no buffers: as the predicate, read, and yielded.
func.func @scalars(%p: tensor<i1> {tx.name = "p", tx.scalar}, %x: tensor<3xf32> {tx.name = "x"},
                   %s: tensor<f32> {tx.name = "s", tx.scalar}) -> (tensor<3xf32>, tensor<f32>) {
  %0:2 = tx.if %p (%x, %s) : tensor<i1>, (tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  ^bb0(%a: tensor<3xf32>, %b: tensor<f32>):
    %c = tx.broadcast %b dims = [] : tensor<f32> -> tensor<3xf32>
    %d = tx.mul %a, %c : tensor<3xf32>
    tx.return %d, %b : tensor<3xf32>, tensor<f32>
  } else {
  ^bb0(%a: tensor<3xf32>, %b: tensor<f32>):
    %z = tx.constant dense<7.0> : tensor<3xf32>
    %n = tx.neg %b : tensor<f32>
    tx.return %z, %n : tensor<3xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<f32>
}
// SCALARS-YES:      [3, -6, 12]
// SCALARS-YES:      3
// SCALARS-NO:       [7, 7, 7]
// SCALARS-NO:       -3

// The predicate is computed, and has a dim.
func.func @nested(%x: tensor<3xf32> {tx.name = "x"}) -> tensor<3xf32> {
  %z = tx.constant dense<0.0> : tensor<1xf32>
  %first = tx.slice %x offsets = [0] strides = [1] : tensor<3xf32> -> tensor<1xf32>
  %second = tx.slice %x offsets = [1] strides = [1] : tensor<3xf32> -> tensor<1xf32>
  %p = tx.gt %first, %z : tensor<1xf32>
  %q = tx.gt %second, %z : tensor<1xf32>
  %0 = tx.if %p (%x, %q) : tensor<1xi1>, (tensor<3xf32>, tensor<1xi1>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>, %c: tensor<1xi1>):
    %e = tx.mul %a, %a : tensor<3xf32>
    %r = tx.if %c (%e, %a) : tensor<1xi1>, (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%i: tensor<3xf32>, %j: tensor<3xf32>):
      tx.return %i : tensor<3xf32>
    } else {
    ^bb0(%i: tensor<3xf32>, %j: tensor<3xf32>):
      %k = tx.sub %i, %j : tensor<3xf32>
      tx.return %k : tensor<3xf32>
    }
    tx.return %r : tensor<3xf32>
  } else {
  ^bb0(%a: tensor<3xf32>, %c: tensor<1xi1>):
    tx.return %a : tensor<3xf32>
  }
  %1 = tx.add %0, %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}
// NESTED: [0, 12, 24]

// Several kernels to a block, with temporaries between them.
#all = #tx.dims<[n, m]>
#rows = #tx.dims<[n]>
func.func @sizes(%x: tensor<?x?xf32, #all> {tx.name = "x"}) -> (tensor<?x?xf32, #all>, tensor<?xf32, #rows>) {
  %z = tx.constant dense<0.0> : tensor<f32>
  %t = tx.sum %x dims = [0, 1] : tensor<?x?xf32, #all> -> tensor<f32>
  %p = tx.gt %t, %z : tensor<f32>
  %e = tx.exp %x : tensor<?x?xf32, #all>
  %0:2 = tx.if %p (%x, %e) : tensor<i1>, (tensor<?x?xf32, #all>, tensor<?x?xf32, #all>)
      -> (tensor<?x?xf32, #all>, tensor<?xf32, #rows>) {
  ^bb0(%a: tensor<?x?xf32, #all>, %b: tensor<?x?xf32, #all>):
    %s = tx.sum %b dims = [1] : tensor<?x?xf32, #all> -> tensor<?xf32, #rows>
    %c = tx.cumsum %a dim = 1 : tensor<?x?xf32, #all>
    %d = tx.cumsum %c dim = 0 : tensor<?x?xf32, #all>
    %f = tx.cumsum %d dim = 1 : tensor<?x?xf32, #all>
    tx.return %f, %s : tensor<?x?xf32, #all>, tensor<?xf32, #rows>
  } else {
  ^bb0(%a: tensor<?x?xf32, #all>, %b: tensor<?x?xf32, #all>):
    %s = tx.sum %a dims = [1] : tensor<?x?xf32, #all> -> tensor<?xf32, #rows>
    %c = tx.sort %b dim = 1 : tensor<?x?xf32, #all>
    %d = tx.add %c, %a : tensor<?x?xf32, #all>
    tx.return %d, %s : tensor<?x?xf32, #all>, tensor<?xf32, #rows>
  }
  return %0#0, %0#1 : tensor<?x?xf32, #all>, tensor<?xf32, #rows>
}

// Four bits are stored in pairs at the edges of the program alone.
func.func @packed(%p: tensor<i1> {tx.name = "p"}) -> tensor<3xi4> {
  %c = tx.constant dense<[1, -8, 7]> : tensor<3xi4>
  %d = tx.constant dense<2> : tensor<3xi4>
  %0 = tx.if %p (%c, %d) : tensor<i1>, (tensor<3xi4>, tensor<3xi4>) -> tensor<3xi4> {
  ^bb0(%a: tensor<3xi4>, %b: tensor<3xi4>):
    tx.return %a : tensor<3xi4>
  } else {
  ^bb0(%a: tensor<3xi4>, %b: tensor<3xi4>):
    tx.return %b : tensor<3xi4>
  }
  return %0 : tensor<3xi4>
}
// PACKED-YES: [1, -8, 7]
// PACKED-NO:  [2, 2, 2]
