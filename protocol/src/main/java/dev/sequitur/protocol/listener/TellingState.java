package dev.sequitur.protocol.listener;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.listener.TellingTable.TellingPhase;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far one subscription is. Survives nothing: the listener, which the store keeps, is where the
 * next one begins.
 *
 * @param gathered what goes into the next batch, or is on its way; never more than fit into one
 * @param soFar what the listener has taken with that, since {@code stands}; empty if its turn has
 *     begun and nothing was read since
 * @param stands up to here the listener has taken all, and it is stored
 * @param isRefused whether the last batch was
 * @param pause the next one after a failure or a refusal
 * @param until when it is due to do what it waits for
 * @param full when what is gathered waits no longer for more
 * @param batches how many have gone
 * @param <R> a row, as it is pushed
 */
@Copyable
public record TellingState<R>(
    TellingPhase phase,
    List<R> gathered,
    Optional<Taken> soFar,
    long stands,
    boolean isRefused,
    Duration pause,
    Optional<Instant> until,
    Optional<Instant> full,
    long batches)
    implements TellingStateBuilder.With<R> {
  public TellingState {
    gathered = List.copyOf(gathered);
  }

  /** When it has to be told of the time next; empty if it waits for nothing. */
  public Optional<Instant> wake() {
    return Stream.of(until, phase == TellingPhase.WAITING ? full : Optional.<Instant>empty())
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  public boolean hasEnded() {
    return phase == TellingPhase.ENDED;
  }

  boolean isDue(Instant now) {
    return until.filter(then -> !now.isBefore(then)).isPresent();
  }

  /** Whether what is gathered has waited for more for long enough. */
  boolean isOverdue(Instant now) {
    return full.filter(then -> !now.isBefore(then)).isPresent();
  }
}
