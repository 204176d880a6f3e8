// Structure of Fourier transforms for the CPU. Numbers are those of tests/ops/fft.mlir.
//
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=matrix --device=cpu --random-inputs --output-dir=%t.many
// RUN: env TENSORC_NUM_THREADS=1 %tensorc run %s --entry=matrix --device=cpu --random-inputs --output-dir=%t.one
// RUN: cmp %t.many/out0.npy %t.one/out0.npy
// A row is the same in all bits, beside whichever rows it is transformed.
// RUN: %tensorc run %s --entry=same_bits --device=cpu --random-inputs | FileCheck %s --check-prefix=SAME

module attributes {tx.target = "cpu:x86-64-v4"} {
// 16 rows are turned, so that vectors are across them; 64 is 8 times 8.
// CHECK-LABEL: func.func @fft(
// CHECK:       vector.load {{.*}} vector<16xf32>
// CHECK:       vector.shuffle
// CHECK:       vector.fma {{.*}} : vector<16xf32>
// CHECK:       vector.store
func.func @rows(%x: tensor<2x40x64xf32>) -> tensor<2x40x64xf32> {
  %0 = tx.fft %x length = 64 : tensor<2x40x64xf32>
  return %0 : tensor<2x40x64xf32>
}

// A product behind one transform and before the next is theirs: two kernels.
// CHECK-LABEL: txp.func @filter(
// CHECK-COUNT-2: txp.launch
// CHECK-NOT:     txp.launch
// CHECK:         txp.return
func.func @filter(%x: tensor<2x8x256xf32>, %f: tensor<2x8x256xf32>) -> tensor<2x8x256xf32> {
  %0 = tx.fft %x length = 256 : tensor<2x8x256xf32>
  %1 = tx.mul %0, %f : tensor<2x8x256xf32>
  %2 = tx.fft %1 length = 256 inverse : tensor<2x8x256xf32>
  %c = tx.constant dense<3.906250e-03> : tensor<f32>
  %3 = tx.broadcast %c dims = [] : tensor<f32> -> tensor<2x8x256xf32>
  %4 = tx.mul %2, %3 : tensor<2x8x256xf32>
  return %4 : tensor<2x8x256xf32>
}

// The power of each frequency is stored in one kernel with its transform.
// CHECK-LABEL: txp.func @power(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
// CHECK:         txp.return
func.func @power(%x: tensor<2x8x100xf32>) -> tensor<8x100xf32> {
  %0 = tx.fft %x length = 100 : tensor<2x8x100xf32>
  %1 = tx.slice %0 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x8x100xf32> -> tensor<1x8x100xf32>
  %2 = tx.slice %0 offsets = [1, 0, 0] strides = [1, 1, 1] : tensor<2x8x100xf32> -> tensor<1x8x100xf32>
  %3 = tx.reshape %1 : tensor<1x8x100xf32> -> tensor<8x100xf32>
  %4 = tx.reshape %2 : tensor<1x8x100xf32> -> tensor<8x100xf32>
  %5 = tx.mul %3, %3 : tensor<8x100xf32>
  %6 = tx.mul %4, %4 : tensor<8x100xf32>
  %7 = tx.add %5, %6 : tensor<8x100xf32>
  return %7 : tensor<8x100xf32>
}

func.func @matrix(%x: tensor<2x300x1000xf32>) -> tensor<2x300x1000xf32> {
  %0 = tx.fft %x length = 1000 : tensor<2x300x1000xf32>
  return %0 : tensor<2x300x1000xf32>
}

func.func @same_bits(%x: tensor<2x33x120xf32>) -> (tensor<i1>, tensor<i1>) {
  %0 = tx.fft %x length = 120 : tensor<2x33x120xf32>
  %1 = tx.slice %x offsets = [0, 20, 0] strides = [1, 1, 1] : tensor<2x33x120xf32> -> tensor<2x5x120xf32>
  %2 = tx.fft %1 length = 120 : tensor<2x5x120xf32>
  %3 = tx.slice %0 offsets = [0, 20, 0] strides = [1, 1, 1] : tensor<2x33x120xf32> -> tensor<2x5x120xf32>
  %4 = tx.eq %2, %3 : tensor<2x5x120xf32>
  %5 = tx.all %4 dims = [0, 1, 2] : tensor<2x5x120xi1> -> tensor<i1>
  %6 = tx.ne %2, %3 : tensor<2x5x120xf32>
  %7 = tx.any %6 dims = [0, 1, 2] : tensor<2x5x120xi1> -> tensor<i1>
  return %5, %7 : tensor<i1>, tensor<i1>
}

// SAME: out0: i1[]
// SAME-NEXT: true
// SAME: out1: i1[]
// SAME-NEXT: false
}
