package dev.sequitur.protocol.listener;

import java.util.List;
import java.util.Optional;

/**
 * What a webhook's deliveries are told.
 *
 * @param <R> a row, as it is sent
 */
public sealed interface DeliveringInput<R> {
  /**
   * A row that was read.
   *
   * @param subject rows of one go one after another; those of none wait for nobody
   */
  record Read<R>(long number, Optional<String> subject, R row) {}

  /** The store says where the webhook stands. */
  record Start<R>(long stands) implements DeliveringInput<R> {}

  /**
   * What was asked for with {@link DeliveringEffect.Look}.
   *
   * @param rows by rising numbers, no more than were asked for
   * @param readTo up to this number there are no others
   */
  record Came<R>(List<Read<R>> rows, long readTo) implements DeliveringInput<R> {
    public Came {
      rows = List.copyOf(rows);
    }
  }

  /** What was asked for could not be read. */
  record NotRead<R>(Throwable cause) implements DeliveringInput<R> {}

  /** The receiver has taken one. */
  record Taken<R>(long number) implements DeliveringInput<R> {}

  /** The receiver has answered that it does not want one. */
  record Refused<R>(long number, String why) implements DeliveringInput<R> {}

  /** The receiver is not there, or not able now. */
  record Unreached<R>(long number, String why) implements DeliveringInput<R> {}

  /** What was asked for with {@link DeliveringEffect.Store} is stored. */
  record Stored<R>() implements DeliveringInput<R> {}

  /** It could not be stored. */
  record NotStored<R>(Throwable cause) implements DeliveringInput<R> {}

  /** Time has gone by. */
  record Tick<R>() implements DeliveringInput<R> {}
}
