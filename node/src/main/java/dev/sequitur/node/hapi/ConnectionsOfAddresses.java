package dev.sequitur.node.hapi;

import akka.io.Inet;
import dev.sequitur.links.admission.Network;
import java.io.IOException;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;

/**
 * Closes a connection at once if as many of its address are open already, so that nobody who only
 * opens connections keeps the others out. Akka HTTP's binding for HTTP/2 shows a connection to
 * nobody before it is read, but to its socket's options. Thread-safe.
 */
final class ConnectionsOfAddresses extends Inet.AbstractSocketOptionV2 {
  private final int most;

  /** As many as the server has open at once, and those that have ended since the last one came. */
  private final Set<Socket> open = new HashSet<>(); // guarded by this

  /**
   * @param most of one address
   */
  ConnectionsOfAddresses(int most) {
    this.most = most;
  }

  @Override
  public void afterConnect(Socket socket) {
    if (!takes(socket)) {
      close(socket);
    }
  }

  private synchronized boolean takes(Socket socket) {
    open.removeIf(Socket::isClosed);
    var network = Network.of(socket.getInetAddress());
    long others =
        open.stream().filter(each -> Network.of(each.getInetAddress()).equals(network)).count();
    return others < most && open.add(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone anyway.
    }
  }
}
