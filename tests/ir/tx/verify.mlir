// What the verifiers refuse, and how they say it.
//
// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics

func.func @unnamed(%x: tensor<?xf32>) {
  // expected-error@+1 {{dynamic dimensions must be named: write tensor<?xf32, #tx.dims<[n]>>}}
  %0 = tx.neg %x : tensor<?xf32>
  return
}

// -----
func.func @select(%p: tensor<3xi1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{operand 0 has shape [3] but the result has [4]}}
  %0 = tx.select %p, %x, %x : tensor<3xi1>, tensor<4xf32>
  return
}

// -----
func.func @convert(%x: tensor<?xf32, #tx.dims<[n]>>) {
  // expected-error@+1 {{operand 0 has shape [n] but the result has [m]}}
  %0 = tx.convert %x : tensor<?xf32, #tx.dims<[n]>> -> tensor<?xi32, #tx.dims<[m]>>
  return
}

// -----
func.func @bitcast(%x: tensor<4xf32>) {
  // expected-error@+1 {{dtypes must have one width, not 'f32' and 'i64'}}
  %0 = tx.bitcast %x : tensor<4xf32> -> tensor<4xi64>
  return
}

// -----
func.func @random_key(%key: tensor<3xui32>) {
  // expected-error@+1 {{a key is of shape [2], not [3]}}
  %0 = tx.random_bits %key philox4x32_10 : tensor<3xui32> -> tensor<4xui32>
  return
}

// -----
func.func @random_counter(%key: tensor<2xui32>, %counter: tensor<4xui32>) {
  // expected-error@+1 {{the counter of threefry2x32 is of shape [2], not [4]}}
  %0 = tx.random_bits %key counter = %counter threefry2x32 : tensor<2xui32>, tensor<4xui32> -> tensor<4xui32>
  return
}

// -----
func.func @random_dims(%key: tensor<2xui32>) {
  // expected-error@+1 {{dynamic dimensions must be named}}
  %0 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<?xui32>
  return
}

// -----
func.func @iota() {
  // expected-error@+1 {{dim 1 is outside rank 1}}
  %0 = tx.iota dim = 1 : tensor<4xf32>
  return
}

// -----
func.func @broadcast(%x: tensor<3xf32>) {
  // expected-error@+1 {{cannot broadcast [3] to [2,4]}}
  %0 = tx.broadcast %x dims = [1] : tensor<3xf32> -> tensor<2x4xf32>
  return
}

// -----
func.func @broadcast(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dims must increase strictly and lie inside rank 2}}
  %0 = tx.broadcast %x dims = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  return
}

// -----
func.func @broadcast(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dims lists 1 dimensions for an operand of rank 2}}
  %0 = tx.broadcast %x dims = [1] : tensor<2x3xf32> -> tensor<3x3xf32>
  return
}

// -----
func.func @reshape(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{cannot reshape [2,3] to [7]}}
  %0 = tx.reshape %x : tensor<2x3xf32> -> tensor<7xf32>
  return
}

// -----
func.func @reshape(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result dtype 'i32' differs from the operand's 'f32'}}
  %0 = tx.reshape %x : tensor<2x3xf32> -> tensor<6xi32>
  return
}

// -----
func.func @transpose(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{is not a permutation of the dimensions of [2,3]}}
  %0 = tx.transpose %x permutation = [1, 1] : tensor<2x3xf32> -> tensor<3x2xf32>
  return
}

// -----
func.func @transpose(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 0 of the result is 2 but must be 3}}
  %0 = tx.transpose %x permutation = [1, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----
func.func @slice(%x: tensor<2x5xf32>) {
  // expected-error@+1 {{reads outside dimension 1 of [2,5]: offset 3, stride 1, size 3}}
  %0 = tx.slice %x offsets = [0, 3] strides = [1, 1] : tensor<2x5xf32> -> tensor<2x3xf32>
  return
}

// -----
func.func @slice(%x: tensor<5xf32>) {
  // expected-error@+1 {{reads outside dimension 0 of [5]: offset 1, stride -1, size 3}}
  %0 = tx.slice %x offsets = [1] strides = [-1] : tensor<5xf32> -> tensor<3xf32>
  return
}

// -----
func.func @slice(%x: tensor<5xf32>) {
  // expected-error@+1 {{stride of dimension 0 is 0}}
  %0 = tx.slice %x offsets = [1] strides = [0] : tensor<5xf32> -> tensor<3xf32>
  return
}

// -----
func.func @slice(%x: tensor<5xf32>) {
  // Sizes and strides whose product overflows.
  // expected-error@+1 {{reads outside dimension 0 of [5]}}
  %0 = tx.slice %x offsets = [0] strides = [9223372036854775807] : tensor<5xf32> -> tensor<3xf32>
  return
}

// -----
func.func @pad(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{dimension 0 of the result is 5 but must be 6}}
  %0 = tx.pad %x, %v low = [1] high = [2] interior = [0] : tensor<3xf32> -> tensor<5xf32>
  return
}

