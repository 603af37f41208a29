package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Answer.Refusal;
import dev.sequitur.ethereum.GroupContract.Outcome;
import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.ChangeRefused;
import dev.sequitur.protocol.ledger.LedgerReceipt.CommitteeChanged;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this product's transactions are on a chain, and back. One that makes a group calls the
 * factory; one that fulfils intents calls their group; one that uses its nonce only sends nothing
 * to its own signer. Thread-safe; asks nobody.
 */
final class GroupCalls {
  private final EthereumLedger.Settings settings;
  private final Signatures signatures;
  private final Function<ContractAddress, Optional<PrivacyGroup>> groups;

  /** What stands on a group's contract, if that is known. */
  private interface Standings {
    Optional<CommitteeStanding> of(ContractAddress contract);
  }

  GroupCalls(
      EthereumLedger.Settings settings,
      Signatures signatures,
      Function<ContractAddress, Optional<PrivacyGroup>> groups) {
    this.settings = settings;
    this.signatures = signatures;
    this.groups = groups;
  }

  /** As it is signed. */
  ChainTransaction encode(LedgerTransaction transaction) {
    return encode(transaction, this::standing);
  }

  /** As it may have been signed while the committee of its group was another one. */
  Stream<ChainTransaction> encodings(LedgerTransaction transaction) {
    return contract(transaction.call()).flatMap(groups).map(PrivacyGroup::committees).stream()
        .flatMap(
            history ->
                Stream.concat(
                    Stream.of(history),
                    history.changes().stream().map(it -> history.asOf(it.block()))))
        .map(then -> encode(transaction, contract -> Optional.of(then.standing())));
  }

  private static Optional<ContractAddress> contract(Call call) {
    return switch (call) {
      case Invoke(var transitions) -> Optional.of(transitions.getFirst().contract());
      case ChangeCommittee change -> Optional.of(change.contract());
      case Deploy ignored -> Optional.empty();
      case UseNonce ignored -> Optional.empty();
      case PublicCall ignored -> Optional.empty();
    };
  }

  private ChainTransaction encode(LedgerTransaction transaction, Standings standings) {
    return switch (transaction.call()) {
      case Deploy deploy -> to(transaction, settings.factory().value(), create(deploy));
      case Invoke(var transitions) ->
          to(
              transaction,
              transitions.getFirst().contract().value(),
              fulfill(transitions, standings));
      case ChangeCommittee change ->
          to(transaction, change.contract().value(), change(change, standings));
      case UseNonce ignored -> to(transaction, transaction.signer().value(), Bytes.EMPTY);
      case PublicCall(var to, var data, var value) ->
          ChainTransaction.of(
              settings.legacy(),
              settings.chainId(),
              transaction.nonce(),
              transaction.fees(),
              transaction.gasLimit(),
              to.map(ContractAddress::value).map(Bytes::hex).orElse(Bytes.EMPTY),
              value,
              data);
    };
  }

  private ChainTransaction to(LedgerTransaction transaction, String to, Bytes data) {
    return ChainTransaction.of(
        settings.legacy(),
        settings.chainId(),
        transaction.nonce(),
        transaction.fees(),
        transaction.gasLimit(),
        Bytes.hex(to),
        BigInteger.ZERO,
        data);
  }

  /** The data of the call that fulfils an intent; empty if the group is not known. */
  Optional<Bytes> fulfilling(PreparedTransaction prepared) {
    return groups
        .apply(prepared.contract())
        .map(group -> fulfill(List.of(prepared), this::standing));
  }

  private Bytes fulfill(List<PreparedTransaction> transitions, Standings standings) {
    var standing = standings.of(transitions.getFirst().contract());
    return GroupContract.fulfill(
        FulfillCall.of(
            transitions,
            one -> {
              var places = standing.map(it -> places(it, one)).orElse(List.of());
              return signature -> place(places, signature);
            }));
  }

  private Bytes change(ChangeCommittee call, Standings standings) {
    var before =
        standings.of(call.contract()).map(it -> inOrder(it.newest().committee().members()));
    return GroupContract.change(ChangeCall.of(call, before.orElse(List.of()), this::inOrder));
  }

