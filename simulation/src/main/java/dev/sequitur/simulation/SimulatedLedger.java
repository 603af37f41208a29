package dev.sequitur.simulation;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.PrivacyGroup.EndorsementPolicy;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.trie.HashTrie;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.pcollections.PMap;

/** One chain that all nodes see, each as late as it likes. Enforces what the contracts enforce. */
final class SimulatedLedger {
  /** What each key has, unless it is penniless: for any gas, and for what public calls send. */
  private static final BigInteger WEALTH = BigInteger.TWO.pow(100);

  private static final BigInteger ANY_GAS = BigInteger.TWO.pow(60);

  private final Map<ContractAddress, PrivacyGroup> contracts;
  private final Tampering tampering;
  private final World empty;
  private final Map<LedgerAddress, TreeMap<Long, SignedLedgerTransaction>> pool =
      new TreeMap<>(Comparator.comparing(LedgerAddress::value));
  private final List<Mined> chain = new ArrayList<>();

  private Predicate<PreparedTransaction> doomed = prepared -> false;
  private BooleanSupplier refusing = () -> false;
  private BooleanSupplier starving = () -> false;
  private Predicate<LedgerAddress> penniless = signer -> false;
  private int blockLimit = Integer.MAX_VALUE;
  private boolean charges;
  private final List<Gift> gifts = new ArrayList<>();
  private Consumer<SignedLedgerTransaction> watcher = sent -> {};

  /**
   * The world after a block.
   *
   * @param unspent true for unspent, false for spent
   */
  @Copyable
  record World(
      PMap<StateId, Boolean> unspent,
      PMap<IntentKey, Boolean> fulfilled,
      PMap<LedgerAddress, Long> nonces,
      PMap<Hash, Boolean> included,
      PMap<LedgerAddress, BigInteger> money,
      PMap<ContractAddress, CommitteeStanding> committees)
      implements SimulatedLedgerWorldBuilder.With {
    /** Before the first block: contracts that are there, and nothing else. */
    static World of(Collection<PrivacyGroup> groups) {
      PMap<ContractAddress, CommitteeStanding> committees = HashTrie.empty();
      for (var group : groups) {
        committees = committees.plus(group.contract(), group.committees().standing());
      }
      return new World(
          HashTrie.empty(),
          HashTrie.empty(),
          HashTrie.empty(),
          HashTrie.empty(),
          HashTrie.empty(),
          committees);
    }

    BigInteger money(LedgerAddress account) {
      return money.getOrDefault(account, BigInteger.ZERO);
    }

    World add(LedgerAddress account, BigInteger amount) {
      return withMoney(money.plus(account, money(account).add(amount)));
    }
  }

  /** From somebody outside, whom nobody sees. */
  private record Gift(LedgerAddress to, BigInteger amount) {}

  /**
   * Money from one account to another.
   *
   * @param before what the other one had
   */
  record Transfer(
      LedgerAddress from, long nonce, LedgerAddress to, BigInteger amount, BigInteger before) {}

  private record Mined(
      Block block,
      List<SignedLedgerTransaction> transactions,
      List<Gift> gifts,
      List<Transfer> transfers,
      World after) {}

  SimulatedLedger(List<PrivacyGroup> groups, Tampering tampering) {
    this.tampering = tampering;
    contracts = new HashMap<>();
    groups.forEach(group -> contracts.put(group.contract(), group));
    empty = World.of(groups);
  }

  /** Transactions that revert for no reason of their own. */
  void doom(Predicate<PreparedTransaction> which) {
    doomed = which;
  }

  /**
   * New transactions of more than one transition that the pool refuses for good, as if one of them
   * were wrong.
   */
  void refuseBatches(BooleanSupplier which) {
    refusing = which;
  }

  /** Calls of more than one transition that use up their gas, so that all of them revert. */
  void starve(BooleanSupplier which) {
    starving = which;
  }

  /** Signers that have no money for gas. */
  void takeMoney(Predicate<LedgerAddress> which) {
    penniless = which;
  }