// -----
func.func @pad(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{interior padding of dimension 0 is negative}}
  %0 = tx.pad %x, %v low = [1] high = [2] interior = [-1] : tensor<3xf32> -> tensor<4xf32>
  return
}

// -----
func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{shapes differ outside dimension 0: [2,3] x [2,4]}}
  %0 = tx.concatenate %x, %y dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----
func.func @concatenate(%x: tensor<?xf32, #tx.dims<[n]>>) {
  // expected-error@+1 {{dimension 0 of the result is n but must be n * 2}}
  %0 = tx.concatenate %x, %x dim = 0
      : (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>>
  return
}

// -----
func.func @sum(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dims must increase strictly and lie inside rank 2}}
  %0 = tx.sum %x dims = [0, 0] : tensor<2x3xf32> -> tensor<3xf32>
  return
}

// -----
func.func @sum(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 0 of the result is 3 but must be 2}}
  %0 = tx.sum %x dims = [1] : tensor<2x3xf32> -> tensor<3xf32>
  return
}

// -----
func.func @sum(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result dtype 'f64' differs from the operand's 'f32'}}
  %0 = tx.sum %x dims = [1] : tensor<2x3xf32> -> tensor<2xf64>
  return
}

// -----
func.func @argmax(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{result #0 must be ranked tensor of i32 or i64, but got}}
  %0 = tx.argmax %x dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
  return
}

// -----
func.func @argmax(%x: tensor<2x0xf32>) {
  // expected-error@+1 {{has no elements to choose from: [2,0]}}
  %0 = tx.argmax %x dims = [1] : tensor<2x0xf32> -> tensor<2xi32>
  return
}

// -----
func.func @cumsum(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 2 is outside [2,3]}}
  %0 = tx.cumsum %x dim = 2 : tensor<2x3xf32>
  return
}

// -----
func.func @argsort(%x: tensor<f32>) {
  // expected-error@+1 {{dimension 0 is outside []}}
  %0 = tx.argsort %x dim = 0 : tensor<f32>
  return
}

// -----
func.func @cumprod(%x: tensor<4xi1>) {
  // expected-error@+1 {{must be ranked tensor}}
  %0 = tx.cumprod %x dim = 0 : tensor<4xi1>
  return
}

// -----
func.func @dot(%x: tensor<64x32xf32>, %y: tensor<31x10xf32>) {
  // expected-error@+1 {{inner dimensions differ: [64,32] x [31,10]}}
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<64x32xf32>, tensor<31x10xf32>) -> tensor<64x10xf32>
  return
}

// -----
func.func @dot(%x: tensor<2x3xf32>, %y: tensor<3x4xf64>) {
  // expected-error@+1 {{dtypes differ: 'f32' and 'f64'}}
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<2x3xf32>, tensor<3x4xf64>) -> tensor<2x4xf32>
  return
}

// -----
// Sums of f16 and bf16 may stay f32, and nothing else.
func.func @dot(%x: tensor<2x3xbf16>) {
  // expected-error@+1 {{result dtype 'f64' differs from the operands' 'bf16'}}
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1]
      : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x2xf64>
  return
}

// -----
func.func @dot(%x: tensor<2x3xi8>) {
  // expected-error@+1 {{result dtype 'f32' differs from the operands' 'i8'}}
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1]
      : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x2xf32>
  return
}

// -----
func.func @dot(%x: tensor<2x3xf8E4M3FN>, %y: tensor<2x3xf8E5M2>) {
  // expected-error@+1 {{a product of f8 is f32, not 'f64'}}
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1]
      : (tensor<2x3xf8E4M3FN>, tensor<2x3xf8E5M2>) -> tensor<2x2xf64>
  return
}

// -----
func.func @dot(%x: tensor<2x3xf8E4M3FN>, %y: tensor<2x3xf32>) {
  // expected-error@+1 {{dtypes differ: 'f8E4M3FN' and 'f32'}}
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1]
      : (tensor<2x3xf8E4M3FN>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----
func.func @dot(%x: tensor<2x3xi4>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1]
      : (tensor<2x3xi4>, tensor<2x3xi4>) -> tensor<2x2xf32>
  return
}

