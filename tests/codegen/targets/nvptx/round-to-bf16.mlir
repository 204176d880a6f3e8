// sm_80 and newer round two numbers to bf16 in one instruction, which makes 0x7FFF of every NaN. An input's NaN keeps its sign
// and upper bits, as on other devices; arithmetic has only one NaN. Older chips round by integers.
//
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_90a --emit=ptx | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_75 --emit=ptx | FileCheck %s --check-prefix=TURING

// CHECK-LABEL:  .entry convert(
// CHECK:        cvt.rn.bf16x2.f32
// CHECK-NOT:    32767
// CHECK:        setp.nan.f32
// CHECK-NOT:    32767
// CHECK:        selp.b16
// CHECK:        st.global
// CHECK-LABEL:  .entry mul(
// CHECK:        cvt.rn.bf16x2.f32
// CHECK-NOT:    {{setp|selp|32767}}
// CHECK:        st.global
// TURING-LABEL: .entry convert(
// TURING-NOT:   cvt.rn.bf16
// TURING:       32767
func.func @convert(%x: tensor<4096xf32>) -> tensor<4096xbf16> {
  %0 = tx.convert %x : tensor<4096xf32> -> tensor<4096xbf16>
  return %0 : tensor<4096xbf16>
}

func.func @square(%x: tensor<4096xbf16>) -> tensor<4096xbf16> {
  %0 = tx.mul %x, %x : tensor<4096xbf16>
  return %0 : tensor<4096xbf16>
}
