package dev.sequitur.sequencer.transport.tls;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which connections may wait until they have shown whose they are. A new one is always let in; when
 * there are too many, an old one goes, since a true peer shows within moments what a silent
 * connection never does. Those of one address displace only each other while it has more than its
 * share, and those of addresses from which a peer came before are displaced by nobody else.
 * Thread-safe.
 *
 * @param <C> a connection
 */
final class Admission<C> {
  /** Of one address, known or not. */
  static final int PER_ADDRESS = 8;

  /** Of all addresses from which no peer came. */
  static final int OF_STRANGERS = 32;

  /** Addresses that are remembered; of more, the first. */
  static final int KNOWN_ADDRESSES = 32;

  private final Map<C, String> waiting = new LinkedHashMap<>();
  private final Set<C> displaced = new LinkedHashSet<>();
  private final Set<String> known = new LinkedHashSet<>();

  /**
   * Lets one in.
   *
   * @return the one that must be closed for it
   */
  synchronized Optional<C> admit(C connection, String address) {
    var goes = goesFor(address);
    goes.ifPresent(
        one -> {
          waiting.remove(one);
          displaced.add(one);
        });
    waiting.put(connection, address);
    return goes;
  }

  private Optional<C> goesFor(String address) {
    if (of(address).size() >= PER_ADDRESS) {
      return of(address).stream().findFirst();
    }
    if (known.contains(address)) {
      return Optional.empty();
    }
    var strangers = waiting.values().stream().filter(one -> !known.contains(one)).toList();
    if (strangers.size() < OF_STRANGERS) {
      return Optional.empty();
    }
    var numbers =
        strangers.stream()
            .collect(
                Collectors.groupingBy(
                    Function.identity(), LinkedHashMap::new, Collectors.counting()));
    long most = numbers.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return numbers.entrySet().stream()
        .filter(entry -> entry.getValue() == most)
        .findFirst()
        .flatMap(entry -> of(entry.getKey()).stream().findFirst());
  }

  /** The oldest first. */
  private List<C> of(String address) {
    return waiting.entrySet().stream()
        .filter(entry -> entry.getValue().equals(address))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A peer has shown that it is one. */
  synchronized void isKnown(String address) {
    if (known.size() < KNOWN_ADDRESSES) {
      known.add(address);
    }
  }

  /**
   * It waits no longer; more than once does no harm.
   *
   * @return whether it had to go for another
   */
  synchronized boolean leave(C connection) {
    waiting.remove(connection);
    return displaced.remove(connection);
  }
}