// -----
func.func @dot(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{x dimension 1 is listed twice}}
  %0 = tx.dot_general %x, %x batch = [1] x [0] contracting = [1] x [1]
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----
func.func @dot(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 1 of the result is 3 but must be 2}}
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1]
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @composite(%x: tensor<4xf32>) {
  // expected-error@+1 {{dimension 1 is outside [4]}}
  %0 = tx.softmax %x dim = 1 : tensor<4xf32>
  return
}

// -----
func.func @composite_dtype(%x: tensor<4xf32>) {
  // expected-error@+1 {{result dtype 'f64' differs from the operand's 'f32'}}
  %0 = tx.mean %x dims = [0] : (tensor<4xf32>) -> tensor<f64>
  return
}

// -----
func.func @composite_shape(%x: tensor<2x4xf32>, %e: tensor<f32>, %s: tensor<3xf32>) {
  // expected-error@+1 {{scale and bias must be of shape [4], not [3]}}
  %0 = tx.layer_norm %x, %e scale %s : (tensor<2x4xf32>, tensor<f32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----
func.func @norm_order(%x: tensor<4xf32>) {
  // expected-error@+1 {{an order belongs to the kind `power`}}
  %0 = tx.norm %x power dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----
func.func @size() {
  // expected-error@+1 {{needs one size}}
  %0 = tx.size <[2, 3]> : tensor<f32>
  return
}

// -----
func.func @fusion(%x: tensor<4xf32>) {
  // expected-error@+1 {{body arguments differ from the operands}}
  %0 = tx.fusion "loop" "f" (%x) : (tensor<4xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    tx.yield %a : tensor<2xf32>
  }
  return
}

// -----
func.func @fusion_loop(%x: tensor<4xf32>, %y: tensor<2xf32>) {
  %0:2 = tx.fusion "loop" "f" (%x, %y) : (tensor<4xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<2xf32>):
    %m = tx.neg %a : tensor<4xf32>
    // expected-error@+1 {{output #1 of fusion "f" has shape [2], but a kernel of kind "loop" stores [4] here}}
    %n = tx.neg %b : tensor<2xf32>
    tx.yield %m, %n : tensor<4xf32>, tensor<2xf32>
  }
  return
}

// -----
func.func @fusion_named(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[m]>>) {
  %0:2 = tx.fusion "loop" "f" (%x, %y) : (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>) {
  ^bb0(%a: tensor<?xf32, #tx.dims<[n]>>, %b: tensor<?xf32, #tx.dims<[m]>>):
    %m = tx.neg %a : tensor<?xf32, #tx.dims<[n]>>
    // expected-error@+1 {{output #1 of fusion "f" has shape [m], but a kernel of kind "loop" stores [n] here}}
    %n = tx.neg %b : tensor<?xf32, #tx.dims<[m]>>
    tx.yield %m, %n : tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>
  }
  return
}

// -----
func.func @fusion_column(%x: tensor<5x32xf32>, %w: tensor<3x5x64xf32>) {
  %0:2 = tx.fusion "column" "f" (%x, %w) : (tensor<5x32xf32>, tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<5x32xf32>) {
  ^bb0(%a: tensor<5x32xf32>, %b: tensor<3x5x64xf32>):
    // expected-error@+1 {{output #1 of fusion "f" has shape [5,32], but a kernel of kind "column" stores [3,5,64] or [5,64] here}}
    %m = tx.neg %a : tensor<5x32xf32>
    %s = tx.sum %b dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
    tx.yield %s, %m : tensor<5x64xf32>, tensor<5x32xf32>
  }
  return
}

// -----
func.func @fusion_row(%w: tensor<3x5x64xf32>) {
  %0 = tx.fusion "row" "f" (%w) : (tensor<3x5x64xf32>) -> tensor<3xf32> {
  ^bb0(%b: tensor<3x5x64xf32>):
    %s = tx.sum %b dims = [2] : tensor<3x5x64xf32> -> tensor<3x5xf32>
    // expected-error@+1 {{reduces other dims than its fusion}}
    %t = tx.sum %s dims = [1] : tensor<3x5xf32> -> tensor<3xf32>
    tx.yield %t : tensor<3xf32>
  }
  return
}

// -----
func.func @fusion_without(%x: tensor<4xf32>) {
  // expected-error@+1 {{"f" of kind "row" has no reduction}}
  %0 = tx.fusion "row" "f" (%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tx.yield %a : tensor<4xf32>
  }
  return
}

// -----
// A reduction that is wrong itself: its own verifier says so.
func.func @fusion_of_wrong(%x: tensor<4xf32>) {
  %0 = tx.fusion "row" "f" (%x) : (tensor<4xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error@+1 {{result has rank 1, not 0}}
    %s = tx.sum %a dims = [0] : tensor<4xf32> -> tensor<2xf32>
    tx.yield %s : tensor<2xf32>
  }
  return
}

// -----
func.func @fusion_scan(%x: tensor<4x6xf32>) {
  %0:2 = tx.fusion "scan" "f" (%x) : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6x4xf32>) {
  ^bb0(%a: tensor<4x6xf32>):
    %s = tx.cumsum %a dim = 1 : tensor<4x6xf32>
    // expected-error@+1 {{output #1 of fusion "f" has shape [6,4], but a kernel of kind "scan" stores [4,6] here}}
    %t = tx.transpose %s permutation = [1, 0] : tensor<4x6xf32> -> tensor<6x4xf32>
    tx.yield %s, %t : tensor<4x6xf32>, tensor<6x4xf32>
  }
  return
}

// -----
func.func @fusion_sort(%x: tensor<4x6xf32>, %y: tensor<7xf32>) {
  %0:2 = tx.fusion "sort" "f" (%x, %y) : (tensor<4x6xf32>, tensor<7xf32>) -> (tensor<4x6xf32>, tensor<7xf32>) {
  // expected-error@+1 {{output #1 of fusion "f" has shape [7], but a kernel of kind "sort" stores [4,6] here}}
  ^bb0(%a: tensor<4x6xf32>, %b: tensor<7xf32>):
    %s = tx.sort %a dim = 1 : tensor<4x6xf32>
    tx.yield %s, %b : tensor<4x6xf32>, tensor<7xf32>
  }
  return
}

// -----
// The first elements are those of a slice from 0 on that is alone in reading the sort.
func.func @fusion_sort_from_1(%x: tensor<4x6xf32>) {
  %0 = tx.fusion "sort" "f" (%x) : (tensor<4x6xf32>) -> tensor<4x2xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    %s = tx.sort %a dim = 1 : tensor<4x6xf32>
    // expected-error@+1 {{output #0 of fusion "f" has shape [4,2], but a kernel of kind "sort" stores [4,6] here}}
    %t = tx.slice %s offsets = [0, 1] strides = [1, 1] : tensor<4x6xf32> -> tensor<4x2xf32>
    tx.yield %t : tensor<4x2xf32>
  }
  return
}

// -----
func.func @fusion_sort_whole_and_first(%x: tensor<4x6xf32>) {
  %0:2 = tx.fusion "sort" "f" (%x) : (tensor<4x6xf32>) -> (tensor<4x2xf32>, tensor<4x6xi64>) {
  ^bb0(%a: tensor<4x6xf32>):
    %s = tx.sort %a dim = 1 : tensor<4x6xf32>
    // expected-error@+1 {{output #1 of fusion "f" has shape [4,6], but a kernel of kind "sort" stores [4,2] here}}
    %i = tx.argsort %a dim = 1 : tensor<4x6xf32>
    %t = tx.slice %s offsets = [0, 0] strides = [1, 1] : tensor<4x6xf32> -> tensor<4x2xf32>
    tx.yield %t, %i : tensor<4x2xf32>, tensor<4x6xi64>
  }
  return
}

// -----
func.func @fusion_sort_of_scan(%x: tensor<4xf32>) {
  // expected-error@+1 {{"f" of kind "sort" has no sort}}
  %0 = tx.fusion "sort" "f" (%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %s = tx.cumsum %a dim = 0 : tensor<4xf32>
    tx.yield %s : tensor<4xf32>
  }
  return
}

// -----
func.func @fusion_two_contractions(%x: tensor<4x4xf32>) {
  %0 = tx.fusion "contraction" "f" (%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %d = tx.dot_general %a, %a batch = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error@+1 {{a fusion holds one contraction}}
    %e = tx.dot_general %d, %a batch = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    tx.yield %e : tensor<4x4xf32>
  }
  return
}

// -----
func.func @fusion_contraction(%x: tensor<4x6xf32>, %y: tensor<6x8xf32>) {
  %0 = tx.fusion "contraction" "f" (%x, %y) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    // expected-error@+1 {{output #0 of fusion "f" has shape [4,4], but a kernel of kind "contraction" stores [4,8] here}}
    %s = tx.slice %d offsets = [0, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<4x4xf32>
    tx.yield %s : tensor<4x4xf32>
  }
  return
}

// -----
// Any order of the dims, but one.
func.func @fusion_contraction_orders(%x: tensor<4x6xf32>, %y: tensor<6x8xf32>) {
  %0:2 = tx.fusion "contraction" "f" (%x, %y) : (tensor<4x6xf32>, tensor<6x8xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>) {
  ^bb0(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>):
    // expected-error@+1 {{output #1 of fusion "f" has shape [4,8], but a kernel of kind "contraction" stores [8,4] here}}
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %t = tx.transpose %d permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
    tx.yield %t, %d : tensor<8x4xf32>, tensor<4x8xf32>
  }
  return
}

// -----
func.func @fusion_attention(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{"f" of kind "attention" has no contraction}}
  %0 = tx.fusion "attention" "f" (%x) : (tensor<4x6xf32>) -> tensor<4x6xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    tx.yield %a : tensor<4x6xf32>
  }
  return
}

