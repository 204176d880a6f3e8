//===- Imported.h - Programs that are read from files or text ---*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_IMPORTED_H
#define TENSORC_COMPILER_SESSION_EXPORT_IMPORTED_H

#include "compiler/session/export/Context.h"
#include "compiler/session/export/Program.h"

#include "mlir/IR/OwningOpRef.h"

#include <mutex>

namespace tensorc::frontends {
struct Reader;
} // namespace tensorc::frontends

namespace tensorc::exporting {

class Imported final : public Program {
public:
  /// Reads StableHLO or tx as text, or an ONNX model. `name` is for messages;
  /// external data of an ONNX model is in its folder. Returns null on failure:
  /// see status.
  static std::unique_ptr<Imported>
  read(llvm::StringRef bytes, llvm::StringRef name, jit::Status &status);
  /// Like `read`, but also reads a portable artifact of StableHLO. The bytes
  /// must have been made in this process.
  static std::unique_ptr<Imported> readArtifact(llvm::StringRef bytes,
                                                llvm::StringRef name,
                                                jit::Status &status);

  std::unique_ptr<jit::Function> function(llvm::StringRef memoryPlans,
                                          jit::Status &status) const override;
  jit::Status withModule(const Naming &naming, Use use) const override;
  bool donates(unsigned argument) const override;
  std::string sharding(bool isResult, unsigned index) const override;
  std::string memoryKind(bool isResult, unsigned index) const override;
  bool returnsEffect() const override { return hasEffectResult; }
  uint64_t wholeOps() const override;

private:
  static std::unique_ptr<Imported> read(llvm::StringRef bytes,
                                        llvm::StringRef name,
                                        const frontends::Reader &reader,
                                        jit::Status &status);
  jit::Status parse(llvm::StringRef bytes, llvm::StringRef name,
                    const frontends::Reader &reader);
  jit::Status describe();
  jit::Status addType(mlir::Type type, jit::Function::NamedArgument &to) const;

  // withModule ensures that only one thread at a time uses the context.
  std::shared_ptr<Context> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<jit::Function::NamedArgument> arguments, results;
  llvm::SmallVector<bool> donated; // one flag per argument
  bool hasEffectResult = false;
  /// What the program declares about its arguments or results. The texts are
  /// empty for those without a declaration.
  struct Declared {
    std::vector<std::string> shardings, memories;
  };
  Declared ofArguments, ofResults;

  /// Returns the code of the program for a target. If the program is for
  /// several ranks, the code is kept, because each rank loads it.
  std::shared_ptr<const jit::Compilation> codeFor(tensorc_rt_device *device,
                                                  jit::Status &status) const;
  mutable std::mutex codeMutex;
  mutable std::string codeTarget;
  mutable std::shared_ptr<const jit::Compilation> code;
};

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_IMPORTED_H
