package dev.sequitur.node.rpc.server;

import dev.sequitur.links.admission.Places;
import dev.sequitur.links.admission.Places.Place;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One open connection: its place, and whether a request is being answered on it. One with a
 * provisional place gets health and metrics only, and ends with the answer. Thread-safe.
 */
final class CallerConnection {
  private final Place place;
  private final Runnable close;
  private volatile boolean busy;
  private volatile boolean leaving;

  /** Of answers that are not written yet. */
  private final Set<Runnable> unwritten = ConcurrentHashMap.newKeySet();

  private volatile boolean ended;

  /**
   * @param close ends the connection; may be called more than once
   */
  CallerConnection(Places places, InetAddress address, Runnable close) {
    this.place = places.take(address, close);
    this.close = close;
  }

  InetAddress address() {
    return place.address();
  }

  /** Whether it may ask for more than health and metrics. */
  boolean hasPlace() {
    return place.isFirm();
  }

  /** Whether the connection is to end with the answer to what it asks now. */
  boolean isLast() {
    return leaving || !hasPlace();
  }

  /** Whether a request is being answered. */
  void busy(boolean now) {
    busy = now;
  }

  /** Ends the connection; may be called more than once. */
  void close() {
    close.run();
  }

  /** Ends the connection as soon as nothing is asked on it. */
  void leave() {
    leaving = true;
    if (!busy) {
      close();
    }
  }

  /**
   * An answer is to be written on it.
   *
   * @param written run when it is, and when the connection has ended
   * @return to be run when it is
   */
  Runnable writes(Runnable written) {
    var once =
        new Runnable() {
          @Override
          public void run() {
            if (unwritten.remove(this)) {
              written.run();
            }
          }
        };
    unwritten.add(once);
    if (ended) {
      once.run();
    }
    return once;
  }

  /** The connection has ended. */
  void ended() {
    place.end();
    ended = true;
    unwritten.forEach(Runnable::run);
  }
}