// -----
func.func @fusion_scatter(%x: tensor<50xf32>, %i: tensor<60xi64>, %u: tensor<60xf32>) {
  // expected-error@+1 {{"f" of kind "scatter" must yield its scatter's result alone}}
  %0:2 = tx.fusion "scatter" "f" (%x, %i, %u) : (tensor<50xf32>, tensor<60xi64>, tensor<60xf32>) -> (tensor<50xf32>, tensor<60xf32>) {
  ^bb0(%a: tensor<50xf32>, %j: tensor<60xi64>, %b: tensor<60xf32>):
    %s = tx.scatter "add" %a, %j, %b update_window_dims = [] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
        index_vector_dim = 1 : (tensor<50xf32>, tensor<60xi64>, tensor<60xf32>) -> tensor<50xf32>
    tx.yield %s, %b : tensor<50xf32>, tensor<60xf32>
  }
  return
}

// -----
// expected-note@+1 {{it is made here}}
func.func @if_predicate(%p: tensor<2xi1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{the predicate has shape [2], not one element: tx.any or tx.all makes one of several}}
  %0 = tx.if %p (%x) : tensor<2xi1>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tx.return %a : tensor<4xf32>
  } else {
  ^bb0(%a: tensor<4xf32>):
    tx.return %a : tensor<4xf32>
  }
  return
}

