package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.funding.GasReport.Status;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.GasMoney;
import dev.sequitur.sequencer.runtime.ActorFixture;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What whoever sees to the money for gas asks of the ledger and tells the operator (FND-1, FND-4).
 */
class GasKeeperTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(10);
  private static final LedgerAddress KEY = new LedgerAddress("0x" + "bb".repeat(20));
  private static final BigInteger LOW = BigInteger.valueOf(1_000);
  private static final BigInteger PLENTY = BigInteger.TWO.pow(80);
  private static final FundingSettings SETTINGS =
      new FundingSettings(true, LOW, LOW.multiply(BigInteger.TEN), LOW, LOOK_EVERY);

  @TempDir private static Path directory;
  private static ActorFixture actors;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final NodeSetup setup = funded(ports.setup(0));
  private final NodeStanding standing = new NodeStanding(setup, BlockHeight.ZERO, 0);
  private final Money money = new Money();

  /** Each question waits for its answer. */
  private static final class Money implements GasMoney {
    private final BlockingQueue<CompletableFuture<Accounts>> looks = new LinkedBlockingQueue<>();
    private final BlockingQueue<Paid> paid = new LinkedBlockingQueue<>();

    private record Paid(GasTransfer transfer, CompletableFuture<SubmitOutcome> answer) {}

    @Override
    public CompletionStage<Accounts> accounts(
        Optional<LedgerAddress> payer,
        List<LedgerAddress> keys,
        List<LedgerAddress> once,
        int confirmations) {
      var look = new CompletableFuture<Accounts>();
      looks.add(look);
      return look;
    }

    @Override
    public CompletionStage<SubmitOutcome> transfer(GasTransfer transfer, Signer payer) {
      var answer = new CompletableFuture<SubmitOutcome>();
      paid.add(new Paid(transfer, answer));
      return answer;
    }
  }

  private static NodeSetup funded(NodeSetup setup) {
    return setup.withRules(setup.rules().withFunding(SETTINGS));
  }

  @BeforeAll
  static void startSystem() {
    actors = new ActorFixture(directory);
  }

  @AfterAll
  static void stopSystem() {
    actors.close();
  }

  private ActorRef<GasKeeper.Command> spawn() {
    return actors.testKit().spawn(GasKeeper.create(setup, standing, money, Runnable::run));
  }

  private static GasKeeper.Used used(boolean waits) {
    return new GasKeeper.Used(
        new KeyUse(KEY, LOW, BigInteger.ZERO, waits, false, AboveCeiling.NOTHING, false));
  }

  private static GasMoney.Accounts seen(long nonce, BigInteger payer, BigInteger key) {
    return new GasMoney.Accounts(nonce, payer, Map.of(KEY, key), Set.of());
  }

  private static <T> T next(BlockingQueue<T> asked) throws InterruptedException {
    return asked.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Its tick may come before it has heard of an answer. */
  private CompletableFuture<GasMoney.Accounts> nextLook() {
    ports.advance(LOOK_EVERY);
    return await()
        .atMost(PATIENCE)
        .until(
            () -> {
              actors.pass(Duration.ofSeconds(1));
              return money.looks.poll();
            },
            Objects::nonNull);
  }

  @Test
  void aKeyWithTooLittleIsToppedUpOnceAndTheOperatorIsTold() throws Exception {
    var keeper = spawn();
    keeper.tell(used(true));
    next(money.looks).complete(seen(7, BigInteger.ZERO, BigInteger.ZERO));
    await().atMost(PATIENCE).until(() -> standing.gas().status() == Status.WAITS_FOR_GAS_MONEY);

    nextLook().complete(seen(7, PLENTY, BigInteger.ZERO));
    var paid = next(money.paid);
    assertThat(paid.transfer().to()).isEqualTo(KEY);
    paid.answer().complete(new SubmitOutcome.Pooled(new TransactionHash(new Hash(1, 2, 3, 4))));
    nextLook().complete(seen(8, PLENTY, SETTINGS.full()));

    await().atMost(PATIENCE).until(() -> standing.gas().status() == Status.ENOUGH);
    TestProbe<GasKeeper.Account> asker = actors.testKit().createTestProbe();
    keeper.tell(new GasKeeper.GetAccount(KEY, asker.ref()));
    assertThat(asker.receiveMessage().key().balance()).contains(SETTINGS.full());
    assertThat(money.paid).isEmpty();
  }

  @Test
  void aLedgerThatDoesNotAnswerIsAskedAgain() throws Exception {
    spawn().tell(used(true));
    next(money.looks).completeExceptionally(new IllegalStateException("away"));

    nextLook().complete(seen(7, PLENTY, BigInteger.ZERO));

    next(money.paid).answer().completeExceptionally(new IllegalStateException("away"));
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              nextLook().complete(seen(7, PLENTY, BigInteger.ZERO));
              return !money.paid.isEmpty();
            });
    assertThat(next(money.paid).transfer().nonce()).isEqualTo(7);
  }

  @Test
  void oneThatStopsTellsNothingMore() throws Exception {
    var keeper = spawn();
    keeper.tell(used(true));
    next(money.looks).complete(seen(7, BigInteger.ZERO, BigInteger.ZERO));
    await().atMost(PATIENCE).until(() -> standing.gas().status() == Status.WAITS_FOR_GAS_MONEY);

    actors.testKit().stop(keeper);

    assertThat(standing.gas()).isEqualTo(GasReport.NONE);
  }
}
