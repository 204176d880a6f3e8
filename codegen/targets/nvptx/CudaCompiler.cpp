//===- CudaCompiler.cpp - Compiles CUDA C++ with NVRTC --------------------===//
//
// NVRTC is loaded when the first kernel in CUDA C++ is compiled, because
// nothing else requires CUDA to be installed.
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/nvptx/CudaCompiler.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace llvm;

namespace tensorc::codegen {
namespace {

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

using Program = void *;

/// The functions of nvrtc.h that are used. They return 0 on success.
struct Nvrtc {
  int (*createProgram)(Program *, const char *source, const char *name,
                       int headers, const char *const *, const char *const *);
  int (*destroyProgram)(Program *);
  int (*addNameExpression)(Program, const char *);
  int (*compileProgram)(Program, int count, const char *const *options);
  int (*getLoweredName)(Program, const char *, const char **);
  int (*getPTXSize)(Program, size_t *);
  int (*getPTX)(Program, char *);
  int (*getCUBINSize)(Program, size_t *);
  int (*getCUBIN)(Program, char *);
  int (*getProgramLogSize)(Program, size_t *);
  int (*getProgramLog)(Program, char *);
  const char *(*getErrorString)(int);

  /// Returns the library, which is loaded once per process, or null if it is
  /// not installed.
  static const Nvrtc *get();

private:
  bool load();
};

/// Opens the library and never closes it, because a compilation may still run
/// when the process exits and unloads its libraries.
void *openNvrtc() {
  constexpr StringLiteral names[] = {"libnvrtc.so.13", "libnvrtc.so.12",
                                     "libnvrtc.so"};
  SmallVector<std::string> folders{""};
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *root = secure_getenv(variable))
      for (const char *lib : {"lib64", "lib"})
        folders.push_back(std::string(root) + "/" + lib);
  folders.append({"/usr/local/cuda/lib64", "/usr/local/cuda/lib"});
  for (const std::string &folder : folders)
    for (StringRef name : names) {
      SmallString<128> path(folder);
      sys::path::append(path, name);
      if (void *library =
              dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
        return library;
    }
  return nullptr;
}

bool Nvrtc::load() {
  void *library = openNvrtc();
  if (!library)
    return false;
  auto find = [&](auto &function, const char *name) {
    void *address = dlsym(library, name);
    function = reinterpret_cast<std::decay_t<decltype(function)>>(address);
    return address != nullptr;
  };
  return find(createProgram, "nvrtcCreateProgram") &&
         find(destroyProgram, "nvrtcDestroyProgram") &&
         find(addNameExpression, "nvrtcAddNameExpression") &&
         find(compileProgram, "nvrtcCompileProgram") &&
         find(getLoweredName, "nvrtcGetLoweredName") &&
         find(getPTXSize, "nvrtcGetPTXSize") && find(getPTX, "nvrtcGetPTX") &&
         find(getCUBINSize, "nvrtcGetCUBINSize") &&
         find(getCUBIN, "nvrtcGetCUBIN") &&
         find(getProgramLogSize, "nvrtcGetProgramLogSize") &&
         find(getProgramLog, "nvrtcGetProgramLog") &&
         find(getErrorString, "nvrtcGetErrorString");
}

const Nvrtc *Nvrtc::get() {
  static const Nvrtc *nvrtc = []() -> const Nvrtc * {
    static Nvrtc functions;
    return functions.load() ? &functions : nullptr;
  }();
  return nvrtc;
}

//===----------------------------------------------------------------------===//
// Properties of kernels, parsed from PTX
//===----------------------------------------------------------------------===//

/// Returns the size in bytes of a parameter such as ".param .u64 name" or
/// ".param .align 4 .b8 name[12]", or 0 if it cannot be parsed.
unsigned parameterBytes(StringRef text) {
  unsigned count = 1;
  if (size_t open = text.find('['); open != StringRef::npos)
    text.substr(open + 1)
        .take_until([](char c) { return c == ']'; })
        .getAsInteger(10, count);
  for (StringRef word : llvm::split(text, ' ')) {
    unsigned bits = 0;
    word = word.trim();
    if (word.size() > 2 && word.front() == '.' &&
        StringRef("usbf").contains(word[1]) &&
        !word.drop_front(2).getAsInteger(10, bits))
      return count * bits / 8;
  }
  return 0;
}

/// Parses the parameters and the block size of `.entry name( .param ..., ... )
/// .maxntid N`.
void readEntry(StringRef ptx, CompiledSource &out) {
  size_t at = ptx.find(".entry " + out.kernel + "(");
  if (at == StringRef::npos)
    return;
  StringRef head = ptx.substr(at).take_until([](char c) { return c == '{'; });
  auto [list, directives] = head.split('(').second.split(')');
  for (StringRef parameter : llvm::split(list, ','))
    if (!parameter.trim().empty())
      out.parameters.push_back(parameterBytes(parameter));
  for (StringRef name : {".maxntid", ".reqntid"}) {
    auto [before, sizes] = directives.split(name);
    unsigned threads = 1;
    for (StringRef size :
         llvm::split(sizes.take_until([](char c) { return c == '\n'; }), ',')) {
      unsigned dim = 1;
      if (!size.trim().getAsInteger(10, dim))
        threads *= dim;
    }
    if (!sizes.empty())
      out.maxThreads = threads;
  }
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Returns the value of the user's flag -arch or --gpu-architecture, or an
/// empty string.
StringRef getArchitecture(const KernelSource &source) {
  for (StringRef flag : source.flags)
    for (StringRef prefix : {"-arch=", "--gpu-architecture="})
      if (flag.consume_front(prefix))
        return flag;
  return "";
}

std::string getLog(const Nvrtc &nvrtc, Program program) {
  size_t size = 0;
  if (nvrtc.getProgramLogSize(program, &size) || size < 2)
    return "";
  std::string log(size, '\0');
  nvrtc.getProgramLog(program, log.data());
  return StringRef(log.c_str()).trim().str();
}

/// Rewrites "app.cpp(41): error: ..." to "app.cpp:41: error: ...", the form of
/// our other messages. Drops NVRTC's messages about looking up the kernel's
/// name.
std::string withColons(StringRef log) {
  std::string result;
  bool isShown = true;
  for (StringRef line : llvm::split(log, '\n')) {
    size_t close = line.find("): ");
    size_t open = line.substr(0, close).rfind('(');
    unsigned number;
    bool hasPosition = close != StringRef::npos && open != StringRef::npos &&
                       !line.slice(open + 1, close).getAsInteger(10, number);
    if (hasPosition)
      isShown = !line.starts_with("__nv_name_map(");
    if (!isShown || line.trim().empty() ||
        line.contains(" detected in the compilation of "))
      continue;
    if (hasPosition)
      result += formatv("\n{0}:{1}: {2}", line.substr(0, open), number,
                        line.substr(close + 3));
    else
      result += ("\n" + line).str();
  }
  return result;
}

Error failure(const Nvrtc &nvrtc, Program program, int code, StringRef arch) {
  std::string log = getLog(nvrtc, program), shown = withColons(log);
  if (shown.empty() && !log.empty())
    return createStringError(
        "its text has no __global__ function of this name");
  return createStringError("does not compile for " + arch + ":" +
                           (log.empty() ? nvrtc.getErrorString(code) : shown));
}

Error readImage(const Nvrtc &nvrtc, Program program, bool isBinary,
                ImageBytes &ptx, ImageBytes &image) {
  size_t size = 0;
  int code = nvrtc.getPTXSize(program, &size);
  ptx.resize(size);
  if (!code)
    code = nvrtc.getPTX(program, ptx.data());
  // Removes the final zero, which driver and runtime append themselves.
  if (!code && !ptx.empty() && ptx.back() == '\0')
    ptx.pop_back();
  image = ptx;
  if (!code && isBinary) {
    code = nvrtc.getCUBINSize(program, &size);
    image.resize(size);
    if (!code)
      code = nvrtc.getCUBIN(program, image.data());
  }
  return code ? createStringError("NVRTC gives no image: " +
                                  Twine(nvrtc.getErrorString(code)))
              : Error::success();
}

} // namespace

Expected<CompiledSource> compileCuda(const KernelSource &source,
                                     StringRef chip) {
  const Nvrtc *nvrtc = Nvrtc::get();
  if (!nvrtc)
    return createStringError(
        "is CUDA C++, and libnvrtc.so, which compiles it, is neither known to "
        "the loader nor in CUDA_PATH or /usr/local/cuda");
  StringRef arch = getArchitecture(source);
  bool isBinary = arch.starts_with("sm_");
  std::string option =
      ("--gpu-architecture=compute_" + chip.drop_front(3)).str();
  std::string text = source.text.str(), kernel = source.kernel.str();
  SmallVector<const char *> options;
  if (arch.empty())
    options.push_back(option.c_str());
  for (const std::string &flag : source.flags)
    options.push_back(flag.c_str());

  Program program = nullptr;
  std::string name = kernel + ".cu";
  if (int code = nvrtc->createProgram(&program, text.c_str(), name.c_str(), 0,
                                      nullptr, nullptr))
    return createStringError("NVRTC does not take it: " +
                             Twine(nvrtc->getErrorString(code)));
  scope_exit destroy([&] { nvrtc->destroyProgram(&program); });
  StringRef shown = arch.empty() ? chip : arch;
  if (int code = nvrtc->addNameExpression(program, kernel.c_str()))
    return failure(*nvrtc, program, code, shown);
  if (int code = nvrtc->compileProgram(program, options.size(), options.data()))
    return failure(*nvrtc, program, code, shown);
  const char *lowered = nullptr;
  if (nvrtc->getLoweredName(program, kernel.c_str(), &lowered) || !lowered)
    return createStringError(
        "its text has no __global__ function of this name");
  CompiledSource result;
  result.kernel = lowered;
  ImageBytes ptx;
  if (Error error = readImage(*nvrtc, program, isBinary, ptx, result.image))
    return error;
  readEntry(StringRef(ptx.data(), ptx.size()), result);
  return result;
}

} // namespace tensorc::codegen
