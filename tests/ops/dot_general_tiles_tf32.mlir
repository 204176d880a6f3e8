// Contractions of f32 that are rounded to tf32, which chips with instructions for tf32 do in tiles.
//
// RUN: %run_op --entry=rounded | FileCheck %s
// RUN: %run_op --entry=layouts --random-inputs --compare=reference
// RUN: %run_op --entry=long --random-inputs --compare=reference

// 1 + 2^-11 is halfway between 1 and 1 + 2^-10, and is rounded to even, as is
// 1 + 3 * 2^-11. Infinities and NaN stay, also a NaN with none of the bits of
// tf32.
// CHECK:      out0: f32[1,7]
// CHECK-NEXT: {{\[\[}}32, 32.0625, 32, -32.03125, inf, nan, nan]]
func.func @rounded() -> tensor<1x7xf32> {
  %n = tx.constant dense<[1.00048828125, 1.00146484375, 1.00048816204071, -1.00048840045929, 0x7F800000, 0x7FC00000, 0x7F800001]> : tensor<7xf32>
  %x = tx.broadcast %n dims = [1] : tensor<7xf32> -> tensor<32x7xf32>
  %ones = tx.constant dense<1.0> : tensor<17x32xf32>
  %x_bits = tx.bitcast %x : tensor<32x7xf32> -> tensor<32x7xui32>
  %x_c13 = tx.constant dense<13> : tensor<32x7xui32>
  %x_c1 = tx.constant dense<1> : tensor<32x7xui32>
  %x_half = tx.constant dense<4095> : tensor<32x7xui32>
  %x_mask = tx.constant dense<4294959104> : tensor<32x7xui32>
  %x_shifted = tx.shr_logical %x_bits, %x_c13 : tensor<32x7xui32>
  %x_last = tx.and %x_shifted, %x_c1 : tensor<32x7xui32>
  %x_up = tx.add %x_last, %x_half : tensor<32x7xui32>
  %x_sum = tx.add %x_bits, %x_up : tensor<32x7xui32>
  %x_kept = tx.and %x_sum, %x_mask : tensor<32x7xui32>
  %x_number = tx.bitcast %x_kept : tensor<32x7xui32> -> tensor<32x7xf32>
  %x_finite = tx.is_finite %x : tensor<32x7xf32>
  %x_quiet = tx.add %x, %x : tensor<32x7xf32>
  %x_r = tx.select %x_finite, %x_number, %x_quiet : tensor<32x7xi1>, tensor<32x7xf32>
  %0 = tx.dot_general %ones, %x_r batch = [] x [] contracting = [1] x [0]
      : (tensor<17x32xf32>, tensor<32x7xf32>) -> tensor<17x7xf32>
  %1 = tx.slice %0 offsets = [16, 0] strides = [1, 1] : tensor<17x7xf32> -> tensor<1x7xf32>
  return %1 : tensor<1x7xf32>
}

// Each operand contiguous along K, or along its rows; one is converted from f16.
func.func @layouts(%a: tensor<40x70xf32>, %b: tensor<24x70xf32>, %c: tensor<70x48xf32>, %d: tensor<70x32xf16>)
    -> (tensor<40x24xf32>, tensor<40x48xf32>, tensor<48x32xf32>) {
  %a_bits = tx.bitcast %a : tensor<40x70xf32> -> tensor<40x70xui32>
  %a_c13 = tx.constant dense<13> : tensor<40x70xui32>
  %a_c1 = tx.constant dense<1> : tensor<40x70xui32>
  %a_half = tx.constant dense<4095> : tensor<40x70xui32>
  %a_mask = tx.constant dense<4294959104> : tensor<40x70xui32>
  %a_shifted = tx.shr_logical %a_bits, %a_c13 : tensor<40x70xui32>
  %a_last = tx.and %a_shifted, %a_c1 : tensor<40x70xui32>
  %a_up = tx.add %a_last, %a_half : tensor<40x70xui32>
  %a_sum = tx.add %a_bits, %a_up : tensor<40x70xui32>
  %a_kept = tx.and %a_sum, %a_mask : tensor<40x70xui32>
  %a_number = tx.bitcast %a_kept : tensor<40x70xui32> -> tensor<40x70xf32>
  %a_finite = tx.is_finite %a : tensor<40x70xf32>
  %a_quiet = tx.add %a, %a : tensor<40x70xf32>
  %a_r = tx.select %a_finite, %a_number, %a_quiet : tensor<40x70xi1>, tensor<40x70xf32>
  %b_bits = tx.bitcast %b : tensor<24x70xf32> -> tensor<24x70xui32>
  %b_c13 = tx.constant dense<13> : tensor<24x70xui32>
  %b_c1 = tx.constant dense<1> : tensor<24x70xui32>
  %b_half = tx.constant dense<4095> : tensor<24x70xui32>
  %b_mask = tx.constant dense<4294959104> : tensor<24x70xui32>
  %b_shifted = tx.shr_logical %b_bits, %b_c13 : tensor<24x70xui32>
  %b_last = tx.and %b_shifted, %b_c1 : tensor<24x70xui32>
  %b_up = tx.add %b_last, %b_half : tensor<24x70xui32>
  %b_sum = tx.add %b_bits, %b_up : tensor<24x70xui32>
  %b_kept = tx.and %b_sum, %b_mask : tensor<24x70xui32>
  %b_number = tx.bitcast %b_kept : tensor<24x70xui32> -> tensor<24x70xf32>
  %b_finite = tx.is_finite %b : tensor<24x70xf32>
  %b_quiet = tx.add %b, %b : tensor<24x70xf32>
  %b_r = tx.select %b_finite, %b_number, %b_quiet : tensor<24x70xi1>, tensor<24x70xf32>
  %c_bits = tx.bitcast %c : tensor<70x48xf32> -> tensor<70x48xui32>
  %c_c13 = tx.constant dense<13> : tensor<70x48xui32>
  %c_c1 = tx.constant dense<1> : tensor<70x48xui32>
  %c_half = tx.constant dense<4095> : tensor<70x48xui32>
  %c_mask = tx.constant dense<4294959104> : tensor<70x48xui32>
  %c_shifted = tx.shr_logical %c_bits, %c_c13 : tensor<70x48xui32>
  %c_last = tx.and %c_shifted, %c_c1 : tensor<70x48xui32>
  %c_up = tx.add %c_last, %c_half : tensor<70x48xui32>
  %c_sum = tx.add %c_bits, %c_up : tensor<70x48xui32>
  %c_kept = tx.and %c_sum, %c_mask : tensor<70x48xui32>
  %c_number = tx.bitcast %c_kept : tensor<70x48xui32> -> tensor<70x48xf32>
  %c_finite = tx.is_finite %c : tensor<70x48xf32>
  %c_quiet = tx.add %c, %c : tensor<70x48xf32>
  %c_r = tx.select %c_finite, %c_number, %c_quiet : tensor<70x48xi1>, tensor<70x48xf32>
  %w = tx.convert %d : tensor<70x32xf16> -> tensor<70x32xf32>
  %0 = tx.dot_general %a_r, %b_r batch = [] x [] contracting = [1] x [1]
      : (tensor<40x70xf32>, tensor<24x70xf32>) -> tensor<40x24xf32>
  %1 = tx.dot_general %a_r, %c_r batch = [] x [] contracting = [1] x [0]
      : (tensor<40x70xf32>, tensor<70x48xf32>) -> tensor<40x48xf32>
  %2 = tx.dot_general %c_r, %w batch = [] x [] contracting = [0] x [0]
      : (tensor<70x48xf32>, tensor<70x32xf32>) -> tensor<48x32xf32>
  return %0, %1, %2 : tensor<40x24xf32>, tensor<40x48xf32>, tensor<48x32xf32>
}

