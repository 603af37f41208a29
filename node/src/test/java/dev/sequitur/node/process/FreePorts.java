package dev.sequitur.node.process;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Random;

/** Ports for processes that must know each other's before they start. */
final class FreePorts {
  private static final int LOWEST = 20_000;

  private FreePorts() {}

  /** The first of five in a row that nobody used just now, below those that systems hand out. */
  static int five() throws IOException {
    var random = new Random();
    for (int attempt = 0; attempt < 100; attempt++) {
      int first = LOWEST + random.nextInt(10_000);
      if (areFree(first)) {
        return first;
      }
    }
    throw new IOException("No five free ports in a row.");
  }

  private static boolean areFree(int first) throws IOException {
    var sockets = new ArrayList<ServerSocket>();
    try {
      for (int port = first; port < first + 5; port++) {
        sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
      }
      return true;
    } catch (BindException e) {
      return false;
    } finally {
      for (var socket : sockets) {
        socket.close();
      }
    }
  }
}