  private Bytes create(Deploy deploy) {
    var genesis = deploy.genesis();
    return GroupContract.create(
        deploy.hash(),
        genesis.endorsementThreshold(),
        genesis.changeThreshold(),
        inOrder(genesis.committee().members()).stream().map(this::address).toList());
  }

  private LedgerAddress address(Member member) {
    return signatures.address(member.verifier());
  }

  /** The members in the order in which the contract has them. */
  private List<Member> inOrder(List<Member> members) {
    return members.stream()
        .sorted(Comparator.comparing(member -> address(member).value()))
        .toList();
  }

  /** What stands on a group's contract, as far as this node has read. */
  private Optional<CommitteeStanding> standing(ContractAddress contract) {
    return groups.apply(contract).map(group -> group.committees().standing());
  }

  /** The members at whose places the contract is to look for these signatures: it tries both. */
  private List<Member> places(CommitteeStanding standing, PreparedTransaction transition) {
    var signers =
        transition.proof().signatures().stream()
            .map(each -> new Member(each.party(), each.verifier()))
            .collect(Collectors.toSet());
    var former =
        standing
            .former()
            .map(CommitteeStanding.Former::quorum)
            .filter(it -> it.isMetBy(signers) && !standing.newest().isMetBy(signers));
    return inOrder(former.orElse(standing.newest()).committee().members());
  }

  private static int place(List<Member> places, Signature signature) {
    return places.indexOf(new Member(signature.party(), signature.verifier()));
  }

  /** Whether a transaction of a block is one that this product reads. */
  boolean concerns(JsonNode transaction) {
    return kind(transaction) != Kind.OTHER;
  }

  private enum Kind {
    DEPLOY,
    INVOKE,
    CHANGE,
    USE_NONCE,
    OTHER
  }

  private Kind kind(JsonNode transaction) {
    var to = transaction.path("to").asText("");
    var data = ChainJson.bytes(transaction, "input");
    if (GroupContract.isFulfill(data) && !to.isEmpty()) {
      return Kind.INVOKE;
    } else if (GroupContract.isChange(data) && !to.isEmpty()) {
      return Kind.CHANGE;
    } else if (GroupContract.isCreate(data) && to.equalsIgnoreCase(settings.factory().value())) {
      return Kind.DEPLOY;
    }
    boolean sendsNothing =
        data.isEmpty() && ChainJson.amount(ChainJson.text(transaction, "value")).signum() == 0;
    return sendsNothing && to.equalsIgnoreCase(ChainJson.text(transaction, "from"))
        ? Kind.USE_NONCE
        : Kind.OTHER;
  }

  /**
   * What was sent.
   *
   * @param genesis of the group that it makes, if this node knows it
   * @return empty if it is of a group that this node does not know, on other terms than that has,
   *     or nothing that this product sends
   */
  Optional<LedgerTransaction> decode(JsonNode transaction, Optional<Deploy> genesis) {
    return call(transaction, genesis)
        .map(
            call ->
                new LedgerTransaction(
                    signer(transaction),
                    ChainJson.number(transaction, "nonce"),
                    fees(transaction),
                    ChainJson.number(transaction, "gas"),
                    call));
  }

  private Optional<Call> call(JsonNode transaction, Optional<Deploy> genesis) {
    return switch (kind(transaction)) {
      case DEPLOY -> genesis.filter(it -> makes(transaction, it)).map(Call.class::cast);
      case INVOKE -> invoke(transaction);
      case CHANGE -> change(transaction);
      case USE_NONCE -> Optional.of(new UseNonce());
      case OTHER -> Optional.empty();
    };
  }

  private Optional<Call> invoke(JsonNode transaction) {
    var contract = contract(transaction);
    return groups
        .apply(contract)
        .map(group -> group.asOf(block(transaction)).committees().standing())
        .flatMap(
            standing -> fulfilled(transaction).flatMap(it -> transitions(it, contract, standing)))
        .map(Invoke::new);
  }

