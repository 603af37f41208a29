package dev.sequitur.node.configuration;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a node writes what it is about to forget.
 *
 * @param directory empty if it writes nothing down
 * @param fileBytes a file that has so many is closed
 */
public record RoomExportSettings(Optional<Path> directory, long fileBytes) {
  /** Nothing is written down. */
  public static final RoomExportSettings NONE =
      new RoomExportSettings(Optional.empty(), 256L << 20);

  private static final long SMALLEST = 1L << 20;

  static RoomExportSettings read(ConfigurationReader reader) {
    return new RoomExportSettings(
        reader.optionalPath("room.export.directory"),
        reader.wholeNumber("room.export.file-bytes", SMALLEST, 1L << 40));
  }
}
