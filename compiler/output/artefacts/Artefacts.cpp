//===- Artefacts.cpp - Compiling a module to packages, objects and text ---===//

#include "compiler/output/artefacts/Artefacts.h"

#include "codegen/kernel/CpuModel.h"
#include "codegen/native/NativeCode.h"
#include "compiler/output/object/JavaScript.h"
#include "compiler/output/object/Object.h"

#include "ir/program/Kernels.h"
#include "ir/program/Txp.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
struct Kind {
  StringRef name, suffix;
  bool isText;
  /// Suffixes of further files that are written beside the file.
  SmallVector<StringRef> beside = {};
};
} // namespace

/// Lists the kinds that are made from a program, then the kinds that targets
/// make from its kernels.
static ArrayRef<Kind> listKinds() {
  static const auto all = [] {
    SmallVector<Kind> list{
        {"package", ".tcpkg", false},
        {codegen::objectFile.name, codegen::objectFile.suffix, false},
        {"static", ".a", false, {".h"}},
        {"shared", ".so", false},
        {"header", ".h", true},
        {"wasm", ".wasm", false},
        {"js", ".js", false, {".wasm", ".d.ts"}},
        {"page", ".html", false}};
    for (const codegen::Artefact &artefact : codegen::listArtefacts())
      if (!(artefact == codegen::objectFile))
        list.push_back({artefact.name, artefact.suffix, artefact.isText});
    return list;
  }();
  return all;
}

static const Kind *findKind(StringRef name) {
  const Kind *kind = llvm::find_if(
      listKinds(), [&](const Kind &kind) { return kind.name == name; });
  return kind == listKinds().end() ? nullptr : kind;
}

ArrayRef<StringRef> listArtefactKinds() {
  static const auto names = llvm::map_to_vector(
      listKinds(), [](const Kind &kind) { return kind.name; });
  return names;
}

StringRef suffixOfKind(StringRef kind) { return findKind(kind)->suffix; }

std::string knownSuffixes() {
  return llvm::join(
      llvm::map_range(listKinds(),
                      [](const Kind &kind) { return kind.suffix; }),
      ", ");
}

StringRef kindOfFile(StringRef path) {
  StringRef suffix = llvm::sys::path::extension(path);
  for (const Kind &kind : listKinds())
    if (kind.suffix == suffix)
      return kind.name;
  return "";
}

bool isBinaryKind(StringRef kind) { return !findKind(kind)->isText; }

/// True if the kind is a WebAssembly module, or contains one.
static bool isWebKind(StringRef kind) {
  return llvm::is_contained({"wasm", "js", "page"}, kind);
}

bool isObjectKind(StringRef kind) {
  return isWebKind(kind) ||
         llvm::is_contained({"object", "static", "shared", "header"}, kind);
}

static bool isWasm(StringRef target) {
  auto model = codegen::getCpuModel(target);
  if (model)
    return model->isWasm();
  llvm::consumeError(model.takeError());
  return false;
}

StringRef defaultTarget(StringRef kind) {
  return isWebKind(kind) ? "cpu:wasm32" : "cpu";
}

ArrayRef<StringRef> listSuffixesBeside(StringRef kind) {
  const Kind *found = findKind(kind);
  return found ? ArrayRef(found->beside) : ArrayRef<StringRef>();
}

std::string pathBeside(StringRef path, StringRef suffix) {
  llvm::SmallString<128> beside(path);
  llvm::sys::path::replace_extension(beside, suffix);
  return beside.str().str();
}

static const codegen::Artefact *findArtefact(const codegen::Target &target,
                                             StringRef name) {
  for (const codegen::Artefact &artefact : target.getArtefacts())
    if (artefact.name == name)
      return &artefact;
  return nullptr;
}

bool canEmit(StringRef target, StringRef kind) {
  if (isWasm(target) ? kind == "package" || kind == "shared" : isWebKind(kind))
    return false;
  const codegen::Target &found = llvm::cantFail(codegen::findTarget(target));
  return kind == "package" ||
         findArtefact(found, isObjectKind(kind) ? "object" : kind);
}

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Locations are printed only on request: the next stage does not need them.
  module.print(os, OpPrintingFlags().assumeVerified());
  os << "\n";
  return text;
}

namespace {
class Maker {
public:
  Maker(ModuleOp module, const CompileOptions &options,
        const ArtefactRequest &request, std::string &refusal)
      : module(module), options(options), request(request), refusal(refusal) {}

