//===- Enums.td - Attributes of composites that are enumerations ----------===//
#ifndef TENSORC_IR_LIBRARY_ENUMS_TD
#define TENSORC_IR_LIBRARY_ENUMS_TD

include "ir/tx/TxAttributes.td"
include "mlir/IR/EnumAttr.td"

class Tx_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tensorc::tx";
}

def Tx_NormKind : Tx_Enum<"NormKind", "What a norm does with absolute values", [
    I32EnumAttrCase<"Count", 0, "count">, I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"Euclidean", 2, "euclidean">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Min", 4, "min">, I32EnumAttrCase<"Power", 5, "power">]>;

def Tx_WindowReduction : Tx_Enum<"WindowReduction", "How windows are reduced", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">, I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"Min", 3, "min">, I32EnumAttrCase<"Mean", 4, "mean">]>;

def Tx_LossReduction : Tx_Enum<"LossReduction", "How the losses of labels become one", [
    I32EnumAttrCase<"Mean", 0, "mean">, I32EnumAttrCase<"Sum", 1, "sum">, I32EnumAttrCase<"None", 2, "none">]>;

def Tx_FourierKind : Tx_Enum<"FourierKind", "What a Fourier transform takes and gives", [
    I32EnumAttrCase<"Complex", 0, "complex">, I32EnumAttrCase<"Real", 1, "real">,
    I32EnumAttrCase<"Hermitian", 2, "hermitian">]>;

def Tx_FourierNorm : Tx_Enum<"FourierNorm", "Which direction of a Fourier transform is scaled", [
    I32EnumAttrCase<"Backward", 0, "backward">, I32EnumAttrCase<"Ortho", 1, "ortho">,
    I32EnumAttrCase<"Forward", 2, "forward">]>;

def Tx_Combiner : Tx_Enum<"Combiner", "How elements of several ranks become one", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Product", 1, "product">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">]>;

#endif // TENSORC_IR_LIBRARY_ENUMS_TD
