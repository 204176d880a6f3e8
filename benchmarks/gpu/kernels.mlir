// The kernels that scripts/gpu_tests.py measures on a GPU, beside those of other libraries. Sizes are given by --shape.
//
//   tensorc bench benchmarks/gpu/kernels.mlir --entry=gemm_f16 --shape=x:4096,4096 --shape=y:4096,4096 --device=cuda:0

func.func @gemm_f16(%x: tensor<?x?xf16, #tx.dims<[m, k]>> {tx.name = "x"},
                %y: tensor<?x?xf16, #tx.dims<[k, n]>> {tx.name = "y"}) -> tensor<?x?xf16, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf16, #tx.dims<[m, k]>>, tensor<?x?xf16, #tx.dims<[k, n]>>) -> tensor<?x?xf16, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf16, #tx.dims<[m, n]>>
}

func.func @gemm_bf16(%x: tensor<?x?xbf16, #tx.dims<[m, k]>> {tx.name = "x"},
                %y: tensor<?x?xbf16, #tx.dims<[k, n]>> {tx.name = "y"}) -> tensor<?x?xbf16, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xbf16, #tx.dims<[m, k]>>, tensor<?x?xbf16, #tx.dims<[k, n]>>) -> tensor<?x?xbf16, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xbf16, #tx.dims<[m, n]>>
}

func.func @gemm_f32(%x: tensor<?x?xf32, #tx.dims<[m, k]>> {tx.name = "x"},
                %y: tensor<?x?xf32, #tx.dims<[k, n]>> {tx.name = "y"}) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf32, #tx.dims<[m, k]>>, tensor<?x?xf32, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

func.func @attention(%q: tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>> {tx.name = "q"}, %k: tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>> {tx.name = "k"}, %v: tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>> {tx.name = "v"}) -> tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>> {
  %c = tx.constant dense<0.125> : tensor<f16>
  %0 = tx.attention %q, %k, %v, %c groups = 1
      : (tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>, tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>, tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>, tensor<f16>) -> tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>
  return %0 : tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>
}

func.func @attention_causal(%q: tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>> {tx.name = "q"}, %k: tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>> {tx.name = "k"}, %v: tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>> {tx.name = "v"}) -> tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>> {
  %c = tx.constant dense<0.125> : tensor<f16>
  %0 = tx.attention %q, %k, %v, %c groups = 1 causal
      : (tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>, tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>, tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>, tensor<f16>) -> tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>
  return %0 : tensor<?x?x?x64xf16, #tx.dims<[b, h, s, 64]>>
}

func.func @add(%x: tensor<?x?xf32, #tx.dims<[m, n]>> {tx.name = "x"}, %y: tensor<?x?xf32, #tx.dims<[m, n]>> {tx.name = "y"}) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.add %x, %y : tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

func.func @softmax(%x: tensor<?x?xf32, #tx.dims<[m, n]>> {tx.name = "x"}) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.softmax %x dim = 1 : tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

func.func @layer_norm(%x: tensor<?x?xf32, #tx.dims<[m, n]>> {tx.name = "x"}) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %e = tx.constant dense<0.00001> : tensor<f32>
  %0 = tx.layer_norm %x, %e : (tensor<?x?xf32, #tx.dims<[m, n]>>, tensor<f32>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

func.func @sum_rows(%x: tensor<?x?xf32, #tx.dims<[m, n]>> {tx.name = "x"}) -> tensor<?xf32, #tx.dims<[m]>> {
  %0 = tx.sum %x dims = [1] : tensor<?x?xf32, #tx.dims<[m, n]>> -> tensor<?xf32, #tx.dims<[m]>>
  return %0 : tensor<?xf32, #tx.dims<[m]>>
}

func.func @transpose(%x: tensor<?x?xf32, #tx.dims<[m, n]>> {tx.name = "x"}) -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<?x?xf32, #tx.dims<[m, n]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, m]>>
}