  /** The places in a call may be those of either committee that counts, as for the contract. */
  private Optional<List<PreparedTransaction>> transitions(
      FulfilledGroups fulfilled, ContractAddress contract, CommitteeStanding standing) {
    var byNewest = prepared(fulfilled, contract, standing.newest());
    var byFormer = standing.former().flatMap(it -> prepared(fulfilled, contract, it.quorum()));
    if (byNewest.isEmpty() || byFormer.isEmpty()) {
      return byNewest;
    }
    var all = new ArrayList<PreparedTransaction>();
    for (int i = 0; i < byNewest.get().size(); i++) {
      var one = byNewest.get().get(i);
      all.add(isSigned(one, standing.newest()) ? one : byFormer.get().get(i));
    }
    return Optional.of(all);
  }

  private Optional<List<PreparedTransaction>> prepared(
      FulfilledGroups fulfilled, ContractAddress contract, Quorum quorum) {
    var places = inOrder(quorum.committee().members());
    return fulfilled.prepared(contract, placed -> signature(places, placed));
  }

  private boolean isSigned(PreparedTransaction one, Quorum quorum) {
    var digest =
        new Attestation(Purpose.ENDORSEMENT, settings.chainId(), one.contract())
            .digest(
                Attestation.transition(one.intent(), one.inputs(), one.reads(), one.outputs()),
                one.proof().path());
    return quorum.isMetBy(
        one.proof().signatures().stream()
            .filter(each -> signatures.isValid(each.verifier(), digest, each.value()))
            .map(each -> new Member(each.party(), each.verifier()))
            .collect(Collectors.toSet()));
  }

  private Optional<Call> change(JsonNode transaction) {
    var contract = contract(transaction);
    return groups
        .apply(contract)
        .map(group -> inOrder(group.asOf(block(transaction)).committee().members()))
        .flatMap(
            before ->
                changed(transaction)
                    .flatMap(
                        it ->
                            signatures(it, before)
                                .map(all -> new ChangeCommittee(contract, it.change(), all))));
  }

  /** Empty if one of the new keys is on no curve: the contract does not take it. */
  private Optional<List<Signature>> signatures(ChangeCall change, List<Member> before) {
    try {
      return Optional.of(change.signatures(before, this::inOrder));
    } catch (IllegalArgumentException onNoCurve) {
      return Optional.empty();
    }
  }

  private static BlockHeight block(JsonNode transaction) {
    return new BlockHeight(ChainJson.number(transaction, "blockNumber"));
  }

  private static Optional<Signature> signature(
      List<Member> places, FulfilledGroups.PlacedSignature placed) {
    if (placed.place() >= places.size()) {
      return Optional.empty();
    }
    var member = places.get(placed.place());
    return Optional.of(new Signature(member.identity(), member.verifier(), placed.value()));
  }

  private static Fees fees(JsonNode transaction) {
    return transaction.hasNonNull("maxFeePerGas")
        ? new Fees(
            ChainJson.number(transaction, "maxFeePerGas"),
            ChainJson.number(transaction, "maxPriorityFeePerGas"))
        : Fees.flat(ChainJson.number(transaction, "gasPrice"));
  }

  private static LedgerAddress signer(JsonNode transaction) {
    return new LedgerAddress(ChainJson.text(transaction, "from"));
  }

  private static ContractAddress contract(JsonNode transaction) {
    return new ContractAddress(ChainJson.text(transaction, "to"));
  }

  private static Optional<FulfilledGroups> fulfilled(JsonNode transaction) {
    try {
      return Optional.of(GroupContract.fulfilled(ChainJson.bytes(transaction, "input")));
    } catch (IllegalArgumentException notTaken) {
      return Optional.empty();
    }
  }

  /** Empty for what the contract does not take, and for what names no committee of this product. */
  private static Optional<ChangeCall> changed(JsonNode transaction) {
    try {
      return Optional.of(GroupContract.changed(ChainJson.bytes(transaction, "input")));
    } catch (IllegalArgumentException notTaken) {
      return Optional.empty();
    }
  }

  /** The hash of the genesis of the group that a transaction makes. */
  Optional<Hash> genesis(JsonNode transaction) {
    return kind(transaction) == Kind.DEPLOY
        ? GroupContract.genesis(ChainJson.bytes(transaction, "input"))
        : Optional.empty();
  }

