// Short rows are sorted side by side, a row in each lane: keys with places are integers of 64 bits, and no lane is compared with
// another one. Values that may be equal and of different bits are sorted row by row where there are such.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CPU=x86-64-v3 %tensorc run %s --device=cpu --entry=five --random-inputs --compare=reference
//
// A group of strictly descending rows, and rows with equal keys, which are none: the places of the first are counted down.
// RUN: %npy %t.down.npy f64 '[[5,3,1],[9,2,1],[8,7,6],[3,2,1],[4,0,-1],[5,4,3],[7,6,5],[2,1,0],[3,2,1],[2,2,1]]'
// RUN: %npy %t.up.npy f32 '[[5,3,1],[9,2,1],[8,7,6],[3,2,1],[4,0,-1],[5,4,3],[7,6,5],[2,1,0],[3,2,1],[2,2,1]]'
// RUN: %tensorc run %s --device=cpu --entry=down --input=x=%t.down.npy --input=y=%t.up.npy --compare=reference
// RUN: env TENSORC_CPU=x86-64-v3 %tensorc run %s --device=cpu --entry=down --input=x=%t.down.npy --input=y=%t.up.npy --compare=reference

// CHECK-LABEL: func.func @sort(
// CHECK-COUNT-16: vector.load {{.*}} : memref<512xi32>, vector<16xi32>
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:             scf.while
// CHECK:           else
// CHECK-COUNT-19:    arith.minsi {{.*}} : vector<16xi32>
// CHECK-NOT:         arith.minsi
// CHECK:         vector.store {{.*}}, %arg1[{{.*}}] : memref<?xf32>, vector<8xf32>
// CHECK-LABEL: func.func @argsort(
// CHECK-COUNT-8: vector.load {{.*}} : memref<448xi32>, vector<8xi32>
// CHECK:         arith.shli {{.*}} : vector<8xi64>
// CHECK:         vector.reduction <minsi>
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:             arith.minsi {{.*}} : vector<8xi64>
// CHECK:             scf.if
// CHECK-COUNT-60: arith.minsi {{.*}} : vector<8xi64>
// CHECK:         vector.store {{.*}}, %arg1[{{.*}}] : memref<?xi64>, vector<8xi64>
func.func @main(%x: tensor<1000x33xf32>, %y: tensor<1000x8xf32>) -> (tensor<1000x33xi64>, tensor<1000x8xf32>) {
  %0 = tx.argsort %x dim = 1 : tensor<1000x33xf32>
  %1 = tx.sort %y dim = 1 : tensor<1000x8xf32>
  return %0, %1 : tensor<1000x33xi64>, tensor<1000x8xf32>
}

// More than the lanes of a vector, and no multiple of them.
func.func @five(%x: tensor<37x5xf64>, %y: tensor<37x9xf32>) -> (tensor<37x5xi64>, tensor<37x9xf32>) {
  %0 = tx.argsort %x dim = 1 : tensor<37x5xf64>
  %1 = tx.sort %y dim = 1 : tensor<37x9xf32>
  return %0, %1 : tensor<37x5xi64>, tensor<37x9xf32>
}

func.func @down(%x: tensor<10x3xf64> {tx.name = "x"}, %y: tensor<10x3xf32> {tx.name = "y"}) -> (tensor<10x3xi64>, tensor<10x3xi64>, tensor<10x3xf32>) {
  %0 = tx.argsort %x dim = 1 : tensor<10x3xf64>
  %1 = tx.argsort %y dim = 1 : tensor<10x3xf32>
  %2 = tx.sort %y dim = 1 : tensor<10x3xf32>
  return %0, %1, %2 : tensor<10x3xi64>, tensor<10x3xi64>, tensor<10x3xf32>
}
