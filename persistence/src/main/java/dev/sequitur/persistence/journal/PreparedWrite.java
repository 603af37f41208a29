package dev.sequitur.persistence.journal;

import akka.actor.ExtendedActorSystem;
import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What a persistent actor hands to the journal at once, serialized and ready for the writer thread.
 */
record PreparedWrite(List<Part> parts) {

  /** One atomic write: its events' entries in order, or why none of them could be serialized. */
  record Part(
      String persistenceId,
      long first,
      long last,
      List<byte[]> entries,
      Optional<Exception> rejection) {

    static Part of(AtomicWrite write, long nowMillis, ExtendedActorSystem system) {
      List<byte[]> entries = new ArrayList<>();
      Optional<Exception> rejection = Optional.empty();
      try {
        for (PersistentRepr event : CollectionConverters.asJava(write.payload())) {
          entries.add(JournalEntry.of(event, nowMillis, system).encode());
        }
      } catch (Exception e) {
        entries.clear();
        rejection = Optional.of(e);
      }
      return new Part(
          write.persistenceId(),
          write.lowestSequenceNr(),
          write.highestSequenceNr(),
          entries,
          rejection);
    }
  }

  static PreparedWrite of(
      Iterable<AtomicWrite> writes, long nowMillis, ExtendedActorSystem system) {
    List<Part> parts = new ArrayList<>();
    writes.forEach(write -> parts.add(Part.of(write, nowMillis, system)));
    return new PreparedWrite(parts);
  }

  /** One answer for each atomic write; empty if it is stored. */
  Iterable<Optional<Exception>> rejections() {
    return parts.stream().map(Part::rejection).toList();
  }

  /**
   * Puts everything into a batch, on the writer thread.
   *
   * @throws SequenceConflictException if a part doesn't continue its stream
   */
  void store(WriteBatch batch) {
    for (Part part : parts) {
      Key stream = Key.in(KeySpace.STREAM).text(part.persistenceId());
      StreamBounds bounds = StreamBounds.decode(batch.get(stream));
      if (part.first() != bounds.highest() + 1) {
        throw new SequenceConflictException(
            part.persistenceId(), bounds.highest() + 1, part.first());
      }
      Key events = Key.in(KeySpace.EVENT).text(part.persistenceId());
      long sequenceNr = part.first();
      for (byte[] entry : part.entries()) {
        batch.put(events.number(sequenceNr++), entry);
      }
      batch.put(stream, bounds.withHighest(part.last()).encode());
    }
  }
}
