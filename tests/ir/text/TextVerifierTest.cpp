//===- TextVerifierTest.cpp - Texts that a parser must not see ------------===//
//
// Each kind of text drives a recursion of MLIR's parser, or makes it slow. Far
// above its limit it is refused; just below, the parser survives it.
//
//===----------------------------------------------------------------------===//

#include "ir/text/TextVerifier.h"
#include "compiler/output/pipelines/Register.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/DebugStringHelper.h"
#include <gtest/gtest.h>

#include <functional>

using namespace tensorc;
using mlir::StringRef;

namespace {

std::string times(unsigned n, StringRef text) {
  std::string result;
  for (unsigned i = 0; i < n; ++i)
    result += text;
  return result;
}

std::string around(unsigned n, StringRef before, StringRef in,
                   StringRef after) {
  return times(n, before) + in.str() + times(n, after);
}

std::string function(StringRef type) {
  return ("func.func private @f(" + type + ")").str();
}
std::string map(StringRef expression) {
  return ("#m = affine_map<(d0) -> (" + expression + ")>\nmodule {}").str();
}
std::string attribute(StringRef value) {
  return ("module attributes {tx.a = " + value + "} {}").str();
}

/// Bodies of fusions, each in the one before.
std::string regions(unsigned n) {
  static constexpr char type[] = "tensor<4xf32>";
  auto line = [](const std::string &text) { return text + "\n"; };
  std::string head, tail;
  for (unsigned i = 0; i < std::min(n, 1000u); ++i) {
    std::string here = std::to_string(i), next = std::to_string(i + 1);
    head += line("%y" + here + " = tx.fusion \"loop\" \"a\" (%x" + here +
                 ") : (" + type + ") -> " + type + " {");
    head += line("^bb0(%x" + next + ": " + type + "):");
    std::string value = (i + 1 < n ? "%y" : "%x") + next;
    tail = line("tx.yield " + value + " : " + type) + line("}") + tail;
  }
  return line("func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {") + head +
         tail + "return %y0 : tensor<4xf32>\n}";
}

/// Definitions that use the one before, `$` in `again`.
std::string aliases(unsigned n, StringRef sigil, StringRef first,
                    StringRef again, StringRef use) {
  std::string text, name;
  for (unsigned i = 0; i < n; ++i) {
    std::string value = i ? again.str() : first.str();
    for (size_t at; (at = value.find('$')) != std::string::npos;)
      value.replace(at, 1, name);
    name = (sigil + "a" + std::to_string(i)).str();
    text += name + " = " + value + "\n";
  }
  std::string last = use.str();
  last.replace(last.find('$'), 1, name);
  return text + last;
}

struct Kind {
  const char *name;
  std::function<std::string(unsigned)> text;
  unsigned below; // the parser sees these
  const char *message;
};

constexpr char deep[] = "brackets nest more than 256 deep";
constexpr char operators[] = "more than 2048 operators in one expression";
constexpr char dimensions[] = "more than 64 dimensions";
constexpr char digits[] = "a number of more than 1024 digits";
constexpr char words[] = "the aliases stand for more than 67108864 words";

const Kind kinds[] = {
    {"modules", [](unsigned n) { return around(n, "module {", "", "}"); }, 256,
     deep},
    {"generic",
     [](unsigned n) {
       return around(n, "\"builtin.module\"() ({", "", "}) : () -> ()");
     },
     128, deep},
    {"regions", regions, 250, deep},
    {"types",
     [](unsigned n) { return function(around(n, "tuple<", "f32", ">")); }, 250,
     deep},
    {"functions",
     [](unsigned n) { return function(around(n, "(", "f32", ") -> f32")); },
     250, deep},
    {"arrays", [](unsigned n) { return attribute(around(n, "[", "1", "]")); },
     250, deep},
    {"dictionaries",
     [](unsigned n) { return attribute(around(n, "{a = ", "1", "}")); }, 250,
     deep},
    {"elements",
     [](unsigned n) {
       return attribute("dense<" + around(n, "[", "1", "]") + "> : tensor<" +
                        times(std::min(n, 60u), "1x") + "i32>");
     },
     60, deep},
    {"locations",
     [](unsigned n) {
       return "module {} loc(" + around(n, "fused[", "unknown", "]") + ")";
     },
     250, deep},
    {"parentheses", [](unsigned n) { return map(around(n, "(", "d0", ")")); },
     250, deep},
    {"sizes",
     [](unsigned n) {
       return function("tensor<?xf32, #tx.dims<[" + around(n, "(", "n", ")") +
                       "]>>");
     },
     250, deep},
    {"negations", [](unsigned n) { return map(times(n, "-") + "d0"); }, 2000,
     operators},
    {"sums", [](unsigned n) { return map(times(n, "d0 + ") + "d0"); }, 2000,
     operators},
    {"quotients",
     [](unsigned n) { return map("d0" + times(n, "\nfloordiv 2")); }, 60,
     operators},
    {"both", // operators and brackets take turns
     [](unsigned n) {
       return map(around(n / 100, "(" + times(10, "1 + "), "d0", ")"));
     },
     20000, operators},
    {"rank",
     [](unsigned n) { return function("tensor<" + times(n, "1x") + "f32>"); },
     64, dimensions},
    {"dynamic",
     [](unsigned n) { return function("tensor<" + times(n, "?x") + "f32>"); },
     64, dimensions},
    {"spaced",
     [](unsigned n) { return function("tensor<" + times(n, "1 x ") + "f32>"); },
     64, dimensions},
    {"vectors",
     [](unsigned n) { return function("vector<" + times(n, "[2]x") + "f32>"); },
     64, dimensions},
    {"digits",
     [](unsigned n) { return attribute("0" + times(n, "0") + "7 : i64"); },
     1000, digits},
    {"hexadecimal",
     [](unsigned n) { return attribute("0x" + times(n, "0") + "F : i64"); },
     1000, digits},
    {"fractions",
     [](unsigned n) { return attribute("0." + times(n, "9") + " : f64"); },
     1000, digits},
    {"deep aliases",
     [](unsigned n) { return aliases(n, "#", "[1]", "[$]", attribute("$")); },
     250, deep},
    {"wide aliases",
     [](unsigned n) {
       return aliases(std::min(n, 60u), "!", "tuple<f32>", "tuple<$, $>",
                      function("$"));
     },
     12, words},
    {"aliases on two lines",
     [](unsigned n) {
       return aliases(std::min(n, 60u), "#", "dense<1> : tensor<1xi32>",
                      "dense<1> :\ntensor<1xi32, [$, $]>", attribute("$"));
     },
     12, words},
};

class TextVerifier : public testing::Test {
protected:
  mlir::MLIRContext context{registry(), mlir::MLIRContext::Threading::DISABLED};
  std::string message;
  mlir::ScopedDiagnosticHandler handler{
      &context, [this](mlir::Diagnostic &diagnostic) {
        if (message.empty())
          message = mlir::debugString(diagnostic.getLocation()) + " " +
                    diagnostic.str();
        return mlir::success();
      }};

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    compiler::registerAllTensorcDialects(registry);
    return registry;
  }
  bool verify(StringRef text) {
    message.clear();
    return succeeded(verifyText(text, "x.mlir", &context));
  }
};

