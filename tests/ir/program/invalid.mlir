// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{passes only !txp.buffer and i64, not 'f32'}}
txp.func @types(%x: f32) { txp.return }

// -----
// expected-error @+1 {{is an entry ('inputs') without 'outputs'}}
txp.func @outputs() attributes {inputs = []} { txp.return }

// -----
// expected-error @+1 {{describes its values but has no 'inputs', so it is not an entry}}
txp.func @inputs() attributes {outputs = []} { txp.return }

// -----
// expected-error @+1 {{describes 0 inputs but has 1}}
txp.func @count(%x: !txp.buffer) attributes {inputs = [], outputs = []} { txp.return }

// -----
// expected-error @+1 {{names 2 inputs but has 1}}
txp.func @names(%x: i64) attributes {inputs = [index], input_names = ["a", "b"], outputs = []} {
  txp.return
}

// -----
// expected-error @+1 {{input 0 of type '!txp.buffer' cannot be a 'f32'}}
txp.func @described(%x: !txp.buffer) attributes {inputs = [f32], outputs = []} { txp.return }

// -----
// expected-error @+1 {{is an entry and returns only buffers, not 'i64'}}
txp.func @word(%x: i64) -> i64 attributes {inputs = [index], outputs = [index]} {
  txp.return %x : i64
}

// -----
txp.func @float() {
  // expected-error @+1 {{yields 'f32'; a txp.func computes with i64, i1 and !txp.buffer only}}
  %c = arith.constant 1.0 : f32
  txp.return
}

// -----
txp.func @foreign(%x: i64) {
  // expected-error @+1 {{does not belong in a txp.func: only txp, arith and scf do}}
  %c = math.absi %x : i64
  txp.return
}

// -----
txp.func @results(%x: i64) -> i64 {
  // expected-error @+1 {{gives () but the function returns ('i64')}}
  txp.return
}

// -----
txp.func @dims(%x: !txp.buffer, %n: i64) -> !txp.buffer
    attributes {inputs = [tensor<?xf32>, index], outputs = [tensor<?x4xf32>]} {
  // expected-error @+1 {{gives 2 dims, but the outputs have 1 dynamic dimensions}}
  txp.return %x dims(%n, %n)
}

// -----
txp.func @inner(%x: !txp.buffer, %n: i64) -> !txp.buffer {
  // expected-error @+1 {{has 'dims', but only an entry's outputs have dimensions}}
  txp.return %x dims(%n)
}

// -----
txp.func @callsNothing() {
  // expected-error @+1 {{calls @nothing, which is not a txp.func}}
  txp.call @nothing() : () -> ()
  txp.return
}

// -----
txp.func @entry() attributes {inputs = [], outputs = []} { txp.return }
txp.func @callsEntry() {
  // expected-error @+1 {{calls @entry, an entry}}
  txp.call @entry() : () -> ()
  txp.return
}

// -----
txp.func @one(%x: i64) { txp.return }
txp.func @callsWrongly() {
  // expected-error @+1 {{does not fit @one}}
  txp.call @one() : () -> ()
  txp.return
}

// -----
txp.func @dimOfInner(%x: !txp.buffer) {
  // expected-error @+1 {{reads a dimension of a buffer that is not an entry's argument}}
  %n = txp.dim %x, 0
  txp.return
}

// -----
txp.func @dimOutside(%x: !txp.buffer) attributes {inputs = [tensor<4xf32>], outputs = []} {
  // expected-error @+1 {{reads dimension 1 of 'tensor<4xf32>'}}
  %n = txp.dim %x, 1
  txp.return
}

// -----
txp.func @width(%x: !txp.buffer, %p: i64) {
  // expected-error @+1 {{fills with a pattern of 3 bytes; it can be 1, 2, 4 or 8}}
  txp.fill %x with %p width 3
  txp.return
}

// -----
txp.func @chosen(%x: !txp.buffer, %y: !txp.buffer, %c: i64) {
  %t = arith.trunci %c : i64 to i1
  // expected-error @+1 {{is memory of the host, which arith.select cannot use}}
  %h = txp.spill %x
  %a = arith.select %t, %h, %y : !txp.buffer
  txp.return
}

// -----
txp.func @restoredInto(%x: !txp.buffer, %y: !txp.buffer) {
  %k = txp.spill %y
  // expected-error @+1 {{is memory of the host, which txp.restore cannot use}}
  %h = txp.spill %x
  txp.restore %k to %h
  txp.return
}

// -----
txp.func @restored(%x: !txp.buffer, %y: !txp.buffer) {
  // expected-error @+1 {{restores what is neither the result of a txp.spill nor a constant}}
  txp.restore %x to %y
  txp.return
}

