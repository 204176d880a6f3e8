//===- Registry.cpp - Import functions by op and opset --------------------===//

#include "compiler/frontends/onnx/GraphImport.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::onnx {

/// Maps an op, such as `Add` or `com.microsoft.Gelu`, to its versions, oldest
/// first.
using Table = llvm::StringMap<SmallVector<OpVersion, 1>>;

static const Table &table() {
  static const Table table = [] {
    Table table;
    for (ArrayRef<OpVersion> list :
         {elementwiseOps(), activationOps(), shapeOps(), matrixOps(),
          windowOps(), reductionOps(), indexingOps(), normalizationOps(),
          layoutOps(), sequenceOps(), imageOps(), regionOps(),
          quantizationOps(), recurrentOps(), controlOps(), attentionOps(),
          signalOps()})
      for (const OpVersion &version : list)
        table[version.op].push_back(version);
    for (auto &entry : table)
      llvm::sort(entry.second, [](const OpVersion &a, const OpVersion &b) {
        return a.since < b.since;
      });
    return table;
  }();
  return table;
}

Import findImport(StringRef domain, StringRef op, int64_t opset, bool &known) {
  auto it =
      table().find((domain.empty() ? op.str() : (domain + "." + op).str()));
  known = it != table().end();
  if (!known)
    return nullptr;
  Import found = nullptr;
  for (const OpVersion &version : it->second)
    if (version.since <= opset)
      found = version.import;
  return found;
}

StringRef whyNever(StringRef domain, StringRef op) {
  if (domain == "ai.onnx.ml")
    return "is classical machine learning";
  if (domain == "ai.onnx.preview.training")
    return "is for training";
  if (op == "NonMaxSuppression" || op == "Unique")
    return "has results whose sizes depend on values";
  if (op == "SequenceMap")
    return "works on sequences";
  if (op.starts_with("Optional"))
    return "works on optional values";
  if (op.starts_with("String") || op == "RegexFullMatch" ||
      op == "TfIdfVectorizer")
    return "works on strings";
  if (op == "ImageDecoder")
    return "reads image files";
  return "";
}

static constexpr std::pair<int64_t, const char *> dtypeNames[] = {
    {0, "UNDEFINED"},       {1, "FLOAT"},
    {2, "UINT8"},           {3, "INT8"},
    {4, "UINT16"},          {5, "INT16"},
    {6, "INT32"},           {7, "INT64"},
    {8, "STRING"},          {9, "BOOL"},
    {10, "FLOAT16"},        {11, "DOUBLE"},
    {12, "UINT32"},         {13, "UINT64"},
    {14, "COMPLEX64"},      {15, "COMPLEX128"},
    {16, "BFLOAT16"},       {17, "FLOAT8E4M3FN"},
    {18, "FLOAT8E4M3FNUZ"}, {19, "FLOAT8E5M2"},
    {20, "FLOAT8E5M2FNUZ"}, {21, "UINT4"},
    {22, "INT4"},           {23, "FLOAT4E2M1"},
    {24, "FLOAT8E8M0"},     {25, "UINT2"},
    {26, "INT2"},           {27, "FLOAT6E2M3"},
    {28, "FLOAT6E3M2"}};

std::string dtypeText(int64_t number) {
  for (auto [each, name] : dtypeNames)
    if (each == number)
      return name;
  return "number " + std::to_string(number);
}

std::optional<DType> dtypeFrom(int64_t number) {
  switch (number) {
  case 1:
    return DType::F32;
  case 2:
    return DType::UI8;
  case 3:
    return DType::I8;
  case 4:
    return DType::UI16;
  case 5:
    return DType::I16;
  case 6:
    return DType::I32;
  case 7:
    return DType::I64;
  case 9:
    return DType::I1;
  case 10:
    return DType::F16;
  case 11:
    return DType::F64;
  case 12:
    return DType::UI32;
  case 13:
    return DType::UI64;
  case 16:
    return DType::BF16;
  case 17:
    return DType::F8E4M3FN;
  case 19:
    return DType::F8E5M2;
  case 21:
    return DType::UI4;
  case 22:
    return DType::I4;
  }
  return std::nullopt;
}

} // namespace tensorc::onnx
