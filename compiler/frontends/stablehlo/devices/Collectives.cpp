//===- Collectives.cpp - StableHLO's ops over several devices -------------===//
//
// A module states the number of partitions and the number of replicas that run
// it. One of the two is 1; the other one counts the devices, which are the
// ranks of tx's collectives.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "ir/library/Library.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::stablehlo {

namespace {
/// The ranks that an op connects. `ranks` lists the ranks of all groups, with
/// `size` ranks per group. It is empty if all ranks are one group.
struct Groups {
  int64_t size = 1;
  NumberList ranks;
};
} // namespace

/// Returns `mhlo.num_partitions` or `mhlo.num_replicas` of the module.
static int64_t countOf(Call &call, StringRef name) {
  auto module = call.op->getParentOfType<ModuleOp>();
  return std::max<int64_t>(numberIn(module->getAttr(name)).value_or(1), 1);
}

/// Returns the number of ranks; nullopt after a diagnostic.
static std::optional<int64_t> ranksOf(Call &call) {
  int64_t partitions = countOf(call, "mhlo.num_partitions");
  int64_t replicas = countOf(call, "mhlo.num_replicas");
  if (partitions > 1 && replicas > 1) {
    call.refuse() << "in a module of " << replicas << " replicas of "
                  << partitions
                  << " partitions: tensorc has partitions or replicas";
    return std::nullopt;
  }
  return partitions * replicas;
}

static std::optional<Groups> groupsOf(Call &call) {
  std::optional<int64_t> ranks = ranksOf(call);
  Attribute attribute = call.attribute("replica_groups");
  std::optional<NumberList> list =
      attribute ? numbersIn(attribute) : NumberList();
  auto dense = dyn_cast_if_present<DenseElementsAttr>(attribute);
  if (!ranks)
    return std::nullopt;
  if (!list || (dense && dense.getType().getRank() != 2)) {
    call.refuse() << "needs groups as a list of lists 'replica_groups'";
    return std::nullopt;
  }
  if (list->empty())
    return Groups{*ranks, {}};
  int64_t size = dense ? dense.getType().getDimSize(1)
                       : static_cast<int64_t>(list->size());
  NumberList sorted(*list),
      all = llvm::to_vector(llvm::seq<int64_t>(0, *ranks));
  llvm::sort(sorted);
  if (sorted != all) {
    call.refuse() << "has groups that do not name each of the " << *ranks
                  << " devices once (mhlo.num_partitions, mhlo.num_replicas)";
    return std::nullopt;
  }
  return Groups{size, size == *ranks && *list == all ? NumberList() : *list};
}

static std::optional<tx::Combiner> combinerOver(Call &call) {
  switch (combinerOf(call.op->getRegion(0))) {
  case Combiner::Add:
    return tx::Combiner::Sum;
  case Combiner::Mul:
    return tx::Combiner::Product;
  case Combiner::Min:
    return tx::Combiner::Min;
  case Combiner::Max:
    return tx::Combiner::Max;
  case Combiner::And:
    return tx::Combiner::And;
  case Combiner::Or:
    return tx::Combiner::Or;
  default:
    call.refuse() << "by this region is not available over several devices";
    return std::nullopt;
  }
}

/// Checks that the declared types are those of the values.
static Results declaredAs(Call &call, Values results) {
  for (auto [i, value] : llvm::enumerate(results))
    if (auto declared = call.declared(i);
        declared && declared.hasStaticShape() &&
        declared.getShape() !=
            cast<RankedTensorType>(value.getType()).getShape())
      return call.refuse() << "gives " << value.getType() << " and declares "
                           << declared;
  return results;
}

/// Calls `make` for each operand, and returns the results.
template <typename Make> static Results ofEach(Call &call, Make make) {
  Values results;
  for (Value x : call.x) {
    auto result = make(x);
    if (llvm::failed(result))
      return failure();
    results.push_back(*result);
  }
  return declaredAs(call, std::move(results));
}

