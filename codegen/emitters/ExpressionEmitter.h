//===- ExpressionEmitter.h - Elements of a fusion's values as code --------===//
#ifndef TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H
#define TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H

#include "codegen/emitters/KernelBuilder.h"
#include "ir/tx/Size.h"

namespace tensorc::codegen {

struct ElementPlace;
struct PlaceChoice;

/// Turns "the element, or vector of elements, at this index" into code by
/// walking a fusion's producers. Every skeleton calls it inside its innermost
/// loop, with the loops' values bound to the iteration space's dims.
///
/// One dim may run over lanes: lane l of a vector is the element at dim + l.
/// What does not depend on that dim stays scalar until it meets a vector.
class ExpressionEmitter {
public:
  struct Lanes {
    unsigned dim;
    int64_t width;
  };

  /// `dimValues` has an index value per dim of `space`. Lanes off in `mask`
  /// (null: all on) are computed on undefined elements and never read memory.
  ExpressionEmitter(KernelBuilder &kernel,
                    const analysis::IterationSpace &space,
                    mlir::ValueRange dimValues,
                    std::optional<Lanes> lanes = std::nullopt,
                    mlir::Value mask = {});

  /// The value computed elsewhere (a reduction's result), whatever the index.
  void bind(mlir::Value v, mlir::Value element) { bound[v] = element; }

  /// The value's element at this index, computed elsewhere.
  void give(mlir::Value v, const analysis::Index &index, mlir::Value element) {
    scopes.front().elements[keyOf(v, index)] = element;
  }

  /// The value's rows lie in memory: its first dim says in which of `rows`, its
  /// last one where, from `offset` on; the others are the row's that is at
  /// hand. Behind its last element a row has the first once more.
  void keep(mlir::Value v, llvm::ArrayRef<mlir::Value> rows,
            mlir::Value offset) {
    kept = {v, llvm::to_vector(rows), offset};
  }

  /// Lanes begin at multiples of their width, and so does every row of `row`
  /// elements (null: there is one): whole vectors that must therefore be
  /// aligned are accessed as such.
  void assumeAligned(mlir::AffineExpr row) {
    aligned = true;
    alignedRow = row;
  }

  /// Lanes begin at multiples of their width; nothing is said of memory.
  void beginAtMultiples() { atMultiples = true; }

  /// From here on, loads of consecutive lanes also ask for what lies this many
  /// bytes ahead, beyond the page that the hardware looks ahead in: those of
  /// what changes along the loop, if one is given. `locality`: 2 is the second
  /// cache, 3 the nearest one.
  void prefetch(int64_t bytes, std::optional<unsigned> loop = std::nullopt,
                unsigned locality = 2) {
    ahead = bytes;
    aheadLoop = loop;
    aheadLocality = locality;
  }

  /// Lanes are off, rather than a branch skips them, where a guard that is
  /// alike for all of them does not hold: branches between few instructions
  /// cost more than these.
  void preferMasks() { masksOnly = true; }

  /// All lanes are on, as a rule: reads ask, and then do without the mask, so
  /// that the hardware looks ahead for them.
  void expectAllOn() { mostlyOn = true; }

  /// A scalar, or a vector if the index depends on the lanes' dim.
  mlir::FailureOr<mlir::Value> emit(mlir::Value v,
                                    const analysis::Index &index);
  /// The same, always with one element per lane if there are lanes.
  mlir::FailureOr<mlir::Value> emitLanes(mlir::Value v,
                                         const analysis::Index &index);

  /// Stores an element, or one per lane, of the fusion's output. Where
  /// `streaming` (an i1, or null: never) holds, all lanes are on, the place is
  /// aligned to the whole vector, and the store goes past the caches.
  void store(mlir::Value element, unsigned output, const analysis::Index &index,
             mlir::Value streaming = {});

  /// Computes the fusion's outputs at the index, all of them or those that
  /// `isMeant` names, and then stores them: an output may be an input's memory.
  mlir::LogicalResult
  storeOutputs(const analysis::Index &index, mlir::Value streaming = {},
               llvm::function_ref<bool(mlir::Value)> isMeant = nullptr);

  /// Rows of more elements are none of the short ones.
  static constexpr int64_t longestRow = 4;

