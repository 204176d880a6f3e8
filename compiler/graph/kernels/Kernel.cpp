//===- Kernel.cpp - Kernels written by users ------------------------------===//

#include "compiler/graph/kernels/Kernel.h"

#include "ir/program/Kernels.h"
#include "ir/program/Txp.h"
#include "ir/text/TextVerifier.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <mutex>
#include <set>

using namespace mlir;

namespace tensorc::kernels {

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::optional<llvm::SmallVector<int64_t, 4>>
Exprs::evaluate(const Sizes &sizes) const {
  SmallVector<int64_t, 4> values;
  auto sizeOf = [&](StringRef name) {
    return std::optional(sizes.find(name.str())->second);
  };
  for (shape::Dim dim : dims()) {
    std::optional<int64_t> value = shape::evaluate(dim, sizeOf);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// Collects the errors of an MLIR context in one string during its lifetime.
namespace {
class Messages {
public:
  explicit Messages(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return success();
          llvm::raw_string_ostream os(text);
          os << (text.empty() ? "" : "\n");
          if (auto at =
                  diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
            os << at.getFilename().getValue() << ":" << at.getLine() << ":"
               << at.getColumn() << ": error: ";
          os << diagnostic;
          return success();
        }) {}
  std::string text;

private:
  ScopedDiagnosticHandler handler;
};
} // namespace

static tx::DimsAttr parse(MLIRContext &context, StringRef text,
                          std::string &message) {
  if (text.trim().empty())
    return {};
  Messages messages(context);
  std::string attribute = ("#tx.dims<[" + text + "]>").str();
  tx::DimsAttr parsed;
  if (succeeded(verifyText(attribute, "-", &context)))
    parsed =
        dyn_cast_or_null<tx::DimsAttr>(parseAttribute(attribute, &context));
  if (!parsed) // drops the location, which belongs to the attribute around it
    message = StringRef(messages.text).split("error: ").second.str();
  return parsed;
}

tx::DimsAttr
substitute(MLIRContext &context, const Exprs &exprs,
           llvm::function_ref<shape::Dim(llvm::StringRef)> sizeOf) {
  if (!exprs.parsed)
    return {};
  SmallVector<shape::Dim> dims;
  for (shape::Dim dim : exprs.dims())
    dims.push_back(shape::substitute(
        dim, [&](shape::Dim symbol) { return sizeOf(symbol.name()); }));
  return tx::DimsAttr::get(&context, dims);
}

//===----------------------------------------------------------------------===//
// Making one
//===----------------------------------------------------------------------===//

namespace {
/// Checks a kernel's description and completes it.
class Maker {
public:
  Maker(MLIRContext &context, Kernel &kernel)
      : context(context), kernel(kernel) {}
  bool run();
  std::string error;

private:
  bool fail(const Twine &message) {
    error = message.str();
    return false;
  }
  bool parseExprs(Exprs &exprs, const Twine &what);
  bool bindInputs();
  bool checkNames(const Exprs &exprs, const Twine &what);
  bool checkLaunch();
  bool checkModule();

  MLIRContext &context;
  Kernel &kernel;
  std::set<std::string, std::less<>> bound;
};
} // namespace

bool Maker::parseExprs(Exprs &exprs, const Twine &what) {
  std::string message;
  exprs.parsed = parse(context, exprs.text, message);
  if (!exprs.parsed && !message.empty())
    return fail(what + " '" + exprs.text + "': " + message);
  return true;
}

bool Maker::checkNames(const Exprs &exprs, const Twine &what) {
  for (shape::Dim symbol : shape::symbolsOf(exprs.dims()))
    if (!bound.contains(symbol.name().str()))
      return fail(what + " '" + exprs.text + "': no input has the size " +
                  symbol.name());
  return true;
}

/// Binds each name to an input dim that consists of only this name.
bool Maker::bindInputs() {
  for (auto [i, input] : llvm::enumerate(kernel.inputs)) {
    if (!parseExprs(input.dims, "input " + Twine(i)))
      return false;
    for (shape::Dim dim : input.dims.dims())
      if (dim.isSymbol())
        bound.insert(dim.name().str());
  }
  for (auto [i, input] : llvm::enumerate(kernel.inputs))
    if (!checkNames(input.dims, "input " + Twine(i)))
      return false;
  return true;
}

bool Maker::checkLaunch() {
  if (kernel.outputs.empty())
    return fail("has no output");
  for (auto [i, output] : llvm::enumerate(kernel.outputs))
    if (!parseExprs(output.dims, "output " + Twine(i)) ||
        !checkNames(output.dims, "output " + Twine(i)))
      return false;
  for (auto [exprs, what] :
       {std::pair(&kernel.grid, "grid"), std::pair(&kernel.shared, "shared"),
        std::pair(&kernel.scalars, "scalars")})
    if (!parseExprs(*exprs, what) || !checkNames(*exprs, what))
      return false;
  if (kernel.grid.size() < 1 || kernel.grid.size() > 3)
    return fail("the grid has " + Twine(kernel.grid.size()) +
                " dims, not 1 to 3");
  if (kernel.shared.size() > 1)
    return fail("shared is one number of bytes");
  bool isMlir = !kernel.language;
  if (kernel.block.size() > 3 || (kernel.block.empty() && !isMlir))
    return fail("the block has " + Twine(kernel.block.size()) +
                " dims, not 1 to 3");
  int64_t threads = 1;
  for (int32_t size : kernel.block) {
    if (size < 1)
      return fail("the block has a dim of " + Twine(size));
    threads *= std::min(size, 1025);
  }
  if (threads > 1024)
    return fail("a block has at most 1024 threads");
  if (isMlir && !kernel.flags.empty())
    return fail("flags are for " + rt::listKernelLanguages());
  if (isMlir && kernel.shared.parsed)
    return fail("shared is for " + rt::listKernelLanguages() +
                ": the text declares its workgroup memory");
  return true;
}

/// Parses the text so that locations refer to the file that contains it.
static OwningOpRef<ModuleOp> parseText(MLIRContext &context,
                                       const Kernel &kernel) {
  std::string text = std::string(kernel.line - 1, '\n') + kernel.source;
  if (failed(verifyText(text, kernel.file, &context)))
    return {};
  return parseSourceString<ModuleOp>(text, &context, kernel.file);
}

static gpu::GPUModuleOp findModule(ModuleOp module) {
  auto found = module.getOps<gpu::GPUModuleOp>();
  return found.empty() ? gpu::GPUModuleOp() : *found.begin();
}

bool Maker::checkModule() {
  if (kernel.language)
    return true;
  Messages messages(context);
  OwningOpRef<ModuleOp> module = parseText(context, kernel);
  if (!module)
    return fail("is not valid:\n" + messages.text);
  gpu::GPUModuleOp found = findModule(*module);
  if (!found || !llvm::hasSingleElement(*module->getBody()))
    return fail("is not a single gpu.module");
  auto kernels = found.getOps<gpu::GPUFuncOp>();
  if (!llvm::hasSingleElement(*found.getBody()) || kernels.empty())
    return fail("its gpu.module does not hold one gpu.func alone");
  if ((*kernels.begin()).getName() != kernel.name)
    return fail("its gpu.func is called '" + (*kernels.begin()).getName() +
                "'");
  return true;
}

bool Maker::run() {
  if (kernel.name.empty())
    return fail("has no name");
  return bindInputs() && checkLaunch() && checkModule();
}

/// Searches the user's source file for the text, which may be a raw string
/// literal in it. If it is found, locations refer to lines of that file.
static void findText(Description &description, const char *location) {
  const rt::KernelLanguage *language = description.language;
  description.file = description.name + (language ? language->suffix : ".mlir");
  if (!location || !StringRef(description.source).contains('\n'))
    return;
  auto file = llvm::MemoryBuffer::getFile(location);
  size_t at =
      file ? (*file)->getBuffer().find(description.source) : StringRef::npos;
  if (at == StringRef::npos)
    return;
  description.file = location;
  description.line = 1 + (*file)->getBuffer().take_front(at).count('\n');
}

static std::string keyOf(const Description &d) {
  std::string key;
  llvm::raw_string_ostream os(key);
  auto text = [&](StringRef text) { os << text.size() << ":" << text; };
  auto values = [&](const std::vector<Description::Value> &values) {
    os << values.size() << ";";
    for (const Description::Value &value : values) {
      os << static_cast<int>(value.dtype) << ",";
      text(value.dims.text);
    }
  };
  os << (d.language ? d.language->name : "") << d.zeroed << d.line << ";";
  for (StringRef part : {StringRef(d.source), StringRef(d.name),
                         StringRef(d.file), StringRef(d.grid.text),
                         StringRef(d.shared.text), StringRef(d.scalars.text)})
    text(part);
  values(d.inputs);
  values(d.outputs);
  for (int32_t size : d.block)
    os << size << ",";
  for (const std::string &flag : d.flags)
    text(flag);
  return key;
}

namespace {
/// All kernels; they are never destroyed.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Kernel>> byKey;
  llvm::StringMap<const Kernel *> byHash;

  static Registry &get() {
    static auto *all = new Registry;
    return *all;
  }
};
} // namespace

/// Returns a hash that is the same in every process, because it is part of
/// region bytecode that caches store.
static std::string hashOf(const Kernel &kernel) {
  auto bytes = llvm::arrayRefFromStringRef(kernel.key);
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(bytes);
  return llvm::utohexstr(hash.high64) + "." + llvm::utohexstr(hash.low64);
}

llvm::Expected<const Kernel *> makeKernel(MLIRContext &context,
                                          Description description,
                                          const char *location) {
  findText(description, location);
  std::string key = keyOf(description);
  Registry &known = Registry::get();
  std::scoped_lock lock(known.mutex);
  std::unique_ptr<Kernel> &kernel = known.byKey[key];
  if (kernel)
    return kernel.get();
  auto made = std::make_unique<Kernel>();
  static_cast<Description &>(*made) = std::move(description);
  made->key = key;
  Maker maker(context, *made);
  if (!maker.run()) {
    known.byKey.erase(key);
    return llvm::createStringError(maker.error);
  }
  kernel = std::move(made);
  known.byHash[hashOf(*kernel)] = kernel.get();
  return kernel.get();
}

//===----------------------------------------------------------------------===//
// Using one
//===----------------------------------------------------------------------===//

static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(shape, os);
  os << "]";
  return text;
}

/// Binds the names from dims that are just a name, then checks all dims.
static bool bind(const Kernel &kernel, ArrayRef<ArrayRef<int64_t>> inputs,
                 Sizes &sizes, std::string &error) {
  for (auto [value, shape] : llvm::zip(kernel.inputs, inputs))
    for (auto [dim, size] : llvm::zip(value.dims.dims(), shape))
      if (dim.isSymbol())
        sizes.insert({dim.name().str(), size});
  for (auto [i, value] : llvm::enumerate(kernel.inputs)) {
    auto expected = value.dims.evaluate(sizes);
    if (expected && ArrayRef<int64_t>(*expected) == inputs[i])
      continue;
    llvm::raw_string_ostream os(error);
    os << "input " << i << " is " << shapeText(inputs[i]) << ", declared as ["
       << value.dims.text << "]";
    for (shape::Dim symbol : shape::symbolsOf(value.dims.dims()))
      os << ", where " << symbol.name() << " is "
         << sizes.find(symbol.name().str())->second;
    return false;
  }
  return true;
}

llvm::Expected<Kernel::Shapes>
Kernel::outputShapes(ArrayRef<ArrayRef<int64_t>> shapes) const {
  for (auto [i, value] : llvm::enumerate(inputs))
    if (shapes[i].size() != value.dims.size())
      return llvm::createStringError("input " + Twine(i) + " is " +
                                     shapeText(shapes[i]) + ", declared as [" +
                                     value.dims.text + "]");
  Sizes sizes;
  std::string error;
  if (!bind(*this, shapes, sizes, error))
    return llvm::createStringError(error);
  Shapes result;
  for (auto [i, value] : llvm::enumerate(outputs)) {
    auto shape = value.dims.evaluate(sizes);
    if (!shape || llvm::any_of(*shape, [](int64_t size) { return size < 0; }))
      return llvm::createStringError("output " + Twine(i) + " has no size: [" +
                                     value.dims.text + "]");
    result.push_back(std::move(*shape));
  }
  return result;
}

/// Adds line directives, so that the vendor's compiler reports the user's
/// lines.
static std::string textWithLines(const Kernel &kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "#line " << kernel.line << " \"";
  os.write_escaped(kernel.file) << "\"\n" << kernel.source;
  return text;
}

/// Attribute that identifies the kernel, on the op that holds its text.
static constexpr StringLiteral hashAttr = "kernel_hash";

static Operation *textIn(MLIRContext &context, const Kernel &kernel) {
  OpBuilder b(&context);
  if (kernel.language) {
    context.getOrLoadDialect<txp::TxpDialect>();
    SmallVector<StringRef> flags(kernel.flags.begin(), kernel.flags.end());
    std::string symbol = kernel.name;
    for (char &c : symbol)
      if (!llvm::isAlnum(c))
        c = '_';
    return txp::KernelSourceOp::create(
        b, UnknownLoc::get(&context), symbol, kernel.language->name,
        kernel.name, flags.empty() ? ArrayAttr() : b.getStrArrayAttr(flags),
        textWithLines(kernel));
  }
  OwningOpRef<ModuleOp> parsed = parseText(context, kernel);
  gpu::GPUModuleOp found = findModule(*parsed);
  found->remove();
  // Error messages contain the name. The name "kernels" is reserved for the
  // module of emitted kernels.
  found.setSymName(kernel.name == "kernels" ? "kernels_0" : kernel.name);
  return found;
}

StringAttr addToModule(ModuleOp module, const Kernel &kernel) {
  MLIRContext &context = *module.getContext();
  Operation *text = textIn(context, kernel);
  text->setDiscardableAttr(hashAttr, StringAttr::get(&context, hashOf(kernel)));
  return SymbolTable(module).insert(text);
}

const Kernel &kernelOf(ModuleOp module, StringRef symbol) {
  Operation *text = module.lookupSymbol(symbol);
  auto hash = cast<StringAttr>(text->getDiscardableAttr(hashAttr));
  Registry &known = Registry::get();
  std::scoped_lock lock(known.mutex);
  return *known.byHash.at(hash.getValue());
}

} // namespace tensorc::kernels