  /** From the first block on, gas costs what is offered for all of its limit. */
  void charge() {
    charges = true;
  }

  /** In the next block. */
  void give(LedgerAddress account, BigInteger amount) {
    gifts.add(new Gift(account, amount));
  }

  /** What a block has of that. */
  List<Transfer> transfers(long height) {
    return chain.get((int) height - 1).transfers();
  }

  /** At most so many transactions in each block; 0 stops all of them, blocks go on. */
  void limitBlocks(int transactions) {
    blockLimit = transactions;
  }

  /**
   * The pool forgets a part of what it has taken of each signer, the latest nonces.
   *
   * @return whether there was any
   */
  boolean losePooled(RandomGenerator random) {
    boolean lost = false;
    for (var waiting : pool.values()) {
      for (int left = random.nextInt(waiting.size() + 1); left > 0; left--) {
        waiting.pollLastEntry();
        lost = true;
      }
    }
    pool.values().removeIf(TreeMap::isEmpty);
    return lost;
  }

  /** Told of all that is sent to it. */
  void watch(Consumer<SignedLedgerTransaction> sent) {
    watcher = sent;
  }

  /** How many transactions of that signer wait for a block. */
  int waiting(LedgerAddress signer) {
    return pool.getOrDefault(signer, new TreeMap<>()).size();
  }

  long head() {
    return chain.size();
  }

  /**
   * @param height from 1
   */
  Block block(long height) {
    return chain.get((int) height - 1).block();
  }

  Optional<LedgerReceipt> receipt(TransactionHash hash) {
    return chain.stream()
        .flatMap(mined -> mined.block().receipts().stream())
        .filter(receipt -> receipt.hash().equals(hash))
        .findFirst();
  }

  /** What a receipt is of. */
  LedgerTransaction transaction(LedgerReceipt receipt) {
    var mined = chain.get((int) receipt.block().value() - 1);
    return mined.transactions().get(receipt.index()).transaction();
  }

  BigInteger balance(LedgerAddress signer) {
    return charges ? world().money(signer) : penniless.test(signer) ? BigInteger.ZERO : WEALTH;
  }

  /**
   * Where gas costs money.
   *
   * @param height from 0, before the first
   */
  BigInteger balance(LedgerAddress signer, long height) {
    return after(height).money(signer);
  }

  long nonce(LedgerAddress signer) {
    return world().nonces().getOrDefault(signer, 0L);
  }

  /**
   * The same as of a block.
   *
   * @param height from 0, before the first
   */
  long nonce(LedgerAddress signer, long height) {
    return after(height).nonces().getOrDefault(signer, 0L);
  }

  private World after(long height) {
    return height == 0 ? empty : chain.get((int) height - 1).after();
  }

  /** The first nonce that is neither in a block nor, without a gap, in the pool. */
  long pendingNonce(LedgerAddress signer) {
    var waiting = pool.getOrDefault(signer, new TreeMap<>());
    long next = nonce(signer);
    while (waiting.containsKey(next)) {
      next++;
    }
    return next;
  }

  boolean knows(TransactionHash hash) {
    return world().included().containsKey(hash.value())
        || pool.values().stream()
            .flatMap(waiting -> waiting.values().stream())
            .anyMatch(waiting -> waiting.hash().equals(hash));
  }

  boolean isFulfilled(IntentKey intent) {
    return world().fulfilled().containsKey(intent);
  }

  private World world() {
    return chain.isEmpty() ? empty : chain.get(chain.size() - 1).after();
  }

