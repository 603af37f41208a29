package dev.sequitur.benchmarks;

import dev.sequitur.benchmarks.LinkNetwork.Hub;
import dev.sequitur.laboratory.load.Latencies;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What the transport between nodes carries by itself: mutual TLS over the loopback interface, all
 * nodes in this JVM. First how long an envelope takes to a peer and back while nothing else
 * travels; then how many a second arrive while each link has as many under way as it may.
 */
@Command(
    name = "links",
    description = "Measures the transport between nodes: envelopes a second and their latency.")
public final class LinkLoad implements Callable<Integer> {
  /** Under way to all peers together; a link's queue takes 10,000 envelopes. */
  private static final int MOST_BYTES = 16 << 20;

  private static final int MOST_ENVELOPES = 4_000;

  @Option(
      names = "--links",
      split = ",",
      defaultValue = "1,16",
      description = "Peers that the node sends to.")
  private List<Integer> links;

  @Option(
      names = "--bytes",
      split = ",",
      defaultValue = "200,100000",
      description = "Of an envelope, encoded.")
  private List<Integer> sizes;

  @Option(names = "--warm-up", defaultValue = "4", description = "Seconds before each figure.")
  private int warmUp;

  @Option(names = "--seconds", defaultValue = "4", description = "That each figure is measured.")
  private int seconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    for (int number : links) {
      try (var network = LinkNetwork.start(number)) {
        for (int bytes : sizes) {
          var hub = network.hub(bytes);
          roundTrips(hub, warmUp);
          print(number, bytes, roundTrips(hub, seconds));
          arrivals(hub, bytes, warmUp);
          print(number, bytes, arrivals(hub, bytes, seconds));
        }
      }
    }
    return 0;
  }

  private record RoundTrips(Latencies each, double cpuMicros) {}

  /** One envelope after the other, to each peer in turn. */
  private static RoundTrips roundTrips(Hub hub, int forSeconds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(forSeconds);
    var each = new Latencies();
    var used = Resources.now();
    while (System.nanoTime() < end) {
      each.record(hub.roundTrip().toNanos());
    }
    return new RoundTrips(each, Resources.now().since(used).cpuSeconds() * 1e6 / each.count());
  }

  private record Arrivals(double perSecond, double cpuMicros) {}

  /** Of as many as there may be under way. */
  private static Arrivals arrivals(Hub hub, int bytes, int forSeconds) throws InterruptedException {
    int room = Math.min(MOST_ENVELOPES, MOST_BYTES / bytes);
    var before = Resources.now();
    long arrived = hub.flood(room, before.nanos() + TimeUnit.SECONDS.toNanos(forSeconds));
    var used = Resources.now().since(before);
    return new Arrivals(arrived / used.seconds(), used.cpuSeconds() * 1e6 / arrived);
  }

  private static void print(int links, int bytes, RoundTrips trips) {
    Benchmarks.print(
        "%2d links, %,7d bytes: there and back p50 %,.0f, p99 %,.0f us;"
            + " %.1f us of processor time each",
        links,
        bytes,
        trips.each().millis(50) * 1e3,
        trips.each().millis(99) * 1e3,
        trips.cpuMicros());
  }

  private static void print(int links, int bytes, Arrivals arrivals) {
    Benchmarks.print(
        "%2d links, %,7d bytes: %,.0f/s, %,.1f MB/s; %.2f us of processor time each",
        links,
        bytes,
        arrivals.perSecond(),
        arrivals.perSecond() * bytes / 1e6,
        arrivals.cpuMicros());
  }
}
