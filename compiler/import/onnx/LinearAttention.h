//===- LinearAttention.h - ONNX's attention with a recurrent state --------===//
#ifndef TENSORC_COMPILER_IMPORT_ONNX_LINEARATTENTION_H
#define TENSORC_COMPILER_IMPORT_ONNX_LINEARATTENTION_H

namespace tensorc::onnx {

class NodeImport;

/// LinearAttention of opset 27.
void linearAttention(NodeImport &n);

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_IMPORT_ONNX_LINEARATTENTION_H