  SubmitOutcome submit(SignedLedgerTransaction signed) {
    watcher.accept(signed);
    var hash = signed.hash();
    var transaction = signed.transaction();
    if (world().included().containsKey(hash.value())) {
      return new SubmitOutcome.Pooled(hash);
    }
    if (!SimulatedKeys.SIGNATURES.verify(signed.verifier(), hash.value(), signed.signature())) {
      return new SubmitOutcome.Invalid(hash, "The signature is wrong.");
    }
    long expected = nonce(transaction.signer());
    if (transaction.nonce() < expected) {
      return new SubmitOutcome.NonceTooLow(hash, expected);
    }
    var waiting = pool.computeIfAbsent(transaction.signer(), signer -> new TreeMap<>());
    var other = waiting.get(transaction.nonce());
    if (other == null && transaction.weight() > 1 && refusing.getAsBoolean()) {
      return new SubmitOutcome.Invalid(hash, "One of them is wrong.");
    }
    if (other != null && other.hash().equals(hash)) {
      return new SubmitOutcome.Pooled(hash);
    }
    if (other != null && !transaction.fees().cover(other.transaction().fees().toReplace())) {
      return new SubmitOutcome.Underpriced(hash, other.transaction().fees().toReplace());
    }
    if (balance(transaction.signer()).compareTo(cost(transaction)) < 0) {
      return new SubmitOutcome.InsufficientFunds(hash);
    }
    waiting.put(transaction.nonce(), signed);
    return new SubmitOutcome.Pooled(hash);
  }

  private BigInteger cost(LedgerTransaction transaction) {
    var gas = charges ? transaction.fees().cost(transaction.gasLimit()) : ANY_GAS;
    return transaction.call().value().add(gas);
  }

  private boolean canPay(World world, LedgerTransaction transaction) {
    return !charges || world.money(transaction.signer()).compareTo(cost(transaction)) >= 0;
  }

  /** Makes the next block of what the pool holds in unbroken sequences of nonces. */
  Block mine(Instant time) {
    var world = world();
    for (var gift : gifts) {
      world = world.add(gift.to(), gift.amount());
    }
    var transfers = new ArrayList<Transfer>();
    var height = new BlockHeight(chain.size() + 1L);
    var receipts = new ArrayList<LedgerReceipt>();
    var taken = new ArrayList<SignedLedgerTransaction>();
    for (var waiting : pool.values()) {
      while (!waiting.isEmpty() && taken.size() < blockLimit) {
        var first = waiting.firstEntry().getValue();
        long expected = world.nonces().getOrDefault(first.transaction().signer(), 0L);
        if (first.transaction().nonce() > expected || !canPay(world, first.transaction())) {
          break;
        }
        waiting.pollFirstEntry();
        if (first.transaction().nonce() == expected) {
          world = included(world, first);
          if (charges) {
            world = paid(world, first.transaction(), transfers);
          }
          var results = new ArrayList<LedgerReceipt.Result>();
          var transitions = transitions(first.transaction().call());
          boolean starved = transitions.size() > 1 && starving.getAsBoolean();
          for (int i = 0; i < transitions.size(); i++) {
            var transition = transitions.get(i);
            var result =
                starved
                    ? reverted(transition, RevertReason.OUT_OF_GAS)
                    : result(world, height, transition);
            results.add(result);
            world = after(world, result);
          }
          if (first.transaction().call() instanceof ChangeCommittee change) {
            results.add(changed(world, height, change));
            world = after(world, height, change, results.getLast());
          } else if (results.isEmpty()) {
            results.add(alone(first.transaction()));
          }
          receipts.add(receipt(first, height, taken.size(), results));
          taken.add(first);
        }
      }
    }
    pool.values().removeIf(TreeMap::isEmpty);
    var parent =
        chain.isEmpty() ? new Hash(0, 0, 0, 0) : chain.get(chain.size() - 1).block().hash();
    var digest = new CanonicalDigest().add(height.value()).add(parent).add(time.toString());
    taken.forEach(transaction -> digest.add(transaction.hash().value()));
    var hash = digest.finish();
    var block = new Block(height, hash, parent, time, receipts);
    chain.add(new Mined(block, taken, List.copyOf(gifts), transfers, world));
    gifts.clear();
    return block;
  }

