// Sizes that no machine has, and programs that no stage could handle: status 1
// and one message, in every build.
//
// RUN: split-file --leading-lines %s %t
// RUN: %exits 1 %tensorc run %t/large.mlir --device=cpu 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: %exits 1 %tensorc run %t/wraps.mlir --device=cpu --random-inputs 2>&1 | FileCheck %s --check-prefix=WRAPS
// RUN: %exits 1 %tensorc run %t/factor.mlir --device=cpu --random-inputs 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: %exits 1 %tensorc run %t/pad.mlir --device=cpu --random-inputs 2>&1 | FileCheck %s --check-prefix=PAD
// RUN: %exits 1 %tensorc run %t/memory.mlir --device=cpu 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: %exits 1 %tensorc run %t/body.mlir --device=cpu --random-inputs 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: %exits 1 %tensorc run %t/blocks.mlir --device=cpu --random-inputs 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: %exits 1 %tensorc run %t/call.mlir --device=cpu --random-inputs 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: %exits 1 %tensorc compile %t/fused.mlir --start-from=fuse --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: %exits 1 %tensorc compile %t/wraps.mlir --start-from=emit --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: %exits 1 %tensorc compile %t/bytes.mlir -o %t/bytes.tcpkg 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: %python -c "print('func.func @main(%%x: tensor<?xf32, #tx.dims<[' + 'n + ' * 1100 + 'n]>>) { return }')" > %t/deep.mlir
// RUN: %exits 1 %tensorc run %t/deep.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: more than 1024 operands in the sizes of one tensor

//--- large.mlir
func.func @main() -> tensor<1000000000000000xf32> {
  // LARGE: large.mlir:[[#@LINE+1]]:8: error: more than 2^48 bytes: a tensor of shape [1000000000000000] and dtype 'f32'
  %0 = tx.iota dim = 0 : tensor<1000000000000000xf32>
  return %0 : tensor<1000000000000000xf32>
}

//--- wraps.mlir
// The number of elements is 0 modulo 2^64; the sum would be 0.
func.func @main(%x: tensor<1xf32>) -> tensor<f32> {
  // STAGE: wraps.mlir:[[#@LINE+2]]:8: error: 'tx.broadcast' op must not be here after stage emit
  // WRAPS: wraps.mlir:[[#@LINE+1]]:8: error: more than 2^48 bytes: a tensor of shape [4294967296,4294967296]
  %0 = tx.broadcast %x dims = [1] : tensor<1xf32> -> tensor<4294967296x4294967296xf32>
  %1 = tx.sum %0 dims = [0, 1] : tensor<4294967296x4294967296xf32> -> tensor<f32>
  return %1 : tensor<f32>
}

//--- bytes.mlir
// As many bytes modulo 2^64.
func.func @main(%x: tensor<4611686018427387904xf64>) -> tensor<4611686018427387904xf32> {
  // BYTES: bytes.mlir:[[#@LINE-1]]:17: error: more than 2^48 bytes: a tensor of shape [4611686018427387904]
  %0 = tx.reinterpret %x : tensor<4611686018427387904xf64> -> tensor<4611686018427387904xf32>
  return %0 : tensor<4611686018427387904xf32>
}

//--- factor.mlir
func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<f32> {
  // FACTOR: factor.mlir:[[#@LINE+1]]:{{.*}} error: the size overflows: n and 9223372036854775807
  %0 = tx.iota dim = 0 : tensor<?xf32, #tx.dims<[n * 9223372036854775807]>>
  %1 = tx.sum %0 dims = [0] : tensor<?xf32, #tx.dims<[n * 9223372036854775807]>> -> tensor<f32>
  return %1 : tensor<f32>
}

//--- pad.mlir
// 4 + 3 * 2^62 + 2^62 is 4 again modulo 2^64.
func.func @main(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  // PAD: pad.mlir:[[#@LINE+1]]:8: error: 'tx.pad' op padding of dimension 0 by 4611686018427387904 is out of range
  %0 = tx.pad %x, %v low = [4611686018427387904] high = [0] interior = [4611686018427387904] : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- memory.mlir
// MEMORY: error: cpu:0: cannot allocate 160000000000000 bytes
func.func @main() -> tensor<40000000000000xf32> {
  %0 = tx.iota dim = 0 : tensor<40000000000000xf32>
  return %0 : tensor<40000000000000xf32>
}

//--- body.mlir
// BODY: body.mlir:[[#@LINE+1]]:1: error: has no body to run
func.func private @main(tensor<4xf32>) -> tensor<4xf32>

//--- blocks.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // BLOCKS: blocks.mlir:[[#@LINE+1]]:3: error: 'cf.br' op must not be here after stage import: only tx ops and func.return in func.func, and kernels in gpu.module may
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}

//--- call.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CALL: call.mlir:[[#@LINE+1]]:8: error: 'func.call' op must not be here after stage import
  %0 = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- fused.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // FUSED: fused.mlir:[[#@LINE+1]]:8: error: 'tx.fusion' op body arguments differ from the operands
  %0 = tx.fusion "loop" "exp" (%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<5xf32>):
    %e = tx.exp %a : tensor<5xf32>
    tx.yield %e : tensor<5xf32>
  }
  return %0 : tensor<4xf32>
}
