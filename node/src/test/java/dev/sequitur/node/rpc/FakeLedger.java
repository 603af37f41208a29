package dev.sequitur.node.rpc;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.Agreements.Reader;
import dev.sequitur.protocol.checkpoint.Agreements.Standing;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.LedgerCheckpoints;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.port.PublicContracts.Placed;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;

/**
 * A ledger of nine blocks with one transaction, in the seventh. It runs contracts, which have told
 * what a test says.
 */
final class FakeLedger implements BaseLedger {
  static final BlockHeight FINAL = new BlockHeight(8);

  volatile boolean reachable = true;
  volatile BlockHeight head = new BlockHeight(9);
  volatile boolean runsContracts = true;
  volatile boolean indexesNonces;
  volatile List<String> remarks = List.of();

  /** Blocks that it tells of at once. */
  volatile long mostBlocks = Long.MAX_VALUE;

  /** Of blocks before it the chain's node knows no states. */
  volatile long oldestState;

  /** Blocks that were read, one by one. */
  final List<Long> read = new CopyOnWriteArrayList<>();

  final List<Placed> told = new CopyOnWriteArrayList<>();

  /** Why the events of a transaction are not there any more; nor is its receipt. */
  volatile Optional<String> forgotten = Optional.empty();

  /** What was asked of all this. */
  final List<PublicContracts.Wanted> asked = new CopyOnWriteArrayList<>();

  private final LedgerReceipt receipt =
      new LedgerReceipt(
          Sample.LEDGER_TRANSACTION,
          new LedgerAddress("0x" + "22".repeat(20)),
          4,
          new BlockHeight(7),
          0,
          List.of(
              new LedgerReceipt.Fulfilled(
                  Sample.CONTRACT,
                  Sample.intent(Sample.CONFIRMED, null, SubmitMode.AUTO)
                      .privately()
                      .orElseThrow()
                      .key(),
                  List.of(Sample.state("in")),
                  List.of(),
                  List.of(Sample.state("out")))));

  @Override
  public List<String> remarks() {
    return remarks;
  }

  /** One of two readers lies behind. */
  @Override
  public Optional<LedgerCheckpoints> checkpoints() {
    var one = new LedgerAddress("0x" + "11".repeat(20));
    var two = new LedgerAddress("0x" + "22".repeat(20));
    var newest = new BlockHeight(8);
    var readers =
        List.of(
            new Reader("node1", one, Standing.AGREES, Optional.of(newest)),
            new Reader("node2", two, Standing.BEHIND, Optional.of(new BlockHeight(4))));
    var standing =
        new CheckpointStanding(
            4,
            new BlockHeight(3),
            Optional.of(newest),
            Optional.of(new BlockHeight(4)),
            Optional.of(2L),
            2,
            readers);
    return Optional.of(
        new LedgerCheckpoints() {
          @Override
          public CompletionStage<CheckpointStanding> standing() {
            return CompletableFuture.completedFuture(standing);
          }

          @Override
          public CompletionStage<Answer> agree(Agreement agreement) {
            throw new UnsupportedOperationException();
          }
        });
  }

  @Override
  public Optional<NonceIndex> nonces() {
    return Optional.<NonceIndex>of(
            used ->
                completedFuture(
                    Optional.of(receipt)
                        .filter(it -> it.signer().equals(used.signer()))
                        .filter(it -> it.nonce() == used.number())))
        .filter(any -> indexesNonces);
  }

