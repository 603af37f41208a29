package dev.sequitur.protocol.listener;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.listener.WebhookTable.WebhookPhase;
import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far the deliveries of one webhook are. Survives nothing: the webhook, which the store keeps,
 * is where the next life begins.
 *
 * @param rows those behind what is stored, by their numbers; never more than are read ahead
 * @param readTo up to here all was read
 * @param stands up to here all was delivered or is dead, and it is stored
 * @param looking whether something is being read
 * @param storing what is being stored
 * @param silent whether the receiver was not there when it was last tried
 * @param pause the next one while nothing can be read, stored or reached
 * @param quietUntil nothing is read, stored or sent before
 * @param lookAgain when it is looked again where nothing was there
 * @param <R> a row, as it is sent
 */
@Copyable
public record DeliveringState<R>(
    PagedMap<Long, Delivery<R>> rows,
    long readTo,
    long stands,
    boolean looking,
    Optional<Taken> storing,
    boolean silent,
    Duration pause,
    Optional<Instant> quietUntil,
    Optional<Instant> lookAgain)
    implements DeliveringStateBuilder.With<R> {

  /**
   * One row.
   *
   * @param subject rows of one go one after another
   * @param refusals how often it was refused
   * @param until it pauses
   */
  public record Delivery<R>(
      R row, Optional<String> subject, WebhookPhase phase, int refusals, Optional<Instant> until) {
    boolean hasEnded() {
      return phase == WebhookPhase.DELIVERED || phase == WebhookPhase.DEAD;
    }

    Delivery<R> in(WebhookPhase next) {
      return new Delivery<>(row, subject, next, refusals, Optional.empty());
    }

    Delivery<R> refused(Instant again) {
      return new Delivery<>(row, subject, phase, refusals + 1, Optional.of(again));
    }
  }

  /** When it has to be told of the time next; empty if it waits for nothing but answers. */
  public Optional<Instant> wake() {
    return Stream.concat(
            quietUntil.or(() -> lookAgain).stream(),
            rows.values().stream().flatMap(each -> each.until().stream()))
        .min(Instant::compareTo);
  }

  long underway() {
    return rows.values().stream().filter(each -> each.phase() == WebhookPhase.SENT).count();
  }
}
