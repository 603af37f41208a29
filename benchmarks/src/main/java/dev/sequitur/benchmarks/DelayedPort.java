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
import java.util.concurrent.locks.LockSupport;

/**
 * A port of this machine that leads to another, as far away as one likes: each byte takes half of a
 * round trip, and as many as one likes are on their way.
 */
final class DelayedPort implements AutoCloseable {
  private static final int CHUNK = 64 << 10;
  private static final int UNDER_WAY = 1_000;

  private final int to;
  private final long oneWayNanos;
  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private record Chunk(long due, byte[] bytes) {}

  DelayedPort(int to, Duration roundTrip) throws IOException {
    this.to = to;
    this.oneWayNanos = roundTrip.toNanos() / 2;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
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
        lead(client, server);
        lead(server, client);
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void lead(Socket from, Socket towards) {
    var underWay = new ArrayBlockingQueue<Chunk>(UNDER_WAY);
    start(() -> read(from, underWay));
    start(() -> write(underWay, towards));
  }

  private void read(Socket from, BlockingQueue<Chunk> underWay) {
    try {
      InputStream in = from.getInputStream();
      var buffer = new byte[CHUNK];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        var bytes = Arrays.copyOf(buffer, count);
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
