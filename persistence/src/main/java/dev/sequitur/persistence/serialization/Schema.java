package dev.sequitur.persistence.serialization;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The name and version under which values of a type are stored and sent within a node; both
 * together are the manifest. The name is for life. The version grows when older bytes could no
 * longer be read: what only adds an {@code Optional} or a collection at the end of a record needs
 * no new version.
 *
 * @param version from 1
 * @param type a record, or a sealed interface whose alternatives have numbers
 * @param earlier the last is of {@code version - 1}, the one before it of {@code version - 2}, and
 *     so on
 */
public record Schema<T>(String name, int version, Class<T> type, List<Earlier<T, ?>> earlier) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** What an earlier version wrote, and what it is now. */
  public record Earlier<T, L>(Class<L> layout, Function<L, T> upgrade) {}

  public Schema {
    earlier = List.copyOf(earlier);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "A schema's name is 1 to 100 letters, digits, '.', '_' or '-', not '" + name + "'.");
    }
    if (version <= earlier.size()) {
      throw new IllegalArgumentException(
          "Schema %s reads %d earlier versions, too many for version %d."
              .formatted(name, earlier.size(), version));
    }
  }

  /** One that reads no older version. */
  public static <T> Schema<T> of(String name, int version, Class<T> type) {
    return new Schema<>(name, version, type, List.of());
  }

  /** As this one, but the version before is read too; to be called for the latest first. */
  public <L> Schema<T> reading(Class<L> layout, Function<L, T> upgrade) {
    var more = new ArrayList<Earlier<T, ?>>();
    more.add(new Earlier<>(layout, upgrade));
    more.addAll(earlier);
    return new Schema<>(name, version, type, more);
  }

  /** The oldest version that can be read. */
  public int oldestVersion() {
    return version - earlier.size();
  }

  String manifest() {
    return name + ":" + version;
  }
}
