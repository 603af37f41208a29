package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The name and version under which values of a type are stored and sent within a node; both
 * together are the manifest. The name is for life. The version grows when older bytes could no
 * longer be read: what only adds an {@code Optional} or a collection needs no new version.
 *
 * @param version from 1
 * @param type a record, or a sealed interface with {@link Alternatives}
 * @param upcasters the last leads to {@code version}, the one before it to {@code version - 1}, and
 *     so on
 */
public record Schema<T>(
    String name, int version, Class<T> type, List<UnaryOperator<ObjectNode>> upcasters) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  public Schema {
    upcasters = List.copyOf(upcasters);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "A schema's name is 1 to 100 letters, digits, '.', '_' or '-', not '" + name + "'.");
    }
    if (version <= upcasters.size()) {
      throw new IllegalArgumentException(
          "Schema %s has %d upcasters, too many for version %d."
              .formatted(name, upcasters.size(), version));
    }
  }

  /** One that reads no older version. */
  public static <T> Schema<T> of(String name, int version, Class<T> type) {
    return new Schema<>(name, version, type, List.of());
  }

  /**
   * The next version, which reads this one too.
   *
   * @param upcaster turns a value as this version wrote it into one as the next version writes it;
   *     may change its argument
   */
  public Schema<T> next(UnaryOperator<ObjectNode> upcaster) {
    var longer = new ArrayList<>(upcasters);
    longer.add(upcaster);
    return new Schema<>(name, version + 1, type, longer);
  }

  /** The oldest version that can be read. */
  public int oldestVersion() {
    return version - upcasters.size();
  }

  String manifest() {
    return name + ":" + version;
  }

  /** Brings what {@code oldVersion} wrote to the current version. */
  ObjectNode upcast(ObjectNode old, int oldVersion) {
    var node = old;
    for (var upcaster : upcasters.subList(oldVersion - oldestVersion(), upcasters.size())) {
      node = upcaster.apply(node);
    }
    return node;
  }
}