  private static LedgerReceipt.Called called(
      JsonNode transaction, JsonNode receipt, Optional<Refusal> refused) {
    var to = transaction.path("to").asText("");
    var call =
        new PublicCall(
            to.isEmpty() || to.equals("null")
                ? Optional.empty()
                : Optional.of(new ContractAddress(to)),
            ChainJson.bytes(transaction, "input"),
            ChainJson.amount(ChainJson.text(transaction, "value")));
    if (!hasFailed(receipt)) {
      var created = receipt.path("contractAddress");
      return new LedgerReceipt.Called(
          call.hash(),
          created.isTextual()
              ? Optional.of(new ContractAddress(created.textValue()))
              : Optional.empty(),
          Bytes.EMPTY,
          Optional.empty());
    }
    var said = refused.map(Refusal::data).map(ChainContracts::bytes).orElse(Bytes.EMPTY);
    var failure =
        hasUsedUp(transaction, receipt)
            ? "The call has used up its gas."
            : "The contract reverted" + (said.isEmpty() ? ", and said nothing." : ".");
    return new LedgerReceipt.Called(call.hash(), Optional.empty(), said, Optional.of(failure));
  }

  /** Whether a contract refused a call, rather than that its gas was used up. */
  static boolean hasReverted(JsonNode transaction, JsonNode receipt) {
    return hasFailed(receipt) && !hasUsedUp(transaction, receipt);
  }

  static LedgerAddress from(JsonNode transaction) {
    return signer(transaction);
  }

  /** Whether it calls a group: why that has refused the whole call says what became of it. */
  boolean isOfGroup(JsonNode transaction) {
    var kind = kind(transaction);
    return kind == Kind.INVOKE || kind == Kind.CHANGE;
  }

  /** Whether it calls a group to change its committee. */
  boolean isChange(JsonNode transaction) {
    return kind(transaction) == Kind.CHANGE;
  }

  private static boolean hasFailed(JsonNode receipt) {
    return ChainJson.number(receipt, "status") == 0;
  }

  private static boolean hasUsedUp(JsonNode transaction, JsonNode receipt) {
    return ChainJson.number(receipt, "gasUsed") >= ChainJson.number(transaction, "gas");
  }

  /**
   * What became of it: of what concerns groups first, since they need it whoever has sent it.
   *
   * @param refused what the contract said to the whole call, if it refused that
   * @param genesis of the group that it makes, if this node knows it
   * @param awaited whether its signer's public transactions are: what became of the call as a whole
   *     is told as well then
   */
  LedgerReceipt receipt(
      JsonNode transaction,
      JsonNode receipt,
      Optional<Refusal> refused,
      Optional<Deploy> genesis,
      boolean awaited) {
    var results = new ArrayList<Result>();
    switch (kind(transaction)) {
      case DEPLOY -> results.add(deployed(receipt, genesis.filter(it -> makes(transaction, it))));
      case INVOKE -> results.addAll(fulfilled(transaction, receipt, refused));
      case CHANGE -> results.add(changed(transaction, receipt, refused));
      case USE_NONCE, OTHER -> {
        if (!awaited) {
          results.add(new NonceUsed());
        }
      }
    }
    if (awaited) {
      results.add(called(transaction, receipt, refused));
    }
    return new LedgerReceipt(
        new TransactionHash(ChainJson.hash(transaction, "hash")),
        signer(transaction),
        ChainJson.number(transaction, "nonce"),
        new BlockHeight(ChainJson.number(receipt, "blockNumber")),
        (int) ChainJson.number(receipt, "transactionIndex"),
        results,
        paid(receipt));
  }

  /** Old chains do not say the price: what is unknown counts as nothing. */
  private static BigInteger paid(JsonNode receipt) {
    return receipt.hasNonNull("effectiveGasPrice")
        ? ChainJson.amount(receipt, "effectiveGasPrice")
            .multiply(ChainJson.amount(receipt, "gasUsed"))
        : BigInteger.ZERO;
  }

