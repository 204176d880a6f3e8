// What NVRTC says of CUDA C++, with the lines of its text; and what a launch does not agree with.
// REQUIRES: nvrtc
// RUN: %tensorc-opt %s --txp-compile-sources --split-input-file --verify-diagnostics

module attributes {tx.target = "cuda:sm_80"} {
  txp.kernel_source @f "cuda" kernel "f" source "#line 41 \22app.cpp\22\0Aextern \22C\22 __global__ void f(float *y) {\0A  y[0] = z;\0A}"
  txp.func @main(%y: !txp.buffer, %n: i64) {
    // expected-error-re@+1 {{f: does not compile for sm_80:{{.*}}app.cpp:42: error: identifier "z" is undefined}}
    txp.launch_grid @f grid(%n) block [32] outs(%y)
    txp.return
  }
}

// -----
module attributes {tx.target = "cuda:sm_80"} {
  txp.kernel_source @f "cuda" kernel "g" source "__global__ void f(float *y) {}"
  txp.func @main(%y: !txp.buffer, %n: i64) {
    // expected-error@+1 {{g: its text has no __global__ function of this name}}
    txp.launch_grid @f grid(%n) block [32] outs(%y)
    txp.return
  }
}

// -----
module attributes {tx.target = "cuda:sm_80"} {
  txp.kernel_source @f "cuda" kernel "f" source "__global__ void f(float *y, int n) { y[n] = 1; }"
  txp.func @main(%y: !txp.buffer, %n: i64) {
    // expected-error@+1 {{f: the kernel has 2 parameters, the call gives 0 inputs, 1 outputs and 0 scalars}}
    txp.launch_grid @f grid(%n) block [32] outs(%y)
    txp.return
  }
}

// -----
module attributes {tx.target = "cuda:sm_80"} {
  txp.kernel_source @f "cuda" kernel "f" source "__global__ void f(int n, float *y) { y[n] = 1; }"
  txp.func @main(%y: !txp.buffer, %n: i64) {
    // expected-error@+1 {{f: the kernel's parameter 0 has 4 bytes, and is given a pointer}}
    txp.launch_grid @f grid(%n) block [32] outs(%y) scalars(%n : i64)
    txp.return
  }
}

// -----
module attributes {tx.target = "cuda:sm_80"} {
  txp.kernel_source @f "cuda" kernel "f" source "__global__ void __launch_bounds__(64) f(float *y) { y[threadIdx.x] = 1; }"
  txp.func @main(%y: !txp.buffer, %n: i64) {
    // expected-error@+1 {{f: the kernel is for at most 64 threads in a block, not 256}}
    txp.launch_grid @f grid(%n) block [16, 16] outs(%y)
    txp.return
  }
}

// -----
module attributes {tx.target = "cuda:sm_80"} {
  txp.kernel_source @f "cuda" kernel "f" flags ["--no-such-flag"] source "__global__ void f(float *y) {}"
  txp.func @main(%y: !txp.buffer, %n: i64) {
    // expected-error-re@+1 {{f: does not compile for sm_80:{{.*}}no-such-flag}}
    txp.launch_grid @f grid(%n) block [16] outs(%y)
    txp.return
  }
}

// -----
// Nothing calls it: not compiled.
module attributes {tx.target = "cuda:sm_80"} {
  txp.kernel_source @f "cuda" kernel "f" source "not C++"
}