  /// The same at all indices of the last dim, which has `size`: lanes are rows
  /// then, and those that lie side by side are stored as whole vectors.
  mlir::LogicalResult storeShortRows(const analysis::Index &index, int64_t size,
                                     mlir::Value streaming = {});

  /// Asks for what the outputs at the index are computed from, and computes
  /// nothing but where that is: vectors side by side in memory.
  mlir::LogicalResult askForOutputs(const analysis::Index &index);

  /// Stores the element, or the lanes, of the update at the space's own index,
  /// in the window of the output that the op replaces.
  mlir::LogicalResult storeWindow(tx::DynamicUpdateSliceOp op, unsigned output);

  /// What was stored there.
  mlir::Value reload(unsigned output, const analysis::Index &index);

  /// An i1: whether all of the guards, which are alike for all lanes, hold.
  /// Null: they always do.
  mlir::Value allHold(llvm::ArrayRef<analysis::Guard> guards);

  /// Where the outputs' elements at the index lie: they have one shape.
  mlir::Value outputPlace(const analysis::Index &index) {
    return indexValue(space.linearize(
        index, kernel.dims(kernel.yield().getValues().front())));
  }

  mlir::Value splat(mlir::Value scalar);
  mlir::Value indexValue(mlir::AffineExpr expr);
  /// Per lane, as vector<width x index>.
  mlir::Value laneIndex(mlir::AffineExpr expr);

private:
  friend class ElementReads;
  using Key = std::pair<mlir::Value, mlir::AffineMap>;

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  const analysis::IterationSpace &space;
  llvm::SmallVector<mlir::Value> dimValues;
  std::optional<Lanes> lanes;
  mlir::Value mask;
  /// An i1: whether the guards hold that are masks of all lanes. Null: always.
  mlir::Value mayRead;
  int64_t ahead = 0;
  std::optional<unsigned> aheadLoop;
  unsigned aheadLocality = 2;
  bool aligned = false, atMultiples = false, masksOnly = false,
       mostlyOn = false;
  /// Values are not computed: zeros stand for them.
  bool asksOnly = false;
  mlir::AffineExpr alignedRow;
  llvm::DenseMap<mlir::Value, mlir::Value> bound;
  struct Kept {
    mlir::Value value;
    llvm::SmallVector<mlir::Value> rows;
    mlir::Value offset;
  };
  Kept kept;
  /// Innermost last; a guarded branch or narrower mask opens a scope of its
  /// own, because its values are not valid outside.
  struct Scope {
    llvm::DenseMap<Key, mlir::Value> elements;
    llvm::DenseMap<mlir::AffineExpr, mlir::Value> indices;
    /// That a number, per lane, is at least 0 and below a size.
    llvm::DenseMap<std::pair<mlir::AffineExpr, mlir::AffineExpr>, mlir::Value>
        bounds;
    /// All lanes of memory from a place on, and every other element from there.
    using Place = std::pair<mlir::Value, mlir::AffineExpr>;
    llvm::DenseMap<Place, mlir::Value> sideBySide, everyOther;
  };
  llvm::SmallVector<Scope> scopes;

  bool variesByLane(const analysis::Index &index) const;
  bool variesByLane(mlir::AffineExpr expr) const;
  Key keyOf(mlir::Value v, const analysis::Index &index) const;
  mlir::AffineExpr symbolOf(mlir::Value v) { return kernel.symbolOf(v); }

