//===- Read.cpp - Reading of StableHLO texts and artifacts ----------------===//

#include "compiler/frontends/stablehlo/Converter.h"
#include "compiler/frontends/stablehlo/StableHlo.h"
#include "compiler/frontends/stablehlo/Syntax.h"
#include "compiler/frontends/stablehlo/portable/Artifact.h"
#include "compiler/log/Progress.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tensorc::stablehlo {

bool isStableHlo(StringRef text) {
  return text.contains("stablehlo.") || text.contains("mhlo.num_replicas") ||
         text.contains("\"chlo.") || text.contains(" chlo.");
}

/// Returns the sizes that the user gave for dims, by the names of the dims.
static llvm::StringMap<int64_t>
givenSizes(func::FuncOp function, const DimNames &names,
           ArrayRef<frontends::NamedShape> shapes) {
  llvm::StringMap<int64_t> sizes;
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto named = dyn_cast<NameLoc>(argument.getLoc());
    for (const frontends::NamedShape &given : shapes) {
      bool isMeant = given.argument == "arg" + std::to_string(i) ||
                     (named && given.argument == plainName(named.getName()));
      if (!isMeant || !type ||
          type.getRank() != static_cast<int64_t>(given.dims.size()))
        continue;
      for (auto [axis, text] : llvm::enumerate(given.dims))
        if (int64_t size; !StringRef(text).getAsInteger(10, size) && size >= 0)
          sizes.try_emplace(names(i, axis), size);
    }
  }
  return sizes;
}

/// Applies the sizes that the user gave before the conversion, because some ops
/// are supported only for known sizes.
static void fixSizes(ModuleOp module, func::FuncOp function,
                     ArrayRef<frontends::NamedShape> shapes) {
  DimNames names(module, function);
  llvm::StringMap<int64_t> given = givenSizes(function, names, shapes);
  SmallVector<Type> types(function.getArgumentTypes());
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.hasStaticShape())
      continue;
    SmallVector<int64_t> sizes(tensor.getShape());
    for (auto [axis, size] : llvm::enumerate(sizes))
      if (auto it = given.find(names(i, axis));
          it != given.end() && ShapedType::isDynamic(size))
        size = it->second;
    type = tensor.clone(sizes);
    function.getArgument(i).setType(type);
  }
  function.setType(FunctionType::get(function.getContext(), types,
                                     function.getFunctionType().getResults()));
}

/// Converts hexadecimal booleans of newer versions of MLIR, one byte each, to
/// the form that the linked version reads: 8 per byte, the first one in the
/// lowest bit.
static std::string packTruthValues(StringRef digits) {
  std::string packed;
  for (size_t at = 0; at < digits.size(); at += 16) {
    unsigned byte = 0;
    StringRef eight = digits.substr(at, 16);
    for (size_t i = 0; 2 * i < eight.size(); ++i)
      byte |= (eight.substr(2 * i, 2) != "00") << i;
    packed += llvm::toHex(ArrayRef(static_cast<uint8_t>(byte)));
  }
  return packed;
}

/// Parses the type after a constant, as in `"> : tensor<4x2xi1>`, and returns
/// the number of its i1 elements; nullopt for other types.
static std::optional<uint64_t> countTruthValues(StringRef text) {
  if (!text.consume_front("\">"))
    return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front(":"))
    return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front("tensor<"))
    return std::nullopt;
  uint64_t count = 1, size;
  while (!text.consumeInteger(10, size) && text.consume_front("x"))
    count = llvm::SaturatingMultiply(count, size);
  return text.starts_with("i1>") ? std::optional(count) : std::nullopt;
}

/// Returns the text with i1 constants packed to bits, or an empty string if
/// there are none.
static std::string withPackedTruthValues(StringRef text) {
  std::string result;
  constexpr StringRef begin = "dense<\"0x";
  size_t copied = 0;
  for (size_t at = 0; (at = text.find(begin, at)) != StringRef::npos;) {
    at += begin.size();
    size_t end = std::min(text.find('"', at), text.size());
    StringRef digits = text.slice(at, end);
    std::optional<uint64_t> count = countTruthValues(text.drop_front(end));
    if (count && *count > 1 && digits.size() % 2 == 0 &&
        digits.size() / 2 == *count) {
      result += text.slice(copied, at);
      result += packTruthValues(digits);
      copied = end;
    }
    at = end;
  }
  if (copied)
    result += text.drop_front(copied);
  return result;
}

/// Parses the text of the sources' main file.
static OwningOpRef<ModuleOp> parse(llvm::SourceMgr &sources,
                                   MLIRContext *context) {
  const llvm::MemoryBuffer *main =
      sources.getMemoryBuffer(sources.getMainFileID());
  std::string packed = withPackedTruthValues(main->getBuffer());
  if (packed.empty())
    return parseSourceFile<ModuleOp>(sources, context);
  // The rewriting keeps line numbers, so diagnostics show lines of the file.
  llvm::SourceMgr rewritten;
  rewritten.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(packed, main->getBufferIdentifier()),
      llvm::SMLoc());
  return parseSourceFile<ModuleOp>(rewritten, context);
}

static OwningOpRef<ModuleOp>
convertSource(MLIRContext *context, StringRef path,
              ArrayRef<frontends::NamedShape> shapes,
              llvm::function_ref<OwningOpRef<ModuleOp>()> read) {
  // StableHLO's ops are parsed as ops of unregistered dialects.
  bool allowed = context->allowsUnregisteredDialects();
  context->allowUnregisteredDialects();
  llvm::scope_exit restore(
      [&] { context->allowUnregisteredDialects(allowed); });
  loadSyntax(context);
  loadSharding(context);
  StringRef name = llvm::sys::path::stem(path);
  Progress progress(name.empty() ? "import" : name.str(), "reading", "ops");
  OwningOpRef<ModuleOp> source = read();
  if (!source)
    return {};
  for (auto function : source->getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      fixSizes(*source, function, shapes);
  return Converter(*source, progress).convert();
}

OwningOpRef<ModuleOp> readStableHlo(llvm::SourceMgr &sources,
                                    MLIRContext *context,
                                    ArrayRef<frontends::NamedShape> shapes) {
  StringRef path =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  return convertSource(context, path, shapes,
                       [&] { return parse(sources, context); });
}

OwningOpRef<ModuleOp> readArtifact(llvm::MemoryBufferRef buffer,
                                   MLIRContext *context) {
  return convertSource(context, buffer.getBufferIdentifier(), {},
                       [&] { return readPortableArtifact(buffer, context); });
}

} // namespace tensorc::stablehlo
