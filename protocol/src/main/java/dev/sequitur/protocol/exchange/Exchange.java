package dev.sequitur.protocol.exchange;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One intent that is resent until it is answered. The message, and with it the intent's id, stays
 * the same over resends; each send is given a new message id when it leaves.
 *
 * @param sends how often it has been sent
 * @param begun when it was sent first, or what it took the place of
 * @param deadline when the sender stops waiting; empty for a notification, which goes on until it
 *     is acknowledged, and for what is waited for as long as it is needed
 */
@Copyable
public record Exchange(
    Pattern pattern,
    NodeName to,
    Message message,
    Backoff backoff,
    int sends,
    Instant begun,
    Instant nextSend,
    Optional<Instant> deadline)
    implements ExchangeBuilder.With {

  /** The three patterns with assured delivery. */
  public enum Pattern {
    /** Resent until acknowledged. */
    RELIABLE_NOTIFICATION,
    /** Resent until accepted or rejected; no answer means that the receiver is unavailable. */
    COMMAND,
    /** Resent until there is a response or an error; only one of them is consumed. */
    REQUEST
  }

  public static Exchange reliableNotification(
      NodeName to, Message message, Backoff backoff, Instant now) {
    return sentFirst(Pattern.RELIABLE_NOTIFICATION, to, message, backoff, now, Optional.empty());
  }

  public static Exchange command(
      NodeName to, Message message, Backoff backoff, Duration timeout, Instant now) {
    return sentFirst(Pattern.COMMAND, to, message, backoff, now, Optional.of(now.plus(timeout)));
  }

  public static Exchange request(
      NodeName to, Message message, Backoff backoff, Duration timeout, Instant now) {
    return sentFirst(Pattern.REQUEST, to, message, backoff, now, Optional.of(now.plus(timeout)));
  }

  private static Exchange sentFirst(
      Pattern pattern,
      NodeName to,
      Message message,
      Backoff backoff,
      Instant now,
      Optional<Instant> deadline) {
    return new Exchange(pattern, to, message, backoff, 0, now, now, deadline).resent(now);
  }

  /** Takes the place of one that has been sent {@code earlier} times: its waits go on growing. */
  public Exchange after(int earlier, Instant now) {
    return with()
        .sends(earlier)
        .nextSend(now.plus(backoff.wait(Math.max(1, earlier), to.hashCode())))
        .build();
  }

  /** Asks the same of the same in other words: the time to answer began with the one before. */
  public Exchange inPlaceOf(Exchange before) {
    return with()
        .sends(before.sends() + 1)
        .begun(before.begun())
        .deadline(before.deadline())
        .build();
  }

  /** The same, and whoever waits for the answer does so without end. */
  public Exchange patient() {
    return withDeadline(Optional.empty());
  }

  boolean isDue(Instant now) {
    return !now.isBefore(nextSend);
  }

  boolean isTimedOut(Instant now) {
    return deadline.isPresent() && !now.isBefore(deadline.get());
  }

  Exchange resent(Instant now) {
    return with()
        .sends(sends + 1)
        .nextSend(now.plus(backoff.wait(sends + 1, to.hashCode())))
        .build();
  }
}
