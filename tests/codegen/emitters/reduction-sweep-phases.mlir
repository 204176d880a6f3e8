// Columns of a tensor larger than caches, in several phases: a softmax, norms. The states of a long run of columns lie in scratch while
// each phase goes over all rows, and the elements are stored by rows in the end.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
//
// The kernels that keep a few vectors in registers give the same bits, as do other steps and vectors.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=softmax -- softmax:skeleton=columns softmax:steps=8 softmax:lanes=16,vectors=33 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=logarithm -- log_softmax:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=halves -- softmax:skeleton=columns softmax:steps=16 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=brains -- softmax:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=batched -- softmax:skeleton=columns softmax:steps=4 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=norm -- mul_sum_sqrt_div:skeleton=columns mul_sum_sqrt_div:steps=8 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=layer -- mul_add_rsqrt_mul_5more:skeleton=columns mul_add_rsqrt_mul_5more:steps=8 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=deviation -- sub_mul_sum_mul_2more:skeleton=columns sub_mul_sum_mul_2more:steps=16 %}
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=batched --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory TENSORC_NUM_THREADS=5 %tensorc run %s --entry=layer --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @softmax(
// CHECK:       %[[MAXIMA:.*]] = memref.view %arg4
// CHECK:       %[[SUMS:.*]] = memref.view %arg4
// CHECK:       scf.for
// The maxima, two rows at once.
// CHECK:         scf.for
// CHECK-COUNT-2:   vector.load %arg0
// The sums, with the maxima of these columns.
// CHECK:         scf.for
// CHECK:           vector.load %[[MAXIMA]]
// CHECK:           vector.load %arg0
// CHECK:         vector.store {{.*}}, %[[SUMS]]
// The elements.
// CHECK:         scf.for
// CHECK:           vector.load %[[MAXIMA]]
// CHECK:           vector.load %[[SUMS]]
// CHECK:           vector.load %arg0
// CHECK:           vector.store {{.*}}, %arg1{{.*}} nontemporal
// CHECK:       return
func.func @whole(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = tx.softmax %x dim = 0 : tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}

func.func @softmax(%x: tensor<2053x1031xf32>) -> tensor<2053x1031xf32> {
  %0 = tx.softmax %x dim = 0 : tensor<2053x1031xf32>
  return %0 : tensor<2053x1031xf32>
}
func.func @logarithm(%x: tensor<1027x2053xf32>) -> tensor<1027x2053xf32> {
  %0 = tx.log_softmax %x dim = 0 : tensor<1027x2053xf32>
  return %0 : tensor<1027x2053xf32>
}
func.func @halves(%x: tensor<4099x2053xf16>) -> tensor<4099x2053xf16> {
  %0 = tx.softmax %x dim = 0 : tensor<4099x2053xf16>
  return %0 : tensor<4099x2053xf16>
}
func.func @brains(%x: tensor<4099x2048xbf16>) -> tensor<4099x2048xbf16> {
  %0 = tx.softmax %x dim = 0 : tensor<4099x2048xbf16>
  return %0 : tensor<4099x2048xbf16>
}
func.func @batched(%x: tensor<3x5x301x521xf64>) -> tensor<3x5x301x521xf64> {
  %0 = tx.softmax %x dim = 2 : tensor<3x5x301x521xf64>
  return %0 : tensor<3x5x301x521xf64>
}
func.func @norm(%x: tensor<2053x1031xf32>) -> tensor<2053x1031xf32> {
  %0 = tx.mul %x, %x : tensor<2053x1031xf32>
  %1 = tx.sum %0 dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  %2 = tx.sqrt %1 : tensor<1031xf32>
  %3 = tx.broadcast %2 dims = [1] : tensor<1031xf32> -> tensor<2053x1031xf32>
  %4 = tx.div %x, %3 : tensor<2053x1031xf32>
  return %4 : tensor<2053x1031xf32>
}
func.func @layer(%x: tensor<2053x1031xf32>, %g: tensor<2053xf32>) -> tensor<2053x1031xf32> {
  %c = tx.constant dense<0.000487092068> : tensor<1031xf32>
  %ms = tx.sum %x dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  %m = tx.mul %ms, %c : tensor<1031xf32>
  %mb = tx.broadcast %m dims = [1] : tensor<1031xf32> -> tensor<2053x1031xf32>
  %d = tx.sub %x, %mb : tensor<2053x1031xf32>
  %q = tx.mul %d, %d : tensor<2053x1031xf32>
  %vs = tx.sum %q dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  %v = tx.mul %vs, %c : tensor<1031xf32>
  %e = tx.constant dense<1.0e-5> : tensor<1031xf32>
  %ve = tx.add %v, %e : tensor<1031xf32>
  %r = tx.rsqrt %ve : tensor<1031xf32>
  %rb = tx.broadcast %r dims = [1] : tensor<1031xf32> -> tensor<2053x1031xf32>
  %n = tx.mul %d, %rb : tensor<2053x1031xf32>
  %gb = tx.broadcast %g dims = [0] : tensor<2053xf32> -> tensor<2053x1031xf32>
  %0 = tx.mul %n, %gb : tensor<2053x1031xf32>
  return %0 : tensor<2053x1031xf32>
}
// Phases without elements.
func.func @deviation(%x: tensor<2053x1031xf32>) -> (tensor<1031xf32>, tensor<1031xf32>) {
  %c = tx.constant dense<0.000487092068> : tensor<1031xf32>
  %ms = tx.sum %x dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  %m = tx.mul %ms, %c : tensor<1031xf32>
  %mb = tx.broadcast %m dims = [1] : tensor<1031xf32> -> tensor<2053x1031xf32>
  %d = tx.sub %x, %mb : tensor<2053x1031xf32>
  %q = tx.mul %d, %d : tensor<2053x1031xf32>
  %vs = tx.sum %q dims = [0] : tensor<2053x1031xf32> -> tensor<1031xf32>
  %v = tx.mul %vs, %c : tensor<1031xf32>
  return %m, %v : tensor<1031xf32>, tensor<1031xf32>
}
}
