package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.DevChain;
import dev.sequitur.ethereum.Hardhat;
import dev.sequitur.laboratory.Main;
import dev.sequitur.node.process.SequiturProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demonstration on a chain, whose node goes wrong meanwhile, or is of another product. Its
 * double-check reads the chain: each accepted intent is confirmed exactly once or ended as
 * reverted, and no nonce is missing.
 */
@Tag("slow")
class DemoOnChainIT {
  private static final int CONFIRMATIONS = 3;
  private static final Duration MOST = Duration.ofMinutes(12);

  @TempDir Path directory;

  /** What is done to the chain's node once. */
  private interface Fault {
    void strike(Anvil chain) throws IOException;
  }

  private static final Fault PAUSE =
      chain -> {
        SequiturProcess.signal("STOP", chain.pid());
        await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
        SequiturProcess.signal("CONT", chain.pid());
      };
  private static final Fault DROP = Anvil::dropPooled;

  /** As deep as it may be without that what was called final is replaced. */
  private static final Fault REORGANISE = chain -> chain.forget(CONFIRMATIONS);

  @Test
  void nothingIsLostThoughTheNodeLosesItsPoolStandsStillAndIsRestarted() throws Exception {
    run(1_000, List.of(DROP, PAUSE, DROP, Anvil::restart));
  }

  @Test
  void nothingIsLostThoughBlocksAreReplacedByEmptyOnes() throws Exception {
    run(1_000, Collections.nCopies(5, REORGANISE));
  }

  /** Killed, it loses its newest blocks and its pool; restarted, it keeps them. */
  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void nothingOfTenThousandIsLostThoughTheNodeIsKilledAndRestartedTenTimes() throws Exception {
    Fault kill = Anvil::kill;
    Fault restart = Anvil::restart;
    run(
        10_000,
        Collections.nCopies(5, List.of(kill, restart)).stream().flatMap(List::stream).toList());
  }

  @Test
  void theSameHoldsOnAChainOfAnotherProduct() throws Exception {
    try (var chain = Hardhat.startWithBlocks();
        var demo = start(chain, 500)) {
      assertThat(demo.awaitExit()).as(demo.output()).isZero();
    }
    assertHolds(500);
  }

  /** One fault in each tenth of the load, from its beginning on. */
  private void run(int transactions, List<Fault> faults) throws IOException {
    try (var chain = Anvil.startWithBlocks(directory.resolve("chain.json"));
        var demo = start(chain, transactions)) {
      for (int tenth = 0; tenth < faults.size(); tenth++) {
        demo.awaitLine(tenth == 0 ? "Transactions: " : atLeast(tenth));
        faults.get(tenth).strike(chain);
      }
      assertThat(demo.awaitExit(MOST)).as(demo.output()).isZero();
    }
    assertHolds(transactions);
  }

  private void assertHolds(int transactions) throws IOException {
    var report = report();
    assertThat(report.get("confirmed").asInt() + report.get("reverted").asInt())
        .isEqualTo(transactions);
    for (var none : List.of("duplicates", "doubleSpends", "lost")) {
      assertThat(report.get(none).asInt()).as(none).isZero();
    }
    assertThat(report.get("doubleCheck").get("holds").asBoolean()).isTrue();
  }

  private static String atLeast(int tenths) {
    return "Transactions: (?:[%d-9][0-9]|100)%%".formatted(tenths);
  }

  private SequiturProcess start(DevChain chain, int transactions) {
    return SequiturProcess.start(
        directory,
        Main.class,
        List.of(),
        "demo",
        "--ledger",
        "ethereum",
        "--rpc",
        chain.address().toString(),
        "--confirmations",
        "" + CONFIRMATIONS,
        "--transactions",
        "" + transactions,
        "--report",
        directory.resolve("report.json").toString());
  }

  private JsonNode report() throws IOException {
    return new JsonMapper().readTree(Files.readString(directory.resolve("report.json")));
  }
}
