//===- Imported.cpp - Programs that are read from files or text -----------===//

#include "compiler/session/export/Imported.h"

#include "compiler/frontends/readers/Readers.h"
#include "compiler/session/jit/Messages.h"
#include "compiler/transforms/sharding/ResultShardings.h"
#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Names.h"
#include "ir/tx/TxDialect.h"
#include "ir/tx/structure/MemoryKinds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::exporting {

using jit::Status;
using NamedArgument = jit::Function::NamedArgument;

static Status refuse(const llvm::Twine &message) {
  return jit::makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                         ("read: " + message).str());
}

/// Returns `main`, or the only function with a body if there is no `main`, and
/// erases the other functions.
static func::FuncOp keepEntry(ModuleOp module) {
  func::FuncOp entry;
  unsigned bodies = 0;
  for (func::FuncOp each : module.getOps<func::FuncOp>()) {
    bodies += !each.isExternal();
    if (!each.isExternal() && (!entry || each.getName() == "main"))
      entry = each;
  }
  if (!entry || (bodies > 1 && entry.getName() != "main"))
    return nullptr;
  for (func::FuncOp other :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (other != entry)
      other.erase();
  return entry;
}

static func::FuncOp entryOf(ModuleOp module) {
  return *module.getOps<func::FuncOp>().begin();
}

std::unique_ptr<Imported> Imported::read(llvm::StringRef bytes,
                                         llvm::StringRef name, Status &status) {
  return read(bytes, name, frontends::readerFor(name, bytes), status);
}

std::unique_ptr<Imported> Imported::readArtifact(llvm::StringRef bytes,
                                                 llvm::StringRef name,
                                                 Status &status) {
  const frontends::Reader &artifact = frontends::artifactReader();
  return artifact.accepts(name, bytes) ? read(bytes, name, artifact, status)
                                       : read(bytes, name, status);
}

std::unique_ptr<Imported> Imported::read(llvm::StringRef bytes,
                                         llvm::StringRef name,
                                         const frontends::Reader &reader,
                                         Status &status) {
  auto program = std::make_unique<Imported>();
  jit::Session::get().compileAlone([&] {
    const bool isArtifact = &reader == &frontends::artifactReader();
    program->context = isArtifact ? Context::forProgram(bytes.size())
                                  : std::make_shared<Context>();
    if (!(status = program->parse(bytes, name, reader)))
      status = program->describe();
  });
  return status ? nullptr : std::move(program);
}

Status Imported::parse(llvm::StringRef bytes, llvm::StringRef name,
                       const frontends::Reader &reader) {
  jit::Messages messages(&context->get());
  llvm::SourceMgr sources;
  frontends::Source source{name.str(),
                           llvm::MemoryBuffer::getMemBufferCopy(bytes, name),
                           &sources,
                           {}};
  module = reader.read(std::move(source), &context->get());
  if (!module || failed(tx::verifyNames(*module)))
    return refuse(messages.text().empty() ? "this is not " + reader.kind
                                          : llvm::Twine(messages.text()));
  func::FuncOp entry = keepEntry(*module);
  if (!entry)
    return refuse(name + ": has no function 'main', nor one alone");
  if (failed(compiler::chooseResultShardings(entry)))
    return refuse(messages.text());
  return nullptr;
}

/// Sets the dims of an argument; symbolic sizes keep their names from the type.
Status Imported::addType(Type type, NamedArgument &to) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<tx::DType> dtype =
      tensor ? tx::dtypeOf(tensor.getElementType()) : std::nullopt;
  std::string text;
  if (!dtype) {
    llvm::raw_string_ostream(text) << type;
    return refuse("a value of type " + text + " is not a tensor");
  }
  to.dtype = static_cast<graph::DType>(*dtype);
  unsigned unnamed = 0;
  for (tx::Dim dim : tx::namedDims(tensor, unnamed)) {
    to.dims.push_back(dim.number().value_or(1));
    to.names.push_back(dim.isNumber() ? "" : shape::toString(dim));
  }
  return nullptr;
}

