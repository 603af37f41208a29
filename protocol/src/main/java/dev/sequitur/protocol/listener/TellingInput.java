package dev.sequitur.protocol.listener;

import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.util.List;

/**
 * What a subscription is told.
 *
 * @param <R> a row, as it is pushed
 */
public sealed interface TellingInput<R> {
  /** The caller knows the subscription's id: batches may go. */
  record Start<R>() implements TellingInput<R> {}

  /** Nobody else serves the listener now. */
  record Turn<R>() implements TellingInput<R> {}

  /**
   * What was asked for with {@link TellingEffect.Look}.
   *
   * @param from where it was read from
   * @param rows no more than were asked for
   * @param taken what the listener has taken once it has the rows
   */
  record Came<R>(long from, List<R> rows, Taken taken) implements TellingInput<R> {
    public Came {
      rows = List.copyOf(rows);
    }
  }

  /**
   * The listener is stopped: nothing is read.
   *
   * @param at where it stands
   */
  record Stopped<R>(long at) implements TellingInput<R> {}

  /** What was to be stored is. */
  record Stored<R>() implements TellingInput<R> {}

  /** It could not be read or stored. */
  record Failed<R>(Throwable cause) implements TellingInput<R> {}

  /** There is no such listener any more, or another one under its name. */
  record Gone<R>() implements TellingInput<R> {}

  /** The caller has taken the batch that is on its way. */
  record Acknowledged<R>() implements TellingInput<R> {}

  /** The caller wants the batch that is on its way again. */
  record Refused<R>() implements TellingInput<R> {}

  /**
   * The answer to {@link TellingEffect.Offer}, before it is told anything else.
   *
   * @param kept whether it is its turn still
   */
  record Offered<R>(boolean kept) implements TellingInput<R> {}

  /** The caller or its connection is gone. */
  record End<R>() implements TellingInput<R> {}

  /** Time has gone by. */
  record Tick<R>() implements TellingInput<R> {}
}