  @Override
  public SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
    return CanonicalSigning.sign(transaction, signer);
  }

  @Override
  public CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> transactions) {
    throw new UnsupportedOperationException("The endpoint submits nothing itself.");
  }

  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer) {
    return completedFuture(
        indexesNonces && signer.equals(receipt.signer()) ? receipt.nonce() + 1 : 0L);
  }

  @Override
  public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
    return completedFuture(0L);
  }

  @Override
  public CompletionStage<Boolean> knows(TransactionHash hash) {
    return completedFuture(true);
  }

  @Override
  public CompletionStage<BlockHeight> head() {
    return reachable
        ? completedFuture(head)
        : CompletableFuture.failedFuture(new IllegalStateException("The ledger is away."));
  }

  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
    if (from.value() < 1 || from.value() > 9) {
      return completedFuture(List.of());
    }
    long last = Math.min(9, from.value() + limit - 1);
    LongStream.rangeClosed(from.value(), last).forEach(read::add);
    return completedFuture(
        LongStream.rangeClosed(from.value(), last).mapToObj(this::block).toList());
  }

  private Block block(long number) {
    return new Block(
        new BlockHeight(number),
        Sample.hash("block" + number),
        Sample.hash("block" + (number - 1)),
        Sample.NOW,
        number == 7 ? List.of(receipt) : List.of());
  }

  @Override
  public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
    return completedFuture(
        Optional.of(receipt)
            .filter(known -> known.hash().equals(hash))
            .filter(known -> forgotten.isEmpty()));
  }

  @Override
  public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
    var submitted =
        new LedgerTransaction(
            receipt.signer(),
            receipt.nonce(),
            Fees.flat(0),
            0,
            LedgerTransaction.Invoke.of(Sample.endorsed()));
    return completedFuture(Optional.of(submitted).filter(known -> receipt.hash().equals(hash)));
  }

  @Override
  public Optional<PublicContracts> contracts() {
    return Optional.<PublicContracts>of(new Contracts()).filter(some -> runsContracts);
  }

  private final class Contracts implements PublicContracts {
    @Override
    public CompletionStage<Estimate> estimate(LedgerAddress from, PublicCall call) {
      throw new UnsupportedOperationException("The endpoint estimates nothing itself.");
    }

    @Override
    public CompletionStage<CallOutcome> call(LedgerAddress from, PublicCall call) {
      throw new UnsupportedOperationException("No test calls a contract here.");
    }

    @Override
    public CompletionStage<BigInteger> balance(LedgerAddress account) {
      throw new UnsupportedOperationException("The endpoint looks at no balance itself.");
    }

    @Override
    public CompletionStage<Long> mostGas() {
      throw new UnsupportedOperationException("The endpoint estimates nothing itself.");
    }

    @Override
    public CompletionStage<Long> nonce(LedgerAddress signer, BlockHeight upTo) {
      if (upTo.value() < oldestState) {
        return CompletableFuture.failedFuture(new IllegalStateException("Forgotten: " + upTo));
      }
      boolean used = upTo.compareTo(receipt.block()) >= 0;
      return completedFuture(signer.equals(receipt.signer()) ? (used ? 5L : 4L) : 0L);
    }

    @Override
    public Optional<Bytes> fulfilling(PreparedTransaction prepared) {
      return Optional.of(Bytes.hex("0xfeed"));
    }

    @Override
    public String reason(Bytes revertData, Optional<Bytes> abi) {
      return "It reverted.";
    }

    @Override
    public CompletionStage<List<Event>> events(TransactionHash hash, BlockHeight block) {
      if (forgotten.isPresent()) {
        return CompletableFuture.failedFuture(new LedgerUnreachableException(forgotten.get()));
      }
      return completedFuture(
          told.stream()
              .filter(placed -> placed.transaction().equals(hash))
              .map(Placed::event)
              .toList());
    }

    @Override
    public CompletionStage<List<Placed>> events(Wanted wanted) {
      asked.add(wanted);
      if (wanted.last().value() - wanted.first().value() >= mostBlocks) {
        return CompletableFuture.failedFuture(new IllegalStateException("Too many blocks."));
      }
      return completedFuture(told.stream().filter(placed -> isWanted(placed, wanted)).toList());
    }

    private static boolean isWanted(Placed placed, Wanted wanted) {
      var event = placed.event();
      return placed.block().value() >= wanted.first().value()
          && placed.block().value() <= wanted.last().value()
          && (wanted.contracts().isEmpty() || wanted.contracts().contains(event.contract()))
          && (wanted.signatures().isEmpty()
              || event.topics().stream().limit(1).anyMatch(wanted.signatures()::contains));
    }
  }

  @Override
  public void close() {}
}
