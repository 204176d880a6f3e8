// Weights of each kind are the numbers that NumPy finds in the same blocks, and files that are not what they say are
// refused.
//
// RUN: rm -rf %t && %python %S/Inputs/weights.py %t
// RUN: %tensorc run %s --entry=floats --input=%t/all.gguf --output-dir=%t/got
// RUN: %python -c "import numpy as np; e = np.load('%t/expected.npz'); [np.testing.assert_allclose(np.load('%t/got/' + k + '.npy').astype(np.float32), e[k], rtol=3e-7, atol=1e-7) for k in e]"
// RUN: %tensorc inspect %t/all.gguf | FileCheck %s --check-prefix=GGUF
// RUN: %tensorc inspect %t/expected.npz | FileCheck %s --check-prefix=NPZ
// RUN: %tensorc inspect %t/shards/good.index.json | FileCheck %s --check-prefix=INDEX
// RUN: %tensorc inspect %t/shards/one.safetensors | FileCheck %s --check-prefix=SAFE
// RUN: %tensorc run %s --entry=shards --input=%t/shards/good.index.json | FileCheck %s --check-prefix=SHARDS
// Of a file of 5 GB only the tensor is read that the program wants.
// RUN: %tensorc inspect %t/large.safetensors | FileCheck %s --check-prefix=LARGE
// RUN: %tensorc run %s --entry=large --input=a=%t/large.safetensors | FileCheck %s --check-prefix=BEHIND
// RUN: %tensorc run %s --entry=large --weights=%t/large.safetensors | FileCheck %s --check-prefix=BEHIND
// RUN: %tensorc run %s --entry=large --weights=%t/large.index.json | FileCheck %s --check-prefix=BEHIND
// RUN: not %tensorc inspect %s 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not %tensorc inspect %t/shards/outside.index.json 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %tensorc inspect %t/shards/elsewhere.index.json 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: not %tensorc inspect %t/shards/missing.index.json 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %tensorc inspect %t/broken-truncated.gguf 2>&1 | FileCheck %s --check-prefix=TRUNCATED
// RUN: not %tensorc inspect %t/broken-short.gguf 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %tensorc inspect %t/broken-version.gguf 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not %tensorc inspect %t/broken-alignment.gguf 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// RUN: not %tensorc inspect %t/broken-kind.gguf 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not %tensorc inspect %t/broken-rows.gguf 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not %tensorc inspect %t/broken-overflow.gguf 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not %tensorc inspect %t/broken-many.gguf 2>&1 | FileCheck %s --check-prefix=TRUNCATED
// RUN: not %tensorc inspect %t/broken-text.gguf 2>&1 | FileCheck %s --check-prefix=TRUNCATED
// RUN: not %tensorc inspect %t/broken-twice.gguf 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %tensorc inspect %t/broken-overlap.gguf 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not %tensorc run %s --entry=shards --input=%t/broken-unavailable.gguf 2>&1 | FileCheck %s --check-prefix=UNAVAILABLE
//
//      GGUF: GGUF 3, 8 tensors, 4740 bytes
// GGUF-NEXT: general.architecture = llama
// GGUF-NEXT: general.alignment = 32
// GGUF-NEXT: llama.rope.freq_base = 10000
// GGUF-NEXT: tokenizer.ggml.tokens = [2 values]
// GGUF-NEXT: f32: F32[3,64] 768 bytes
// GGUF-NEXT: f16: F16[3,64] 384 bytes
// GGUF-NEXT: q4_0: Q4_0[3,64] 108 bytes
// GGUF-NEXT: q8_0: Q8_0[3,64] 204 bytes
// GGUF-NEXT: q4_k: Q4_K[3,512] 864 bytes
// GGUF-NEXT: q6_k: Q6_K[3,512] 1260 bytes
// GGUF-NEXT: bf16: BF16[3,64] 384 bytes
// GGUF-NEXT: i32: I32[3,64] 768 bytes
// NPZ: npz, 8 tensors
// NPZ: q4_k: f32[3,512] 6144 bytes
// INDEX: an index of 2 files, 2 tensors, 40 bytes
// INDEX: a: f32[2,3] 24 bytes
// INDEX: b: f32[4] 16 bytes
// SAFE: safetensors, 1 tensor, 24 bytes
// LARGE: safetensors, 2 tensors, 5000000024 bytes
// LARGE: w: f32[50000,25000] 5000000000 bytes
// BEHIND: [2, 4, 6]
// PROGRAM: weights.mlir: is none of .npy, .npz, .safetensors and .gguf
// SHARDS: [1, 2, 3, 4, 5, 6]
// OUTSIDE: outside.index.json: 'a' is in no file beside the index
// ELSEWHERE: elsewhere.index.json: does not say that 'a' is in one.safetensors
// MISSING: missing.index.json: names 3 tensors, of which the files have 2
// TRUNCATED: truncated header
// SHORT: 'i32' lies outside of the file's
// VERSION: is not a GGUF of version 2 or 3
// ALIGNMENT: an alignment of 24 is not possible
// KIND: 'x': has the unknown kind 99
// ROWS: 'x': has rows of 31 elements in blocks of 32
// OVERFLOW: 'x': shape overflows
// TWICE: 'x' comes twice
// OVERLAP: tensors lie over each other
// UNAVAILABLE: 'x': the kind Q2_K is not available; F32, F16, BF16, Q8_0, Q4_0, Q4_K and Q6_K are

func.func @floats(%a: tensor<3x64xf32> {tx.name = "f32"}, %b: tensor<3x64xf16> {tx.name = "f16"}, %c: tensor<3x64xf32> {tx.name = "q4_0"},
    %d: tensor<3x64xf32> {tx.name = "q8_0"}, %e: tensor<3x512xf32> {tx.name = "q4_k"}, %f: tensor<3x512xf32> {tx.name = "q6_k"},
    %g: tensor<3x64xbf16> {tx.name = "bf16"}, %h: tensor<3x64xi32> {tx.name = "i32"})
    -> (tensor<3x64xf32> {tx.name = "f32"}, tensor<3x64xf16> {tx.name = "f16"}, tensor<3x64xf32> {tx.name = "q4_0"},
    tensor<3x64xf32> {tx.name = "q8_0"}, tensor<3x512xf32> {tx.name = "q4_k"}, tensor<3x512xf32> {tx.name = "q6_k"},
    tensor<3x64xf32> {tx.name = "bf16"}, tensor<3x64xi32> {tx.name = "i32"}) {
  %0 = tx.convert %g : tensor<3x64xbf16> -> tensor<3x64xf32>
  return %a, %b, %c, %d, %e, %f, %0, %h : tensor<3x64xf32>, tensor<3x64xf16>, tensor<3x64xf32>, tensor<3x64xf32>,
      tensor<3x512xf32>, tensor<3x512xf32>, tensor<3x64xf32>, tensor<3x64xi32>
}

func.func @shards(%a: tensor<2x3xf32> {tx.name = "a"}, %b: tensor<4xf32> {tx.name = "b"}) -> tensor<6xf32> {
  %0 = tx.reshape %a : tensor<2x3xf32> -> tensor<6xf32>
  %1 = tx.slice %b offsets = [0] strides = [1] : tensor<4xf32> -> tensor<1xf32>
  %2 = tx.broadcast %1 dims = [0] : tensor<1xf32> -> tensor<6xf32>
  %3 = tx.add %0, %2 : tensor<6xf32>
  return %3 : tensor<6xf32>
}

func.func @large(%a: tensor<2x3xf32> {tx.name = "a"}) -> tensor<2x3xf32> {
  %0 = tx.add %a, %a : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
