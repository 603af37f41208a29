package dev.sequitur.protocol.port;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The truth of a node for what its callers were promised. Every write is durable when its future
 * completes, and all or nothing. Thread-safe.
 */
public interface NodeStore
    extends IntentStore, StateContents, MessageStore, GroupStore, ChangeStore, RoomStore {

  // Intents

  /** Who has sent at least one public transaction that has no receipt. */
  CompletionStage<Set<Identity>> sendersWithPublicPending();

  /**
   * What was accepted under keys of this name, whoever their owners are; the newest first.
   *
   * @param limit of more it does not matter which are missing
   */
  CompletionStage<List<Intent>> intentsByKeyName(String name, int limit);

  /** Contracts with at least one intent without a receipt. */
  CompletionStage<Set<ContractAddress>> contractsWithPending();

  /**
   * What has no receipt, by order of acceptance. A page costs what it has, however many there are.
   */
  CompletionStage<List<Intent>> open(Open which, Page page);

  @Override
  default CompletionStage<List<Intent>> pending(ContractAddress contract, long after, int limit) {
    return open(new Open.Of(contract), Page.oldest(after, limit));
  }

  /** Of what has no receipt. */
  sealed interface Open {
    record All() implements Open {}

    /** What is sent privately to a contract. */
    record Of(ContractAddress contract) implements Open {}

    record Publics() implements Open {}
  }

  /**
   * @param newestFirst or the oldest
   * @param beyond after which order of acceptance, in that direction
   */
  record Page(boolean newestFirst, long beyond, int limit) {
    public static Page newest(Optional<Long> before, int limit) {
      return new Page(true, before.orElse(Long.MAX_VALUE), limit);
    }

    public static Page oldest(long after, int limit) {
      return new Page(false, after, limit);
    }

    /** Whether nothing can be on it. */
    public boolean isEmpty() {
      return limit < 1 || (newestFirst ? beyond <= 1 : beyond == Long.MAX_VALUE);
    }
  }

  /**
   * Private transactions of a contract that have no receipt and wait for one of it (SND-6), by
   * order of acceptance.
   */
  CompletionStage<List<TransactionId>> dependants(
      ContractAddress contract, TransactionId of, int limit);

  /** All intents by order of acceptance, newest first, before {@code before} (exclusive). */
  CompletionStage<List<Intent>> intents(Optional<Long> before, int limit);

  /**
   * Public transactions by order of acceptance, newest first, before {@code before} (exclusive).
   */
  CompletionStage<List<Intent>> publics(Optional<Long> before, int limit);

  // Receipts

  /**
   * Of what other nodes have sent under an id, of each sender the receipt that holds, by their
   * numbers (CNF-9). They say nothing of an own intent of that id.
   *
   * @param limit of more it does not matter which are missing
   */
  CompletionStage<List<NumberedReceipt>> receiptsOfOthers(TransactionId id, int limit);

  /**
   * Of each contract the first that another node has sent under an id (CNF-9), by contract: so many
   * of one contract cost what one costs. They say nothing of an own intent of that id.
   *
   * @param after the contract to go on after; empty to begin
   */
  CompletionStage<List<NumberedReceipt>> firstOfOthers(
      TransactionId id, Optional<ContractAddress> after, int limit);

  /**
   * Receipts with a sequence number above {@code after}, ascending. Others' under the id of an own
   * intent are left out: who knows the id of a transaction could else tell its sender that it is
   * done (CNF-4).
   */
  CompletionStage<List<NumberedReceipt>> receipts(long after, int limit);

  /**
   * Has others take the place of receipts whose blocks are gone (CNF-11), each under the next
   * number; the old ones stay under theirs. One that holds no more, since something came after it,
   * is left as it is.
   *
   * @param corrections under the number of what each takes the place of
   * @return what was stored of this node's own
   */
  CompletionStage<List<NumberedReceipt>> correct(List<NumberedReceipt> corrections);

  /** The public transaction that a nonce was used for; empty if none has such a receipt. */
  CompletionStage<Optional<TransactionId>> publicByNonce(Receipt.Nonce nonce);

  /** The public transaction that the base ledger has under a hash, if it has a receipt. */
  CompletionStage<Optional<TransactionId>> publicByHash(TransactionHash hash);

  /**
   * The contents of states of a contract that are kept, spent or not, by id in ascending order.
   *
   * @param after their ids are above it; empty to begin
   */
  CompletionStage<List<PrivateState>> statesAfter(
      ContractAddress contract, Optional<StateId> after, int limit);

  /**
   * How often contents of states were kept since this JVM has opened the store; counted once they
   * can be read. Whoever has found some missing looks again when it differs. Other JVMs of the node
   * keep contents, too, and are not counted.
   */
  long contentsKept();

  // Messages between members

  CompletionStage<Optional<NumberedMessage>> message(GroupMessageId id);

  /** Messages with a sequence number above {@code after}, ascending. */
  CompletionStage<List<NumberedMessage>> messages(long after, int limit);

  /** Messages with a sequence number below {@code before}, or the newest, descending. */
  CompletionStage<List<NumberedMessage>> messagesBefore(Optional<Long> before, int limit);

  // Descriptions of contracts

  /**
   * How many descriptions a node keeps: all may be looked into, one after another, for what nobody
   * has named.
   */
  int MOST_ABIS = 1_024;

  /** How many of them one owner has: one leaves others room. */
  int MOST_ABIS_OF_OWNER = 256;

  /**
   * Keeps the description of a contract for its owner. One that is there already stays as it is.
   *
   * @return false if there is no room for one more
   */
  CompletionStage<Boolean> putAbi(StoredAbi abi);

  /**
   * @return whether the owner had one of that hash
   */
  CompletionStage<Boolean> deleteAbi(String owner, Hash hash);

  CompletionStage<Optional<StoredAbi>> abi(String owner, Hash hash);

  /** What all of them are found by, the newest first. */
  CompletionStage<List<AbiKey>> abiKeys();

  // Groups, the indexer

  /** The group whose confirmed contract has this address. */
  CompletionStage<Optional<StoredGroup>> groupAt(ContractAddress contract);

  /**
   * The group that a call makes.
   *
   * @param deploy the hash of {@link Deployment#call}
   */
  CompletionStage<Optional<StoredGroup>> groupOf(Hash deploy);

  /** How far the indexer has read, with the hash of that block. */
  default CompletionStage<Optional<IndexedTo>> indexedTo() {
    return readSoFar().thenApply(read -> read.map(ReadSoFar::to));
  }

  CompletionStage<Optional<ReadSoFar>> readSoFar();

  /** It has read so far; what else is kept of that follows ({@link ReadSoFar#upTo}). */
  CompletionStage<Void> putIndexedTo(IndexedTo indexedTo);

  /**
   * The ledger is to be read again from this block on ({@link ReadSoFar#readAgain}), in one write.
   * Fails with an {@link IllegalStateException} if nothing was read.
   */
  CompletionStage<ReadSoFar.Reindex> beginReindex(IndexedTo from);

  /** Nothing of it is to be done any more. */
  CompletionStage<Void> endReindex(ReadSoFar.Reindex reindex);

  /**
   * What keeps it from writing now; empty if nothing does. Goes the way of a write, behind those
   * that wait, but changes nothing. Never fails; while the disk or the database does not answer, it
   * does not complete.
   */
  default CompletionStage<Optional<Hindrance>> hindrance() {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /**
   * Why nothing can be written.
   *
   * @param sentence for the operator, who learns what to do from it
   * @param endsWithRestart whether a new start of the process, and nothing else, mends it
   */
  record Hindrance(String sentence, boolean endsWithRestart) {}

  /**
   * An intent as the caller sent it.
   *
   * @param order of acceptance, from 1; 0 before the store has assigned it
   * @param created not before that of an intent with a lower order: the store sees to it, since
   *     clocks are set back, and those of a node's JVMs differ. It goes back once after a clock was
   *     far ahead
   * @param bodyHash over everything a repeat must have in common
   */
  record Intent(
      long order,
      Instant created,
      Optional<IdempotencyKey> idempotencyKey,
      Hash bodyHash,
      Transaction transaction) {
    public Intent at(long newOrder) {
      return new Intent(newOrder, created, idempotencyKey, bodyHash, transaction);
    }

    /** The same, as it was accepted. */
    public Intent at(long newOrder, Instant time) {
      return new Intent(newOrder, time, idempotencyKey, bodyHash, transaction);
    }

    /** The same, accepted no earlier than another. */
    public Intent notBefore(Instant earlier) {
      return created.isBefore(earlier)
          ? new Intent(order, earlier, idempotencyKey, bodyHash, transaction)
          : this;
    }

    /** The same, as its caller has changed it. */
    public Intent as(PublicTransaction changed) {
      return new Intent(order, created, idempotencyKey, bodyHash, changed);
    }

    /** If it is private. */
    public Optional<PrivateTransaction> privately() {
      return switch (transaction) {
        case PrivateTransaction it -> Optional.of(it);
        case PublicTransaction ignored -> Optional.empty();
        case NewGroup ignored -> Optional.empty();
      };
    }

    /** If it is public. */
    public Optional<PublicTransaction> publicly() {
      return switch (transaction) {
        case PrivateTransaction ignored -> Optional.empty();
        case PublicTransaction it -> Optional.of(it);
        case NewGroup ignored -> Optional.empty();
      };
    }

    /** If it makes a group. */
    public Optional<NewGroup> newGroup() {
      return switch (transaction) {
        case PrivateTransaction ignored -> Optional.empty();
        case PublicTransaction ignored -> Optional.empty();
        case NewGroup it -> Optional.of(it);
      };
    }
  }

  /** What came of {@link #accept}. */
  sealed interface Acceptance {
    /**
     * @param ids one for each intent of the batch, in its order
     * @param fresh those that were not there before, with their order
     */
    record Accepted(List<TransactionId> ids, List<Intent> fresh) implements Acceptance {}

    /** Nothing was stored: its owner has used this key before with another body. */
    record IdempotencyConflict(String key, TransactionId original) implements Acceptance {}
  }

  /**
   * @param sequence from 1; there is a gap where one is told to nobody (CNF-4)
   * @param own of a transaction of this node; else of one that another node has sent
   */
  record NumberedReceipt(long sequence, Receipt receipt, boolean own) {
    /** Of an own one. */
    public NumberedReceipt(long sequence, Receipt receipt) {
      this(sequence, receipt, true);
    }
  }

  /**
   * @param sequence from 1, without a gap, in the order in which messages were kept here
   * @param at when it came here
   */
  record NumberedMessage(long sequence, Instant at, GroupMessage message) {
    /** The same under its number. */
    public NumberedMessage at(long newSequence) {
      return new NumberedMessage(newSequence, at, message);
    }
  }

  /**
   * The description of a contract, as a compiler writes it.
   *
   * @param owner whose it is; two may keep the same
   * @param hash over its JSON, whatever the order of its fields
   * @param json UTF-8
   */
  record StoredAbi(String owner, Hash hash, Instant created, Bytes json) {
    /** What it is found by. */
    public AbiKey key() {
      return new AbiKey(owner, hash, created);
    }

    /** By what owner and hash are found together. */
    public static Hash key(String owner, Hash hash) {
      return new CanonicalDigest().add(owner).add(hash).finish();
    }
  }

  /** A {@link StoredAbi} without the description: all of these are little to read. */
  record AbiKey(String owner, Hash hash, Instant created) {}

  /**
   * @param group empty until the contract is confirmed
   * @param request the group as it was asked for, UTF-8 JSON; empty on nodes that did not ask
   * @param deployment what is to stand on the ledger, as the node that makes the group has it and
   *     the others were given it (SEL-7)
   * @param notMade why its contract is never made, as the node says that has tried
   * @param giver whose node has given it to this one
   * @param withdrawal to whom this node has to say that it is never made
   */
  @Copyable
  record StoredGroup(
      GroupId id,
      Instant created,
      Optional<TransactionId> genesisTransaction,
      Bytes request,
      Optional<PrivacyGroup> group,
      Optional<Deployment> deployment,
      Optional<String> notMade,
      Optional<NodeName> giver,
      Optional<Withdrawal> withdrawal)
      implements NodeStoreStoredGroupBuilder.With {
    /** Of which nothing else is known. */
    public static StoredGroup of(GroupId id, Instant created) {
      return new StoredGroup(
          id,
          created,
          Optional.empty(),
          Bytes.EMPTY,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    /** Whether another node makes it, and its contract is not confirmed: it may never be. */
    public boolean isUnconfirmedOfAnother() {
      return group.isEmpty() && genesisTransaction.isEmpty();
    }

    /** Whether this node makes it, and its contract does not stand or its end is not told. */
    public boolean isUnfinished() {
      return group.isEmpty()
          && genesisTransaction.isPresent()
          && deployment.isPresent()
          && !hasBeenWithdrawn();
    }

    /** All members know that it has ended: there may be many of these. */
    private boolean hasBeenWithdrawn() {
      return notMade.isPresent() && withdrawal.filter(it -> it.untold().isEmpty()).isPresent();
    }

    /** Whether this node waits for another to make it. */
    public boolean isAwaited() {
      return isUnconfirmedOfAnother() && notMade.isEmpty();
    }

    /** Whose node has given it to this one and has said then that it is never made. */
    public Optional<NodeName> withdrawnBy() {
      return isUnconfirmedOfAnother() && notMade.isPresent() ? giver : Optional.empty();
    }

    /**
     * What becomes of it once a node says that it is never made (SEL-9). Only the one that has
     * given it is believed, and a contract that stands says more.
     *
     * @return empty if nothing does
     */
    public Optional<StoredGroup> withdrawn(NodeName by, String reason) {
      return awaitedOf().filter(by::equals).map(it -> withNotMade(Optional.of(reason)));
    }

    /**
     * What is known of it with this. Stores of one group meet in any order: the request when it was
     * asked for, the contract when the indexer sees it. What is known stays known, but a contract
     * that stands says more than that none would be made.
     */
    public StoredGroup joined(StoredGroup later) {
      var known = later.group.or(() -> group);
      return new StoredGroup(
          id,
          created,
          later.genesisTransaction.or(() -> genesisTransaction),
          later.request.isEmpty() ? request : later.request,
          known,
          later.deployment.or(() -> deployment),
          known.isPresent() ? Optional.empty() : later.notMade.or(() -> notMade),
          later.giver.or(() -> giver),
          known.isPresent() ? Optional.empty() : later.withdrawal.or(() -> withdrawal));
    }

    /** Whose node has given it to this one, if it {@link #isAwaited}. */
    public Optional<NodeName> awaitedOf() {
      return isAwaited() ? giver : Optional.empty();
    }
  }

  /**
   * That the other members of a group of this node's own are told that it is never made (SEL-9).
   *
   * @param since when it has ended
   * @param untold the nodes that have not acknowledged it
   */
  record Withdrawal(Instant since, List<NodeName> untold) {
    /** Who does not answer for so long keeps the group. */
    public static final Duration TOLD_FOR = Duration.ofDays(30);

    public Withdrawal {
      untold = List.copyOf(untold);
    }

    /** One node less. */
    public Withdrawal told(NodeName node) {
      return new Withdrawal(since, untold.stream().filter(each -> !each.equals(node)).toList());
    }

    /** Whether whoever is untold was told for long enough. */
    public boolean isLate(Instant now) {
      return !now.isBefore(since.plus(TOLD_FOR));
    }
  }

  /** What is put on the base ledger to make a group. */
  record Deployment(String domain, ContractGenesis genesis) {
    /** As it is put on the ledger. */
    public LedgerTransaction.Deploy call() {
      return new LedgerTransaction.Deploy(domain, genesis);
    }
  }

  /**
   * What a caller is to submit (EXT-1).
   *
   * @param at when it was stored
   */
  record Prepared(PreparedTransaction prepared, List<PrivateState> outputs, Instant at) {}

  record IndexedTo(BlockHeight height, Hash hash) {}
}