  /**
   * Whether a transaction makes a group on its terms (SEL-6). Who has seen its hash in a pool may
   * call the factory with that, and other thresholds or members. Nobody makes one whose keys are on
   * no curve.
   */
  private boolean makes(JsonNode transaction, Deploy deploy) {
    try {
      return ChainJson.bytes(transaction, "input").equals(create(deploy));
    } catch (IllegalArgumentException onNoCurve) {
      return false;
    }
  }

  /** Without the event nothing was made, nor if nobody here knows of what. */
  private Result deployed(JsonNode receipt, Optional<Deploy> genesis) {
    for (var event : receipt.path("logs")) {
      if (isOf(event, settings.factory().value()) && GroupContract.isCreated(topic(event, 0))) {
        var contract = GroupContract.address(topic(event, 1));
        return genesis
            .<Result>map(deploy -> new Deployed(contract, deploy.domain(), deploy.genesis()))
            .orElseGet(NonceUsed::new);
      }
    }
    return new NonceUsed();
  }

  private static Result changed(JsonNode transaction, JsonNode receipt, Optional<Refusal> refused) {
    var contract = contract(transaction);
    return changed(transaction)
        .flatMap(
            call ->
                hasFailed(receipt)
                    ? refused
                        .flatMap(it -> GroupContract.flaw(it.data()))
                        .<Result>map(
                            flaw -> new ChangeRefused(contract, call.change().number(), flaw))
                    : tellsChange(receipt, contract)
                        ? Optional.of(new CommitteeChanged(contract, call.change()))
                        : Optional.empty())
        .orElseGet(NonceUsed::new);
  }

  private static boolean tellsChange(JsonNode receipt, ContractAddress contract) {
    for (var event : receipt.path("logs")) {
      if (isOf(event, contract.value()) && GroupContract.isChanged(topic(event, 0))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOf(JsonNode event, String address) {
    return ChainJson.text(event, "address").equalsIgnoreCase(address);
  }

  private static Bytes topic(JsonNode event, int place) {
    var topic = event.path("topics").path(place);
    return topic.isTextual() ? Bytes.hex(topic.textValue()) : Bytes.EMPTY;
  }

  private static List<Result> fulfilled(
      JsonNode transaction, JsonNode receipt, Optional<Refusal> refused) {
    var contract = contract(transaction);
    var transitions = fulfilled(transaction).map(FulfilledGroups::transitions).orElse(List.of());
    if (hasFailed(receipt)) {
      return hasUsedUp(transaction, receipt)
          ? all(contract, transitions, RevertReason.OUT_OF_GAS, "The call has used up its gas.")
          : all(contract, transitions, RevertReason.CALL_REJECTED, rejection(refused));
    }
    for (var event : receipt.path("logs")) {
      if (isOf(event, contract.value()) && GroupContract.isTransitions(topic(event, 0))) {
        return each(contract, transitions, GroupContract.outcomes(ChainJson.bytes(event, "data")));
      }
    }
    return all(
        contract,
        transitions,
        RevertReason.CONTRACT_UNKNOWN,
        "There is no group at " + contract + ".");
  }

  private static String rejection(Optional<Refusal> refused) {
    return "The contract said "
        + refused
            .map(it -> GroupContract.error(it.data().isEmpty() ? it.message() : it.data()))
            .orElse("");
  }

  private static List<Result> each(
      ContractAddress contract,
      List<FulfilledGroups.Transition> transitions,
      List<Outcome> outcomes) {
    var results = new ArrayList<Result>();
    // What is no group may say anything.
    for (int i = 0; i < Math.min(transitions.size(), outcomes.size()); i++) {
      var one = transitions.get(i);
      var outcome = outcomes.get(i);
      results.add(
          outcome
              .reason()
              .<Result>map(
                  reason -> new Reverted(contract, one.intent(), reason, outcome.message()))
              .orElseGet(
                  () ->
                      new Fulfilled(
                          contract, one.intent(), one.inputs(), one.reads(), one.outputs())));
    }
    return results;
  }

  private static List<Result> all(
      ContractAddress contract,
      List<FulfilledGroups.Transition> transitions,
      RevertReason reason,
      String message) {
    return transitions.stream()
        .<Result>map(one -> new Reverted(contract, one.intent(), reason, message))
        .toList();
  }
}