class TextKinds : public TextVerifier,
                  public testing::WithParamInterface<Kind> {};

TEST_P(TextKinds, RefusesFarAbove) {
  EXPECT_FALSE(verify(GetParam().text(100000)));
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  EXPECT_TRUE(StringRef(message).starts_with("loc(\"x.mlir\":")) << message;
}

TEST_P(TextKinds, ParserSurvivesJustBelow) {
  std::string text = GetParam().text(GetParam().below);
  ASSERT_TRUE(verify(text)) << message;
  // What is not a program is refused; what is one can be printed and verified.
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (module)
    EXPECT_FALSE(mlir::debugString(**module).empty());
  else
    EXPECT_FALSE(message.empty());
}

INSTANTIATE_TEST_SUITE_P(TextVerifier, TextKinds, testing::ValuesIn(kinds),
                         [](const testing::TestParamInfo<Kind> &info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

TEST_F(TextVerifier, ReadsWordsAsTheLexerDoes) {
  // Brackets in strings and comments do not count.
  EXPECT_TRUE(verify(
      attribute("\"" + times(1000, "[") + "\\\"" + times(9, "[") + "\"")));
  EXPECT_TRUE(verify("// " + times(1000, "( ") + "\nmodule {}"));
  // A comma ends a sum; an arrow is neither a bracket nor an operator.
  EXPECT_TRUE(verify(attribute("[" + times(3000, "-1, ") + "-1]")));
  EXPECT_TRUE(verify(function(times(3000, "() -> i32, ") + "i32")));
  // Operations of a block are not sum.
  EXPECT_TRUE(verify("module {" + times(3000, "a.b -1\n") + "}"));
  EXPECT_TRUE(verify(times(1000, "#s = affine_set<(d0) : (d0 - 1 >= 0)>\n")));
}

TEST_F(TextVerifier, RefusesWhatTwoLexersWouldReadDifferently) {
  EXPECT_FALSE(
      verify("module attributes {tx.a =\n  #tx.symbol<\"n\", // >[[[\n "
             "min = 1>} {}"));
  EXPECT_EQ(message,
            "loc(\"x.mlir\":2:22) a comment within < > must not contain '>'");
  EXPECT_TRUE(verify("module attributes {tx.a = #tx.symbol<\"n\", // the size\n"
                     " min = 1>} {}"));
}

TEST_F(TextVerifier, RefusesResultNumbersThatTakeAllMemory) {
  EXPECT_FALSE(verify("return %x#2147483647 : f32"));
  EXPECT_EQ(message, "loc(\"x.mlir\":1:10) no operation has a result number "
                     "2147483647");
  EXPECT_TRUE(verify("return %x#3 : f32 // %x#2147483647"));
}

TEST_F(TextVerifier, RefusesArraysOfIndices) {
  EXPECT_FALSE(verify("module attributes {a = array<index: 1>} {}"));
  EXPECT_EQ(message, "loc(\"x.mlir\":1:30) an array has no elements of type "
                     "index");
  EXPECT_FALSE(verify("module attributes {a = array // of\n <\n index>} {}"));
  EXPECT_TRUE(verify("module attributes {a = array<i64: 1>} {}"));
  EXPECT_TRUE(verify("func.func @array(%x: memref<index>) { return }"));
}

TEST_F(TextVerifier, RefusesBytesThatAreNoText) {
  EXPECT_FALSE(verify("module {\n  // \x1b[31m\n}"));
  EXPECT_EQ(message, "loc(\"x.mlir\":2:6) the control character 0x1b: a "
                     "program's text is UTF-8 without control characters");
  EXPECT_FALSE(verify("\xff"));
  EXPECT_FALSE(verify(StringRef("module {}\0", 10)));
  EXPECT_TRUE(verify("// größe\r\n\tmodule {}"));
}

/// A value that is used where a region further in defines its name.
const std::pair<const char *, const char *> escapes[] = {
    {"a result", R"(func.func @f(%c: i1) -> i32 {
  %y = arith.addi %x, %x : i32
  scf.if %c {
    %x = arith.constant 1 : i32
  }
  return %y : i32
})"},
    {"one of several", R"(%y = arith.addi %x#1, %y : i32
module {
  %a, %x:2 = "t.op"() : () -> (i32, i32, i32)
})"},
    {"a block's argument", R"(%y = arith.addi %x, %x : i32
module {
^bb0(%a: i32, %x: i32):
})"},
    {"a function's", R"(%y = arith.addi %x, %x : i32
func.func private @"f g"(%a: i32 {t.a = "b"}, %x: i32) -> i32 attributes {t.a} {
})"},
    {"a loop's variable", R"(func.func @f(%a: index) -> index {
  %y = arith.addi %x, %x : index
  scf.for %x = %a to %a step %a {
  }
})"},
    {"what a loop carries", R"(func.func @f(%a: index) -> index {
  %y = arith.addi %x, %x : index
  %z = scf.for %i = %a to %a step %a iter_args(%u = %a, %x = %a) -> (index, index) {
  }
})"},
    {"what a while carries", R"(func.func @f(%a: index) -> index {
  %y = arith.addi %x, %x : index
  %z = scf.while (%x = %a) : (index) -> index {
  }
})"},
    {"a parallel loop's", R"(func.func @f(%a: index) -> index {
  %y = arith.addi %x, %x : index
  scf.parallel (%i, %x) = (%a, %a) to (%a, %a) step (%a, %a) {
  }
})"},
    {"a launch's", R"(func.func @f(%a: index) -> index {
  %y = arith.addi %x, %x : index
  gpu.launch blocks(%b, %c, %d) in (%e = %a, %f = %a, %x = %a)
      threads(%g, %h, %i) in (%j = %a, %k = %a, %l = %a) {
  }
})"},
    {"workgroup memory", R"(%y = arith.addi %x, %x : index
gpu.module @m {
  gpu.func @k(%a: index) workgroup(%x: memref<4xf32, 3>) kernel {
  }
})"},
    {"the region beside it", R"(func.func @f(%c: i1) -> i32 {
  scf.if %c {
    %y = arith.addi %x, %x : i32
  } else {
    %x = arith.constant 1 : i32
  }
})"},
    {"a region of the operation that it names", R"(func.func @f(%c: i1) -> i32 {
  %x = scf.if %c -> i32 {
    %y = arith.addi %x, %x : i32
    scf.if %c {
      %x = arith.constant 1 : i32
    }
  }
})"},
    {"generic form", R"("t.use"(%x) : (i32) -> ()
"t.op"() ({
  "t.op"() ({
  ^bb0(%a: i32):
    %x = "t.def"() : () -> i32
  }) : () -> ()
}) : () -> ()
)"},
    {"on one line",
     R"(%y = arith.addi %x, %x : i32 module { ^b: %x = arith.constant 1 : i32 })"},
};

