package dev.sequitur.benchmarks.schedules;

import static dev.sequitur.benchmarks.Benchmarks.print;

import dev.sequitur.benchmarks.Resources;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.body.SignatureVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Schedules of two signers that are created, signed and so run, each a second: with Hedera's bytes,
 * real secp256k1 signatures and the embedded journal. Beside it, in the same run, the same
 * signatures made and verified and nothing else.
 */
@Command(
    name = "signing",
    description = "Measures create + sign + execute of multi-signature schedules.")
public final class MultiSignatureRate implements Callable<Integer> {
  private static final int MOST = 10_000_000;

  @Option(names = "--warm-up", defaultValue = "20", description = "Seconds before.")
  private int warmUp;

  @Option(names = "--seconds", defaultValue = "20", description = "That are measured.")
  private int seconds;

  @Option(names = "--clients", defaultValue = "4", description = "That work at the same time.")
  private int clients;

  @Option(names = "--batch", defaultValue = "100", description = "Schedules a client has at once.")
  private int batch;

  @Override
  public Integer call() throws IOException {
    var directory = Files.createTempDirectory("sequitur-signing-");
    var known = MultiSignatureSettings.MVP;
    var settings = known.withLimits(known.limits().withMaxRecords(MOST).withMaxUnarchived(MOST));
    // Nothing is throttled: QueueSetup.of names no operation.
    var queues = QueueSetup.of(Notifying.OPERATOR, new MultiSignature(settings));
    try (var system = SchedulerSystem.embedded(directory, queues, SchedulerSettings.DEFAULT)) {
      var parties =
          IntStream.range(0, clients).mapToObj(i -> new Parties(system.node(), i)).toList();
      IntFunction<Integer> run =
          client -> {
            parties.get(client).run(batch);
            return batch;
          };
      measure(warmUp, run);
      tell("create + sign + execute", measure(seconds, run));
      measure(3, MultiSignatureRate::signaturesAlone);
      tell("its signatures alone", measure(10, MultiSignatureRate::signaturesAlone));
    }
    return 0;
  }

  /** Those of one schedule. */
  private static int signaturesAlone(int client) {
    var signer = HederaSigner.of(client + 1);
    var verifier = new SignatureVerifier();
    for (int i = 0; i < Parties.SIGNATURES; i++) {
      var content = Bytes.utf8("content of some length, as a body has it, " + System.nanoTime());
      var checked = verifier.verify(content, List.of(signer.sign(content)), List.of(signer.key()));
      if (checked.checks().get(0).verified().isEmpty()) {
        throw new IllegalStateException("A signature just made is wrong.");
      }
    }
    return 1;
  }

  /**
   * @param perSecond schedules
   * @param cpuMillis of processor time for each
   */
  private record Rate(double perSecond, double cpuMillis) {}

  /** All clients do it again and again. */
  private Rate measure(int forSeconds, IntFunction<Integer> what) {
    var threads = Executors.newFixedThreadPool(clients);
    try {
      var before = Resources.now();
      long end = before.nanos() + TimeUnit.SECONDS.toNanos(forSeconds);
      var counts =
          IntStream.range(0, clients)
              .mapToObj(
                  client -> CompletableFuture.supplyAsync(() -> repeat(end, client, what), threads))
              .toList();
      long done = counts.stream().mapToLong(CompletableFuture::join).sum();
      var used = Resources.now().since(before);
      return new Rate(done / used.seconds(), used.cpuSeconds() / done * 1e3);
    } finally {
      threads.shutdown();
    }
  }

  private static long repeat(long end, int client, IntFunction<Integer> what) {
    long done = 0;
    while (System.nanoTime() < end) {
      done += what.apply(client);
    }
    return done;
  }

  private static void tell(String what, Rate rate) {
    print(
        "%-24s %,8.0f/s, %.3f ms of processor time each", what, rate.perSecond(), rate.cpuMillis());
  }
}
