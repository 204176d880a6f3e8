//===- KernelRunner.cpp - Text kernel to callable function ----------------===//

#include "tests/codegen/KernelRunner.h"
#include "compiler/output/pipelines/Register.h"

#include "mlir/Parser/Parser.h"
#include <chrono>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tensorc::test {

static double now() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch())
      .count();
}

std::string getLoopKernel(const std::string &in, const std::string &out,
                          const std::string &body) {
  std::string bufferIn = "memref<?x" + in + ">",
              vectorIn = "vector<16x" + in + ">";
  std::string bufferOut = "memref<?x" + out + ">",
              vectorOut = "vector<16x" + out + ">";
  return "func.func @k(%x: " + bufferIn + ", %y: " + bufferIn +
         ", %z: " + bufferOut +
         ", %begin: index, %end: index, %scratch: memref<?xi8>) "
         "attributes {txk.kernel} {\n"
         "%c16 = arith.constant 16 : index\n"
         "scf.for %i = %begin to %end step %c16 {\n"
         "%a = vector.load %x[%i] : " +
         bufferIn + ", " + vectorIn +
         "\n"
         "%b = vector.load %y[%i] : " +
         bufferIn + ", " + vectorIn + "\n" + body +
         "\n"
         "vector.store %r, %z[%i] : " +
         bufferOut + ", " + vectorOut + "\n}\nreturn\n}\n";
}

Image::Image(llvm::ArrayRef<char> bytes) {
  fd = memfd_create("image.so", MFD_CLOEXEC);
  if (write(fd, bytes.data(), bytes.size()) != ssize_t(bytes.size()))
    llvm::report_fatal_error("cannot write the image");
  std::string path = "/proc/self/fd/" + std::to_string(fd);
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    llvm::report_fatal_error(dlerror());
}

Image::~Image() {
  dlclose(handle);
  close(fd);
}

KernelFunction Image::find(const char *name) const {
  void *symbol = dlsym(handle, name);
  if (!symbol)
    llvm::report_fatal_error(dlerror());
  return reinterpret_cast<KernelFunction>(symbol);
}

KernelRunner::KernelRunner() {
  mlir::DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
}

KernelRunner::~KernelRunner() = default;

llvm::Expected<codegen::ImageBytes>
KernelRunner::compileToBytes(llvm::StringRef text,
                             codegen::CodegenOptions options,
                             CompileTimes *times) {
  CompileTimes ignored;
  CompileTimes &t = times ? *times : ignored;
  double start = now();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  if (!module)
    return llvm::createStringError("the kernel's text does not parse");
  t.parse = now() - start;
  if (edit)
    edit(*module);

  start = now();
  mlir::PassManager passes(context.get(), mlir::ModuleOp::getOperationName());
  if (llvm::Error error = codegen::addCpuLowerPasses(passes, options))
    return error;
  if (mlir::failed(passes.run(*module)))
    return llvm::createStringError("passes failed");
  t.passes = now() - start;

  start = now();
  auto object =
      codegen::emitObject(*module, {options.target, options.optLevel});
  if (!object)
    return object.takeError();
  t.llvm = now() - start;

  start = now();
  auto image = codegen::linkImage(*object);
  t.link = now() - start;
  return image;
}

std::unique_ptr<Image> KernelRunner::compile(llvm::StringRef text,
                                             codegen::CodegenOptions options,
                                             CompileTimes *times) {
  auto bytes = compileToBytes(text, options, times);
  if (!bytes)
    llvm::report_fatal_error(bytes.takeError());
  double start = now();
  auto image = std::make_unique<Image>(*bytes);
  if (times)
    times->load = now() - start;
  return image;
}

} // namespace tensorc::test