  /**
   * Takes back the newest blocks; what they held is in the pool again.
   *
   * @return puts them back in place of those that have come since, whose transactions are lost
   */
  Runnable takeBack(int blocks) {
    var before = List.copyOf(chain);
    for (int i = 0; i < blocks && !chain.isEmpty(); i++) {
      var taken = chain.remove(chain.size() - 1);
      gifts.addAll(taken.gifts());
      for (var transaction : taken.transactions()) {
        pool.computeIfAbsent(transaction.transaction().signer(), signer -> new TreeMap<>())
            .putIfAbsent(transaction.transaction().nonce(), transaction);
      }
    }
    return () -> {
      chain.clear();
      chain.addAll(before);
    };
  }

  private static LedgerReceipt receipt(
      SignedLedgerTransaction signed,
      BlockHeight height,
      int index,
      List<LedgerReceipt.Result> results) {
    var transaction = signed.transaction();
    return new LedgerReceipt(
        signed.hash(), transaction.signer(), transaction.nonce(), height, index, results);
  }

  /** What comes of a transaction that has no transitions. */
  private static LedgerReceipt.Result alone(LedgerTransaction transaction) {
    return switch (transaction.call()) {
      case PublicCall call when isTransfer(call) -> new LedgerReceipt.NonceUsed();
      case PublicCall call -> called(call);
      case Deploy deploy ->
          new LedgerReceipt.Deployed(
              contractOf(transaction.signer(), deploy.genesis().group()),
              deploy.domain(),
              deploy.genesis());
      case Invoke ignored -> new LedgerReceipt.NonceUsed();
      case ChangeCommittee ignored -> new LedgerReceipt.NonceUsed();
      case UseNonce ignored -> new LedgerReceipt.NonceUsed();
    };
  }

  /** Whoever calls a contract says something. */
  private static boolean isTransfer(PublicCall call) {
    return call.data().isEmpty();
  }

  private World paid(World world, LedgerTransaction transaction, List<Transfer> transfers) {
    var after = world.add(transaction.signer(), cost(transaction).negate());
    if (transaction.call() instanceof PublicCall call && isTransfer(call)) {
      var to = new LedgerAddress(call.to().orElseThrow().value());
      transfers.add(
          new Transfer(
              transaction.signer(), transaction.nonce(), to, call.value(), after.money(to)));
      return after.add(to, call.value());
    }
    return after;
  }

  /** Whoever deploys a group once more makes another contract. */
  private static ContractAddress contractOf(LedgerAddress signer, GroupId group) {
    var hash = new CanonicalDigest().add(signer.value()).add(group.value()).finish();
    return new ContractAddress("0x" + HexFormat.of().formatHex(hash.toByteArray(), 0, 20));
  }

  private static LedgerReceipt.Called called(PublicCall call) {
    boolean doomed = Publics.isDoomed(call);
    return new LedgerReceipt.Called(
        call.hash(),
        Optional.empty(),
        doomed ? Publics.SAID : Bytes.EMPTY,
        doomed ? Optional.of("The contract reverted.") : Optional.empty());
  }

  private static List<PreparedTransaction> transitions(LedgerTransaction.Call call) {
    return switch (call) {
      case Invoke(var transitions) -> transitions;
      case UseNonce ignored -> List.of();
      case PublicCall ignored -> List.of();
      case Deploy ignored -> List.of();
      case ChangeCommittee ignored -> List.of();
    };
  }

  /** As a contract does (CMT-3). */
  private LedgerReceipt.Result changed(World world, BlockHeight height, ChangeCommittee call) {
    var committees = committees(world, call.contract());
    var signers =
        call.signers(
            contracts.get(call.contract()).chainId(),
            (digest, signature) ->
                SimulatedKeys.SIGNATURES.isValid(signature.verifier(), digest, signature.value()));
    return tampering
        .flaw(committees, call.change(), signers, height)
        .<LedgerReceipt.Result>map(
            flaw -> new LedgerReceipt.ChangeRefused(call.contract(), call.change().number(), flaw))
        .orElseGet(() -> new LedgerReceipt.CommitteeChanged(call.contract(), call.change()));
  }

