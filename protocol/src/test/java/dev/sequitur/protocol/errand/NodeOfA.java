package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.port.StateContents;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.SubmitterEffect;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Transaction;
import dev.sequitur.protocol.transaction.TransactionStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Node A with stores in memory, whose writes may be held back or fail. */
public final class NodeOfA implements Surroundings {
  public static final Instant NOW = Instant.ofEpochSecond(1_000);
  Instant now = NOW;

  /** The key's address is made of its name. */
  static final LedgerAddress ADDRESS = new LedgerAddress("0x" + "07".repeat(20));

  public final List<NodeStore.Intent> intents = new ArrayList<>();
  public final Map<TransactionId, Receipt> receipts = new HashMap<>();
  public final Map<TransactionId, NodeStore.Prepared> prepared = new HashMap<>();
  public final Map<TransactionId, Forgotten> forgotten = new HashMap<>();
  public final List<PrivateState> contents = new ArrayList<>();
  public final List<Object> counted = new ArrayList<>();
  public final List<String> faults = new ArrayList<>();

  /** What waits while writes are held back. */
  public final List<Runnable> held = new ArrayList<>();

  BaseLedger ledger;
  BlockHeight height = BlockHeight.ZERO;
  Optional<BlockHeight> acknowledged = Optional.empty();
  long confirmed;
  long reverted;
  boolean holdsWrites;
  boolean writesFail;
  boolean readsFail;

  void accepted(Transaction transaction) {
    accepted(transaction, IdempotencyKey.Owner.of(transaction.from()));
  }

  public void accepted(Transaction transaction, IdempotencyKey.Owner owner) {
    intents.add(
        new NodeStore.Intent(
            intents.size() + 1,
            NOW,
            Optional.of(new IdempotencyKey(owner, "key of " + transaction.id())),
            Contract.hash("body"),
            transaction));
  }

  private <T> CompletionStage<T> write(Supplier<T> what) {
    var written = new CompletableFuture<T>();
    Runnable write =
        () -> {
          if (writesFail) {
            written.completeExceptionally(new IllegalStateException("the disk is full"));
          } else {
            written.complete(what.get());
          }
        };
    if (holdsWrites) {
      held.add(write);
    } else {
      write.run();
    }
    return written;
  }

  void release() {
    holdsWrites = false;
    var waiting = List.copyOf(held);
    held.clear();
    waiting.forEach(Runnable::run);
  }

  private <T> CompletionStage<T> read(T what) {
    return readsFail
        ? CompletableFuture.failedFuture(new IllegalStateException("the disk is gone"))
        : CompletableFuture.completedFuture(what);
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public BlockHeight height() {
    return height;
  }

  @Override
  public CompletionStage<Optional<BlockHeight>> acknowledged() {
    return read(acknowledged);
  }

  @Override
  public BaseLedger ledger() {
    return ledger;
  }

  @Override
  public IntentStore intents() {
    return new Intents();
  }

  @Override
  public StateContents contents() {
    return new StateContents() {
      @Override
      public CompletionStage<Void> putStates(List<PrivateState> states) {
        return write(
            () -> {
              contents.addAll(states);
              return null;
            });
      }

      @Override
      public CompletionStage<Void> eraseStates(ContractAddress contract, Collection<StateId> ids) {
        return write(
            () -> {
              contents.removeIf(
                  each -> each.contract().equals(contract) && ids.contains(each.id()));
              return null;
            });
      }

      @Override
      public CompletionStage<List<PrivateState>> states(
          ContractAddress contract, Collection<StateId> ids) {
        return read(
            contents.stream()
                .filter(each -> each.contract().equals(contract) && ids.contains(each.id()))
                .toList());
      }
    };
  }

  /** The verifier of a key has the length of its name in it; it signs by repeating the digest. */
  @Override
  public Keys keys() {
    return new Keys() {
      @Override
      public Verifier verifier(String name) {
        var key = new byte[33];
        key[0] = (byte) name.length();
        return new Verifier(Bytes.of(key));
      }

      @Override
      public Bytes sign(String name, Hash digest) {
        return Bytes.of(digest.toByteArray());
      }
    };
  }

  @Override
  public Signatures signatures() {
    return new Signatures() {
      @Override
      public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
        return false;
      }

      @Override
      public LedgerAddress address(Verifier verifier) {
        return new LedgerAddress(
            "0x" + "%02x".formatted(verifier.publicKey().toByteArray()[0]).repeat(20));
      }
    };
  }

  @Override
  public Executor computing() {
    return Runnable::run;
  }

  @Override
  public void count(CoordinatorEffect.Counted what) {
    counted.add(what);
  }

  @Override
  public void count(SenderEffect.Counted what) {
    counted.add(what);
  }

  @Override
  public void count(SubmitterEffect.Counted what) {
    counted.add(what);
  }

