// f8 to and from every other kind of number: all 256 codes, all f16 and bf16,
// and f32, f64 and i64 about every value and every middle between two.
//
// RUN: rm -rf %t && %python %S/Inputs/f8_cases.py make %t
// RUN: %run_op --entry=up --input=a=%t/codes.npy --input=b=%t/codes.npy --output-dir=%t/up
// RUN: %run_op --entry=down --input=%t/f16.npy --input=%t/bf16.npy --input=%t/f32.npy --input=%t/f64.npy --input=%t/i64.npy --output-dir=%t/down
// RUN: %python %S/Inputs/f8_cases.py check %t
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
