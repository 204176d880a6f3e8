// Rows of three or four elements are lanes: read, computed and stored as whole vectors.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=channels --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=bytes --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=bias --random-inputs --shape=arg0:1009,3 --compare=reference
// RUN: %tensorc run %s --entry=bias --random-inputs --shape=arg0:1,3 --compare=reference
// RUN: %tensorc run %s --entry=bias --random-inputs --shape=arg0:0,3 --compare=reference
// RUN: %tensorc run %s --entry=colours --random-inputs --shape=arg0:101 --shape=arg1:101 --compare=reference
// RUN: %tensorc run %s --entry=costly --random-inputs --shape=arg0:101,4 --compare=reference
// RUN: %tensorc run %s --entry=turned --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// Three images' vectors become three of pixels.
// CHECK-LABEL: func.func @transpose
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK-COUNT-3: vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-6: vector.shuffle
// CHECK:       vector.store {{.*}} vector<16xf32>
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @channels(%x: tensor<2x3x7x21xf32>) -> tensor<2x7x21x3xf32> {
  %0 = tx.transpose %x permutation = [0, 2, 3, 1] : tensor<2x3x7x21xf32> -> tensor<2x7x21x3xf32>
  return %0 : tensor<2x7x21x3xf32>
}

// Four are woven by twos.
// CHECK-LABEL: func.func @transpose
// CHECK-COUNT-4: vector.load {{.*}} vector<64xi8>
// CHECK-COUNT-8: vector.shuffle
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @bytes(%x: tensor<4x1000xi8>) -> tensor<1000x4xi8> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<4x1000xi8> -> tensor<1000x4xi8>
  return %0 : tensor<1000x4xi8>
}

// CHECK-LABEL: func.func @{{.*}}add
// CHECK:       scf.for
// CHECK-COUNT-3: vector.load {{.*}} vector<16xf32>
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @bias(%x: tensor<?x3xf32, #tx.dims<[n, 3]>>, %y: tensor<3xf32>) -> tensor<?x3xf32, #tx.dims<[n, 3]>> {
  %0 = tx.broadcast %y dims = [1] : tensor<3xf32> -> tensor<?x3xf32, #tx.dims<[n, 3]>>
  %1 = tx.add %x, %0 : tensor<?x3xf32, #tx.dims<[n, 3]>>
  return %1 : tensor<?x3xf32, #tx.dims<[n, 3]>>
}

// What puts them side by side has no branches.
// CHECK-LABEL: func.func @{{.*}}concatenate
// CHECK:       scf.for
// CHECK-COUNT-2: vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-3: vector.store {{.*}} vector<16xf32>
// CHECK:       return
func.func @colours(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?x3xf32, #tx.dims<[n, 3]>> {
  %0 = tx.add %x, %y : tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.reshape %x : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  %2 = tx.reshape %y : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  %3 = tx.reshape %0 : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  %4 = tx.concatenate %1, %2, %3 dim = 1 : (tensor<?x1xf32, #tx.dims<[n, 1]>>, tensor<?x1xf32, #tx.dims<[n, 1]>>, tensor<?x1xf32, #tx.dims<[n, 1]>>) -> tensor<?x3xf32, #tx.dims<[n, 3]>>
  return %4 : tensor<?x3xf32, #tx.dims<[n, 3]>>
}

// CHECK-LABEL: func.func @{{.*}}exp
// CHECK-COUNT-4: math.exp {{.*}} vector<16xf32>
// CHECK:       return
func.func @costly(%x: tensor<?x4xf32, #tx.dims<[n, 4]>>, %y: tensor<4xf32>) -> tensor<?x4xf32, #tx.dims<[n, 4]>> {
  %0 = tx.broadcast %y dims = [1] : tensor<4xf32> -> tensor<?x4xf32, #tx.dims<[n, 4]>>
  %1 = tx.mul %x, %0 : tensor<?x4xf32, #tx.dims<[n, 4]>>
  %2 = tx.exp %1 : tensor<?x4xf32, #tx.dims<[n, 4]>>
  return %2 : tensor<?x4xf32, #tx.dims<[n, 4]>>
}

// Rows that lie far from each other are copied one by one.
// CHECK-LABEL: func.func @transpose
// CHECK-NOT:   vector.shuffle
// CHECK:       vector.maskedstore {{.*}} vector<16xf32>
// CHECK:       return
func.func @turned(%x: tensor<40x50x3xf32>) -> tensor<50x40x3xf32> {
  %0 = tx.transpose %x permutation = [1, 0, 2] : tensor<40x50x3xf32> -> tensor<50x40x3xf32>
  return %0 : tensor<50x40x3xf32>
}
}
