// Structure of row and column kernels, and their numbers.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=row --random-inputs --shape=arg0:7,1000 --compare=reference
// RUN: %tensorc run %s --entry=row --random-inputs --shape=arg0:1,20000 --compare=reference
// RUN: %tensorc run %s --entry=row --random-inputs --shape=arg0:3,0 --compare=reference
// RUN: %tensorc run %s --entry=column --random-inputs --shape=arg0:700,33 --compare=reference
// RUN: %tensorc run %s --entry=middle --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=middle --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=all --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=any_size --device=cpu --random-inputs --shape=arg0:0 --compare=reference
// RUN: %tensorc run %s --entry=any_size --device=cpu --random-inputs --shape=arg0:8193 --compare=reference
// RUN: %tensorc run %s --entry=any_size --device=cpu --random-inputs --shape=arg0:300001 --compare=reference
// RUN: %tensorc run %s --entry=few_columns --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=and_elements --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=rows_and_elements --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=middle_and_elements --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=columns_and_elements --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=mean_of_images --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// 32 lanes in blocks of a fixed size, then halves.
// CHECK-LABEL: func.func @sum(
// CHECK:       scf.for
// CHECK:       scf.for {{.*}} step %c8192
// CHECK:       scf.for {{.*}} step %c32
// CHECK:       arith.addf {{.*}} : vector<32xf32>
// CHECK:       vector.shuffle
// CHECK:       arith.addf {{.*}} : vector<16xf32>
// CHECK:       memref.store
func.func @row(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.sum %x dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}

// The division is computed once for all, so that whole vectors of a row with a rest are read without asking for a mask.
// CHECK-LABEL: func.func @mean(
// CHECK-NOT:   vector.reduction
// CHECK:       vector.load {{.*}} vector<32xf32>
// CHECK-NOT:   vector.load
// CHECK:       vector.maskedload {{.*}} vector<32xf32>
// CHECK:       arith.divf {{.*}} : f32
// CHECK:       return
func.func @mean_of_images(%x: tensor<8x64x7x7xf32>) -> tensor<8x64xf32> {
  %0 = tx.mean %x dims = [2, 3] : (tensor<8x64x7x7xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// Lanes along the kept dim: no shuffles. Floats are compared as integers in the same order, beyond which NaN are.
// CHECK-LABEL: func.func @reduce_max(
// CHECK-NOT:   vector.shuffle
// CHECK:       arith.shrsi {{.*}} : vector<64xi32>
// CHECK:       arith.xori
// CHECK:       arith.subi
// CHECK-NEXT:  arith.maxsi {{.*}} : vector<64xi32>
// CHECK-NOT:   arith.maximumf
// CHECK:       vector.maskedstore
func.func @column(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[m]>> {
  %0 = tx.reduce_max %x dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[m]>>
  return %0 : tensor<?xf32, #tx.dims<[m]>>
}

// Normalization over dims that are not neighbours: two phases and a store.
// CHECK-LABEL: func.func @sub_mul_sum_div
// CHECK-COUNT-3: step %c32
func.func @middle(%x: tensor<6x5x70xf32>) -> tensor<6x5x70xf32> {
  %s = tx.sum %x dims = [0, 2] : tensor<6x5x70xf32> -> tensor<5xf32>
  %sb = tx.broadcast %s dims = [1] : tensor<5xf32> -> tensor<6x5x70xf32>
  %d = tx.sub %x, %sb : tensor<6x5x70xf32>
  %q = tx.mul %d, %d : tensor<6x5x70xf32>
  %v = tx.sum %q dims = [0, 2] : tensor<6x5x70xf32> -> tensor<5xf32>
  %vb = tx.broadcast %v dims = [1] : tensor<5xf32> -> tensor<6x5x70xf32>
  %r = tx.div %d, %vb : tensor<6x5x70xf32>
  return %r : tensor<6x5x70xf32>
}

// Few results from many elements: blocks in one kernel, their sum in another.
// CHECK-LABEL: func.func @mul_sum_sqrt_partial(
// CHECK:       vector.store {{.*}} vector<32xf32>
// CHECK-LABEL: func.func @mul_sum_sqrt(
// CHECK:       vector.load
// CHECK:       math.sqrt
// Where what is summed is an output, too, each block stores its part.
// CHECK-LABEL: func.func @add_sum_partial(
// CHECK:       arith.addf {{.*}} : vector<32xf32>
// CHECK:       vector.maskedstore
// CHECK:       vector.store {{.*}} vector<32xf32>
// CHECK-LABEL: func.func @add_sum(
// CHECK:       vector.load
// CHECK-NOT:   vector.maskedstore
// CHECK:       return
// CHECK:       txp.launch @kernels::@mul_sum_sqrt_partial extent(%c123{{.*}}) grain
// CHECK:       txp.launch @kernels::@mul_sum_sqrt extent(%c1
// CHECK:       txp.launch @kernels::@add_sum_partial extent(%c123{{.*}}) grain
func.func @all(%x: tensor<1000x1001xf32>) -> tensor<f32> {
  %0 = tx.mul %x, %x : tensor<1000x1001xf32>
  %1 = tx.sum %0 dims = [0, 1] : tensor<1000x1001xf32> -> tensor<f32>
  %2 = tx.sqrt %1 : tensor<f32>
  return %2 : tensor<f32>
}

func.func @and_elements(%x: tensor<1000x1001xf32>, %y: tensor<1000x1001xf32>) -> (tensor<f32>, tensor<1000x1001xf32>) {
  %0 = tx.add %x, %y : tensor<1000x1001xf32>
  %1 = tx.sum %0 dims = [0, 1] : tensor<1000x1001xf32> -> tensor<f32>
  return %1, %0 : tensor<f32>, tensor<1000x1001xf32>
}

func.func @rows_and_elements(%x: tensor<3x100003xf32>) -> (tensor<3xf32>, tensor<3x100003xf32>) {
  %0 = tx.mul %x, %x : tensor<3x100003xf32>
  %1 = tx.sum %0 dims = [1] : tensor<3x100003xf32> -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tensor<3x100003xf32>
}

func.func @middle_and_elements(%x: tensor<70x3x1203xf32>) -> (tensor<3xf32>, tensor<70x3x1203xf32>) {
  %0 = tx.mul %x, %x : tensor<70x3x1203xf32>
  %1 = tx.sum %0 dims = [0, 2] : tensor<70x3x1203xf32> -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tensor<70x3x1203xf32>
}

func.func @columns_and_elements(%x: tensor<5000x33xf32>) -> (tensor<33xf32>, tensor<5000x33xf32>) {
  %0 = tx.mul %x, %x : tensor<5000x33xf32>
  %1 = tx.sum %0 dims = [0] : tensor<5000x33xf32> -> tensor<33xf32>
  return %1, %0 : tensor<33xf32>, tensor<5000x33xf32>
}

func.func @any_size(%x: tensor<?xf32, #tx.dims<[n]>>) -> (tensor<f32>, tensor<f32>) {
  %0 = tx.sum %x dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<f32>
  %1 = tx.reduce_max %x dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

func.func @few_columns(%x: tensor<5000x33xf32>) -> (tensor<33xf32>, tensor<33xi64>) {
  %0 = tx.sum %x dims = [0] : tensor<5000x33xf32> -> tensor<33xf32>
  %1 = tx.argmax %x dims = [0] : tensor<5000x33xf32> -> tensor<33xi64>
  return %0, %1 : tensor<33xf32>, tensor<33xi64>
}
}
