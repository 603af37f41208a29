package dev.sequitur.persistence.journal;

import akka.actor.ExtendedActorSystem;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import java.nio.ByteBuffer;
import java.util.Optional;
import scala.jdk.javaapi.OptionConverters;

/**
 * One snapshot as it lies in the store; its persistence id and sequence number are in the key.
 *
 * <p>Layout of version 1, big-endian: version, one byte; flags, one byte (1 = with metadata);
 * timestamp, eight; snapshot, {@link SerializedValue}; metadata, {@link SerializedValue}, if the
 * flag says so. An older version stays readable for ever.
 *
 * @param timestampMillis when it was taken, as Akka set it, since 1970
 */
record StoredSnapshot(
    long timestampMillis, SerializedValue snapshot, Optional<SerializedValue> metadata) {
  private static final byte VERSION = 1;
  private static final byte WITH_METADATA = 1;

  static StoredSnapshot of(SnapshotMetadata metadata, Object state, ExtendedActorSystem system) {
    return new StoredSnapshot(
        metadata.timestamp(),
        SerializedValue.of(state, system),
        OptionConverters.toJava(metadata.metadata()).map(data -> SerializedValue.of(data, system)));
  }

  SelectedSnapshot toSelected(String persistenceId, long sequenceNr, ExtendedActorSystem system) {
    SnapshotMetadata plain = new SnapshotMetadata(persistenceId, sequenceNr, timestampMillis);
    return SelectedSnapshot.create(
        metadata.map(data -> plain.withMetadata(data.toObject(system))).orElse(plain),
        snapshot.toObject(system));
  }

  byte[] encode() {
    int size = 2 + Long.BYTES + snapshot.size();
    ByteBuffer to = ByteBuffer.allocate(size + metadata.map(SerializedValue::size).orElse(0));
    to.put(VERSION).put(metadata.isPresent() ? WITH_METADATA : 0).putLong(timestampMillis);
    snapshot.write(to);
    metadata.ifPresent(data -> data.write(to));
    return to.array();
  }

  static StoredSnapshot decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    byte version = from.get();
    if (version != VERSION) {
      throw new IllegalStateException(
          "A snapshot has version %d, and this version of Sequitur reads version %d"
              .formatted(version, VERSION));
    }
    boolean withMetadata = (from.get() & WITH_METADATA) != 0;
    return new StoredSnapshot(
        from.getLong(),
        SerializedValue.read(from),
        withMetadata ? Optional.of(SerializedValue.read(from)) : Optional.empty());
  }
}