  FailureOr<std::string> package();
  FailureOr<Artefact> object();
  LogicalResult addModule(Artefact &artefact, const ObjectProgram &program,
                          llvm::ArrayRef<char> object);
  FailureOr<std::string> kernels();

private:
  LogicalResult refuse(const Twine &message) {
    refusal = message.str();
    return failure();
  }
  FailureOr<std::string> bytesOf(llvm::Expected<codegen::ImageBytes> bytes) {
    if (!bytes)
      return refuse(llvm::toString(bytes.takeError()));
    return std::string(bytes->data(), bytes->size());
  }
  LogicalResult checkEntries();
  FailureOr<std::string> ownImage(Block &kernels, const codegen::Target &target,
                                  const codegen::Artefact &artefact);

  ModuleOp module;
  const CompileOptions &options;
  const ArtefactRequest &request;
  std::string &refusal;
};
} // namespace

/// Reports an error for a package or object without an entry, because nothing
/// in it could be called.
LogicalResult Maker::checkEntries() {
  auto programs = module.getOps<txp::FuncOp>();
  if (llvm::any_of(programs, [](txp::FuncOp f) { return f.isEntry(); }))
    return success();
  return refuse(request.input + ": contains no function to call");
}

/// Returns a hash of the program that a package is made from. Weights are
/// hashed as bytes, because their text would be twice as long.
static uint64_t hashOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  AsmState state(module, OpPrintingFlags().assumeVerified());
  os << module->getAttrDictionary() << "\n";
  // Single ops are printed without the resource section.
  for (Operation &op : *module.getBody()) {
    op.print(os, state);
    os << "\n";
  }
  llvm::SetVector<AsmDialectResourceHandle> seen;
  module.walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](DenseResourceElementsAttr resource) {
      DenseResourceElementsHandle handle = resource.getRawHandle();
      if (!seen.insert(handle) || !handle.getBlob())
        return;
      ArrayRef<char> bytes = handle.getBlob()->getData();
      os << handle.getKey() << " "
         << llvm::xxh3_64bits(StringRef(bytes.data(), bytes.size())) << "\n";
    });
  });
  return llvm::xxh3_64bits(text);
}

FailureOr<std::string> Maker::package() {
  CompileOptions hashed = options;
  hashed.notes.irHash = hashOf(module);
  hashed.notes.tileTests = true;
  FailureOr<std::string> bytes = compileForTargets(
      module, hashed, request.targets, request.from, request.constants);
  if (failed(bytes) || failed(checkEntries()))
    return failure();
  return bytes;
}

