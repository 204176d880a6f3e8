//===- LinearAttention.cpp - ONNX's attention with a recurrent state ------===//
//
// A tx.scan over the tokens, whose state is a matrix for each head of keys:
//   S = exp(g) * S + k ⊗ (beta * (v - k S)),  y = scale * q S
// It is computed in f32 or wider. The node's update rule determines which terms
// are present.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/onnx/GraphImport.h"
#include "ir/tx/Control.h"

#include <cmath>

using namespace mlir;

namespace tensorc::onnx {

namespace {
struct Heads {
  Dim batch, tokens;
  int64_t queries, keys;
};
} // namespace

/// Reshapes [batch, tokens, ...] to [tokens, batch, dims...] and converts it to
/// the dtype for computing.
static Value byToken(NodeImport &n, Value x, const Heads &heads, Numbers dims) {
  if (n.isRefused())
    return Value();
  SmallVector<Dim> all{heads.batch, heads.tokens};
  all.append(dims.begin(), dims.end());
  Value split = n.reshape(n.e.widen(x), all);
  SmallVector<int64_t> order{1, 0};
  for (int64_t d = 2; d < static_cast<int64_t>(all.size()); ++d)
    order.push_back(d);
  return n.transpose(split, order);
}

/// Returns the size of a row if the last dim of [batch, tokens, ...] is split
/// into `heads` rows.
static int64_t rowOf(NodeImport &n, Value x, int64_t heads, StringRef what) {
  if (n.isRefused())
    return 1;
  if (rankOf(x) != 3) {
    n.refuse("the " + what + " is not a tensor of three dimensions");
    return 1;
  }
  int64_t size = n.numberOf(dimsOf(x)[2], "the last dimension of the " + what);
  if (!n.isRefused() && size % heads != 0)
    n.refuse("the last dimension of the " + what + ", " + Twine(size) +
             ", is not a multiple of the number of heads");
  return size / heads;
}

/// Processes one token: returns the new state and the output. `decay` and
/// `beta` may be null.
static std::pair<Value, Value> step(NodeImport &n, Value state, Value q,
                                    Value k, Value v, Value decay, Value beta,
                                    double scale) {
  if (decay)
    state = n.mul(state, n.unsqueeze(n.exp(decay), {3}));
  if (beta)
    v = n.mul(beta, n.sub(v, n.dot(k, state, {{0, 1}, {0, 1}, 2, 2})));
  state = n.add(state, n.mul(n.unsqueeze(k, {3}), n.unsqueeze(v, {2})));
  return {state, n.mul(n.dot(q, state, {{0, 1}, {0, 1}, 3, 2}), scale)};
}

void linearAttention(NodeImport &n) {
  StringRef rule = n.text("update_rule", "gated_delta");
  bool decays = rule == "gated" || rule == "gated_delta",
       corrects = rule == "delta" || rule == "gated_delta";
  if (!decays && !corrects && rule != "linear")
    return void(n.refuse("the update_rule '" + rule + "' is unknown"));
  if (n.has(4) != decays || n.has(5) != corrects)
    return void(n.refuse("the update_rule '" + rule +
                         "' takes another choice of decay and beta"));
  Value q = n.in(0), k = n.in(1), v = n.in(2);
  Heads heads{0, 0, n.integer("q_num_heads", 0), n.integer("kv_num_heads", 0)};
  if (heads.queries <= 0 || heads.keys <= 0 || heads.queries % heads.keys != 0)
    return void(n.refuse("q_num_heads is not a multiple of kv_num_heads"));
  int64_t keySize = rowOf(n, q, heads.queries, "query"),
          valueSize = rowOf(n, v, heads.keys, "value");
  if (rowOf(n, k, heads.keys, "key") != keySize)
    n.refuse("the rows of queries and keys have different sizes");
  if (n.isRefused())
    return;
  heads.batch = dimsOf(q)[0], heads.tokens = dimsOf(q)[1];
  DType dtype = dtypeOf(q);
  Value state = n.optional(3);
  DType stateDType = state && !n.isRefused() ? dtypeOf(state) : dtype;
  SmallVector<Dim> stateDims{heads.batch, heads.keys, keySize, valueSize};
  if (n.isRefused())
    return;
  if (state && dimsOf(state) != Dims(stateDims))
    return void(n.refuse("the past state has another shape than the state"));
  SmallVector<Value> inputs{
      state ? n.e.widen(state)
            : n.zeros(dtype == DType::F64 ? dtype : DType::F32, stateDims),
      byToken(n, q, heads, {heads.keys, heads.queries / heads.keys, keySize}),
      byToken(n, k, heads, {heads.keys, keySize}),
      byToken(n, v, heads, {heads.keys, valueSize})};
  if (decays) {
    // The decay has one number for each head, or for each row of a head's
    // state.
    int64_t rows = rowOf(n, n.in(4), heads.keys, "decay");
    if (!n.isRefused() && rows != 1 && rows != keySize)
      n.refuse("the decay has neither one number for each head nor for each "
               "row of its state");
    inputs.push_back(byToken(n, n.in(4), heads, {heads.keys, rows}));
  }
  if (corrects) {
    int64_t each = rowOf(n, n.in(5), 1, "beta");
    if (!n.isRefused() && each != 1 && each != heads.keys)
      n.refuse("beta has neither one number nor one for each head");
    inputs.push_back(byToken(n, n.in(5), heads, {each, int64_t(1)}));
  }
  double scale = n.real("scale", 0);
  if (scale == 0)
    scale = 1 / std::sqrt(static_cast<double>(keySize));
  if (n.isRefused())
    return;

  Region region;
  Block *block = &region.emplaceBlock();
  block->addArgument(RankedTensorType::get({}, n.b.getI64Type()), n.loc);
  for (auto [i, input] : llvm::enumerate(inputs))
    block->addArgument(
        i == 0
            ? input.getType()
            : Type(tx::tensorType(SmallVector<Dim>(dimsOf(input).drop_front()),
                                  getElementTypeOrSelf(input.getType()))),
        n.loc);
  n.b.setInsertionPointToEnd(block);
  auto argument = [&](unsigned i) { return Value(block->getArgument(1 + i)); };
  auto [next, shown] = step(n, argument(0), argument(1), argument(2),
                            argument(3), decays ? argument(4) : Value(),
                            corrects ? argument(4 + decays) : Value(), scale);
  if (!n.isRefused())
    tx::ReturnOp::create(n.b, n.loc, {next, shown});
  n.b.setInsertionPointToEnd(n.graph.scope().block);
  if (n.isRefused())
    return;
  SmallVector<Dim> all{heads.tokens};
  llvm::append_range(all, dimsOf(shown));
  Type types[] = {inputs[0].getType(),
                  tx::tensorType(all, getElementTypeOrSelf(shown.getType()))};
  auto scan = tx::ScanOp::create(
      n.b, n.loc, types, tx::DimsAttr::get(n.b.getContext(), heads.tokens), 1,
      inputs.size() - 1, inputs);
  scan.getBody().takeBody(region);
  Value y = n.transpose(scan.getResult(1), {1, 0, 2, 3, 4});
  y = n.reshape(y, {heads.batch, heads.tokens, heads.queries * valueSize});
  n.set(0, n.convert(y, dtype));
  n.set(1, n.convert(scan.getResult(0), stateDType));
}

} // namespace tensorc::onnx
