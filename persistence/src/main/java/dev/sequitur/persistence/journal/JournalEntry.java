package dev.sequitur.persistence.journal;

import akka.actor.ActorRef;
import akka.actor.ExtendedActorSystem;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import java.nio.ByteBuffer;
import java.util.Optional;
import scala.jdk.javaapi.OptionConverters;

/**
 * One event as it lies in the journal; its persistence id and sequence number are in the key.
 *
 * <p>Layout of version 1, big-endian: version, one byte; flags, one byte (1 = with metadata);
 * timestamp, eight; writer, {@link Text}; adapter manifest, {@link Text}; event, {@link
 * SerializedValue}; metadata, {@link SerializedValue}, if the flag says so. An older version stays
 * readable for ever.
 *
 * @param timestampMillis when it was written, since 1970
 * @param writerUuid names the incarnation that wrote it; the replay filter compares it
 * @param adapterManifest what an event adapter wants to see again when it reads, mostly empty
 */
record JournalEntry(
    long timestampMillis,
    String writerUuid,
    String adapterManifest,
    SerializedValue event,
    Optional<SerializedValue> metadata) {
  private static final byte VERSION = 1;
  private static final byte WITH_METADATA = 1;

  /** Tags are not kept: there is no query that would find them. */
  static JournalEntry of(PersistentRepr event, long nowMillis, ExtendedActorSystem system) {
    Object payload = event.payload() instanceof Tagged tagged ? tagged.payload() : event.payload();
    return new JournalEntry(
        nowMillis,
        event.writerUuid(),
        event.manifest(),
        SerializedValue.of(payload, system),
        OptionConverters.toJava(event.metadata()).map(data -> SerializedValue.of(data, system)));
  }

  PersistentRepr toEvent(String persistenceId, long sequenceNr, ExtendedActorSystem system) {
    PersistentRepr read =
        PersistentRepr.apply(
                event.toObject(system),
                sequenceNr,
                persistenceId,
                adapterManifest,
                false,
                ActorRef.noSender(),
                writerUuid)
            .withTimestamp(timestampMillis);
    return metadata.map(data -> read.withMetadata(data.toObject(system))).orElse(read);
  }

  byte[] encode() {
    Text writer = Text.of(writerUuid);
    Text adapter = Text.of(adapterManifest);
    int size = 2 + Long.BYTES + writer.size() + adapter.size() + event.size();
    ByteBuffer to = ByteBuffer.allocate(size + metadata.map(SerializedValue::size).orElse(0));
    to.put(VERSION).put(metadata.isPresent() ? WITH_METADATA : 0).putLong(timestampMillis);
    writer.write(to);
    adapter.write(to);
    event.write(to);
    metadata.ifPresent(data -> data.write(to));
    return to.array();
  }

  static JournalEntry decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    byte version = from.get();
    if (version != VERSION) {
      throw new IllegalStateException(
          "A journal entry has version %d, and this version of Sequitur reads version %d"
              .formatted(version, VERSION));
    }
    boolean withMetadata = (from.get() & WITH_METADATA) != 0;
    return new JournalEntry(
        from.getLong(),
        Text.read(from),
        Text.read(from),
        SerializedValue.read(from),
        withMetadata ? Optional.of(SerializedValue.read(from)) : Optional.empty());
  }
}
