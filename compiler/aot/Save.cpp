//===- Save.cpp - A recorded function as a file ---------------------------===//

#include "compiler/aot/Save.h"

#include "compiler/aot/Context.h"
#include "compiler/artefacts/Artefacts.h"
#include "compiler/files/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace tensorc::aot {

using jit::Status;

namespace {
class Saver {
public:
  Saver(const Recording &recording, const std::string &path,
        const SaveOptions &options)
      : recording(recording), path(path), options(options) {}
  Status run();

private:
  Status refuse(const llvm::Twine &message) {
    return jit::makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                           ("save: " + message).str());
  }
  Status check();
  Status make(compiler::Artefact &artefact);
  Status write(const compiler::Artefact &artefact);

  const Recording &recording;
  const std::string &path;
  const SaveOptions &options;
  std::string kind;
  std::vector<std::string> targets;
  compiler::ConstantsFile constants;
};
} // namespace

/// What needs no compilation to be refused.
Status Saver::check() {
  llvm::StringRef bySuffix = path.ends_with(".mlir")
                                 ? llvm::StringRef("mlir")
                                 : compiler::kindOfFile(path);
  kind = options.kind.empty() ? bySuffix.str() : options.kind;
  if (kind.empty())
    return refuse(
        "the suffix of '" + path +
        "' says nothing of its kind: .tcpkg, .o, .a, .so, .h, .ll, .s, "
        ".ptx, .cubin, .hsaco, .mlir; or give a kind");
  if (kind != "mlir" && !llvm::is_contained(compiler::artefactKinds, kind))
    return refuse("unknown kind '" + kind + "': mlir, " +
                  llvm::join(llvm::ArrayRef(compiler::artefactKinds), ", "));
  if (!bySuffix.empty() && bySuffix != kind)
    return refuse("the kind is " + kind + ", but " + path +
                  " is the name of a file of kind " + bySuffix);
  for (llvm::StringRef name : llvm::split(options.target, ',')) {
    auto target = codegen::findTarget(name);
    if (!target)
      return refuse(llvm::toString(target.takeError()));
    if (llvm::is_contained(targets, name))
      return refuse("the target " + name + " is named twice");
    if (kind != "package" && kind != "mlir" &&
        !compiler::canEmit(*target, kind))
      return refuse("a file of kind " + kind +
                    " is not available for the target " + name);
    targets.push_back(name.str());
  }
  if (targets.size() > 1 && kind != "package")
    return refuse("only a package is for several targets");
  constants.name = options.constants;
  if (constants.name.empty())
    return nullptr;
  if (kind != "package")
    return refuse("only a package has a file of constants");
  if (constants.name.find('/') != std::string::npos || constants.name == "." ||
      constants.name == ".." ||
      constants.name == llvm::sys::path::filename(path))
    return refuse("the file of constants '" + constants.name +
                  "' must be a name other than the package's, without a "
                  "folder: it lies beside it");
  return nullptr;
}

Status Saver::make(compiler::Artefact &artefact) {
  Context context;
  Status status;
  auto module = recording.module(context.get(), options.naming, status);
  if (!module)
    return status;
  if (kind == "mlir") {
    artefact.bytes = compiler::textOf(*module);
    return nullptr;
  }
  compiler::CompileOptions compile;
  compile.target = targets.front();
  compile.optLevel = options.optLevel;
  compile.fastMath = options.fastMath;
  compiler::ArtefactRequest request{kind, targets};
  request.stem = llvm::sys::path::stem(path).str();
  compile.name = request.stem;
  request.input = path;
  request.soname = llvm::sys::path::filename(path).str();
  request.constants = constants.name.empty() ? nullptr : &constants;
  std::string messages, refusal;
  mlir::ScopedDiagnosticHandler handler(
      &context.get(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::success();
        llvm::raw_string_ostream os(messages);
        os << (messages.empty() ? "" : "; ") << diagnostic;
        if (auto at = diagnostic.getLocation()
                          ->findInstanceOf<mlir::FileLineColLoc>())
          os << "  at " << at.getFilename().getValue() << ":" << at.getLine();
        return mlir::success();
      });
  auto made = compiler::makeArtefact(*module, compile, request, refusal);
  if (mlir::failed(made))
    return jit::makeStatus(TENSORC_RT_UNSUPPORTED,
                           "save: " + (refusal.empty() ? messages : refusal));
  artefact = std::move(*made);
  return nullptr;
}

/// What others need first: no package lacks its constants.
Status Saver::write(const compiler::Artefact &artefact) {
  files::OutputFiles files;
  llvm::Error error = llvm::Error::success();
  if (!constants.name.empty()) {
    llvm::SmallString<128> beside(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(beside, constants.name);
    error = files.add(beside, constants.bytes);
  }
  if (kind == "static")
    error = files.add(compiler::headerBeside(path), artefact.header);
  if (!error)
    error = files.add(path, artefact.bytes);
  if (!error)
    error = files.keep();
  return error ? refuse(llvm::toString(std::move(error))) : nullptr;
}

Status Saver::run() {
  if (Status status = check())
    return status;
  Status status;
  compiler::Artefact artefact;
  jit::Session::get().compileAlone([&] { status = make(artefact); });
  return status ? std::move(status) : write(artefact);
}

Status save(const Recording &recording, const std::string &path,
            const SaveOptions &options) {
  return Saver(recording, path, options).run();
}

std::string textOf(const Recording &recording, const Naming &naming,
                   Status &status) {
  std::string text;
  jit::Session::get().compileAlone([&] {
    Context context;
    if (auto module = recording.module(context.get(), naming, status))
      text = compiler::textOf(*module);
  });
  return text;
}

} // namespace tensorc::aot
