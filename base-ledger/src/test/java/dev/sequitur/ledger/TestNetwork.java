package dev.sequitur.ledger;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;

/**
 * A ledger whose blocks are cut by hand and whose every future is done when it is returned, with a
 * cast: alice, bob and carol make the committee, sally submits.
 */
public final class TestNetwork implements AutoCloseable {
  public static final Party ALICE = Party.named("alice");
  public static final Party BOB = Party.named("bob");
  public static final Party CAROL = Party.named("carol");
  public static final Party MALLORY = Party.named("mallory");
  public static final Party SALLY = Party.named("sally");
  public static final Party SIMON = Party.named("simon");

  public final StubSignatures signatures = new StubSignatures();
  public final TestTime time = new TestTime();
  public final EmbeddedLedger ledger;
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  public TestNetwork() {
    this(LedgerStorage.inMemory(), LedgerSettings.DEFAULT);
  }

  public TestNetwork(LedgerStorage storage, LedgerSettings settings) {
    this.ledger =
        EmbeddedLedger.open(
            storage, settings, new LedgerRuntime(signatures, time, scheduler, Runnable::run));
  }

  public static ContractGenesis genesis(int threshold, Party... committee) {
    return new ContractGenesis(
        new GroupId(Hash.sha256(new byte[] {7})),
        "group",
        new Committee(Stream.of(committee).map(Party::member).toList()),
        threshold,
        Bytes.utf8("{}"));
  }

  /** A contract of alice, bob and carol, all of whom must endorse. */
  public static Deploy deployment() {
    return new Deploy("token", genesis(3, ALICE, BOB, CAROL));
  }

  /** The same with the longest configuration there may be. */
  public static Deploy deploymentOf64Kilobytes() {
    var small = genesis(3, ALICE, BOB, CAROL);
    return new Deploy(
        "token",
        new ContractGenesis(
            small.group(),
            small.name(),
            small.committee(),
            small.endorsementThreshold(),
            Bytes.of(new byte[1 << 16])));
  }

  /** Deploys by a transaction of alice's, in a block of its own. */
  public ContractAddress deployed() {
    return deployed(deployment());
  }

  public ContractAddress deployed(Deploy deploy) {
    long nonce = now(ledger.nonce(ALICE.address()));
    var result = mined(ALICE.signed(nonce, deploy));
    return ((LedgerReceipt.Deployed) result).contract();
  }

  public SubmitOutcome submit(SignedLedgerTransaction transaction) {
    return now(ledger.submit(List.of(transaction))).get(0);
  }

  public Block cut() {
    return ledger.cutBlock().orElseThrow();
  }

  /** Submits and cuts; the transaction must be in the block. */
  public Result mined(SignedLedgerTransaction transaction) {
    submit(transaction);
    cut();
    return result(transaction);
  }

  public Result result(SignedLedgerTransaction transaction) {
    return results(transaction).get(0);
  }

  /** Of each transition. */
  public List<Result> results(SignedLedgerTransaction transaction) {
    return receipt(ledger, transaction.hash()).results();
  }

  public static LedgerReceipt receipt(BaseLedger ledger, TransactionHash hash) {
    return now(ledger.receipt(hash)).orElseThrow();
  }

  public List<Block> blocks() {
    return blocks(ledger);
  }

  public static List<Block> blocks(BaseLedger ledger) {
    return now(ledger.blocks(BlockHeight.ZERO, 1_000));
  }

  public long head() {
    return now(ledger.head()).value();
  }

  public static <T> T now(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Override
  public void close() {
    ledger.close();
    scheduler.shutdownNow();
  }
}