  private static World after(
      World world, BlockHeight height, ChangeCommittee call, LedgerReceipt.Result result) {
    return result instanceof LedgerReceipt.CommitteeChanged changed
        ? world.withCommittees(
            world
                .committees()
                .plus(
                    call.contract(),
                    committees(world, call.contract()).after(changed.change(), height)))
        : world;
  }

  private static CommitteeStanding committees(World world, ContractAddress contract) {
    return world.committees().get(contract);
  }

  /** Whose endorsements a group's contract takes, as of the newest block. */
  CommitteeStanding committees(ContractAddress contract) {
    return committees(world(), contract);
  }

  private boolean isEndorsed(PreparedTransaction prepared, Quorum quorum) {
    var group = contracts.get(prepared.contract());
    var policy = new EndorsementPolicy(group.chainId(), group.contract(), quorum);
    return tampering.isEndorsed(new EndorsementProof(policy, prepared));
  }

  /** Why its endorsements are not taken in that block (CMT-4). */
  private Optional<RevertReason> unendorsed(
      World world, BlockHeight height, PreparedTransaction prepared) {
    var committees = committees(world, prepared.contract());
    if (tampering.counting(committees, height).anyMatch(it -> isEndorsed(prepared, it))) {
      return Optional.empty();
    }
    return Optional.of(
        committees.number() > 1
                || committees.former().filter(it -> isEndorsed(prepared, it.quorum())).isPresent()
            ? RevertReason.COMMITTEE_CHANGED
            : RevertReason.ENDORSEMENT_INVALID);
  }

  private LedgerReceipt.Result result(
      World world, BlockHeight height, PreparedTransaction prepared) {
    var refusal = refusal(world, height, prepared);
    return refusal.isPresent()
        ? reverted(prepared, refusal.get())
        : new LedgerReceipt.Fulfilled(
            prepared.contract(),
            prepared.intent(),
            prepared.inputs(),
            prepared.reads(),
            prepared.outputs());
  }

  private static LedgerReceipt.Result reverted(PreparedTransaction prepared, RevertReason reason) {
    return new LedgerReceipt.Reverted(prepared.contract(), prepared.intent(), reason, "refused");
  }

  private static World included(World world, SignedLedgerTransaction signed) {
    var transaction = signed.transaction();
    return world
        .with()
        .nonces(world.nonces().plus(transaction.signer(), transaction.nonce() + 1))
        .included(world.included().plus(signed.hash().value(), true))
        .build();
  }

  private static World after(World world, LedgerReceipt.Result result) {
    if (!(result instanceof LedgerReceipt.Fulfilled done)) {
      return world;
    }
    var unspent = world.unspent();
    for (var input : done.spent()) {
      unspent = unspent.plus(input, false);
    }
    for (var output : done.created()) {
      unspent = unspent.plus(output, true);
    }
    return world
        .with()
        .unspent(unspent)
        .fulfilled(world.fulfilled().plus(done.intent(), true))
        .build();
  }

  private Optional<RevertReason> refusal(
      World world, BlockHeight height, PreparedTransaction prepared) {
    if (doomed.test(prepared)) {
      return Optional.of(RevertReason.INJECTED);
    }
    if (world.fulfilled().containsKey(prepared.intent())) {
      return Optional.of(RevertReason.INTENT_FULFILLED);
    }
    for (var used : List.of(prepared.inputs(), prepared.reads())) {
      for (var id : used) {
        if (!world.unspent().containsKey(id)) {
          return Optional.of(RevertReason.STATE_UNKNOWN);
        }
        if (!world.unspent().get(id)) {
          return Optional.of(RevertReason.STATE_SPENT);
        }
      }
    }
    if (prepared.outputs().stream().anyMatch(world.unspent()::containsKey)) {
      return Optional.of(RevertReason.STATE_EXISTS);
    }
    return unendorsed(world, height, prepared);
  }
}