// -----
txp.func @restoredIntoConstant(%x: !txp.buffer) {
  %c = txp.constant_buffer dense<[1.0]> : tensor<1xf32>
  %k = txp.spill %x
  // expected-error @+1 {{restores into a constant}}
  txp.restore %k to %c
  txp.return
}

// -----
txp.func @element(%x: !txp.buffer, %o: i64) {
  // expected-error @+1 {{cannot read a 'i4' into a word}}
  %s = txp.read_scalar %x[%o] : i4
  txp.return
}

// -----
txp.func @launchesNothing(%n: i64) {
  // expected-error @+1 {{launches @kernels::@k, which is not defined}}
  txp.launch @kernels::@k extent(%n) grain(%n)
  txp.return
}

// -----
func.func @k(%a: memref<?xf32>, %begin: index, %end: index, %scratch: memref<?xi8>)
    attributes {txk.kernel} { return }
txp.func @launchesWrongly(%n: i64) {
  // expected-error @+1 {{passes 0 arguments to @k, which takes 1}}
  txp.launch @k extent(%n) grain(%n)
  txp.return
}

// -----
func.func @range(%begin: index, %end: index, %scratch: memref<?xi8>)
    attributes {txk.kernel} { return }
txp.func @blocksOfARange(%n: i64) {
  // expected-error @+1 {{has a block, but @range takes a range}}
  txp.launch @range extent(%n) grain(%n) block(32)
  txp.return
}

// -----
gpu.module @kernels {
  gpu.func @thread(%x: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
    gpu.return
  }
}
txp.func @threadsWithoutABlock(%n: i64, %x: !txp.buffer) {
  // expected-error @+1 {{code of one thread, needs a block and no scratch memory}}
  txp.launch @kernels::@thread extent(%n) grain(%n) outs(%x)
  txp.return
}

// -----
gpu.module @kernels {
  gpu.func @thread(%x: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
    gpu.return
  }
}
txp.func @threadsOfAnotherBlock(%n: i64, %x: !txp.buffer) {
  // expected-error @+1 {{has blocks of 128 threads, @kernels::@thread is for 256}}
  txp.launch @kernels::@thread extent(%n) grain(%n) block(128) outs(%x)
  txp.return
}

// -----
gpu.module @kernels {
  gpu.func @thread(%x: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
    gpu.return
  }
}
txp.func @threadsWithOtherArguments(%n: i64, %x: !txp.buffer) {
  // expected-error @+1 {{passes 2 arguments to @kernels::@thread, which takes 1}}
  txp.launch @kernels::@thread extent(%n) grain(%n) block(256) ins(%x) outs(%x)
  txp.return
}

// -----
gpu.module @kernels {
  gpu.func @thread(%x: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel, txk.dynamic_shared = 65536 : i64} {
    gpu.return
  }
}
txp.func @lessSharedMemory(%n: i64, %x: !txp.buffer) {
  // expected-error @+1 {{asks for 1024 bytes of dynamic shared memory, @kernels::@thread needs 65536}}
  txp.launch @kernels::@thread extent(%n) grain(%n) block(256) shared(1024) outs(%x)
  txp.return
}

// -----
txp.func @blockTooLarge(%n: i64) {
  // expected-error @+1 {{attribute 'block' failed to satisfy constraint}}
  txp.launch @k extent(%n) grain(%n) block(2048)
  txp.return
}

// -----
txp.func @queue(%n: i64) {
  // expected-error @+1 {{attribute 'queue' failed to satisfy constraint}}
  %b = txp.alloc %n queue(256)
  txp.return
}

// -----

txp.func @noMapOfTheBuffer(%x: !txp.buffer, %n: i64) {
  // expected-error @+1 {{has a tensor map of buffer 1, and passes 1}}
  txp.launch @kernels::@thread extent(%n) grain(%n) block(256) outs(%x)
      maps [#txp.tensor_map<buffer = 1, element = 2, swizzle = 128, box = [64]>] windows(%n)
  txp.return
}

// -----

txp.func @fewWindows(%x: !txp.buffer, %n: i64) {
  // expected-error @+1 {{has 1 sizes and strides for its tensor maps, which take 3}}
  txp.launch @kernels::@thread extent(%n) grain(%n) block(256) outs(%x)
      maps [#txp.tensor_map<buffer = 0, element = 2, swizzle = 128, box = [64, 64]>] windows(%n)
  txp.return
}

// -----

// expected-error @+1 {{a tensor map of elements of 3 bytes}}
#map = #txp.tensor_map<buffer = 0, element = 3, swizzle = 128, box = [64]>

// -----

// expected-error @+1 {{a tensor map with a swizzle of 96 bytes}}
#map = #txp.tensor_map<buffer = 0, element = 2, swizzle = 96, box = [64]>

// -----

// expected-error @+1 {{an impossible tensor map}}
#map = #txp.tensor_map<buffer = 0, element = 2, swizzle = 128, box = [64, 257]>
