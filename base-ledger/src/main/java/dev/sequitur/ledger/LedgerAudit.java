package dev.sequitur.ledger;

import dev.sequitur.ledger.AuditReport.Kind;
import dev.sequitur.ledger.AuditReport.Tally;
import dev.sequitur.ledger.AuditReport.Violation;
import dev.sequitur.ledger.LedgerTable.Within;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Called;
import dev.sequitur.protocol.ledger.LedgerReceipt.ChangeRefused;
import dev.sequitur.protocol.ledger.LedgerReceipt.CommitteeChanged;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.port.BaseLedger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The double-check: whether a ledger kept its promises, told from its blocks alone and not from
 * what the ledger or the nodes believe. Reads block after block and keeps about 26 bytes for each
 * state and each intent; with checkpoints, 4 KB for each contract. Confined to one thread at a
 * time.
 */
public final class LedgerAudit {
  /** Violations that a report describes; the others it only counts. */
  public static final int MAX_EXAMPLES = 100;

  private static final byte UNSPENT = 1;
  private static final byte SPENT = 2;
  private static final byte FULFILLED = 3;
  private static final int PAGE = 256;

  private final Conservation conservation;
  private final Keeper keeper;
  private final Set<LedgerAddress> own;
  private final FingerprintTable seen = new FingerprintTable();
  private final Map<ContractAddress, Count> contracts = new HashMap<>();
  private final Map<LedgerAddress, Long> nonces = new HashMap<>();
  private final Map<RevertReason, Long> reverts = new EnumMap<>(RevertReason.class);
  private final Map<Kind, Long> violations = new EnumMap<>(Kind.class);
  private final List<Violation> examples = new ArrayList<>();
  private Optional<Block> newest = Optional.empty();
  private Optional<FollowedReceipts> followed = Optional.empty();
  private long transactions;

  /** Who makes the blocks, and so what they look like. */
  public enum Keeper {
    /** A ledger of ours: its first block follows on nothing, and it holds nobody else's. */
    OURS,
    /** A chain: it hashes in its own way, and others' transactions stand between ours. */
    CHAIN
  }

  /** Of a ledger of ours. */
  public LedgerAudit(Conservation conservation) {
    this(conservation, Keeper.OURS, Set.of());
  }

  /**
   * @param own keys of whose transactions on a chain each is read, since they sign nothing else:
   *     none of their nonces may be missing
   */
  public LedgerAudit(Conservation conservation, Keeper keeper, Set<LedgerAddress> own) {
    this.conservation = conservation;
    this.keeper = keeper;
    this.own = Set.copyOf(own);
  }

  /**
   * Computes the digests of checkpoints, too, out of the blocks; four times the work. To be called
   * before the first block, of a ledger of ours.
   */
  public LedgerAudit withCheckpoints() {
    if (newest.isPresent() || keeper != Keeper.OURS) {
      throw new IllegalStateException("Checkpoints are computed from a ledger's first block on.");
    }
    followed = Optional.of(FollowedReceipts.fromTheFirst());
    return this;
  }

  /**
   * Reads a ledger from its first block to {@code upTo}, or to its head if that is lower. Blocks
   * the caller.
   *
   * @param upTo a final block, since one that is replaced meanwhile would look like a broken chain
   * @throws java.util.concurrent.CompletionException if the ledger does not answer
   */
  public LedgerAudit read(BaseLedger ledger, BlockHeight upTo) {
    long at = 1;
    while (at <= upTo.value()) {
      int limit = (int) Math.min(PAGE, upTo.value() - at + 1);
      var page = ledger.blocks(new BlockHeight(at), limit).toCompletableFuture().join();
      if (page.isEmpty()) {
        return this;
      }
      page.forEach(this::accept);
      at += page.size();
    }
    return this;
  }

  /** Takes the next block, from height 1 on. */
  public void accept(Block block) {
    checkChain(block);
    checkCheckpoint(block);
    newest = Optional.of(block);
    int index = 0;
    for (var receipt : block.receipts()) {
      transactions += receipt.results().size();
      checkNonce(receipt);
      if (isOutOfPlace(receipt.index(), index) || !receipt.block().equals(block.height())) {
        violation(receipt, Kind.CHAIN_BROKEN, "The receipt says that it stands elsewhere.");
      }
      index = receipt.index() + 1;
      receipt.results().forEach(result -> checkResult(receipt, result));
      followed.ifPresent(tables -> tables.follow(receipt));
    }
  }

