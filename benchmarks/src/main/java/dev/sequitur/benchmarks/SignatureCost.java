package dev.sequitur.benchmarks;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Keys;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/**
 * The signatures that one transaction of four members with 100 % endorsement needs, and nothing
 * else: the sender signs the assembly; each of four endorsers checks that and signs; the
 * coordinator checks four endorsements; the ledger checks them again and the submitter's own
 * signature, which the submitter has made. That is 6 made and 13 checked.
 *
 * @param perSecond transactions whose signatures all processors together make and check
 * @param cpuMillis of processor time for those of one transaction; hardly depends on what else the
 *     machine does
 */
record SignatureCost(double perSecond, double cpuMillis) {
  private static final int SIGNED = 6;
  private static final int VERIFIED = 13;

  /** Uses all processors for {@code time}. */
  static SignatureCost measure(Keys keys, Duration time) {
    int cores = Runtime.getRuntime().availableProcessors();
    var threads = Executors.newFixedThreadPool(cores);
    try {
      var counts = new ArrayList<CompletableFuture<Count>>();
      long start = System.nanoTime();
      for (int core = 0; core < cores; core++) {
        var name = "benchmark" + core;
        counts.add(CompletableFuture.supplyAsync(() -> count(keys, name, start, time), threads));
      }
      long done = counts.stream().mapToLong(count -> count.join().done()).sum();
      double seconds = (System.nanoTime() - start) / 1e9;
      long cpuNanos = counts.stream().mapToLong(count -> count.join().cpuNanos()).sum();
      return new SignatureCost(done / seconds, cpuNanos / 1e6 / done);
    } finally {
      threads.shutdown();
    }
  }

  private record Count(long done, long cpuNanos) {}

  private static Count count(Keys keys, String name, long start, Duration time) {
    var signatures = new Secp256k1Signatures();
    var verifier = keys.verifier(name);
    var threads = ManagementFactory.getThreadMXBean();
    long cpuNanos = threads.getCurrentThreadCpuTime();
    long done = 0;
    while (System.nanoTime() - start < time.toNanos()) {
      var digest = new Hash(done, start, name.hashCode(), 1);
      var signature = Bytes.EMPTY;
      for (int i = 0; i < SIGNED; i++) {
        signature = keys.sign(name, digest);
      }
      for (int i = 0; i < VERIFIED; i++) {
        if (!signatures.verify(verifier, digest, signature)) {
          throw new IllegalStateException("A signature just made is wrong.");
        }
      }
      done++;
    }
    return new Count(done, threads.getCurrentThreadCpuTime() - cpuNanos);
  }
}
