// f8 to and from every other kind of number: all 256 codes, all f16 and bf16,
// and f32, f64 and i64 about every value and every middle between two.
//
// RUN: rm -rf %t && %python %S/Inputs/f8_cases.py make %t
// RUN: %run_op --entry=up --input=a=%t/codes.npy --input=b=%t/codes.npy --output-dir=%t/up
// RUN: %run_op --entry=down --input=%t/f16.npy --input=%t/bf16.npy --input=%t/f32.npy --input=%t/f64.npy --input=%t/i64.npy --output-dir=%t/down
// RUN: %python %S/Inputs/f8_cases.py check %t
// RUN: %npy %t/x.npy f32 '[[1, 0]]'
// RUN: %npy %t/y.npy f32 '[[1] + [0] * 63, [0, 1] + [0] * 62, [0, 0, 1] + [0] * 61, [0, 0, 0, 1] + [0] * 60]'
// RUN: %run_op --entry=products --input=x=%t/x.npy --input=y=%t/y.npy --input=a=%t/rows.npy --input=b=%t/rows.npy --input=c=%t/columns.npy --input=d=%t/columns.npy --compare=reference
func.func @up(%a: tensor<256xf8E4M3FN> {tx.name = "a"}, %b: tensor<256xf8E5M2> {tx.name = "b"})
    -> (tensor<256xf16> {tx.name = "e4m3_f16"}, tensor<256xbf16> {tx.name = "e4m3_bf16"},
        tensor<256xf32> {tx.name = "e4m3_f32"}, tensor<256xf64> {tx.name = "e4m3_f64"},
        tensor<256xi32> {tx.name = "e4m3_i32"}, tensor<256xui8> {tx.name = "e4m3_ui8"},
        tensor<256xi1> {tx.name = "e4m3_i1"}, tensor<256xf8E5M2> {tx.name = "e4m3_e5m2"},
        tensor<256xf16> {tx.name = "e5m2_f16"}, tensor<256xbf16> {tx.name = "e5m2_bf16"},
        tensor<256xf32> {tx.name = "e5m2_f32"}, tensor<256xf64> {tx.name = "e5m2_f64"},
        tensor<256xi32> {tx.name = "e5m2_i32"}, tensor<256xui8> {tx.name = "e5m2_ui8"},
        tensor<256xi1> {tx.name = "e5m2_i1"}, tensor<256xf8E4M3FN> {tx.name = "e5m2_e4m3"}) {
  %0 = tx.convert %a : tensor<256xf8E4M3FN> -> tensor<256xf16>
  %1 = tx.convert %a : tensor<256xf8E4M3FN> -> tensor<256xbf16>
  %2 = tx.convert %a : tensor<256xf8E4M3FN> -> tensor<256xf32>
  %3 = tx.convert %a : tensor<256xf8E4M3FN> -> tensor<256xf64>
  %4 = tx.convert %a : tensor<256xf8E4M3FN> -> tensor<256xi32>
  %5 = tx.convert %a : tensor<256xf8E4M3FN> -> tensor<256xui8>
  %6 = tx.convert %a : tensor<256xf8E4M3FN> -> tensor<256xi1>
  %7 = tx.convert %a : tensor<256xf8E4M3FN> -> tensor<256xf8E5M2>
  %8 = tx.convert %b : tensor<256xf8E5M2> -> tensor<256xf16>
  %9 = tx.convert %b : tensor<256xf8E5M2> -> tensor<256xbf16>
  %10 = tx.convert %b : tensor<256xf8E5M2> -> tensor<256xf32>
  %11 = tx.convert %b : tensor<256xf8E5M2> -> tensor<256xf64>
  %12 = tx.convert %b : tensor<256xf8E5M2> -> tensor<256xi32>
  %13 = tx.convert %b : tensor<256xf8E5M2> -> tensor<256xui8>
  %14 = tx.convert %b : tensor<256xf8E5M2> -> tensor<256xi1>
  %15 = tx.convert %b : tensor<256xf8E5M2> -> tensor<256xf8E4M3FN>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15
      : tensor<256xf16>, tensor<256xbf16>, tensor<256xf32>, tensor<256xf64>, tensor<256xi32>,
        tensor<256xui8>, tensor<256xi1>, tensor<256xf8E5M2>, tensor<256xf16>, tensor<256xbf16>,
        tensor<256xf32>, tensor<256xf64>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>,
        tensor<256xf8E4M3FN>
}