  private void checkCheckpoint(Block block) {
    if (followed.isEmpty() || block.checkpoint().isEmpty()) {
      return;
    }
    var digest = followed.get().sums().digest();
    if (!block.checkpoint().get().equals(digest)) {
      violation(
          new Violation(
              Kind.CHECKPOINT_WRONG,
              block.height(),
              0,
              "Block %s has %s for the digest of what those below have left, which is %s."
                  .formatted(block.height(), block.checkpoint().get(), digest)));
    }
  }

  private void checkNonce(LedgerReceipt receipt) {
    long expected = nonces.getOrDefault(receipt.signer(), 0L);
    // What a stranger sends to others is not read.
    boolean all = keeper == Keeper.OURS || own.contains(receipt.signer());
    if (all ? receipt.nonce() != expected : receipt.nonce() < expected) {
      violation(
          receipt,
          Kind.NONCE_WRONG,
          "Nonce %d of %s where %d was next."
              .formatted(receipt.nonce(), receipt.signer(), expected));
    }
    nonces.put(receipt.signer(), receipt.nonce() + 1);
  }

  /** On a chain others' transactions stand between ours. */
  private boolean isOutOfPlace(int found, int next) {
    return switch (keeper) {
      case OURS -> found != next;
      case CHAIN -> found < next;
    };
  }

  /** Whether an intent was fulfilled in one of the blocks so far. */
  public boolean isFulfilled(ContractAddress contract, IntentKey intent) {
    return seen.get(intent(contract, intent)) == FULFILLED;
  }

  /** What was found so far. */
  public AuditReport report() {
    var tallies = new HashMap<ContractAddress, Tally>();
    contracts.forEach((contract, count) -> tallies.put(contract, count.tally()));
    return new AuditReport(
        newest.map(Block::height).orElse(BlockHeight.ZERO),
        transactions,
        reverts,
        violations,
        examples,
        tallies);
  }

  /**
   * A chain's nodes judge its times. There are several blocks of a second where they come faster
   * than that, where a node was restarted, and where some were replaced.
   */
  private boolean isInTime(Block below, Block block) {
    return switch (keeper) {
      case OURS -> below.timestamp().isBefore(block.timestamp());
      case CHAIN -> !block.timestamp().isBefore(below.timestamp());
    };
  }

  private void checkChain(Block block) {
    long height = newest.map(below -> below.height().value()).orElse(0L) + 1;
    Hash parent = newest.map(Block::hash).orElseGet(() -> beforeFirst(block));
    var wrong = new ArrayList<String>();
    if (block.height().value() != height) {
      wrong.add("its height should be " + height);
    }
    if (!block.parent().equals(parent)) {
      wrong.add("its parent is " + block.parent() + " and not " + parent);
    }
    newest
        .filter(below -> !isInTime(below, block))
        .ifPresent(
            below ->
                wrong.add(
                    "its time, %s, comes after %s"
                        .formatted(block.timestamp(), below.timestamp())));
    if (keeper == Keeper.OURS && !BlockHash.isTrue(block)) {
      wrong.add("its hash is not that of its content");
    }
    if (!wrong.isEmpty()) {
      violation(
          new Violation(
              Kind.CHAIN_BROKEN,
              block.height(),
              0,
              "Block %s does not follow from the one below it: %s."
                  .formatted(block.height(), String.join(", ", wrong))));
    }
  }

  /** A chain's first block follows on its genesis, which is not read. */
  private Hash beforeFirst(Block first) {
    return keeper == Keeper.OURS ? BlockHash.beforeFirst() : first.parent();
  }

