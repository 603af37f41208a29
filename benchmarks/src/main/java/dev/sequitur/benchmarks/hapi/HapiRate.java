package dev.sequitur.benchmarks.hapi;

import static dev.sequitur.benchmarks.Benchmarks.print;

import dev.sequitur.benchmarks.Resources;
import dev.sequitur.benchmarks.schedules.HederaSigner;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.hapi.HapiSettings;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.RunningNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.body.SignatureVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A node with a front for Hedera's clients, and clients in the same process that create schedules
 * of two signers, ask for their receipts and sign them, so that they run: with real secp256k1
 * signatures and the embedded journal. What creates is signed before, since clients have machines
 * of their own. Beside it, in the same run, the signatures alone that were made and verified
 * meanwhile. Then so many are left waiting, and after a restart each must have its signatures.
 */
@Command(
    name = "hapi",
    description =
        "Measures create + sign + execute by gRPC, as Hedera's clients do it, and what still waits"
            + " after a restart.")
public final class HapiRate implements Callable<Integer> {
  static final AccountId ADMINISTRATOR = new AccountId("operator");
  private static final int MOST = 10_000_000;

  @Option(names = "--warm-up", defaultValue = "60000", description = "Schedules before.")
  private int warmUp;

  @Option(names = "--schedules", defaultValue = "60000", description = "That are measured.")
  private int schedules;

  @Option(names = "--clients", defaultValue = "32", description = "Each with a connection.")
  private int clients;

  @Option(
      names = "--pending",
      defaultValue = "100000",
      description = "That wait with two of three signatures while the node is started anew.")
  private int pending;

  @Override
  public Integer call() throws IOException {
    var directory = Files.createTempDirectory("sequitur-hapi-");
    LogFile.under(directory);
    print("%s, load average %.1f", Resources.machine(), Resources.loadAverage());
    var signers = new HashSet<String>();
    try (var node = start(directory)) {
      var parties = parties(node);
      try {
        run("warm-up", warmUp, parties);
        run("create + sign + execute", schedules, parties);
        parties.forEach(HapiParties::assertPaid);
        signaturesAlone();
        measure("left waiting", pending, client -> parties.get(client).leaveWaiting());
        parties.forEach(each -> signers.addAll(each.signers()));
      } finally {
        parties.forEach(HapiParties::close);
      }
    }
    if (pending > 0) {
      restart(directory, signers);
    }
    return 0;
  }

  private RunningNode start(Path directory) {
    var embedded = NodeConfiguration.embedded(new NodeName("hapi"), directory);
    var current = MultiSignatureSettings.CURRENT;
    var limits = current.limits().withMaxRecords(MOST).withMaxUnarchived(MOST);
    // Nothing is throttled: QueueSetup.of names no operation. Any number may expire in one second.
    var usual = current.expiry();
    var expiry =
        new MultiSignatureSettings.Expiry(
            usual.txExpiryTimeSecs(), usual.maxFutureSecs(), MOST, usual.perStep());
    var settings = current.withLimits(limits).withExpiry(expiry);
    var queues = QueueSetup.of(ADMINISTRATOR, new MultiSignature(settings));
    var front =
        HapiSettings.at("127.0.0.1", 0)
            .withMirrorPort(OptionalInt.of(0))
            .withLimits(
                new HapiSettings.Limits(
                    16_384,
                    clients + 1,
                    clients + 1,
                    100,
                    400,
                    clients + 1,
                    Duration.ofSeconds(8),
                    Duration.ofMinutes(5)));
    return new ProcessStarter()
        .startNode(
            embedded
                .withScheduler(embedded.scheduler().withQueues(queues))
                .withHapi(Optional.of(front)));
  }

  private List<HapiParties> parties(RunningNode node) throws IOException {
    int port = node.hapi().orElseThrow().port();
    var parties = new ArrayList<HapiParties>();
    for (int i = 0; i < clients; i++) {
      parties.add(new HapiParties(node.scheduler(), new HapiConnection(port), i));
    }
    return parties;
  }

  private void run(String what, int total, List<HapiParties> parties) {
    parties.forEach(each -> each.sign(total / clients));
    measure(what, total, client -> parties.get(client).run());
  }

  /** Each client does its part one after the other. */
  private void measure(String what, int total, IntConsumer one) {
    int each = total / clients;
    if (each == 0) {
      return;
    }
    try (var threads = Executors.newFixedThreadPool(clients)) {
      var before = Resources.now();
      IntStream.range(0, clients)
          .mapToObj(
              client ->
                  CompletableFuture.runAsync(
                      () -> IntStream.range(0, each).forEach(i -> one.accept(client)), threads))
          .toList()
          .forEach(CompletableFuture::join);
      tell(what, each * clients, Resources.now().since(before));
    }
  }

  private static void tell(String what, int done, Resources used) {
    print(
        "%-24s %,8.0f/s, %.3f ms of processor time each",
        what, done / used.seconds(), used.cpuSeconds() / done * 1e3);
  }

  /** Those of one schedule that are not made before: one is made, two are verified. */
  private static void signaturesAlone() {
    int cores = Runtime.getRuntime().availableProcessors();
    int each = 20_000;
    signatures(cores, each / 4);
    var before = Resources.now();
    signatures(cores, each);
    tell("its signatures alone", each * cores, Resources.now().since(before));
  }

  private static void signatures(int cores, int each) {
    try (var threads = Executors.newFixedThreadPool(cores)) {
      IntStream.range(0, cores)
          .mapToObj(core -> CompletableFuture.runAsync(() -> signatures(each), threads))
          .toList()
          .forEach(CompletableFuture::join);
    }
  }

  private static void signatures(int times) {
    var signer = HederaSigner.of(1);
    var verifier = new SignatureVerifier();
    var before = Bytes.utf8("content of some length, as the body of what creates has it");
    var made = signer.sign(before);
    for (int i = 0; i < times; i++) {
      var content = Bytes.utf8("content of some length, as a body has it, " + i);
      var good =
          verifier.verify(before, List.of(made), List.of(signer.key())).signers().size()
              + verifier
                  .verify(content, List.of(signer.sign(content)), List.of(signer.key()))
                  .signers()
                  .size();
      if (good != 2) {
        throw new IllegalStateException("A signature just made is wrong.");
      }
    }
  }

  private void restart(Path directory, HashSet<String> signers) throws IOException {
    long begun = System.nanoTime();
    try (var node = start(directory)) {
      var found = new WaitingSchedules(node.mirror().orElseThrow().toString()).read();
      print(
          "%,d waiting with %,d signatures after a restart, read %.1f s after its begin",
          found.schedules(), found.signatures(), (System.nanoTime() - begun) / 1e9);
      int expected = pending / clients * clients;
      if (found.schedules() != expected
          || found.signatures() != 2 * expected
          || !signers.containsAll(found.signers())) {
        throw new IllegalStateException(
            "There were " + expected + " with two signatures each: some are lost.");
      }
    }
  }
}