/// Makes a composite, whose shape rule determines the result's dims.
template <typename Op, typename Attributes>
static FailureOr<Value> make(Call &call, Value x,
                             const Attributes &attributes) {
  OperationState state(call.b.loc, Op::getOperationName());
  state.addOperands(x);
  attributes.addTo(state);
  state.addTypes(x.getType());
  Operation *made = call.b.b.create(state);
  shape::InferredShape rule = tx::inferComposite(made, {dimsOf(x)});
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  auto type = tx::tensorType(rule.dims, getElementTypeOrSelf(x.getType()));
  made->getResult(0).setType(type);
  return made->getResult(0);
}

/// Returns groups of different sizes, whose lists end with -1; nullopt if there
/// are none, or if they do not name each rank once.
static std::optional<SmallVector<NumberList>> unevenGroupsOf(Call &call) {
  std::optional<int64_t> ranks = ranksOf(call);
  auto dense =
      dyn_cast_if_present<DenseElementsAttr>(call.attribute("replica_groups"));
  if (!ranks || !dense || dense.getType().getRank() != 2)
    return std::nullopt;
  SmallVector<NumberList> groups(dense.getType().getDimSize(0));
  NumberList named;
  for (auto [i, value] : llvm::enumerate(dense.getValues<APInt>()))
    if (int64_t rank = value.getSExtValue(); rank >= 0) {
      groups[i / dense.getType().getDimSize(1)].push_back(rank);
      named.push_back(rank);
    }
  llvm::sort(named);
  bool isUneven = named.size() < static_cast<size_t>(dense.getNumElements());
  return isUneven && llvm::equal(named, llvm::seq<int64_t>(0, *ranks))
             ? std::optional(groups)
             : std::nullopt;
}

/// Combines over all ranks once for each group, where ranks outside of the group
/// contribute the neutral element.
static FailureOr<Value> allReduceUneven(Call &call, Value x,
                                        tx::Combiner combiner,
                                        ArrayRef<NumberList> groups) {
  TensorBuilder &b = call.b;
  int64_t ranks = *ranksOf(call);
  DType dtype = dtypeOf(x);
  Special special = identityOf(combinerOf(call.op->getRegion(0)));
  bool isNumber = special == Special::Zero || special == Special::One;
  Value neutral =
      isNumber ? b.full(special == Special::One, dtype, dimsOf(x))
               : extremeOf(b, dtype, special == Special::Lowest, dimsOf(x));
  Value rank = tx::PartitionIdOp::create(
      b.b, b.loc, tx::tensorType({}, b.b.getI64Type()), ranks);
  Value result = x;
  for (const NumberList &group : groups) {
    Value isInside;
    for (int64_t member : group) {
      Value isMember = b.equal(rank, b.full(member, DType::I64));
      isInside = isInside ? b.logicalOr(isInside, isMember) : isMember;
    }
    if (!isInside)
      continue;
    isInside = b.broadcast(isInside, dimsOf(x));
    auto sum = make<tx::AllReduceOp>(
        call, b.select(isInside, x, neutral),
        tx::AllReduceAttributes{combiner, ranks, NumberList()});
    if (llvm::failed(sum))
      return failure();
    result = b.select(isInside, *sum, result);
  }
  return result;
}

static Results allReduce(Call &call) {
  if (auto uneven = unevenGroupsOf(call)) {
    std::optional<tx::Combiner> combiner = combinerOver(call);
    if (!combiner)
      return failure();
    return ofEach(call, [&](Value x) {
      return allReduceUneven(call, x, *combiner, *uneven);
    });
  }
  std::optional<Groups> groups = groupsOf(call);
  std::optional<tx::Combiner> combiner =
      groups ? combinerOver(call) : std::nullopt;
  if (!combiner)
    return failure();
  return ofEach(call, [&](Value x) {
    tx::AllReduceAttributes attributes{*combiner, groups->size, groups->ranks};
    return make<tx::AllReduceOp>(call, x, attributes);
  });
}

