package dev.sequitur.benchmarks.cluster;

import static dev.sequitur.benchmarks.Benchmarks.print;

import akka.actor.ActorSystem;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.SerializerWithStringManifest;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.benchmarks.Resources;
import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.funding.Funding.Effect;
import dev.sequitur.protocol.funding.Funding.Input;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.funding.FundingState;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.sequencer.actor.GasKeeper;
import java.io.NotSerializableException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What the one actor of a node that sees to the money for gas does, without a ledger, a cluster and
 * a network: its rules, and the bytes of what submitters in other JVMs tell it. Time is counted and
 * not waited for.
 */
@Command(
    name = "gas-money",
    description =
        "Measures the work of the one part of a node that sees to the money for gas, and how many"
            + " keys it tops up.")
public final class GasMoneyWork implements Callable<Integer> {
  private static final BigInteger GAS_OF_ONE = BigInteger.valueOf(300_000L * 1_000);
  private static final BigInteger PLENTY = BigInteger.TEN.pow(30);

  @Option(
      names = "--submissions",
      defaultValue = "3000",
      description = "Rounds in which a submitter hands something to the ledger, in a second.")
  private int submissions;

  @Option(names = "--keys", defaultValue = "1000", description = "That pay, in turn.")
  private int keys;

  @Option(
      names = "--full",
      defaultValue = "100000",
      description = "What a key is topped up to, in such rounds; it is low at half of that.")
  private int full;

  @Option(names = "--poor", defaultValue = "0", description = "Keys that begin with nothing.")
  private int poor;

  @Option(names = "--seconds", defaultValue = "120", description = "Measured; a half of it before.")
  private int seconds;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Map<String, Long> nanos = new TreeMap<>();
  private final Map<String, Long> counted = new TreeMap<>();
  private final Map<LedgerAddress, BigInteger> balances = new HashMap<>();
  private List<LedgerAddress> addresses = List.of();
  private final List<GasTransfer> paid = new ArrayList<>();
  private boolean asked;
  private long payerNonce;
  private Instant now = Instant.EPOCH;

  @Override
  public Integer call() throws Exception {
    addresses =
        IntStream.range(0, keys).mapToObj(i -> new LedgerAddress("0x%040x".formatted(i))).toList();
    var system = ActorSystem.create("gas", config());
    try {
      var serialization = SerializationExtension.get(system);
      measure(seconds / 2, serialization);
      nanos.clear();
      counted.clear();
      measure(seconds, serialization);
      report();
    } finally {
      system.terminate();
    }
    return 0;
  }

  private static Config config() {
    return ConfigFactory.parseString(
            """
            akka { actor.provider = local, loglevel = OFF, stdout-loglevel = OFF }
            akka.library-extensions = []
            """)
        .withFallback(ConfigFactory.load());
  }

  private void measure(int number, Serialization serialization) throws NotSerializableException {
    var most = GAS_OF_ONE.multiply(BigInteger.valueOf(full));
    addresses.forEach(key -> balances.put(key, most));
    addresses.stream().limit(poor).forEach(key -> balances.put(key, BigInteger.ZERO));
    var settings =
        new FundingSettings(
            true, most.shiftRight(1), most, BigInteger.ZERO, FundingSettings.BY_HAND.lookEvery());
    var funding =
        new Funding(settings, new LedgerAddress("0x" + "f".repeat(40)), Gas.DEFAULT).machine();
    var host = new Host<>(funding, funding.initial());
    int next = 0;
    for (int second = 0; second < number; second++) {
      now = now.plusSeconds(1);
      paid.forEach(each -> balances.merge(each.to(), each.amount(), BigInteger::add));
      payerNonce += paid.size();
      paid.clear();
      if (asked) {
        asked = false;
        var seen = new Accounts(payerNonce, PLENTY, balances, Set.of());
        carryOut(host, new Input.Seen(seen), "look and decide");
      }
      for (int i = 0; i < submissions; i++) {
        var use = use(addresses.get(next));
        next = (next + 1) % keys;
        carryOut(host, read(use, serialization), "take uses");
      }
      carryOut(host, new Input.Tick(), "look and decide");
    }
  }

  /** A key that has nothing left waits, and pays nothing. */
  private KeyUse use(LedgerAddress key) {
    boolean waits = balances.get(key).compareTo(GAS_OF_ONE) < 0;
    if (waits) {
      counted.merge("rounds that wait", 1L, Long::sum);
    } else {
      balances.merge(key, GAS_OF_ONE.negate(), BigInteger::add);
    }
    return new KeyUse(key, GAS_OF_ONE, BigInteger.ZERO, waits, false, AboveCeiling.NOTHING, false);
  }

  /** As it comes from another JVM. */
  private Input read(KeyUse use, Serialization serialization) throws NotSerializableException {
    var told = new GasKeeper.Used(use);
    var written = (SerializerWithStringManifest) serialization.findSerializerFor(told);
    var bytes = written.toBinary(told);
    long begun = threads.getCurrentThreadCpuTime();
    var read = (GasKeeper.Used) written.fromBinary(bytes, written.manifest(told));
    end("read uses", begun);
    return new Input.Used(read.use());
  }

  /** The ledger answers in the next second, when it has a block with what it was given. */
  private void carryOut(Host<Input, FundingState, Void, Effect> host, Input input, String what) {
    long begun = threads.getCurrentThreadCpuTime();
    var effects = host.fold(List.of(input), now).effects();
    end(what, begun);
    for (var effect : effects) {
      switch (effect) {
        case Effect.Look ignored -> {
          asked = true;
          counted.merge("balances asked for", (long) balances.size(), Long::sum);
        }
        case Effect.Pay(var transfer) -> {
          paid.add(transfer);
          carryOut(
              host,
              new Input.Answered(
                  transfer, new SubmitOutcome.Pooled(new TransactionHash(new Hash(0, 0, 0, 0)))),
              "look and decide");
        }
        case Effect.CountTopUp() -> counted.merge("keys topped up", 1L, Long::sum);
        case Effect.Tell ignored -> {
          // For people.
        }
      }
    }
  }

  private void end(String what, long begun) {
    nanos.merge(what, threads.getCurrentThreadCpuTime() - begun, Long::sum);
    counted.merge(what, 1L, Long::sum);
  }

  private void report() {
    print(
        "%s, load average %.1f%n%,d rounds a second of %,d keys; for each second:",
        Resources.machine(), Resources.loadAverage(), submissions, keys);
    double all = 0;
    for (var step : nanos.entrySet()) {
      double millis = step.getValue() / 1e6 / seconds;
      all += millis;
      print(
          "%-18s %8.2f ms of a processor, %,8.1f times, %6.2f µs each",
          step.getKey(),
          millis,
          1.0 * counted.get(step.getKey()) / seconds,
          step.getValue() / 1e3 / counted.get(step.getKey()));
    }
    print("%-18s %8.2f ms", "together", all);
    for (var what : List.of("balances asked for", "keys topped up", "rounds that wait")) {
      print("%-18s %8.2f", what, 1.0 * counted.getOrDefault(what, 0L) / seconds);
    }
  }
}