/// Returns a static library of one object. Its bytes do not contain the time.
static llvm::Expected<codegen::ImageBytes> archive(llvm::ArrayRef<char> object,
                                                   StringRef member) {
  llvm::NewArchiveMember entry(
      llvm::MemoryBufferRef(StringRef(object.data(), object.size()), member));
  auto buffer = llvm::writeArchiveToBuffer(
      entry, llvm::SymtabWritingMode::NormalSymtab,
      llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
  if (!buffer)
    return buffer.takeError();
  StringRef bytes = (*buffer)->getBuffer();
  return codegen::ImageBytes(bytes.begin(), bytes.end());
}

/// Returns the functions that a module exports.
static std::vector<std::string> listFunctions(ModuleOp object) {
  std::vector<std::string> names;
  for (auto func : object.getOps<LLVM::LLVMFuncOp>())
    if (!func.isExternal() && func.getLinkage() == LLVM::Linkage::External)
      names.push_back(func.getName().str());
  return names;
}

/// Links a WebAssembly module, and writes the script or page around it.
LogicalResult Maker::addModule(Artefact &artefact, const ObjectProgram &program,
                               llvm::ArrayRef<char> object) {
  auto module = codegen::linkWasmModule(object, listFunctions(*program.module));
  if (!module)
    return refuse(llvm::toString(module.takeError()));
  std::string bytes(module->begin(), module->end());
  if (request.kind == "page") {
    artefact.bytes =
        writePage(program.signatures, artefact.name, *module, request.page);
  } else if (request.kind == "js") {
    artefact.bytes = writeJavaScript(program.signatures,
                                     pathBeside(request.fileName, ".wasm"));
    artefact.beside = {std::move(bytes), writeTypeScript(program.signatures)};
  } else {
    artefact.bytes = std::move(bytes);
  }
  return success();
}

/// Makes C functions: the header, and the object, or a library or WebAssembly
/// module of it.
FailureOr<Artefact> Maker::object() {
  if (failed(checkEntries()))
    return failure();
  Artefact artefact;
  artefact.name = cIdentifier(module.getSymName().value_or(request.stem));
  auto program = buildObject(module, module.getSymName().value_or(request.stem),
                             /*threads=*/!isWebKind(request.kind));
  if (failed(program))
    return failure();
  if (isWasm(options.target))
    for (const ObjectSignature &signature : program->signatures)
      if (!signature.callbacks.empty())
        return emitError(signature.func.getLoc())
               << "the program calls '" << signature.callbacks.begin()->first()
               << "', which WebAssembly code cannot: it has no imports";
  if (llvm::is_contained({"js", "page"}, request.kind))
    for (const ObjectSignature &signature : program->signatures)
      if (StringRef name = signature.func.getName();
          name == "then" || name == "__proto__")
        return emitError(signature.func.getLoc())
               << "an entry '" << name
               << "' cannot be a method in JavaScript, where the name has "
                  "another meaning: rename it";
  if (request.test) {
    llvm::Expected<std::string> test = writeTestProgram(
        program->signatures, *request.test, artefact.name + ".h");
    if (!test)
      return refuse(llvm::toString(test.takeError()));
    artefact.test = std::move(*test);
  }
  artefact.header = std::move(program->header);
  if (request.kind == "header") {
    artefact.bytes = artefact.header;
    return artefact;
  }
  const codegen::Target &target =
      llvm::cantFail(codegen::findTarget(options.target));
  auto bytes = target.emit(codegen::objectFile, *program->module,
                           codegenOptions(options));
  // Only the functions of the interface are external, so that an image of the
  // module exports no others.
  if (bytes && request.kind == "shared")
    bytes = codegen::linkImage(*bytes, request.fileName);
  if (bytes && request.kind == "static")
    bytes = archive(*bytes, artefact.name + ".o");
  if (bytes && isWebKind(request.kind)) {
    if (failed(addModule(artefact, *program, *bytes)))
      return failure();
    return artefact;
  }
  FailureOr<std::string> text = bytesOf(std::move(bytes));
  if (failed(text))
    return failure();
  artefact.bytes = std::move(*text);
  if (request.kind == "static")
    artefact.beside = {artefact.header};
  return artefact;
}

/// Returns the image of a user kernel, which is separate from the image of the
/// emitted kernels.
FailureOr<std::string> Maker::ownImage(Block &kernels,
                                       const codegen::Target &target,
                                       const codegen::Artefact &artefact) {
  auto images = llvm::to_vector(module.getOps<txp::ImageOp>());
  std::string kernel =
      ("the kernel '" + images.front().getKernel() + "'").str();
  if (images.size() > 1 || !kernels.empty())
    return refuse(kernel + " has an image of its own, beside that of others: "
                           "--emit=package holds them all");
  StringRef bytes = images.front().getBytes();
  if (llvm::Error error = target.checkCompiled(bytes, artefact))
    return refuse(kernel + " " + llvm::toString(std::move(error)));
  return bytes.str();
}

/// Compiles only the kernels, to the requested kind of artefact.
FailureOr<std::string> Maker::kernels() {
  const codegen::Target &target =
      llvm::cantFail(codegen::findTarget(options.target));
  const codegen::Artefact &artefact = *findArtefact(target, request.kind);
  Operation *kernels = module.lookupSymbol(codegen::kKernelsName);
  if (!kernels)
    return refuse("the module has no kernels: was it lowered?");
  if (!module.getOps<txp::ImageOp>().empty())
    return ownImage(kernels->getRegion(0).front(), target, artefact);
  return bytesOf(target.emit(artefact, kernels, codegenOptions(options)));
}

FailureOr<Artefact> makeArtefact(ModuleOp module, const CompileOptions &options,
                                 const ArtefactRequest &request,
                                 std::string &refusal) {
  Maker maker(module, options, request, refusal);
  bool packs = request.kind == "package";
  if (!packs && failed(runStages(module, options, request.from, Stage::Lower)))
    return failure();
  if (isObjectKind(request.kind))
    return maker.object();
  FailureOr<std::string> bytes = packs ? maker.package() : maker.kernels();
  if (failed(bytes))
    return failure();
  Artefact artefact;
  artefact.bytes = std::move(*bytes);
  return artefact;
}

} // namespace tensorc::compiler