// -----
// expected-note@+1 {{it is made here}}
func.func @if_named(%p: tensor<?xi1, #tx.dims<[n]>>) {
  // expected-error@+1 {{the predicate has shape [n], not one element}}
  tx.if %p () : tensor<?xi1, #tx.dims<[n]>>, () -> () {
    tx.return
  } else {
    tx.return
  }
  return
}

// -----
// expected-note@+1 {{'tensor<4xf32>' is made here}}
func.func @if_arguments(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{argument 0 of a block is 'tensor<5xf32>', not 'tensor<4xf32>': tx.broadcast makes them alike}}
  %0 = tx.if %p (%x) : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tx.return %a : tensor<4xf32>
  } else {
  // expected-note@+1 {{'tensor<5xf32>' is made here}}
  ^bb0(%a: tensor<5xf32>):
    %s = tx.slice %a offsets = [0] strides = [1] : tensor<5xf32> -> tensor<4xf32>
    tx.return %s : tensor<4xf32>
  }
  return
}

// -----
func.func @if_results(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{result 0 of block 1 is 'tensor<f32>', not 'tensor<4xf32>': tx.broadcast makes them alike}}
  %0 = tx.if %p (%x) : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{'tensor<4xf32>' is made here}}
  ^bb0(%a: tensor<4xf32>):
    tx.return %a : tensor<4xf32>
  } else {
  ^bb0(%a: tensor<4xf32>):
    // expected-note@+1 {{'tensor<f32>' is made here}}
    %s = tx.sum %a dims = [0] : tensor<4xf32> -> tensor<f32>
    tx.return %s : tensor<f32>
  }
  return
}

// -----
// expected-note@+1 {{it is made here}}
func.func @switch_index(%i: tensor<2xi32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{the index has shape [2], not one element: tx.slice takes one of several}}
  %0 = tx.switch %i (%x) : tensor<2xi32>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tx.return %a : tensor<4xf32>
  }
  return
}

// -----
func.func @switch_float(%i: tensor<f32>) {
  // expected-error@+1 {{'tx.switch' op operand #0 must be ranked tensor of i32 or i64}}
  tx.switch %i () : tensor<f32>, () -> () {
    tx.return
  }
  return
}

// -----
func.func @switch_arguments(%i: tensor<i64>, %x: tensor<4xf32>) {
  // expected-error@+1 {{a block has 0 arguments, not the 1 inputs}}
  tx.switch %i (%x) : tensor<i64>, (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    tx.return
  }, {
    tx.return
  }
  return
}