  @Override
  public void count(StateStore.Counted what) {
    counted.add(what);
  }

  @Override
  public void count(GasPaid paid) {
    counted.add(paid);
  }

  @Override
  public void took(TransactionId transaction, TransactionStep step, Duration time) {
    counted.add(List.of(transaction, step, time));
  }

  @Override
  public void fulfilled(ContractAddress contract, TransactionId transaction, Duration time) {
    counted.add(List.of(contract, transaction, time));
  }

  @Override
  public void use(KeyUse use) {
    counted.add(use);
  }

  @Override
  public void fault(Domain domain, String what, RuntimeException thrown) {
    faults.add(what + ": " + thrown.getMessage());
  }

  @Override
  public void ended(List<NodeStore.NumberedReceipt> stored) {
    for (var each : stored) {
      if (each.receipt().success()) {
        confirmed++;
      } else {
        reverted++;
      }
    }
  }

  private final class Intents implements IntentStore {
    @Override
    public CompletionStage<NodeStore.Acceptance> accept(List<NodeStore.Intent> batch) {
      return write(
          () -> {
            var fresh = batch.stream().filter(each -> find(each.transaction().id()).isEmpty());
            var accepted =
                new NodeStore.Acceptance.Accepted(
                    batch.stream().map(each -> each.transaction().id()).toList(), fresh.toList());
            intents.addAll(accepted.fresh());
            return accepted;
          });
    }

    @Override
    public CompletionStage<Void> change(PublicTransaction changed) {
      throw new UnsupportedOperationException("No errand changes what a caller has sent.");
    }

    private Optional<NodeStore.Intent> find(TransactionId id) {
      return intents.stream().filter(each -> each.transaction().id().equals(id)).findFirst();
    }

    @Override
    public CompletionStage<Optional<NodeStore.Intent>> intent(TransactionId id) {
      return read(find(id));
    }

    @Override
    public CompletionStage<Optional<TransactionId>> intentByIdempotencyKey(IdempotencyKey key) {
      return read(
          intents.stream()
              .filter(each -> each.idempotencyKey().equals(Optional.of(key)))
              .map(each -> each.transaction().id())
              .findFirst());
    }

    @Override
    public CompletionStage<List<NodeStore.Intent>> pending(
        ContractAddress contract, long after, int limit) {
      return read(
          intents.stream()
              .filter(each -> each.order() > after)
              .filter(
                  each -> each.privately().filter(it -> it.contract().equals(contract)).isPresent())
              .filter(each -> !receipts.containsKey(each.transaction().id()))
              .limit(limit)
              .toList());
    }

    @Override
    public CompletionStage<List<NodeStore.Intent>> publicPending(
        Identity from, long after, int limit) {
      return read(
          intents.stream()
              .filter(each -> each.publicly().filter(it -> it.from().equals(from)).isPresent())
              .filter(each -> each.order() > after)
              .filter(each -> !receipts.containsKey(each.transaction().id()))
              .limit(limit)
              .toList());
    }

    @Override
    public CompletionStage<List<NodeStore.NumberedReceipt>> complete(List<Receipt> some) {
      return write(
          () ->
              stored(
                  some.stream()
                      .filter(each -> !receipts.containsKey(each.transaction()))
                      .toList()));
    }

    @Override
    public CompletionStage<List<NodeStore.NumberedReceipt>> confirm(
        Map<IntentKey, Receipt> confirmations, Set<IntentKey> known) {
      return write(
          () ->
              stored(
                  confirmations.entrySet().stream()
                      .filter(
                          each ->
                              known.contains(each.getKey())
                                  || receipts.containsKey(each.getKey().transaction()))
                      .map(Map.Entry::getValue)
                      .toList()));
    }

    private List<NodeStore.NumberedReceipt> stored(List<Receipt> some) {
      some.forEach(receipt -> receipts.put(receipt.transaction(), receipt));
      return some.stream().map(each -> new NodeStore.NumberedReceipt(1, each)).toList();
    }

    @Override
    public CompletionStage<Optional<NodeStore.NumberedReceipt>> receipt(TransactionId id) {
      return read(
          Optional.ofNullable(receipts.get(id))
              .map(each -> new NodeStore.NumberedReceipt(1, each)));
    }

    @Override
    public CompletionStage<Optional<Forgotten>> forgotten(TransactionId id) {
      return read(Optional.ofNullable(forgotten.get(id)));
    }

    @Override
    public CompletionStage<Void> putPrepared(NodeStore.Prepared what) {
      return write(
          () -> {
            prepared.put(what.prepared().transaction(), what);
            return null;
          });
    }

    @Override
    public CompletionStage<Optional<NodeStore.Prepared>> prepared(TransactionId id) {
      return read(Optional.ofNullable(prepared.get(id)));
    }
  }
}
