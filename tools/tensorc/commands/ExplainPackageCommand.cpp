//===- ExplainPackageCommand.cpp - tensorc explain for packages -----------===//

#include "compiler/frontends/files/InputFile.h"
#include "tools/explain/ExplainPackage.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tensorc::tool {

static std::string hashText(uint64_t hash) {
  return llvm::formatv("{0:x-16}", hash).str();
}

static void printSection(const PackageFacts::Section &section,
                         bool withMemory) {
  llvm::outs() << "\nsection      " << section.target << "\n"
               << "  image      " << section.imageBytes << " bytes\n";
  for (const PackageFacts::Kernel &kernel : section.kernels) {
    llvm::outs() << "  kernel     " << kernel.name << ": " << kernel.arguments
                 << " arguments";
    if (kernel.codeBytes)
      llvm::outs() << ", " << *kernel.codeBytes << " bytes of code";
    llvm::outs() << "\n";
    if (!kernel.order.empty())
      llvm::outs() << "    order      " << kernel.order << "\n";
    if (!kernel.schedule.empty())
      llvm::outs() << "    schedule   " << kernel.schedule << "\n";
  }
  for (const PackageFacts::Function &function : section.functions) {
    llvm::outs() << "  program    " << function.name << ": "
                 << function.instructions << " instructions, "
                 << function.launches << " launches\n";
    for (const std::string &bytes : function.allocations)
      llvm::outs() << "    allocates  " << bytes << " bytes\n";
    for (const std::string &name : function.customCalls)
      llvm::outs() << "    calls      " << name << "\n";
    if (withMemory && function.memory) {
      llvm::outs() << "  memory of " << function.name << "\n";
      print(llvm::outs(), *function.memory);
    }
  }
}

static void printText(const PackageFacts &facts, bool withMemory) {
  llvm::outs() << "package      " << facts.bytes << " bytes\n"
               << "compiler     " << facts.compiler << "\n"
               << "ir hash      " << hashText(facts.irHash) << "\n";
  for (const std::string &entry : facts.entries)
    llvm::outs() << "entry        " << entry << "\n";
  llvm::outs() << "constants    " << facts.constants << ", "
               << facts.constantBytes << " bytes"
               << (facts.constantsFile.empty() ? "" : " in ")
               << facts.constantsFile << ", as they were written\n";
  for (const PackageFacts::Section &section : facts.sections)
    printSection(section, withMemory);
}

static llvm::json::Value json(const PackageFacts::Section &section) {
  llvm::json::Array kernels, programs;
  for (const PackageFacts::Kernel &kernel : section.kernels)
    kernels.push_back(llvm::json::Object{{"name", kernel.name},
                                         {"arguments", kernel.arguments},
                                         {"code_bytes", kernel.codeBytes},
                                         {"order", kernel.order},
                                         {"schedule", kernel.schedule}});
  for (const PackageFacts::Function &function : section.functions)
    programs.push_back(llvm::json::Object{
        {"name", function.name},
        {"instructions", function.instructions},
        {"launches", function.launches},
        {"allocations", function.allocations},
        {"custom_calls", function.customCalls},
        {"memory", function.memory ? llvm::json::Value(toJson(*function.memory))
                                   : llvm::json::Value(nullptr)}});
  return llvm::json::Object{{"target", section.target},
                            {"image_bytes", section.imageBytes},
                            {"kernels", std::move(kernels)},
                            {"programs", std::move(programs)}};
}

static void printJson(const PackageFacts &facts) {
  llvm::json::Array sections;
  for (const PackageFacts::Section &section : facts.sections)
    sections.push_back(json(section));
  llvm::json::Object object{{"bytes", facts.bytes},
                            {"compiler", facts.compiler},
                            {"ir_hash", hashText(facts.irHash)},
                            {"entries", facts.entries},
                            {"constants", facts.constants},
                            {"constant_bytes", facts.constantBytes},
                            {"constants_file", facts.constantsFile},
                            {"sections", std::move(sections)}};
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}

/// Removes the other entries and their programs.
static void keepEntry(PackageFacts &facts, llvm::StringRef name) {
  auto isOther = [&](llvm::StringRef entry) {
    return entry.split('(').first != name;
  };
  llvm::StringSet<> others;
  for (llvm::StringRef entry : facts.entries)
    if (isOther(entry))
      others.insert(entry.split('(').first);
  llvm::erase_if(facts.entries, isOther);
  for (PackageFacts::Section &section : facts.sections)
    llvm::erase_if(section.functions, [&](const auto &function) {
      return others.contains(function.name);
    });
}

int explainPackageFile(const Arguments &arguments) {
  if (llvm::Error error = files::checkInputFile(arguments.input()))
    return refuse(llvm::toString(std::move(error)));
  auto buffer = llvm::MemoryBuffer::getFile(arguments.input(), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return refuse(arguments.input() + ": " + buffer.getError().message());
  llvm::StringRef bytes = (*buffer)->getBuffer();
  tensorc_rt_device *device;
  tensorc_rt_module *loaded;
  // The null device accepts every package.
  if (!ok(tensorc_rt_device_find("null", &device)) ||
      !ok(tensorc_rt_load(device, arguments.input().str().c_str(), &loaded)))
    return Refused;
  ModuleHandle module(loaded);
  if (!ok(tensorc_rt_module_verify(loaded)))
    return Refused;
  PackageFacts facts = explainPackage(bytes);
  if (std::string name = arguments.get("entry").str(); !name.empty()) {
    const tensorc_rt_entry *entry;
    if (!ok(tensorc_rt_module_find(loaded, name.c_str(), &entry)))
      return Refused;
    keepEntry(facts, name);
  }
  if (arguments.has("json"))
    printJson(facts);
  else
    printText(facts, arguments.has("memory"));
  return Success;
}

} // namespace tensorc::tool