// Few tiles and many steps: parts of k, the last one shorter, and an epilogue.
func.func @long(%x: tensor<17x1100xf32>, %y: tensor<1100x20xf32>, %z: tensor<20xf32>) -> tensor<17x20xf32> {
  %x_bits = tx.bitcast %x : tensor<17x1100xf32> -> tensor<17x1100xui32>
  %x_c13 = tx.constant dense<13> : tensor<17x1100xui32>
  %x_c1 = tx.constant dense<1> : tensor<17x1100xui32>
  %x_half = tx.constant dense<4095> : tensor<17x1100xui32>
  %x_mask = tx.constant dense<4294959104> : tensor<17x1100xui32>
  %x_shifted = tx.shr_logical %x_bits, %x_c13 : tensor<17x1100xui32>
  %x_last = tx.and %x_shifted, %x_c1 : tensor<17x1100xui32>
  %x_up = tx.add %x_last, %x_half : tensor<17x1100xui32>
  %x_sum = tx.add %x_bits, %x_up : tensor<17x1100xui32>
  %x_kept = tx.and %x_sum, %x_mask : tensor<17x1100xui32>
  %x_number = tx.bitcast %x_kept : tensor<17x1100xui32> -> tensor<17x1100xf32>
  %x_finite = tx.is_finite %x : tensor<17x1100xf32>
  %x_quiet = tx.add %x, %x : tensor<17x1100xf32>
  %x_r = tx.select %x_finite, %x_number, %x_quiet : tensor<17x1100xi1>, tensor<17x1100xf32>
  %y_bits = tx.bitcast %y : tensor<1100x20xf32> -> tensor<1100x20xui32>
  %y_c13 = tx.constant dense<13> : tensor<1100x20xui32>
  %y_c1 = tx.constant dense<1> : tensor<1100x20xui32>
  %y_half = tx.constant dense<4095> : tensor<1100x20xui32>
  %y_mask = tx.constant dense<4294959104> : tensor<1100x20xui32>
  %y_shifted = tx.shr_logical %y_bits, %y_c13 : tensor<1100x20xui32>
  %y_last = tx.and %y_shifted, %y_c1 : tensor<1100x20xui32>
  %y_up = tx.add %y_last, %y_half : tensor<1100x20xui32>
  %y_sum = tx.add %y_bits, %y_up : tensor<1100x20xui32>
  %y_kept = tx.and %y_sum, %y_mask : tensor<1100x20xui32>
  %y_number = tx.bitcast %y_kept : tensor<1100x20xui32> -> tensor<1100x20xf32>
  %y_finite = tx.is_finite %y : tensor<1100x20xf32>
  %y_quiet = tx.add %y, %y : tensor<1100x20xf32>
  %y_r = tx.select %y_finite, %y_number, %y_quiet : tensor<1100x20xi1>, tensor<1100x20xf32>
  %0 = tx.dot_general %x_r, %y_r batch = [] x [] contracting = [1] x [0]
      : (tensor<17x1100xf32>, tensor<1100x20xf32>) -> tensor<17x20xf32>
  %1 = tx.broadcast %z dims = [1] : tensor<20xf32> -> tensor<17x20xf32>
  %2 = tx.add %0, %1 : tensor<17x20xf32>
  return %2 : tensor<17x20xf32>
}