// -----
func.func @switch_results(%i: tensor<i64>, %x: tensor<4xf32>) {
  // expected-error@+1 {{block 2 returns 0 values, not 1: all blocks return the op's results}}
  %0 = tx.switch %i (%x) : tensor<i64>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tx.return %a : tensor<4xf32>
  }, {
  ^bb0(%a: tensor<4xf32>):
    tx.return %a : tensor<4xf32>
  }, {
  ^bb0(%a: tensor<4xf32>):
    // expected-note@+1 {{they are returned here}}
    tx.return
  }
  return
}

// -----
func.func @switch_blocks(%i: tensor<i64>) {
  // expected-error@+1 {{'tx.switch' op has no blocks}}
  "tx.switch"(%i) : (tensor<i64>) -> ()
  return
}

// -----
func.func @vjp_gradient(%x: tensor<2xf32>) {
  // expected-error@+1 {{gradient 0 is 'tensor<f32>', not 'tensor<2xf32>'}}
  %0 = tx.custom_vjp arguments = 1 results = 1 (%x) : (tensor<2xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<2xf32>):
    %s = tx.sum %a dims = [0] : tensor<2xf32> -> tensor<f32>
    tx.return %s : tensor<f32>
  } gradient {
  ^bb0(%g: tensor<f32>):
    tx.return %g : tensor<f32>
  }
  return
}

// -----
func.func @vjp_arguments(%x: tensor<2xf32>) {
  // expected-error@+1 {{the second block's arguments are not what the first one kept, cotangents, and the other inputs}}
  %0 = tx.custom_vjp arguments = 1 results = 1 (%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    tx.return %a : tensor<2xf32>
  } gradient {
  ^bb0(%g: tensor<2xf32>, %h: tensor<2xf32>):
    tx.return %g : tensor<2xf32>
  }
  return
}

// -----
func.func @while_inputs() {
  // expected-error@+1 {{has 1 results, but only 0 inputs}}
  %0 = tx.while () : () -> tensor<f32> {
    %p = tx.constant dense<true> : tensor<i1>
    tx.return %p : tensor<i1>
  } do {
    %z = tx.constant dense<0.0> : tensor<f32>
    tx.return %z : tensor<f32>
  }
  return
}

// -----
func.func @while_most(%x: tensor<f32>) {
  // expected-error@+1 {{at most 0 iterations are none}}
  %0 = tx.while most = 0 (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %p = tx.constant dense<true> : tensor<i1>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<f32>):
    tx.return %a : tensor<f32>
  }
  return
}

// -----
func.func @while_condition(%x: tensor<2xf32>) {
  // expected-error@+1 {{the condition is 'tensor<2xi1>', not one element of i1: tx.any or tx.all makes one of several}}
  %0 = tx.while (%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    // expected-note@+1 {{it is made here}}
    %p = tx.lt %a, %a : tensor<2xf32>
    tx.return %p : tensor<2xi1>
  } do {
  ^bb0(%a: tensor<2xf32>):
    tx.return %a : tensor<2xf32>
  }
  return
}

// -----
// expected-note@+1 {{'tensor<2xf32>' is made here}}
func.func @while_carried(%x: tensor<2xf32>) {
  // expected-error@+1 {{carried value 0 after an iteration is 'tensor<f32>', not 'tensor<2xf32>': tx.broadcast makes them alike}}
  %0 = tx.while (%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %p = tx.constant dense<true> : tensor<i1>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<2xf32>):
    // expected-note@+1 {{'tensor<f32>' is made here}}
    %s = tx.sum %a dims = [0] : tensor<2xf32> -> tensor<f32>
    tx.return %s : tensor<f32>
  }
  return
}

// -----
// expected-note@+1 {{'tensor<f32>' is made here}}
func.func @scan_carried(%h: tensor<f32>, %x: tensor<3xf32>) {
  // expected-error@+1 {{'tx.scan' op carried value 0 after an iteration is 'tensor<f64>', not 'tensor<f32>': tx.convert makes them alike}}
  %0 = tx.scan <[3]> carried = 1 scanned = 1 (%h, %x) : (tensor<f32>, tensor<3xf32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %part: tensor<f32>):
    // expected-note@+1 {{'tensor<f64>' is made here}}
    %s = tx.convert %a : tensor<f32> -> tensor<f64>
    tx.return %s : tensor<f64>
  }
  return
}

// -----
func.func @scan_counts(%x: tensor<2xf32>) {
  // expected-error@+1 {{has 1 inputs, not 1 and 1}}
  %0 = tx.scan <[3]> carried = 1 scanned = 1 (%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>):
    tx.return %a : tensor<2xf32>
  }
  return
}

