// Kernels for all sizes read in lines where kernels for one size do: dims that a reshape splits and joins again leave
// no division by lane, and no gather.
//
// RUN: %tensorc compile %s --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=groups --random-inputs --shape=x:1,64,8,8 --shape=s:64 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=groups --random-inputs --shape=x:3,96,7,5 --shape=s:96 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=groups --random-inputs --shape=x:0,32,7,5 --shape=s:32 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=halves --random-inputs --shape=x:6,7,11 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=halves --random-inputs --shape=x:4,16,1 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=joined --random-inputs --shape=x:6,7,11 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=joined --random-inputs --shape=x:2,1,33 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=rows --random-inputs --shape=x:50,33 --shape=i:7 --compare=reference
// RUN: not %tensorc run %s --entry=groups --random-inputs --shape=x:1,33,8,8 --shape=s:33 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error:
// CHECK-NOT: vector.gather
// CHECK-NOT: remui {{.*}} : vector
// CHECK-NOT: divui {{.*}} : vector

// 32 groups of (c floordiv 32) channels are c channels.
func.func @groups(%x: tensor<?x?x?x?xf32, #tx.dims<[n, c, h, w]>> {tx.name = "x"}, %s: tensor<?xf32, #tx.dims<[c]>> {tx.name = "s"})
    -> tensor<?x?x?x?xf32, #tx.dims<[n, c, h, w]>> {
  %e = tx.constant dense<1.0e-5> : tensor<f32>
  %0 = tx.group_norm %x, %e scale %s bias %s groups = 32
      : (tensor<?x?x?x?xf32, #tx.dims<[n, c, h, w]>>, tensor<f32>, tensor<?xf32, #tx.dims<[c]>>, tensor<?xf32, #tx.dims<[c]>>)
      -> tensor<?x?x?x?xf32, #tx.dims<[n, c, h, w]>>
  return %0 : tensor<?x?x?x?xf32, #tx.dims<[n, c, h, w]>>
}

// The same for a quotient in front.
func.func @halves(%x: tensor<?x?x?xf32, #tx.dims<[n, m, k]>> {tx.name = "x"}) -> tensor<?x2x?xf32, #tx.dims<[n floordiv 2, 2, m * k]>> {
  %0 = tx.reshape %x : tensor<?x?x?xf32, #tx.dims<[n, m, k]>> -> tensor<?x2x?xf32, #tx.dims<[n floordiv 2, 2, m * k]>>
  %1 = tx.add %0, %0 : tensor<?x2x?xf32, #tx.dims<[n floordiv 2, 2, m * k]>>
  return %1 : tensor<?x2x?xf32, #tx.dims<[n floordiv 2, 2, m * k]>>
}

// A kernel whose loop runs over what two reshapes split and join.
func.func @joined(%x: tensor<?x?x?xf32, #tx.dims<[n, m, k]>> {tx.name = "x"}) -> tensor<?xf32, #tx.dims<[n * m * k]>> {
  %0 = tx.reshape %x : tensor<?x?x?xf32, #tx.dims<[n, m, k]>> -> tensor<?xf32, #tx.dims<[n * m * k]>>
  %1 = tx.exp %0 : tensor<?xf32, #tx.dims<[n * m * k]>>
  return %1 : tensor<?xf32, #tx.dims<[n * m * k]>>
}

// Rows that an embedding takes are whole vectors but for their ends.
// CHECK-LABEL: func.func @gather(
// CHECK: scf.for
// CHECK-NOT: masked
// CHECK: vector.load %arg0
// CHECK-NOT: masked
// CHECK: scf.if {{.*}} {
// CHECK: vector.maskedload %arg0
func.func @rows(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %i: tensor<?xi32, #tx.dims<[k]>> {tx.name = "i"}) -> tensor<?x?xf32, #tx.dims<[k, m]>> {
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, -1] : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xi32, #tx.dims<[k]>>) -> tensor<?x?xf32, #tx.dims<[k, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[k, m]>>
}