Status Imported::describe() {
  func::FuncOp entry = entryOf(*module);
  auto addAll = [&](TypeRange types, std::vector<NamedArgument> &to) {
    for (Type type : types)
      if (Status status = addType(type, to.emplace_back()))
        return status;
    return Status();
  };
  if (Status status = addAll(entry.getArgumentTypes(), arguments))
    return status;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    donated.push_back(entry.getArgAttr(i, tx::donatedAttr) != nullptr);
  auto keep = [](Attribute given, std::vector<std::string> &to) {
    auto text = dyn_cast_if_present<StringAttr>(given);
    to.push_back(text ? text.str() : "");
  };
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    keep(entry.getArgAttr(i, tx::shardingAttr), ofArguments.shardings);
    keep(entry.getArgAttr(i, tx::memoryAttr), ofArguments.memories);
  }
  for (unsigned i = 0; i < entry.getNumResults(); ++i) {
    keep(entry.getResultAttr(i, tx::shardingAttr), ofResults.shardings);
    keep(entry.getResultAttr(i, tx::memoryAttr), ofResults.memories);
  }
  hasEffectResult =
      entry.getNumResults() == 1 && tx::resultName(entry, 0) == tx::effectName;
  return addAll(entry.getResultTypes(), results);
}

uint64_t Imported::wholeOps() const {
  std::lock_guard lock(codeMutex);
  return code ? code->wholeOps : 0;
}

bool Imported::donates(unsigned argument) const {
  return argument < donated.size() && donated[argument];
}

std::string Imported::sharding(bool isResult, unsigned index) const {
  const auto &shardings = (isResult ? ofResults : ofArguments).shardings;
  return index < shardings.size() ? shardings[index] : "";
}

std::string Imported::memoryKind(bool isResult, unsigned index) const {
  const auto &kinds = (isResult ? ofResults : ofArguments).memories;
  return index < kinds.size() ? kinds[index] : "";
}

Status Imported::withModule(const Naming &naming, Use use) const {
  if (!naming.weights.empty())
    return refuse("the program takes no tensors from outside its arguments");
  auto check = [](llvm::StringRef what, llvm::ArrayRef<std::string> names,
                  size_t count) {
    if (!names.empty() && names.size() != count)
      return std::to_string(names.size()) + " names for " +
             std::to_string(count) + " of the program's " + what.str() + "s";
    return tx::whyNoNames("an " + what.str(), names);
  };
  for (const std::string &why :
       {check("input", naming.inputs, arguments.size()),
        check("output", naming.outputs, results.size())})
    if (!why.empty())
      return refuse(why);
  Status status;
  jit::Session::get().compileAlone([&] {
    OwningOpRef<ModuleOp> own = module.get().clone();
    func::FuncOp entry = entryOf(*own);
    Builder b(&context->get());
    for (auto [i, name] : llvm::enumerate(naming.inputs))
      entry.setArgAttr(i, tx::nameAttr, b.getStringAttr(name));
    for (auto [i, name] : llvm::enumerate(naming.outputs))
      entry.setResultAttr(i, tx::nameAttr, b.getStringAttr(name));
    status = use(*own);
  });
  return status;
}

std::shared_ptr<const jit::Compilation>
Imported::codeFor(tensorc_rt_device *device, Status &status) const {
  std::lock_guard lock(codeMutex);
  if (code && codeTarget == jit::targetOf(device))
    return code;
  std::shared_ptr<const jit::Compilation> compiled =
      compileFor(device, {}, "", status);
  auto isForRanks = [](const std::vector<std::string> &shardings) {
    return !shardings.empty() && !shardings.front().empty();
  };
  if (isForRanks(ofArguments.shardings) || isForRanks(ofResults.shardings)) {
    code = compiled;
    codeTarget = jit::targetOf(device);
  }
  return compiled;
}

std::unique_ptr<jit::Function> Imported::function(llvm::StringRef memoryPlans,
                                                  Status &status) const {
  tensorc_rt_device *device = jit::Session::get().bufferDevice(status);
  if (!device)
    return nullptr;
  std::shared_ptr<const jit::Compilation> compiled;
  if (memoryPlans.empty())
    compiled = codeFor(device, status);
  else
    compiled = compileFor(device, {}, memoryPlans, status);
  auto executable = compiled ? load(device, *compiled, status) : nullptr;
  if (!executable)
    return nullptr;
  std::vector<jit::Function::ValueType> types;
  for (const NamedArgument &result : results) {
    types.push_back({result.dtype, result.dims});
    for (auto [size, name] : llvm::zip(types.back().shape, result.names))
      if (!name.empty())
        size = -1;
  }
  return std::make_unique<jit::Function>(
      device, std::move(executable), arguments,
      llvm::ArrayRef<graph::NodeRef>(), types, graph::SourceLocation());
}

} // namespace tensorc::exporting