// -----
func.func @scan_length(%x: tensor<2xf32>) {
  // expected-error@+1 {{input 0 is 'tensor<2xf32>', whose first size is not 3}}
  tx.scan <[3]> carried = 0 scanned = 1 (%x) : (tensor<2xf32>) -> () {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
    tx.return
  }
  return
}

// -----
func.func @scan_arguments(%x: tensor<3xf32>) {
  // expected-error@+1 {{the block's arguments are not the number of the iteration, what is carried, parts of what is scanned, and the other inputs}}
  tx.scan <[3]> carried = 0 scanned = 1 (%x) : (tensor<3xf32>) -> () {
  ^bb0(%a: tensor<f32>):
    tx.return
  }
  return
}

// -----
func.func @scan_stacked(%x: tensor<3xf32>) {
  // expected-error@+1 {{part of result 0 is 'tensor<f32>', not 'tensor<2xf32>'}}
  %0 = tx.scan <[3]> carried = 0 scanned = 1 (%x) : (tensor<3xf32>) -> tensor<3x2xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
    tx.return %a : tensor<f32>
  }
  return
}

// -----
func.func @scan_results(%x: tensor<3xf32>) {
  // expected-error@+1 {{the block returns 1 values, not 0}}
  tx.scan <[3]> carried = 0 scanned = 1 (%x) : (tensor<3xf32>) -> () {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
    tx.return %a : tensor<f32>
  }
  return
}

// -----
// What a block reads, it is given.
func.func @if_capture(%p: tensor<i1>, %x: tensor<4xf32>) {
  %0 = tx.if %p () : tensor<i1>, () -> tensor<4xf32> {
    // expected-error@+1 {{use of undeclared SSA value name}}
    tx.return %x : tensor<4xf32>
  } else {
    // expected-error@+1 {{use of undeclared SSA value name}}
    tx.return %x : tensor<4xf32>
  }
  return
}

