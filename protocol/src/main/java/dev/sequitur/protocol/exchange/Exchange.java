package dev.sequitur.protocol.exchange;

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
 * @param deadline when the sender stops waiting; empty for a notification, which goes on until it
 *     is acknowledged
 */
public record Exchange(
    Pattern pattern,
    NodeName to,
    Message message,
    Backoff backoff,
    int sends,
    Instant nextSend,
    Optional<Instant> deadline) {

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
    return new Exchange(
        pattern, to, message, backoff, 1, now.plus(backoff.wait(1, to.hashCode())), deadline);
  }

  /** Takes the place of one that has been sent {@code earlier} times: its waits go on growing. */
  public Exchange after(int earlier, Instant now) {
    return new Exchange(
        pattern,
        to,
        message,
        backoff,
        earlier,
        now.plus(backoff.wait(Math.max(1, earlier), to.hashCode())),
        deadline);
  }

  /** The same, of which another message is resent. */
  public Exchange with(Message other) {
    return new Exchange(pattern, to, other, backoff, sends, nextSend, deadline);
  }

  boolean isDue(Instant now) {
    return !now.isBefore(nextSend);
  }

  boolean isTimedOut(Instant now) {
    return deadline.isPresent() && !now.isBefore(deadline.get());
  }

  Exchange resent(Instant now) {
    return new Exchange(
        pattern,
        to,
        message,
        backoff,
        sends + 1,
        now.plus(backoff.wait(sends + 1, to.hashCode())),
        deadline);
  }
}
