package dev.sequitur.ledger;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.supplyAsync;

import dev.sequitur.ledger.LedgerTable.Only;
import dev.sequitur.ledger.LedgerTable.Witnessed;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.Agreements.Reader;
import dev.sequitur.protocol.checkpoint.Agreements.Standing;
import dev.sequitur.protocol.checkpoint.Checkpoint;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.CheckpointWitness;
import dev.sequitur.protocol.port.LedgerCheckpoints;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * A reader of the ledger that counts out of the blocks alone what they leave, and says to the
 * ledger which digest it has found at each checkpoint (ROM-9). It keeps the sums of each contract,
 * some 4 KB, and no state. Reads nothing of a ledger without checkpoints.
 */
public final class LedgerWitness implements CheckpointWitness {
  private static final int PAGE = 256;
  private static final Step AT_REST = new Step(false, Optional.empty());

  private final LedgerStorage storage;
  private final BaseLedger ledger;
  private final Voice voice;
  private final Executor executor;

  /**
   * As whom it speaks.
   *
   * @param address of the signer's key
   */
  public record Voice(Signer signer, LedgerAddress address, long chainId) {}

  /**
   * @param storage in the node's own records
   * @param executor its threads may wait for the disk
   */
  public LedgerWitness(LedgerStorage storage, BaseLedger ledger, Voice voice, Executor executor) {
    this.storage = storage;
    this.ledger = ledger;
    this.voice = voice;
    this.executor = executor;
  }

  @Override
  public CompletionStage<Step> goOn(BlockHeight upTo) {
    return ledger
        .checkpoints()
        .map(checkpoints -> goOn(checkpoints, upTo))
        .orElseGet(() -> completedFuture(AT_REST));
  }

  private CompletionStage<Step> goOn(LedgerCheckpoints checkpoints, BlockHeight upTo) {
    return checkpoints
        .standing()
        .thenCompose(
            standing ->
                standing.every() == 0
                    ? completedFuture(AT_REST)
                    : counted(upTo).thenCompose(now -> said(checkpoints, standing, now, upTo)))
        .handle((step, failure) -> failure == null ? step : remark(failure));
  }

  /** What another try does not mend is for the operator. */
  private static Step remark(Throwable failure) {
    var cause = Answers.cause(failure);
    if (cause instanceof BlocksDroppedException || cause instanceof NotOneChain) {
      return new Step(
          false,
          Optional.of("This node agrees to no checkpoint of the ledger: " + cause.getMessage()));
    }
    throw cause instanceof RuntimeException it ? it : new IllegalStateException(cause);
  }

  /** Counts the next blocks, if there are any. */
  private CompletionStage<Optional<Witnessed>> counted(BlockHeight upTo) {
    return supplyAsync(() -> storage.get(LedgerTable.WITNESSED, Only.ONE), executor)
        .thenCompose(
            known -> {
              long next = known.map(Witnessed::height).orElse(0L) + 1;
              int most = (int) Math.min(PAGE, upTo.value() - next + 1);
              return most < 1
                  ? completedFuture(known)
                  : ledger
                      .blocks(new BlockHeight(next), most)
                      .thenApplyAsync(blocks -> counted(known, blocks), executor);
            });
  }

  private Optional<Witnessed> counted(Optional<Witnessed> known, List<Block> blocks) {
    var receipts =
        new FollowedReceipts(
            new TableSums(new StoredSums(storage)),
            contract -> storage.get(LedgerTable.COMMITTEES, contract));
    var now = known.orElseGet(() -> new Witnessed(0, BlockHash.beforeFirst(), Optional.empty()));
    for (var block : blocks) {
      requireNext(now, block);
      now = after(now, block, receipts);
    }
    var batch = new HashMap<Key, Optional<byte[]>>();
    receipts.sums().addTo(batch);
    receipts
        .committees()
        .forEach((contract, standing) -> LedgerTable.COMMITTEES.put(contract, standing, batch));
    LedgerTable.WITNESSED.put(Only.ONE, now, batch);
    // Another JVM of the node that has begun to count meanwhile has counted the same.
    return storage.writeIf(LedgerTable.WITNESSED, Only.ONE, known, batch)
        ? Optional.of(now)
        : known;
  }

  /** What the blocks below have left is asked for before this one counts. */
  private static Witnessed after(Witnessed below, Block block, FollowedReceipts receipts) {
    var newest =
        block
            .checkpoint()
            .map(ignored -> receipts.sums().digest())
            .map(own -> new Checkpoint(new BlockHeight(below.height()), block.hash(), own));
    block.receipts().forEach(receipts::follow);
    return new Witnessed(block.height().value(), block.hash(), newest.or(below::newest));
  }

  private static void requireNext(Witnessed now, Block block) {
    if (block.height().value() != now.height() + 1
        || !block.parent().equals(now.hash())
        || !BlockHash.isTrue(block)) {
      throw new NotOneChain(
          "its block %s does not follow from the block %d that was read before."
              .formatted(block.height(), now.height()));
    }
  }

  private CompletionStage<Step> said(
      LedgerCheckpoints checkpoints,
      CheckpointStanding standing,
      Optional<Witnessed> now,
      BlockHeight upTo) {
    boolean goesOn = now.filter(it -> it.height() < upTo.value()).isPresent();
    var own =
        standing.readers().stream()
            .filter(reader -> reader.address().equals(voice.address()))
            .findFirst();
    var word = own.flatMap(reader -> unsaid(reader, now));
    return word.map(it -> checkpoints.agree(Agreement.by(voice.signer(), it, voice.chainId())))
        .orElseGet(
            () ->
                completedFuture(
                    own.filter(LedgerWitness::differs).isPresent() ? Answer.DIFFERS : Answer.KNOWN))
        .thenApply(
            answer ->
                new Step(
                    goesOn,
                    answer == Answer.DIFFERS
                        ? now.flatMap(LedgerWitness::differs)
                        : Optional.empty()));
  }

  private static Optional<Checkpoint> unsaid(Reader reader, Optional<Witnessed> now) {
    return now.flatMap(Witnessed::newest)
        .filter(
            newest -> reader.upTo().filter(upTo -> upTo.compareTo(newest.height()) >= 0).isEmpty());
  }

  private static boolean differs(Reader reader) {
    return reader.standing() == Standing.DIFFERS;
  }

  private static Optional<String> differs(Witnessed now) {
    return now.newest()
        .map(
            own ->
                "The ledger says that its blocks up to %s have left something else than this node has counted out of them. No blocks are dropped. Ask its operator to check its storage."
                    .formatted(own.height()));
  }

  /** What was read is not one chain. */
  private static final class NotOneChain extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private NotOneChain(String why) {
      super(why);
    }
  }
}
