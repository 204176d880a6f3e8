//===- InspectCommand.cpp - tensorc inspect -------------------------------===//

#include "compiler/frontends/files/Weights.h"
#include "ir/text/Characters.h"
#include "tools/tensorc/Commands.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tensorc::tool {

static std::string shown(llvm::StringRef text) {
  return printable(text, /*isText=*/false);
}

static int runInspect(const Arguments &arguments) {
  auto file = files::listTensors(arguments.input());
  if (!file)
    return refuse(llvm::toString(file.takeError()));
  uint64_t bytes = 0;
  for (const files::TensorFacts &tensor : file->tensors)
    bytes += tensor.bytes;
  llvm::raw_ostream &os = llvm::outs();
  os << shown(file->format) << ", " << file->tensors.size()
     << (file->tensors.size() == 1 ? " tensor, " : " tensors, ") << bytes
     << " bytes\n";
  for (const auto &[key, value] : file->facts)
    os << shown(key) << " = " << shown(value) << "\n";
  for (const files::TensorFacts &tensor : file->tensors) {
    os << shown(tensor.name) << ": " << tensor.kind << "[";
    llvm::interleave(tensor.shape, os, ",");
    os << "] " << tensor.bytes << " bytes\n";
  }
  return Success;
}

const Command inspectCommand = {"inspect",
                                "list the tensors of a file",
                                "FILE",
                                {},
                                "  tensorc inspect x.npy\n",
                                /*takesInput=*/true,
                                runInspect};

} // namespace tensorc::tool