  /// Zero, or one per lane.
  mlir::Value nothing(mlir::Type element, bool byLane);
  mlir::FailureOr<mlir::Value> compute(mlir::Value v,
                                       const analysis::Index &index);
  mlir::Value loadKept(const analysis::Index &index);
  mlir::FailureOr<mlir::Value> load(mlir::BlockArgument input,
                                    const analysis::Index &index);
  /// `offset`: what is added to the position, per lane or for all; null: none.
  mlir::Value loadAt(mlir::Value buffer, mlir::AffineExpr position,
                     mlir::Value offset = {});
  mlir::Value loadScalar(mlir::Value buffer, mlir::Value at);
  std::optional<int64_t> laneStep(mlir::AffineExpr position) const;
  llvm::SmallVector<mlir::Value>
  loadVectors(mlir::Value buffer, llvm::ArrayRef<mlir::Value> places,
              mlir::VectorType type,
              llvm::function_ref<mlir::Value(size_t)> maskOf);
  mlir::Value loadEven(mlir::Value buffer, mlir::AffineExpr position,
                       mlir::Value offset);
  mlir::Value moveEven(mlir::Value buffer, mlir::AffineExpr position);
  mlir::Value endOfEven(mlir::Value buffer, mlir::AffineExpr position,
                        bool isFirst);
  mlir::Value known(llvm::DenseMap<Scope::Place, mlir::Value> Scope::*places,
                    mlir::Value buffer, mlir::AffineExpr position,
                    int64_t distance);
  std::optional<llvm::SmallVector<int64_t>> placesOfLanes(mlir::AffineExpr expr,
                                                          bool fromFirst) const;
  mlir::Value loadRepeated(mlir::Value buffer, mlir::AffineExpr position,
                           int64_t count);
  mlir::Value loadInTurns(mlir::Value buffer, mlir::AffineExpr position,
                          llvm::ArrayRef<int64_t> places);
  mlir::Value loadBackwards(mlir::Value buffer, mlir::Value first);
  int64_t sizeOfShortRow(mlir::BlockArgument input,
                         const analysis::Index &index) const;
  mlir::Value loadShortRows(mlir::BlockArgument input,
                            const analysis::Index &index, int64_t size);
  llvm::MaybeAlign alignmentAt(mlir::AffineExpr position, mlir::Type element);
  void prefetchAt(mlir::Value buffer, mlir::Value first);
  /// `on`: the lanes that are stored; null: all.
  void storeAt(mlir::Value vector, mlir::Value buffer, mlir::Value at,
               mlir::Value on, llvm::MaybeAlign alignment,
               mlir::Value streaming);
  void storeShortRow(llvm::ArrayRef<mlir::Value> elements, unsigned output,
                     const analysis::Index &index, mlir::Value streaming);
  mlir::FailureOr<mlir::Value> iota(tx::IotaOp op,
                                    const analysis::Index &index);
  mlir::FailureOr<mlir::Value> size(tx::SizeOp op);
  mlir::FailureOr<mlir::Value> randomBits(tx::RandomBitsOp op,
                                          const analysis::Index &index);
  mlir::FailureOr<mlir::Value> elementwise(mlir::Operation *op,
                                           const analysis::Index &index);
  /// Of an op that reads an operand anywhere (ElementReads.cpp).
  mlir::FailureOr<mlir::Value> readAtElements(mlir::Operation *op,
                                              const analysis::Index &index);
  mlir::FailureOr<mlir::Value> pad(tx::PadOp op, const analysis::Index &index);
  mlir::FailureOr<mlir::Value> concatenate(tx::ConcatenateOp op,
                                           const analysis::Index &index);
  /// Of an element that is only moved, from one tensor, whatever the lane
  /// (ElementPlaces.cpp); none: it is not.
  std::optional<ElementPlace>
  placeOf(mlir::Value v, const analysis::Index &index, unsigned nested = 0);
  mlir::Value choose(const PlaceChoice &choice);
  mlir::Value loadChosen(const ElementPlace &place);
  using Thunk = llvm::function_ref<mlir::FailureOr<mlir::Value>()>;
  /// then() where all guards hold, otherwise() elsewhere.
  mlir::FailureOr<mlir::Value> guarded(llvm::ArrayRef<analysis::Guard> guards,
                                       mlir::Type element, Thunk then,
                                       Thunk otherwise);
  /// The same under an i1, and one per lane; null: always.
  mlir::FailureOr<mlir::Value> conditional(mlir::Value uniform,
                                           mlir::Value byLane,
                                           mlir::Type element, Thunk then,
                                           Thunk otherwise);
  mlir::FailureOr<mlir::Value> branch(mlir::Value condition, mlir::Type type,
                                      Thunk then, Thunk otherwise);
  /// Whether the guard holds, where that is known of all indices.
  std::optional<bool> settled(const analysis::Guard &guard) const;
  mlir::Value condition(const analysis::Guard &guard, bool byLane);
  mlir::Value narrowCondition(const analysis::Guard &guard);
  mlir::FailureOr<mlir::Value> scoped(Thunk thunk);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H
