//===- Save.cpp - Writes a program to a file ------------------------------===//

#include "compiler/session/export/Save.h"

#include "compiler/frontends/files/OutputFile.h"
#include "compiler/output/artefacts/Artefacts.h"
#include "compiler/session/jit/Messages.h"
#include "compiler/session/report/Report.h"
#include "compiler/session/report/TriedSchedules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace tensorc::exporting {

using jit::Status;

namespace {
class Saver {
public:
  Saver(const Program &program, const std::string &path,
        const SaveOptions &options)
      : program(program), path(path), options(options) {}
  Status run();

private:
  Status refuse(const llvm::Twine &message) {
    return jit::makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                           ("save: " + message).str());
  }
  Status check();
  Status make(mlir::ModuleOp module, compiler::Artefact &artefact);
  Status write(const compiler::Artefact &artefact);

  const Program &program;
  const std::string &path;
  const SaveOptions &options;
  std::string kind;
  std::vector<std::string> targets;
  compiler::ConstantsFile constants;
};
} // namespace

/// The file kinds other than artefacts: the program as text, and the report
/// page that describes its compilation.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
    textKinds[] = {{"mlir", ".mlir"}, {"report", ".html"}};

static bool isTextKind(llvm::StringRef kind) {
  return llvm::is_contained(llvm::make_first_range(textKinds), kind);
}

static llvm::StringRef kindOfFile(llvm::StringRef path) {
  for (auto [kind, suffix] : textKinds)
    if (path.ends_with(suffix))
      return kind;
  return compiler::kindOfFile(path);
}

/// Makes the checks that need no compilation.
Status Saver::check() {
  llvm::StringRef bySuffix = kindOfFile(path);
  kind = options.kind.empty() ? bySuffix.str() : options.kind;
  if (kind.empty())
    return refuse("the suffix of '" + path + "' says nothing of its kind: " +
                  compiler::knownSuffixes() + ", .mlir; or give a kind");
  if (!isTextKind(kind) &&
      !llvm::is_contained(compiler::listArtefactKinds(), kind))
    return refuse("unknown kind '" + kind + "': mlir, report, " +
                  llvm::join(compiler::listArtefactKinds(), ", "));
  bool isPage = kind == "page" && bySuffix == "report"; // both are .html
  if (!bySuffix.empty() && bySuffix != kind && !isPage)
    return refuse("the kind is " + kind + ", but " + path +
                  " is the name of a file of kind " + bySuffix);
  llvm::StringRef list =
      options.target.empty() ? compiler::defaultTarget(kind) : options.target;
  for (llvm::StringRef name : llvm::split(list, ',')) {
    auto target = codegen::findTarget(name);
    if (!target)
      return refuse(llvm::toString(target.takeError()));
    if (llvm::is_contained(targets, name))
      return refuse("the target " + name + " is named twice");
    if (!isTextKind(kind) && !compiler::canEmit(name, kind))
      return refuse("a file of kind " + kind +
                    " is not available for the target " + name);
    targets.push_back(name.str());
  }
  if (targets.size() > 1 && kind != "package")
    return refuse("only a package is for several targets");
  if (!options.memoryPlans.empty() && (kind != "package" || targets.size() > 1))
    return refuse("memory_plans is for a package for one target");
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

Status Saver::make(mlir::ModuleOp module, compiler::Artefact &artefact) {
  if (Status refused = Program::setPlans(module, options.memoryPlans, "save"))
    return refused;
  if (kind == "mlir") {
    artefact.bytes = compiler::textOf(module);
    return nullptr;
  }
  compiler::CompileOptions compile;
  compile.target = targets.front();
  compile.optLevel = options.optLevel;
  compile.fastMath = options.fastMath;
  compile.threads = tensorc_rt_num_threads();
  compile.schedules = *jit::Session::get().tunedSchedules();
  compile.name = llvm::sys::path::stem(path).str();
  jit::Interrupted interrupted;
  compile.isCancelled = [&] { return interrupted(); };
  jit::Messages messages(module.getContext());
  if (kind == "report") {
    report::ReportRequest request{compile.name};
    if (!program.hasOwnLines())
      request.source = "";
    request.tried = report::TriedSchedules::get().all();
    auto page = report::makeReport(module, compile, request);
    if (mlir::failed(page))
      return interrupted.orElse(TENSORC_RT_UNSUPPORTED,
                                "save: " + messages.text());
    artefact.bytes = std::move(*page);
    return nullptr;
  }
  compiler::ArtefactRequest request{kind, targets};
  request.stem = compile.name;
  request.input = path;
  request.fileName = llvm::sys::path::filename(path).str();
  request.constants = constants.name.empty() ? nullptr : &constants;
  std::string refusal;
  auto made = compiler::makeArtefact(module, compile, request, refusal);
  if (mlir::failed(made))
    return interrupted.orElse(
        TENSORC_RT_UNSUPPORTED,
        "save: " + (refusal.empty() ? messages.text() : refusal));
  artefact = std::move(*made);
  return nullptr;
}

/// Writes the constants first and then the package, so that no package exists
/// without its constants.
Status Saver::write(const compiler::Artefact &artefact) {
  files::OutputFiles files;
  llvm::Error error = llvm::Error::success();
  if (!constants.name.empty()) {
    llvm::SmallString<128> beside(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(beside, constants.name);
    error = files.add(beside, constants.bytes);
  }
  for (auto [suffix, bytes] :
       llvm::zip(compiler::listSuffixesBeside(kind), artefact.beside))
    if (!error)
      error = files.add(compiler::pathBeside(path, suffix), bytes);
  if (!error)
    error = files.add(path, artefact.bytes);
  if (!error)
    error = files.keep();
  return error ? refuse(llvm::toString(std::move(error))) : nullptr;
}

Status Saver::run() {
  if (Status status = check())
    return status;
  compiler::Artefact artefact;
  Status status =
      program.withModule(options.naming, [&](mlir::ModuleOp module) {
        return make(module, artefact);
      });
  return status ? std::move(status) : write(artefact);
}

Status save(const Program &program, const std::string &path,
            const SaveOptions &options) {
  return Saver(program, path, options).run();
}

std::string textOf(const Program &program, const Naming &naming,
                   Status &status) {
  std::string text;
  status = program.withModule(naming, [&](mlir::ModuleOp module) {
    text = compiler::textOf(module);
    return Status();
  });
  return text;
}

} // namespace tensorc::exporting
