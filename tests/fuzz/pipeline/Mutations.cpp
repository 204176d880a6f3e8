//===- Mutations.cpp - Edits of a program's text --------------------------===//

#include "tests/fuzz/pipeline/Mutations.h"

#include "compiler/output/pipelines/Register.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

#include <random>

using namespace llvm;

namespace tensorc::fuzz {

static constexpr StringRef numbers[] = {"0",           "1",
                                        "-1",          "2",
                                        "3",           "7",
                                        "64",          "65",
                                        "1000",        "100000",
                                        "2147483647",  "2147483648",
                                        "-2147483648", "4294967296",
                                        "1e400",       "1000000000000000",
                                        "?",           "4611686018427387904",
                                        "0x7fc00000",  "9223372036854775807",
                                        "-0.0",        "-9223372036854775808",
                                        "1.5",         "9223372036854775808"};
static constexpr StringRef dtypes[] = {
    "f32", "f64", "bf16", "f16",  "i1",    "i8",      "i16",
    "i32", "i64", "ui8",  "ui32", "index", "f80",     "i128",
    "i3",  "i4",  "si8",  "none", "tf32",  "f8E4M3FN"};

namespace {
/// A place in the text that holds a word of some kind.
struct Spot {
  size_t at, length;
};
using Spots = SmallVector<Spot>;

class Mutator {
public:
  Mutator(StringRef text, unsigned seed) : text(text.str()), random(seed) {}
  std::string run();

private:
  std::string text;
  std::minstd_rand random;

  size_t pick(size_t count) { return random() % count; }
  StringRef at(Spot spot) const {
    return StringRef(text).substr(spot.at, spot.length);
  }
  template <typename Fn> Spots words(Fn isWanted) const;
  Spots brackets(char open, char close) const;
  void replace(const Spots &spots, ArrayRef<StringRef> choices);
  void exchange(const Spots &spots);
  void editLines();
  void edit();
};
} // namespace

/// Names of the ops of every dialect that the tool knows.
static ArrayRef<StringRef> opNames() {
  static const std::vector<StringRef> names = [] {
    mlir::DialectRegistry registry;
    compiler::registerAllTensorcDialects(registry);
    static mlir::MLIRContext context(registry,
                                     mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    std::vector<StringRef> found;
    for (mlir::RegisteredOperationName op : context.getRegisteredOperations())
      // Most of the others are what no program contains.
      for (StringRef dialect : {"tx", "txp", "func", "arith", "scf", "memref"})
        if (op.getDialectNamespace() == dialect)
          found.push_back(op.getStringRef());
    return found;
  }();
  return names;
}

/// Maximal runs of letters, digits and what names contain, of which some are
/// wanted.
template <typename Fn> Spots Mutator::words(Fn isWanted) const {
  auto isWord = [](char c) {
    return isAlnum(c) || c == '_' || c == '.' || c == '%' || c == '-' ||
           c == '?';
  };
  Spots found;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && isWord(text[end]))
      // A shape's sizes are words of their own: 4x8xf32.
      if (text[end++] && end < text.size() && text[end] == 'x' &&
          (isDigit(text[begin]) || text[begin] == '?'))
        break;
    if (end > begin && isWanted(StringRef(text).slice(begin, end)))
      found.push_back({begin, end - begin});
    begin = end + 1;
  }
  return found;
}

Spots Mutator::brackets(char open, char close) const {
  Spots found;
  for (size_t end = 0, begin; (end = text.find(close, end)) != text.npos; ++end)
    if (begin = text.rfind(open, end); begin != text.npos)
      found.push_back({begin, end + 1 - begin});
  return found;
}

void Mutator::replace(const Spots &spots, ArrayRef<StringRef> choices) {
  if (spots.empty())
    return;
  Spot spot = spots[pick(spots.size())];
  text.replace(spot.at, spot.length, choices[pick(choices.size())].str());
}

/// One of the text's own for another.
void Mutator::exchange(const Spots &spots) {
  if (spots.empty())
    return;
  std::string other = at(spots[pick(spots.size())]).str();
  replace(spots, StringRef(other));
}

void Mutator::editLines() {
  SmallVector<StringRef> views;
  StringRef(text).split(views, '\n');
  std::vector<std::string> lines(views.begin(), views.end());
  size_t i = pick(lines.size()), j = pick(lines.size());
  switch (pick(3)) {
  case 0:
    lines.erase(lines.begin() + i);
    break;
  case 1:
    lines.insert(lines.begin() + j, std::string(lines[i]));
    break;
  default:
    std::swap(lines[i], lines[j]);
  }
  text = join(lines, "\n");
}

void Mutator::edit() {
  auto isNumber = [](StringRef word) {
    return word == "?" ||
           isDigit(word.ltrim('-').empty() ? 'x' : word.ltrim('-')[0]);
  };
  switch (pick(9)) {
  case 0:
    return replace(words([](StringRef w) { return is_contained(dtypes, w); }),
                   dtypes);
  case 1:
    return replace(
        words([](StringRef w) { return is_contained(opNames(), w); }),
        opNames());
  case 2:
    return exchange(words([](StringRef w) { return w.starts_with("%"); }));
  case 3: { // The same number everywhere: shapes that fit, but not memory.
    Spots spots = words(isNumber);
    if (spots.empty())
      return;
    std::string old = at(spots[pick(spots.size())]).str();
    StringRef fresh = numbers[pick(std::size(numbers))];
    for (Spot spot : reverse(spots))
      if (at(spot) == old)
        text.replace(spot.at, spot.length, fresh.str());
    return;
  }
  case 4:
    return exchange(brackets('[', ']'));
  case 5:
    return exchange(brackets('<', '>'));
  case 6:
    return editLines();
  case 7:
    return exchange(words(isNumber));
  default:
    return replace(words(isNumber), numbers);
  }
}

std::string Mutator::run() {
  for (size_t edits = 1 + pick(4); edits-- > 0;)
    edit();
  return std::move(text);
}

std::string mutateText(StringRef text, unsigned seed) {
  return Mutator(text, seed).run();
}

} // namespace tensorc::fuzz

//===----------------------------------------------------------------------===//
// What libFuzzer asks for
//===----------------------------------------------------------------------===//

/// libFuzzer reads this section as it reads the counters of instrumented code.
__attribute__((section("__libfuzzer_extra_counters"),
               used)) static volatile uint8_t counters[1 << 15];

void tensorc::fuzz::note(size_t what) {
  counters[what % std::size(counters)] = 1;
}

void tensorc::fuzz::noteMessage(StringRef message) {
  std::string words;
  for (char c : message)
    if (!llvm::isDigit(c))
      words += c;
  note(llvm::hash_value(StringRef(words).take_front(40)));
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, most);
  std::string text =
      tensorc::fuzz::mutateText({reinterpret_cast<char *>(data), size}, seed);
  size_t length = std::min(text.size(), most);
  std::copy_n(text.begin(), length, data);
  return length;
}