TEST_F(TextVerifier, RefusesUsesThatARegionFurtherInDefines) {
  for (auto [what, text] : escapes) {
    EXPECT_FALSE(verify(text)) << what;
    EXPECT_NE(message.find(" use of %x, which line "), std::string::npos)
        << what << ": " << message;
  }
  verify(escapes[0].second);
  EXPECT_EQ(message, "loc(\"x.mlir\":2:19) use of %x, which line 4 defines "
                     "within another region");
}

/// What looks like it, and is valid.
const char *const validNames[] = {
    // Before its definition in the text, in a block that comes later.
    R"(func.func @f(%c: i1) -> i32 {
  cf.br ^bb2
^bb1(%n: i32):
  %r = scf.if %c -> i32 {
    %z = scf.if %c -> i32 {
      scf.yield %x : i32
    } else {
      scf.yield %n : i32
    }
    scf.yield %z : i32
  } else {
    scf.yield %x : i32
  }
  cf.cond_br %c, ^bb3(%r : i32), ^bb1(%x : i32)
^bb2:
  %x = arith.constant 1 : i32
  cf.br ^bb1(%x : i32)
^bb3(%s: i32):
  return %s : i32
})",
    // A module's operations have no order.
    R"(module {
  %y = arith.addi %x, %x : i32
  func.func @f() -> i32 {
    %z = arith.constant 1 : i32
    return %z : i32
  }
  %x = arith.constant 1 : i32
})",
    // One name in regions beside each other, and of a result around it.
    R"(func.func @f(%c: i1, %a: index) -> i32 {
  %x = scf.if %c -> i32 {
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  } else {
    %x = arith.constant 2 : i32
    scf.yield %x : i32
  }
  scf.for %i = %a to %a step %a {
    %y = arith.addi %i, %i : index
  }
  scf.parallel (%i, %j) = (%a, %a) to (%a, %a) step (%a, %a) {
    %y = arith.addi %i, %j : index
  }
  %k:2 = scf.while (%i = %a, %j = %a) : (index, index) -> (index, index) {
    scf.condition(%c) %i, %j : index, index
  } do {
  ^bb0(%i: index, %j: index):
    %y = arith.addi %i, %j : index
    scf.yield %i, %j : index, index
  }
  return %x : i32
}
func.func private @g(%x: i32, %y: i32)
func.func @h(%y: i32) -> i32 {
  %x = func.call @f2(%y) : (i32) -> i32
  return %x : i32
}
func.func private @f2(i32) -> i32)",
    R"(gpu.module @m {
  gpu.func @k(%a: index) workgroup(%w: memref<4xf32, 3>) private(%p: memref<4xf32, 5>) kernel {
    %x = memref.load %w[%a] : memref<4xf32, 3>
    memref.store %x, %p[%a] : memref<4xf32, 5>
    gpu.return
  }
  gpu.func @l(%x: index) kernel {
    gpu.return
  }
})",
    // Bodies of fusions have names of their own.
    R"(func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %y = tx.fusion "loop" "again" (%a) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%y: tensor<4xf32>):
    %a = tx.neg %y : tensor<4xf32>
    tx.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
})",
};

TEST_F(TextVerifier, LeavesValidNamesAlone) {
  for (StringRef text : validNames) {
    EXPECT_TRUE(verify(text)) << message << "\n" << text.str();
    EXPECT_TRUE(mlir::parseSourceString<mlir::ModuleOp>(text, &context))
        << message << "\n"
        << text.str();
  }
}

} // namespace
