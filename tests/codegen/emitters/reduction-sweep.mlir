// Columns of a tensor larger than caches: partial results of long runs of them in memory, rows read one behind the other.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
//
// The kernels that keep a few vectors in registers give the same bits, as do other steps, runs and vectors.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=one_block -- sum:skeleton=columns sum:steps=16 sum:vectors=5 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=two_blocks -- sum:skeleton=columns,kernels=1 sum:skeleton=columns,kernels=2 sum:steps=4 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=many_blocks -- sum:skeleton=columns sum:lanes=16 sum:vectors=5 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=batched -- sum:skeleton=columns sum:vectors=5 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=fused -- mul_sub_sum_sqrt:skeleton=columns mul_sub_sum_sqrt:steps=8 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=costly -- exp_sum:skeleton=columns exp_sum:steps=8 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=pair -- mul_sum:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=halves -- sum:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=extremes -- reduce_max_reduce_min:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=places -- argmax:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=bytes -- sum:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=truths -- any:skeleton=columns %}
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=batched --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=extremes --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// A block of 256 rows is a work item. Eight rows of a vector are added to what is in memory.
// CHECK-LABEL: func.func @sum_partial(
// CHECK:       scf.for
// CHECK:         vector.store {{.*}}, %[[SUMS:.*]][{{.*}}] : memref<?xf32>, vector<64xf32>
// CHECK:         scf.for {{.*}} step %c8 {
// CHECK:           scf.for %{{.*}} = %c0 to %c4096 step %c64 {
// CHECK:             vector.load %[[SUMS]]
// CHECK-COUNT-8:     vector.load %arg0
// CHECK-NOT:         vector.load
// CHECK:             vector.store {{.*}}, %[[SUMS]]
// CHECK:       return
func.func @whole(%x: tensor<8192x4096xf32>) -> tensor<4096xf32> {
  %0 = tx.sum %x dims = [0] : tensor<8192x4096xf32> -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

func.func @one_block(%x: tensor<255x8501xf32>) -> tensor<8501xf32> {
  %0 = tx.sum %x dims = [0] : tensor<255x8501xf32> -> tensor<8501xf32>
  return %0 : tensor<8501xf32>
}
func.func @two_blocks(%x: tensor<257x8501xf32>) -> tensor<8501xf32> {
  %0 = tx.sum %x dims = [0] : tensor<257x8501xf32> -> tensor<8501xf32>
  return %0 : tensor<8501xf32>
}
func.func @many_blocks(%x: tensor<8191x523xf32>) -> tensor<523xf32> {
  %0 = tx.sum %x dims = [0] : tensor<8191x523xf32> -> tensor<523xf32>
  return %0 : tensor<523xf32>
}
func.func @batched(%x: tensor<3x5x301x521xf64>) -> tensor<3x5x521xf64> {
  %0 = tx.sum %x dims = [2] : tensor<3x5x301x521xf64> -> tensor<3x5x521xf64>
  return %0 : tensor<3x5x521xf64>
}
// Inputs that are the same in all rows, or in all columns, and an epilogue.
func.func @fused(%x: tensor<2053x1031xf32>, %y: tensor<1031xf32>, %z: tensor<2053xf32>) -> tensor<1031xf32> {
  %0 = tx.broadcast %y dims = [1] : tensor<1031xf32> -> tensor<2053x1031xf32>
  %1 = tx.broadcast %z dims = [0] : tensor<2053xf32> -> tensor<2053x1031xf32>
  %2 = tx.mul %x, %0 : tensor<2053x1031xf32>
  %3 = tx.sub %2, %1 : tensor<2053x1031xf32>
  %4 = tx.sum %3 dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  %5 = tx.sqrt %4 : tensor<1031xf32>
  return %5 : tensor<1031xf32>
}
func.func @costly(%x: tensor<2053x1031xf32>) -> tensor<1031xf32> {
  %0 = tx.exp %x : tensor<2053x1031xf32>
  %1 = tx.sum %0 dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  return %1 : tensor<1031xf32>
}
// Two sums of one read, as a norm of a batch has.
func.func @pair(%x: tensor<2053x1031xf32>) -> (tensor<1031xf32>, tensor<1031xf32>) {
  %0 = tx.mul %x, %x : tensor<2053x1031xf32>
  %1 = tx.sum %x dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  %2 = tx.sum %0 dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  return %1, %2 : tensor<1031xf32>, tensor<1031xf32>
}
func.func @halves(%x: tensor<2053x2053xbf16>) -> tensor<2053xbf16> {
  %0 = tx.sum %x dims = [0] : tensor<2053x2053xbf16> -> tensor<2053xbf16>
  return %0 : tensor<2053xbf16>
}
func.func @extremes(%x: tensor<2053x1031xf32>) -> (tensor<1031xf32>, tensor<1031xf32>) {
  %0 = tx.reduce_max %x dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  %1 = tx.reduce_min %x dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  return %0, %1 : tensor<1031xf32>, tensor<1031xf32>
}
func.func @places(%x: tensor<2053x1031xf32>) -> tensor<1031xi64> {
  %0 = tx.argmax %x dims = [0] : tensor<2053x1031xf32> -> tensor<1031xi64>
  return %0 : tensor<1031xi64>
}
func.func @bytes(%x: tensor<4099x2053xi8>) -> tensor<2053xi8> {
  %0 = tx.sum %x dims = [0] : tensor<4099x2053xi8> -> tensor<2053xi8>
  return %0 : tensor<2053xi8>
}
func.func @truths(%x: tensor<4099x2053xi1>) -> tensor<2053xi1> {
  %0 = tx.any %x dims = [0] : tensor<4099x2053xi1> -> tensor<2053xi1>
  return %0 : tensor<2053xi1>
}

// Few rows, short rows, and what caches hold, stay in registers.
// CHECK-LABEL: func.func @sum_0(
// CHECK:       scf.for {{.*}} iter_args
// CHECK:       return
func.func @registers(%x: tensor<7x1000003xf32>, %y: tensor<65536x211xf32>, %z: tensor<1024x1031xf32>, %w: tensor<1x4000037xf32>)
    -> (tensor<1000003xf32>, tensor<211xf32>, tensor<1031xf32>, tensor<4000037xf32>) {
  %0 = tx.sum %x dims = [0] : tensor<7x1000003xf32> -> tensor<1000003xf32>
  %1 = tx.sum %y dims = [0] : tensor<65536x211xf32> -> tensor<211xf32>
  %2 = tx.sum %z dims = [0] : tensor<1024x1031xf32> -> tensor<1031xf32>
  %3 = tx.sum %w dims = [0] : tensor<1x4000037xf32> -> tensor<4000037xf32>
  return %0, %1, %2, %3 : tensor<1000003xf32>, tensor<211xf32>, tensor<1031xf32>, tensor<4000037xf32>
}
}