static Results reduceScatter(Call &call) {
  std::optional<Groups> groups = groupsOf(call);
  std::optional<int64_t> dim = call.number("scatter_dimension");
  std::optional<tx::Combiner> combiner =
      groups && dim ? combinerOver(call) : std::nullopt;
  if (!combiner)
    return failure();
  return ofEach(call, [&](Value x) {
    tx::ReduceScatterAttributes attributes{*combiner, *dim, groups->size,
                                           groups->ranks};
    return make<tx::ReduceScatterOp>(call, x, attributes);
  });
}

static Results allGather(Call &call) {
  std::optional<Groups> groups = groupsOf(call);
  std::optional<int64_t> dim = call.number("all_gather_dim");
  if (!groups || !dim)
    return failure();
  return ofEach(call, [&](Value x) {
    tx::AllGatherAttributes attributes{*dim, groups->size, groups->ranks};
    return make<tx::AllGatherOp>(call, x, attributes);
  });
}

static Results allToAll(Call &call) {
  std::optional<Groups> groups = groupsOf(call);
  std::optional<int64_t> split = call.number("split_dimension");
  std::optional<int64_t> concat = call.number("concat_dimension");
  if (!groups || !split || !concat)
    return failure();
  return ofEach(call, [&](Value x) {
    tx::AllToAllAttributes attributes{*split, *concat, groups->size,
                                      groups->ranks};
    return make<tx::AllToAllOp>(call, x, attributes);
  });
}

/// The first device of each group is the root.
static Results collectiveBroadcast(Call &call) {
  std::optional<Groups> groups = groupsOf(call);
  if (!groups)
    return failure();
  return ofEach(call, [&](Value x) {
    tx::CollectiveBroadcastAttributes attributes{0, groups->size,
                                                 groups->ranks};
    return make<tx::CollectiveBroadcastOp>(call, x, attributes);
  });
}

static Results collectivePermute(Call &call) {
  std::optional<int64_t> ranks = ranksOf(call);
  std::optional<NumberList> pairs = call.numbers("source_target_pairs");
  if (!ranks || !pairs)
    return failure();
  return ofEach(call, [&](Value x) {
    tx::CollectivePermuteAttributes attributes{*pairs, *ranks};
    return make<tx::CollectivePermuteOp>(call, x, attributes);
  });
}

/// Returns the number of this device among the partitions or replicas.
static Results deviceNumber(Call &call, StringRef ofModule) {
  std::optional<int64_t> ranks = ranksOf(call);
  if (!ranks)
    return failure();
  if (countOf(call, ofModule) == 1)
    return Values{call.b.full(0, DType::UI32)};
  Value rank = tx::PartitionIdOp::create(
      call.b.b, call.b.loc, tx::tensorType({}, call.b.b.getI64Type()), *ranks);
  return Values{call.b.convert(rank, DType::UI32)};
}

static Results partitionId(Call &call) {
  return deviceNumber(call, "mhlo.num_partitions");
}

static Results replicaId(Call &call) {
  return deviceNumber(call, "mhlo.num_replicas");
}

void addCollectives(Table &table) {
  table["stablehlo.all_reduce"] = Row{allReduce, 1, anyCount, 1};
  table["stablehlo.all_gather"] = Row{allGather, 1, anyCount};
  table["stablehlo.reduce_scatter"] = Row{reduceScatter, 1, 1, 1};
  table["stablehlo.all_to_all"] = Row{allToAll, 1, anyCount};
  table["stablehlo.collective_broadcast"] = Row{collectiveBroadcast, 1, 1};
  table["stablehlo.collective_permute"] = Row{collectivePermute, 1, 1};
  table["stablehlo.partition_id"] = Row{partitionId, 0, 0};
  table["stablehlo.replica_id"] = Row{replicaId, 0, 0};
}

} // namespace tensorc::stablehlo
