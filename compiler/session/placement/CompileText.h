//===- CompileText.h - Programs that test properties of a device ----------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_COMPILETEXT_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_COMPILETEXT_H

#include "runtime/include/tensorc/runtime.h"

#include "llvm/Support/Error.h"

#include <string>

namespace tensorc::placement {

/// Converts a status of the runtime to an error; null means success.
llvm::Error takeStatus(tensorc_rt_status *status);

/// Compiles a module, given as text that is known to be valid, to a package.
llvm::Expected<std::string> compileText(const std::string &target,
                                        const std::string &text);
/// Loads a package on a device. The caller releases the module.
llvm::Expected<tensorc_rt_module *> loadText(tensorc_rt_device *device,
                                             const std::string &package,
                                             const tensorc_rt_entry *&entry);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_COMPILETEXT_H