// -----
// expected-error@+1 {{dimension 0 is ? in the shape but 4 in #tx.dims}}
func.func private @dims(tensor<?xf32, #tx.dims<[4]>>)

// -----
// expected-error@+1 {{#tx.dims names 2 dimensions of a tensor of rank 1}}
func.func private @dims(tensor<?xf32, #tx.dims<[n, m]>>)

// -----
// expected-error@+1 {{divisor must be positive}}
func.func private @dims(tensor<?xf32, #tx.dims<[n floordiv 0]>>)

// -----
// expected-error@+1 {{tx.scalar belongs on a tensor of rank 0, not on 'tensor<4xf32>'}}
func.func @scalar(%x: tensor<4xf32> {tx.scalar}) {
  return
}

// -----
// expected-error@+1 {{tx.symbol is a name for an argument of type index}}
func.func @symbol(%x: tensor<4xf32> {tx.symbol = "k"}) {
  return
}

// -----
// expected-error@+1 {{impossible bounds of "n"}}
func.func @symbols() attributes {tx.symbols = [#tx.symbol<"n", min = 4, max = 2>]} {
  return
}

// -----
// expected-error@+1 {{unknown argument attribute 'tx.nmae'}}
func.func @attribute(%x: tensor<4xf32> {tx.nmae = "x"}) {
  return
}

// -----

func.func @windows(%x: tensor<2x5xf32>) {
  // expected-error @+1 {{a window of 7 does not fit into dimension 1 of [2,5]}}
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [1] dilations = [3] : tensor<2x5xf32> -> tensor<2x1x3xf32>
  return
}

// -----

func.func @windows(%x: tensor<2x5xf32>) {
  // expected-error @+1 {{dimension 1 of the result is 3 but must be 2}}
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [2] dilations = [1] : tensor<2x5xf32> -> tensor<2x3x3xf32>
  return
}

// -----

func.func @windows(%x: tensor<2x5xf32>) {
  // expected-error @+1 {{size, stride and dilation of dimension 1 must be positive and below 2^31, not 0}}
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [0] dilations = [1] : tensor<2x5xf32> -> tensor<2x3x3xf32>
  return
}

// -----

func.func @windows(%x: tensor<2x5xf32>) {
  // expected-error @+1 {{size, stride and dilation of dimension 1 must be positive and below 2^31, not 2147483648}}
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [2147483648] dilations = [1] : tensor<2x5xf32> -> tensor<2x1x3xf32>
  return
}

// -----

func.func @windows(%x: tensor<2x5xf32>) {
  // expected-error @+1 {{dims must differ and lie inside rank 2}}
  %0 = tx.windows %x dims = [1, 1] sizes = [2, 2] strides = [1, 1] dilations = [1, 1] : tensor<2x5xf32> -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @custom_call(%x: tensor<4xf32>) {
  // expected-error@+1 {{has no name}}
  %0 = tx.custom_call ""(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call(%x: tensor<4xf32>) {
  // expected-error@+1 {{has no output}}
  tx.custom_call "app.f"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----
func.func @f8(%x: tensor<4xf8E4M3FN>) {
  // expected-error@+1 {{must be ranked tensor of integers, floats or complex numbers (i4, ui4 and f8 are storage: tx.convert first), but got 'tensor<4xf8E4M3FN>'}}
  %0 = tx.add %x, %x : tensor<4xf8E4M3FN>
  return
}

// -----
func.func @f8(%x: tensor<4xf8E5M2>) {
  // expected-error@+1 {{storage: tx.convert first}}
  %0 = tx.sort %x dim = 0 : tensor<4xf8E5M2>
  return
}

// -----
func.func @i4(%x: tensor<4xi4>) {
  // expected-error@+1 {{storage: tx.convert first}}
  %0 = tx.lt %x, %x : tensor<4xi4>
  return
}

// -----
func.func @ui4(%x: tensor<4xui4>) {
  // expected-error@+1 {{storage: tx.convert first}}
  %0 = tx.reduce_max %x dims = [0] : tensor<4xui4> -> tensor<ui4>
  return
}

// -----
func.func @i4(%x: tensor<4xi4>) {
  // expected-error@+1 {{dtypes must have one width, not 'i4' and 'i8'}}
  %0 = tx.bitcast %x : tensor<4xi4> -> tensor<4xi8>
  return
}

// -----
func.func @i4(%x: tensor<5xi4>) {
  // expected-error@+1 {{operand has 3 bytes, the result 2}}
  %0 = tx.reinterpret %x : tensor<5xi4> -> tensor<2xi8>
  return
}

// -----
// expected-error@+1 {{tx.scalar: a value of 'i4' is not passed alone; pass i8 and tx.convert it}}
func.func @i4(%x: tensor<i4> {tx.scalar}) {
  return
}

// -----
// expected-error@+1 {{tx.scalar: a value of 'complex<f32>' is not passed alone; pass its parts and tx.complex them}}
func.func @complex(%x: tensor<complex<f32>> {tx.scalar}) {
  return
}

// -----
func.func @complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{from 'complex<f32>' to 'f32' would lose the imaginary part; take tx.real}}
  %0 = tx.convert %x : tensor<4xcomplex<f32>> -> tensor<4xf32>
  return
}

// -----
func.func @complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{the parts of 'complex<f32>' are 'f32', not 'f64'}}
  %0 = tx.real %x : tensor<4xcomplex<f32>> -> tensor<4xf64>
  return
}

// -----
func.func @complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of i1, integers or floats}}
  %0 = tx.max %x, %x : tensor<4xcomplex<f32>>
  return
}

// -----
func.func @scatter(%x: tensor<4xf8E5M2>, %i: tensor<1x1xi64>, %u: tensor<1xf8E5M2>) {
  // expected-error@+1 {{cannot add 'f8E5M2', which is storage: tx.convert first}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [] inserted_window_dims = [0]
      scatter_dims_to_operand_dims = [0] index_vector_dim = 1
      : (tensor<4xf8E5M2>, tensor<1x1xi64>, tensor<1xf8E5M2>) -> tensor<4xf8E5M2>
  return
}

// -----
// In a module, operands need not come before their users.
// expected-error@+1 {{'tx.neg' op must be in a function}}
%y = tx.neg %y : tensor<4xf32>

// -----

func.func @kept_size(%x: tensor<2x4x3xf32>) -> tensor<2x5x7xf32> {
  // expected-error @+1 {{sizes must be positive, and those of other dims are kept: [2,4,3] to [2,5,7]}}
  %0 = tx.interpolate %x dims = [2] : (tensor<2x4x3xf32>) -> tensor<2x5x7xf32>
  return %0 : tensor<2x5x7xf32>
}

// -----

func.func @no_size(%x: tensor<2x4x3xf32>) -> tensor<2x4x0xf32> {
  // expected-error @+1 {{sizes must be positive, and those of other dims are kept: [2,4,3] to [2,4,0]}}
  %0 = tx.interpolate %x dims = [2] : (tensor<2x4x3xf32>) -> tensor<2x4x0xf32>
  return %0 : tensor<2x4x0xf32>
}

// -----

func.func @rank(%x: tensor<2x4x3xf32>) -> tensor<4x7xf32> {
  // expected-error @+1 {{the result has rank 2, and x has rank 3}}
  %0 = tx.interpolate %x dims = [2] : (tensor<2x4x3xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}
