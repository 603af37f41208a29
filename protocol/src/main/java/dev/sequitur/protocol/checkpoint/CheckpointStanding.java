package dev.sequitur.protocol.checkpoint;

import dev.sequitur.protocol.checkpoint.Agreements.Reader;
import dev.sequitur.protocol.checkpoint.Agreements.Standing;
import dev.sequitur.protocol.id.BlockHeight;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a ledger stands with its checkpoints, for the operator of a node or of the ledger.
 *
 * @param every so many blocks there is one; 0 if there is none
 * @param oldest the oldest block that is still there; 1 if none was dropped
 * @param newest checkpoint that can't change any more
 * @param agreed the newest one that every reader agrees to
 * @param keep so many of the newest blocks are kept in any case; empty if all are
 * @param droppable blocks that will be dropped, and are not yet
 */
public record CheckpointStanding(
    int every,
    BlockHeight oldest,
    Optional<BlockHeight> newest,
    Optional<BlockHeight> agreed,
    Optional<Long> keep,
    long droppable,
    List<Reader> readers) {
  public CheckpointStanding {
    readers = List.copyOf(readers);
  }

  /** Up to which block all may be dropped now (ROM-10). */
  public static Optional<BlockHeight> dropUpTo(
      BlockHeight head, Optional<BlockHeight> agreed, Optional<Long> keep) {
    return agreed.flatMap(
        height ->
            keep.map(blocks -> Math.min(height.value(), head.value() - blocks))
                .filter(upTo -> upTo > 0)
                .map(BlockHeight::new));
  }

  /** Who has not agreed to the newest checkpoint, by name and with the reason. */
  public Optional<String> lacking() {
    var lacking =
        readers.stream()
            .filter(reader -> reader.standing() != Standing.AGREES)
            .map(CheckpointStanding::sentence)
            .collect(Collectors.joining(", "));
    return lacking.isEmpty() ? Optional.empty() : Optional.of(lacking);
  }

  private static String sentence(Reader reader) {
    return switch (reader.standing()) {
      case AGREES -> reader.name() + " agrees";
      case BEHIND -> reader.name() + " agrees up to block " + reader.upTo().orElseThrow();
      case DIFFERS -> reader.name() + " has another digest at block " + reader.upTo().orElseThrow();
      case SILENT -> reader.name() + " has said nothing";
    };
  }
}
