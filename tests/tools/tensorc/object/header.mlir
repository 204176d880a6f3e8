// The header: every dtype, symbolic and derived dims, names that C does not
// take; clean as C99 and as C++ with gcc and clang; several fit into one file.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc compile %s --emit=header -o %t/odd.h
// RUN: FileCheck %s <%t/odd.h
// RUN: %tensorc compile %s --emit=header | diff - %t/odd.h
// RUN: %tensorc compile %s --emit=header --entry=main -o %t/again.h
// RUN: sed -i s/_MODEL_H/_AGAIN_H/ %t/again.h
// RUN: echo '#include <errno.h>' >%t/c.c
// RUN: echo '#include <stdio.h>' >>%t/c.c
// RUN: echo '#include "odd.h"' >>%t/c.c
// RUN: echo 'int main(void) { my_model_9_inputs in; return sizeof(in) < 8; }' >>%t/c.c
// RUN: gcc -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only %t/c.c
// RUN: clang -std=c99 -Wall -Wextra -pedantic -Werror -Weverything -Wno-padded -fsyntax-only %t/c.c
// RUN: g++ -x c++ -std=c++98 -Wall -Wextra -pedantic -Wno-long-long -Werror -fsyntax-only %t/c.c
// RUN: clang++ -x c++ -std=c++17 -Wall -Wextra -pedantic -Werror -fsyntax-only %t/c.c
// RUN: %tensorc compile %S/../../../../examples/softmax.mlir --emit=header -o %t/softmax.h
// RUN: echo '#include "softmax.h"' >>%t/c.c
// RUN: gcc -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only %t/c.c

// CHECK: #ifndef TENSORC_OBJECT_MY_MODEL_9_H
// CHECK: typedef struct my_model_9_inputs {
// CHECK-NEXT: const float *x_y; /* f32[n, 64] */
// CHECK-NEXT: const uint16_t *x_y_2; /* bf16[n * 2 + 1], as their bits */
// CHECK-NEXT: const uint8_t *int_; /* i1[n], a byte each: 0 or 1 */
// CHECK-NEXT: const uint32_t *n; /* ui32[] */
// CHECK-NEXT: const int64_t *arg4; /* i64[4, arg4_dim1] */
// CHECK-NEXT: uint16_t alpha; /* f16, as their bits */
// CHECK-NEXT: int64_t n_2; /* the size n */
// CHECK-NEXT: int64_t arg4_dim1;
// CHECK-NEXT: int64_t k; /* the size k */
// CHECK-NEXT: } my_model_9_inputs;
// CHECK: typedef struct my_model_9_outputs {
// CHECK: int64_t my_model_9_workspace_size(int64_t n_2, int64_t arg4_dim1, int64_t k);
// CHECK: int64_t my_model_9_output_size_out0(int64_t n_2, int64_t arg4_dim1, int64_t k);
// CHECK: int my_model_9_output_shape_out1(int64_t n_2, int64_t arg4_dim1, int64_t k, int64_t shape[1]);
// CHECK: int my_model_9_run(const my_model_9_inputs *inputs, my_model_9_outputs *outputs,
// CHECK-NEXT: void *workspace);
// CHECK: const char *my_model_9_error(int status);
// CHECK: typedef struct my_model_9_none_inputs {
// CHECK-NEXT: char none;
// CHECK: int64_t my_model_9_none_workspace_size(void);
// CHECK: const float *NULL_;
// CHECK: const float *INT64_MAX_;
// CHECK: const float *int8_t_;
// CHECK: const float *SIZE_MAX_;
// CHECK: const int8_t *uint_fast16_t_;
// CHECK: int64_t errno_;
// CHECK: float *NULL_;

module @"my-model.9" {
  func.func @main(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x-y"},
                  %y: tensor<?xbf16, #tx.dims<[n * 2 + 1]>> {tx.name = "x.y"},
                  %b: tensor<?xi1, #tx.dims<[n]>> {tx.name = "int"},
                  %n: tensor<ui32> {tx.name = "n"},
                  %u: tensor<4x?xi64>,
                  %alpha: tensor<f16> {tx.name = "alpha", tx.scalar},
                  %k: index {tx.symbol = "k"})
      -> (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<?xbf16, #tx.dims<[n * 2 + 1]>>,
          tensor<?xi1, #tx.dims<[n]>> {tx.name = "*/ \\ /* ??/"}) {
    return %x, %y, %b : tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<?xbf16, #tx.dims<[n * 2 + 1]>>, tensor<?xi1, #tx.dims<[n]>>
  }
  func.func @none() -> tensor<f32> {
    %0 = tx.constant dense<1.0> : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @library(%a: tensor<f32> {tx.name = "NULL"}, %b: tensor<f32> {tx.name = "INT64_MAX"},
                     %c: tensor<f32> {tx.name = "int8_t"}, %d: tensor<?xf32, #tx.dims<[errno]>> {tx.name = "SIZE_MAX"},
                     %e: tensor<i8> {tx.name = "uint_fast16_t"})
      -> (tensor<f32> {tx.name = "NULL"}) {
    return %a : tensor<f32>
  }
}
