package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.id.MessageId;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * New message ids: a random number for the process, then a counter. A random UUID for each of the
 * many messages of a transaction would cost more than the message.
 */
final class MessageIds {
  private final long process = new SecureRandom().nextLong();
  private final AtomicLong counter = new AtomicLong(new SecureRandom().nextInt());

  MessageId next() {
    return new MessageId(new UUID(process, counter.incrementAndGet()));
  }
}
