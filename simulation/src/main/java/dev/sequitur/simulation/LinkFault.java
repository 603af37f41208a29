package dev.sequitur.simulation;

import dev.sequitur.protocol.message.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** What a bad network does to an envelope on its way to another node. */
@FunctionalInterface
interface LinkFault {
  /**
   * @param deliveries after which waits it arrives; empty if it is lost
   */
  List<Duration> apply(Envelope envelope, List<Duration> deliveries, RandomGenerator random);

  static LinkFault lose(Predicate<Envelope> which, double probability) {
    return (envelope, deliveries, random) ->
        which.test(envelope) && random.nextDouble() < probability ? List.of() : deliveries;
  }

  static LinkFault duplicate(Predicate<Envelope> which, double probability) {
    return (envelope, deliveries, random) -> {
      if (deliveries.isEmpty() || !which.test(envelope) || random.nextDouble() >= probability) {
        return deliveries;
      }
      var twice = new ArrayList<>(deliveries);
      twice.add(deliveries.get(0).plusMillis(random.nextInt(500)));
      return twice;
    };
  }

  /** Delays some for long, so that later ones overtake them. */
  static LinkFault delay(Predicate<Envelope> which, double probability, Duration upTo) {
    return (envelope, deliveries, random) ->
        which.test(envelope) && random.nextDouble() < probability
            ? deliveries.stream()
                .map(wait -> wait.plusMillis(random.nextLong(upTo.toMillis())))
                .toList()
            : deliveries;
  }

  /** Whoever sends these takes its time. */
  static LinkFault slow(Predicate<Envelope> which, Duration by) {
    return (envelope, deliveries, random) ->
        which.test(envelope) ? deliveries.stream().map(wait -> wait.plus(by)).toList() : deliveries;
  }
}