  private void checkResult(LedgerReceipt receipt, LedgerReceipt.Result result) {
    switch (result) {
      case Deployed deployed -> {
        if (contracts.put(deployed.contract(), new Count()) != null) {
          violation(
              receipt, Kind.CONTRACT_WRONG, deployed.contract() + " is deployed a second time.");
        }
      }
      case CommitteeChanged changed -> checkChanged(receipt, changed);
      // Nothing is left of it.
      case ChangeRefused ignored -> {}
      case Reverted reverted -> {
        reverts.merge(reverted.reason(), 1L, Long::sum);
        Optional.ofNullable(contracts.get(reverted.contract()))
            .ifPresent(count -> count.reverted++);
      }
      case Fulfilled fulfilled -> checkFulfilled(receipt, fulfilled);
      // It is about no contract.
      case NonceUsed ignored -> {}
      case Called ignored -> {}
    }
  }

  private void checkChanged(LedgerReceipt receipt, CommitteeChanged changed) {
    var count = contracts.get(changed.contract());
    if (count == null) {
      if (keeper == Keeper.OURS) {
        violation(receipt, Kind.CONTRACT_WRONG, changed.contract() + " was never deployed.");
      }
      return;
    }
    int number = changed.change().number();
    if (number != count.changes + 1) {
      violation(
          receipt,
          Kind.CONTRACT_WRONG,
          "The committee of %s has change %d after change %d."
              .formatted(changed.contract(), number, count.changes));
    }
    count.changes = number;
  }

  private void checkFulfilled(LedgerReceipt receipt, Fulfilled fulfilled) {
    var contract = fulfilled.contract();
    if (!contracts.containsKey(contract)) {
      if (keeper == Keeper.CHAIN) {
        // A stranger's, which may say anything.
        return;
      }
      violation(receipt, Kind.CONTRACT_WRONG, contract + " was never deployed.");
    }
    var count = contracts.computeIfAbsent(contract, unknown -> new Count());
    count.fulfilled++;
    if (isFulfilled(contract, fulfilled.intent())) {
      violation(
          receipt, Kind.INTENT_TWICE, "Intent " + fulfilled.transaction() + " a second time.");
    }
    seen.put(intent(contract, fulfilled.intent()), FULFILLED);
    for (var id : fulfilled.read()) {
      if (seen.get(state(contract, id)) != UNSPENT) {
        violation(receipt, Kind.READ_GONE, "State " + id + " was read and does not stand.");
      }
    }
    fulfilled.spent().forEach(id -> spend(receipt, count, new Within<>(contract, id)));
    fulfilled.created().forEach(id -> create(receipt, count, new Within<>(contract, id)));
    conservation
        .complaint(fulfilled)
        .ifPresent(complaint -> violation(receipt, Kind.NOT_CONSERVED, complaint));
  }

  private void spend(LedgerReceipt receipt, Count count, Within<StateId> place) {
    var id = place.what();
    Hash key = state(place.contract(), id);
    switch (seen.get(key)) {
      case UNSPENT -> count.spent++;
      case SPENT -> violation(receipt, Kind.SPENT_TWICE, "State " + id + " is spent twice.");
      default -> violation(receipt, Kind.SPENT_UNMADE, "State " + id + " was never made.");
    }
    seen.put(key, SPENT);
  }

  private void create(LedgerReceipt receipt, Count count, Within<StateId> place) {
    var id = place.what();
    Hash key = state(place.contract(), id);
    if (seen.get(key) != 0) {
      violation(receipt, Kind.CREATED_TWICE, "State " + id + " is made twice.");
      return;
    }
    count.created++;
    seen.put(key, UNSPENT);
  }

  private static Hash state(ContractAddress contract, StateId id) {
    return new CanonicalDigest().add("state").add(contract.value()).add(id.value()).finish();
  }

  private static Hash intent(ContractAddress contract, IntentKey intent) {
    return new CanonicalDigest()
        .add("intent")
        .add(contract.value())
        .add(intent.transaction().toString())
        .add(intent.commitment().value())
        .finish();
  }

  private void violation(LedgerReceipt receipt, Kind kind, String description) {
    violation(new Violation(kind, receipt.block(), receipt.index(), description));
  }

  private void violation(Violation violation) {
    violations.merge(violation.kind(), 1L, Long::sum);
    if (examples.size() < MAX_EXAMPLES) {
      examples.add(violation);
    }
  }

  private static final class Count {
    private long fulfilled;
    private long reverted;
    private long created;
    private long spent;
    private int changes;

    Tally tally() {
      return new Tally(fulfilled, reverted, created, spent, created - spent);
    }
  }
}
