//===- Artefacts.cpp - What a module becomes: packages, objects, text -----===//

#include "compiler/artefacts/Artefacts.h"

#include "codegen/native/NativeCode.h"
#include "compiler/object/Object.h"

#include "ir/program/Kernels.h"
#include "ir/program/Txp.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace tensorc::compiler {

StringRef suffixOfKind(StringRef kind) {
  if (kind == "package")
    return "tcpkg";
  if (kind == "shared")
    return "so";
  return kind == "object" ? "o" : kind;
}

StringRef kindOfFile(StringRef path) {
  static constexpr std::pair<StringLiteral, StringLiteral> suffixes[] = {
      {".tcpkg", "package"}, {".o", "object"},    {".so", "shared"},
      {".h", "header"},      {".ll", "llvm"},     {".s", "asm"},
      {".ptx", "ptx"},       {".cubin", "cubin"}, {".hsaco", "hsaco"}};
  StringRef suffix = llvm::sys::path::extension(path);
  for (auto [each, kind] : suffixes)
    if (suffix == each)
      return kind;
  return "";
}

bool isBinaryKind(StringRef kind) {
  static constexpr StringRef binaries[] = {"package", "object", "shared",
                                           "cubin", "hsaco"};
  return llvm::is_contained(binaries, kind);
}

bool isObjectKind(StringRef kind) {
  return kind == "object" || kind == "shared" || kind == "header";
}

bool canEmit(const codegen::Target &target, StringRef kind) {
  std::optional<codegen::Artefact> artefact =
      codegen::parseArtefact(isObjectKind(kind) ? "object" : kind);
  return artefact && llvm::is_contained(target.getArtefacts(), *artefact);
}

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Locations only where they would be asked for: the next stage needs none.
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
  FailureOr<std::string> object();
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
  FailureOr<std::string> ownImage(Block &kernels, codegen::Artefact artefact);

  ModuleOp module;
  const CompileOptions &options;
  const ArtefactRequest &request;
  std::string &refusal;
};
} // namespace

/// A package or an object that nobody can call is a mistake.
LogicalResult Maker::checkEntries() {
  auto programs = module.getOps<txp::FuncOp>();
  if (llvm::any_of(programs, [](txp::FuncOp f) { return f.isEntry(); }))
    return success();
  return refuse(request.input + ": contains no function that a " +
                request.kind + " could be entered by");
}

FailureOr<std::string> Maker::package() {
  CompileOptions hashed = options;
  hashed.irHash = llvm::xxh3_64bits(textOf(module));
  FailureOr<std::string> bytes = compileForTargets(
      module, hashed, request.targets, request.from, request.constants);
  if (failed(bytes) || failed(checkEntries()))
    return failure();
  return bytes;
}

/// A C function per entry: the header, the object, or a shared library.
FailureOr<std::string> Maker::object() {
  if (failed(checkEntries()))
    return failure();
  std::optional<StringRef> name = module.getSymName();
  auto program = buildObject(module, name ? name->str() : request.stem);
  if (failed(program))
    return failure();
  if (request.kind == "header")
    return std::move(program->header);
  const codegen::Target &target =
      llvm::cantFail(codegen::findTarget(options.target));
  auto bytes = target.emit(codegen::Artefact::Object, *program->module,
                           codegenOptions(options));
  // Only the interface's functions are not internal: an image of the module
  // shows no others.
  if (bytes && request.kind == "shared")
    bytes = codegen::linkImage(*bytes, request.soname);
  return bytesOf(std::move(bytes));
}

/// The image of a kernel that the user wrote, which is one by itself.
FailureOr<std::string> Maker::ownImage(Block &kernels,
                                       codegen::Artefact artefact) {
  auto images = llvm::to_vector(module.getOps<txp::ImageOp>());
  std::string kernel =
      ("the kernel '" + images.front().getKernel() + "'").str();
  if (images.size() > 1 || !kernels.empty())
    return refuse(kernel + " has an image of its own, beside that of others: "
                           "--emit=package holds them all");
  StringRef bytes = images.front().getBytes();
  bool isBinary = bytes.starts_with("\177ELF");
  if (artefact !=
      (isBinary ? codegen::Artefact::Cubin : codegen::Artefact::PTX))
    return refuse(kernel + " is " + (isBinary ? "a cubin" : "PTX") +
                  ": its flag -arch=sm_... asks for a cubin");
  return bytes.str();
}

/// What the target makes of the kernels alone.
FailureOr<std::string> Maker::kernels() {
  codegen::Artefact artefact = *codegen::parseArtefact(request.kind);
  Operation *kernels = module.lookupSymbol(codegen::kKernelsName);
  if (!kernels)
    return refuse("the module has no kernels: was it lowered?");
  if (!module.getOps<txp::ImageOp>().empty())
    return ownImage(kernels->getRegion(0).front(), artefact);
  return bytesOf(llvm::cantFail(codegen::findTarget(options.target))
                     .emit(artefact, kernels, codegenOptions(options)));
}

FailureOr<std::string> makeArtefact(ModuleOp module,
                                    const CompileOptions &options,
                                    const ArtefactRequest &request,
                                    std::string &refusal) {
  Maker maker(module, options, request, refusal);
  if (request.kind == "package")
    return maker.package();
  if (failed(runStages(module, options, request.from, Stage::Lower)))
    return failure();
  return isObjectKind(request.kind) ? maker.object() : maker.kernels();
}

} // namespace tensorc::compiler
