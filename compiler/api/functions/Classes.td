//===- Classes.td - Classes for the descriptions of API functions ---------===//
//
// Classes with which Api.td and the files that it includes describe
// enumerations, parameters and functions.
//
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

/// The enumerator TENSORC_<constant>. `function` is the name of the C++
/// function that the value selects; errors begin with this name. `op` is the
/// class of the op that this case records, if all cases of its enumeration
/// record one.
class Case<string constant, int value, string comment = "", string function = "", string op = ""> {
  string Op = op;
  string Constant = constant;
  int Value = value;
  string Comment = comment;
  string Function = function;
}
/// The enumeration tensorc_<name>. `graph` is the type with the same values
/// that builders take.
class Enum<string name, string header, list<Case> cases, string graph = ""> {
  string Name = name;
  string Header = header;
  list<Case> Cases = cases;
  string Graph = graph;
}

//===----------------------------------------------------------------------===//
// Kinds of parameters. `fallback` is the default in C++; empty means none.
//===----------------------------------------------------------------------===//

/// The operator of the dag that lists a function's parameters.
def params;

class Parameter<string kind, string fallback = ""> {
  string Kind = kind;
  string Fallback = fallback;
}
/// The C type is const tensorc_tensor *. The C++ type is Arg, which is released
/// once the call is recorded.
def Tensor : Parameter<"tensor">;
/// The C type is const tensorc_tensor *. The C++ type is const Tensor &.
def Handle : Parameter<"handle">;
/// A tensor that may be NULL.
def OptionalTensor : Parameter<"optional_tensor", "{}">;
/// A key of random numbers.
def Key : Parameter<"key">;
/// The C type is const tensorc_arg *, for a tensor or a number.
class Number<string fallback = ""> : Parameter<"number", fallback>;
/// The C type is const tensorc_arg *, for a number only.
def Bound : Parameter<"bound">;
class Int<string fallback = ""> : Parameter<"int", fallback>;
/// An axis, or TENSORC_NONE.
def AxisOrNone : Parameter<"axis_or_none">;
class Real<string fallback = ""> : Parameter<"real", fallback>;
/// The C type is const double *, which may be NULL.
def OptionalReal : Parameter<"optional_real">;
/// The type is int32_t in C and bool in C++.
class Flag<string fallback = ""> : Parameter<"flag", fallback>;
class TextOr<string fallback> : Parameter<"text", fallback>;
def Text : TextOr<"">;
class DType<string fallback = ""> : Parameter<"dtype", fallback>;
class Choice<Enum type, string fallback = ""> : Parameter<"choice", fallback> {
  Enum Type = type;
}
/// A value that selects a function (see Case).
class Selector<Enum type> : Choice<type> {
  let Kind = "selector";
}
/// The C parameters are int32_t COUNT and const int64_t *. Lists with the same
/// COUNT have the same length.
class Ints<string count, string fallback = ""> : Parameter<"ints", fallback> {
  string Count = count;
}
class Axes<string fallback = "", string count = "count"> : Ints<count, fallback> {
  let Kind = "axes";
}
def Shape : Ints<"rank">;
/// The C parameters are int32_t COUNT and const tensorc_arg *.
class Numbers<string count> : Parameter<"numbers"> {
  string Count = count;
}
/// The C type is const int64_t *. There is one number per axis of the first
/// parameter.
def PerAxis : Parameter<"per_axis">;
/// Like PerAxis in C, but may be NULL.
def OptionalPerAxis : Parameter<"optional_per_axis">;
/// The C parameters are const tensorc_tensor *const * and int32_t count.
def Tensors : Parameter<"tensors">;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A C++ function. `arguments` are the arguments of its call of the C function:
/// parameters or expressions. If empty, it passes its parameters unchanged.
class Wrapper<string name, dag parameters, list<string> arguments = [], string comment = ""> {
  string Name = name;
  dag Parameters = parameters;
  list<string> Arguments = arguments;
  string Comment = comment;
}

/// Base class of all functions. Headers declare functions in the order in which
/// they are defined here.
class Declared;

/// The C function tensorc_<name>(parameters, at, outs).
class Function<string name, dag parameters> : Declared {
  string Name = name;
  dag Parameters = parameters;
  /// The header tensorc/<header>.h that declares the function.
  string header = "functions";
  string comment = "";
  /// Equations in the syntax of Python that a test checks from C: `tril([[1, 2], [3, 4]]) == [[1, 0], [3, 4]]`
  /// (tools/opgen/function_examples.py). The numbers are NumPy's, SciPy's or PyTorch's.
  list<string> examples = [];
  /// The builder that the C function calls. `builderArguments` are its
  /// arguments after the recorder, as C++ expressions of the parameters' names.
  /// If empty, they are all parameters.
  string builder = "graph::" # name;
  string builderArguments = "";
  /// Prefix of errors: a name, or a C++ expression of the C function.
  string called = name;
  /// The C++ functions. If empty, there is one function with the same name and
  /// parameters.
  list<Wrapper> wrappers = [];
  /// Set if the C function, or the C++ function, is written by hand.
  bit adapterByHand = 0;
  bit wrapperByHand = 0;
  /// Names of the results. One of them may be an array.
  list<string> outs = ["out"];
  /// Length of the array of results: `count`, or `rank` (the rank of x). Empty
  /// if no result is an array.
  string outLength = "";
  /// The function's table in docs/functions.md, and names of the composites
  /// (ir/library) that the C++ functions record.
  string section = "";
  list<string> composites = [];
  /// Set if the C++ functions are also members of Tensor: x.sum(axes) is sum(x,
  /// axes).
  bit methods = 0;
  /// Result type of the C++ function: Tensor, or a class made from one.
  string result = "Tensor";
}

/// A member of Tensor that calls a C++ function written by hand, with the tensor as the first argument.
class Method<string name, dag parameters, string function = name, string result = "Tensor"> : Declared {
  string Name = name;
  dag Parameters = parameters;
  string Function = function;
  string Result = result;
}
