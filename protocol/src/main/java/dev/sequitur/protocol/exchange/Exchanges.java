package dev.sequitur.protocol.exchange;

import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;

/**
 * The exchanges that a machine has open, each under the id of its intent. Bounded by what the
 * machine holds in flight.
 */
public record Exchanges<K>(PMap<K, Exchange> open) {

  public static <K> Exchanges<K> none() {
    return new Exchanges<>(HashTrie.empty());
  }

  public Exchanges<K> begin(K key, Exchange exchange) {
    return new Exchanges<>(open.plus(key, exchange));
  }

  /** Ends an exchange; one that is not open is ignored, since answers are idempotent. */
  public Exchanges<K> end(K key) {
    return open.containsKey(key) ? new Exchanges<>(open.minus(key)) : this;
  }

  public Optional<Exchange> get(K key) {
    return Optional.ofNullable(open.get(key));
  }

  /** What is to be sent again now, and what has waited too long. */
  public Ticked<K> tick(Instant now) {
    var rest = open;
    var resend = new ArrayList<Exchange>();
    var timedOut = new ArrayList<K>();
    for (var entry : open.entrySet()) {
      var exchange = entry.getValue();
      if (exchange.isTimedOut(now)) {
        timedOut.add(entry.getKey());
        rest = rest.minus(entry.getKey());
      } else if (exchange.isDue(now)) {
        resend.add(exchange);
        rest = rest.plus(entry.getKey(), exchange.resent(now));
      }
    }
    return new Ticked<>(rest == open ? this : new Exchanges<>(rest), resend, timedOut);
  }

  /**
   * @param rest with the resends counted and without what timed out
   */
  public record Ticked<K>(Exchanges<K> rest, List<Exchange> resend, List<K> timedOut) {}
}
