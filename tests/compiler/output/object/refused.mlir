// What an object cannot do is said where it is.
//
// RUN: tensorc-opt %s -split-input-file -verify-diagnostics --txp-convert-programs-to-llvm

module {
  module @kernels {}
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<i64>], outputs = [tensor<i64>]} {
    %c0 = arith.constant 0 : i64
    %n = txp.read_scalar %x[%c0] : i64
    // expected-error @below {{'txp.alloc' op has a size that only the run knows, but an object's workspace is laid out before: use --emit=package}}
    %t = txp.alloc %n
    txp.custom_call "fill" outs(%t)
    txp.return %x
  }
}

// -----

module {
  module @kernels {}
  txp.func @again(%n: i64) -> i64 {
    // expected-error @below {{'txp.call' op calls @again from itself, which an object cannot do: use --emit=package}}
    %m = txp.call @again(%n) : (i64) -> i64
    txp.return %m : i64
  }
  txp.func @main(%n: i64) attributes {inputs = [index], outputs = []} {
    %m = txp.call @again(%n) : (i64) -> i64
    txp.return
  }
}

// -----

module {
  module @kernels {}
  // expected-error @below {{'txp.func' op no input gives the sizes of output 'out0'; txp.return needs 'dims'}}
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<4xf32>], outputs = [tensor<?xf32, #tx.dims<[n]>>]} {
    txp.return %x
  }
}

// -----

module {
  module @kernels {}
  // expected-error @below {{'txp.func' op nothing gives the size n * 2}}
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<?xf32, #tx.dims<[n * 2]>>], outputs = [tensor<1xf32>]} {
    txp.return %x
  }
}

// -----

// expected-error @below {{has no entry to make a function of}}
module {
  module @kernels {}
}

// -----

module {
  module @kernels {}
  txp.func @model() attributes {inputs = [], outputs = []} {
    txp.return
  }
  // expected-error @below {{the entry 'main' needs the C function model_run, whose name another entry has: rename the entry, or select one entry}}
  txp.func @main() attributes {inputs = [], outputs = []} {
    txp.return
  }
}

// -----

module {
  module @kernels {}
  // expected-error @below {{'txp.func' op has a value 'x' of 'tensor<4xi7>', for which C has no type}}
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<4xi7>], input_names = ["x"], outputs = [tensor<4xi7>]} {
    txp.return %x
  }
}

// -----

// expected-error @below {{has no kernels: was it lowered?}}
module {
  txp.func @main() attributes {inputs = [], outputs = []} {
    txp.return
  }
}
