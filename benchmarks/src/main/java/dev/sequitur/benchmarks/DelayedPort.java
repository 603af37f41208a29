package dev.sequitur.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * A port of this machine that leads to another, as far away as one likes: each byte takes half of a
 * round trip, and as many as one likes are on their way. Counts what goes through.
 */
public final class DelayedPort implements AutoCloseable {
  private static final int CHUNK = 64 << 10;
  private static final int UNDER_WAY = 1_000;

  private final int to;
  private final long oneWayNanos;
  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private final LongAdder roundTrips = new LongAdder();
  private final LongAdder asked = new LongAdder();
  private final LongAdder answered = new LongAdder();

  private record Chunk(long due, byte[] bytes) {}

  /**
   * What has gone through.
   *
   * @param roundTrips times that something came back after something had been sent
   * @param asked bytes from those that have dialled
   * @param answered bytes to them
   */
  public record Traffic(long roundTrips, long asked, long answered) {}

  public DelayedPort(int to, Duration roundTrip) throws IOException {
    this.to = to;
    this.oneWayNanos = roundTrip.toNanos() / 2;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Since it was opened. */
  public Traffic traffic() {
    return new Traffic(roundTrips.sum(), asked.sum(), answered.sum());
  }

  private void accept() {
    try {
      while (true) {
        var client = listening.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), to);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        var waits = new AtomicBoolean();
        lead(
            client,
            server,
            bytes -> {
              asked.add(bytes);
              waits.set(true);
            });
        lead(
            server,
            client,
            bytes -> {
              answered.add(bytes);
              if (waits.getAndSet(false)) {
                roundTrips.increment();
              }
            });
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void lead(Socket from, Socket towards, IntConsumer passing) {
    var underWay = new ArrayBlockingQueue<Chunk>(UNDER_WAY);
    start(() -> read(from, underWay, passing));
    start(() -> write(underWay, towards));
  }

  private void read(Socket from, BlockingQueue<Chunk> underWay, IntConsumer passing) {
    try {
      InputStream in = from.getInputStream();
      var buffer = new byte[CHUNK];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        var bytes = Arrays.copyOf(buffer, count);
        passing.accept(count);
        underWay.put(new Chunk(System.nanoTime() + oneWayNanos, bytes));
      }
      underWay.put(new Chunk(System.nanoTime(), new byte[0]));
    } catch (IOException | InterruptedException e) {
      // Closed.
    }
  }

  private static void write(BlockingQueue<Chunk> underWay, Socket towards) {
    try (towards) {
      OutputStream out = towards.getOutputStream();
      for (var next = underWay.take(); next.bytes().length > 0; next = underWay.take()) {
        for (long left = next.due() - System.nanoTime();
            left > 0;
            left = next.due() - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        out.write(next.bytes());
      }
    } catch (IOException | InterruptedException e) {
      // Closed.
    }
  }

  private static void start(Runnable work) {
    var thread = new Thread(work, "delayed-port");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (var each : open) {
      each.close();
    }
  }
}