func.func @down(%f16: tensor<?xf16, #tx.dims<[n_f16]>>, %bf16: tensor<?xbf16, #tx.dims<[n_bf16]>>,
         %f32: tensor<?xf32, #tx.dims<[n_f32]>>, %f64: tensor<?xf64, #tx.dims<[n_f64]>>,
         %i64: tensor<?xi64, #tx.dims<[n_i64]>>)
    -> (tensor<?xf8E4M3FN, #tx.dims<[n_f16]>> {tx.name = "f16_e4m3"},
        tensor<?xf8E5M2, #tx.dims<[n_f16]>> {tx.name = "f16_e5m2"},
        tensor<?xf8E4M3FN, #tx.dims<[n_bf16]>> {tx.name = "bf16_e4m3"},
        tensor<?xf8E5M2, #tx.dims<[n_bf16]>> {tx.name = "bf16_e5m2"},
        tensor<?xf8E4M3FN, #tx.dims<[n_f32]>> {tx.name = "f32_e4m3"},
        tensor<?xf8E5M2, #tx.dims<[n_f32]>> {tx.name = "f32_e5m2"},
        tensor<?xf8E4M3FN, #tx.dims<[n_f64]>> {tx.name = "f64_e4m3"},
        tensor<?xf8E5M2, #tx.dims<[n_f64]>> {tx.name = "f64_e5m2"},
        tensor<?xf8E4M3FN, #tx.dims<[n_i64]>> {tx.name = "i64_e4m3"},
        tensor<?xf8E5M2, #tx.dims<[n_i64]>> {tx.name = "i64_e5m2"}) {
  %0 = tx.convert %f16 : tensor<?xf16, #tx.dims<[n_f16]>>
      -> tensor<?xf8E4M3FN, #tx.dims<[n_f16]>>
  %1 = tx.convert %f16 : tensor<?xf16, #tx.dims<[n_f16]>>
      -> tensor<?xf8E5M2, #tx.dims<[n_f16]>>
  %2 = tx.convert %bf16 : tensor<?xbf16, #tx.dims<[n_bf16]>>
      -> tensor<?xf8E4M3FN, #tx.dims<[n_bf16]>>
  %3 = tx.convert %bf16 : tensor<?xbf16, #tx.dims<[n_bf16]>>
      -> tensor<?xf8E5M2, #tx.dims<[n_bf16]>>
  %4 = tx.convert %f32 : tensor<?xf32, #tx.dims<[n_f32]>>
      -> tensor<?xf8E4M3FN, #tx.dims<[n_f32]>>
  %5 = tx.convert %f32 : tensor<?xf32, #tx.dims<[n_f32]>>
      -> tensor<?xf8E5M2, #tx.dims<[n_f32]>>
  %6 = tx.convert %f64 : tensor<?xf64, #tx.dims<[n_f64]>>
      -> tensor<?xf8E4M3FN, #tx.dims<[n_f64]>>
  %7 = tx.convert %f64 : tensor<?xf64, #tx.dims<[n_f64]>>
      -> tensor<?xf8E5M2, #tx.dims<[n_f64]>>
  %8 = tx.convert %i64 : tensor<?xi64, #tx.dims<[n_i64]>>
      -> tensor<?xf8E4M3FN, #tx.dims<[n_i64]>>
  %9 = tx.convert %i64 : tensor<?xi64, #tx.dims<[n_i64]>>
      -> tensor<?xf8E5M2, #tx.dims<[n_i64]>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
      : tensor<?xf8E4M3FN, #tx.dims<[n_f16]>>, tensor<?xf8E5M2, #tx.dims<[n_f16]>>,
        tensor<?xf8E4M3FN, #tx.dims<[n_bf16]>>, tensor<?xf8E5M2, #tx.dims<[n_bf16]>>,
        tensor<?xf8E4M3FN, #tx.dims<[n_f32]>>, tensor<?xf8E5M2, #tx.dims<[n_f32]>>,
        tensor<?xf8E4M3FN, #tx.dims<[n_f64]>>, tensor<?xf8E5M2, #tx.dims<[n_f64]>>,
        tensor<?xf8E4M3FN, #tx.dims<[n_i64]>>, tensor<?xf8E5M2, #tx.dims<[n_i64]>>
}

// Of 64 codes at a time, which lie side by side, and in the words of columns that are turned. One product of each sum is not of 0.
func.func @products(%x: tensor<1x2xf32> {tx.name = "x"}, %y: tensor<4x64xf32> {tx.name = "y"},
                    %a: tensor<512xf8E4M3FN> {tx.name = "a"}, %b: tensor<512xf8E5M2> {tx.name = "b"},
                    %c: tensor<16384xf8E4M3FN> {tx.name = "c"}, %d: tensor<16384xf8E5M2> {tx.name = "d"})
    -> (tensor<1x256xf32>, tensor<1x256xf32>, tensor<4x256xf32>, tensor<4x256xf32>) {
  %0 = tx.reshape %a : tensor<512xf8E4M3FN> -> tensor<2x256xf8E4M3FN>
  %1 = tx.convert %0 : tensor<2x256xf8E4M3FN> -> tensor<2x256xf32>
  %2 = tx.dot_general %x, %1 batch = [] x [] contracting = [1] x [0] : (tensor<1x2xf32>, tensor<2x256xf32>) -> tensor<1x256xf32>
  %3 = tx.reshape %b : tensor<512xf8E5M2> -> tensor<2x256xf8E5M2>
  %4 = tx.convert %3 : tensor<2x256xf8E5M2> -> tensor<2x256xf32>
  %5 = tx.dot_general %x, %4 batch = [] x [] contracting = [1] x [0] : (tensor<1x2xf32>, tensor<2x256xf32>) -> tensor<1x256xf32>
  %6 = tx.reshape %c : tensor<16384xf8E4M3FN> -> tensor<256x64xf8E4M3FN>
  %7 = tx.convert %6 : tensor<256x64xf8E4M3FN> -> tensor<256x64xf32>
  %8 = tx.dot_general %y, %7 batch = [] x [] contracting = [1] x [1] : (tensor<4x64xf32>, tensor<256x64xf32>) -> tensor<4x256xf32>
  %9 = tx.reshape %d : tensor<16384xf8E5M2> -> tensor<256x64xf8E5M2>
  %10 = tx.convert %9 : tensor<256x64xf8E5M2> -> tensor<256x64xf32>
  %11 = tx.dot_general %y, %10 batch = [] x [] contracting = [1] x [1] : (tensor<4x64xf32>, tensor<256x64xf32>) -> tensor<4x256xf32>
  return %2, %5, %8, %11 : tensor<1x256xf32>, tensor<1x256xf32>, tensor<4x256xf32>, tensor<4x256xf32>
}
