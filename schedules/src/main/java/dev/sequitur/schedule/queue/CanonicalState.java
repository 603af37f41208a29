package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Written;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The canonical digest of a state: two replays are equal if and only if these are. Each record is
 * its name, then its components in their order; each collection its size, then its elements in
 * their order. It walks the records themselves, so that no field can be left out but an index that
 * follows from the others. It proves and compares; nothing is read from it, so it may change
 * between releases.
 */
public final class CanonicalState {
  private CanonicalState() {}

  public static Hash digest(QueueState state) {
    var digest = new CanonicalDigest();
    add(digest, state);
    return digest.finish();
  }

  private static void add(CanonicalDigest digest, Object value) {
    switch (value) {
      case Record parts -> addRecord(digest, parts);
      case Map<?, ?> map -> {
        digest.add(map.size());
        map.forEach(
            (key, element) -> {
              add(digest, key);
              add(digest, element);
            });
      }
      case Collection<?> elements -> {
        digest.add(elements.size());
        elements.forEach(element -> add(digest, element));
      }
      case Optional<?> optional -> {
        digest.add(optional.isPresent() ? 1 : 0);
        optional.ifPresent(content -> add(digest, content));
      }
      case Bytes bytes -> digest.add(bytes);
      case Number number -> digest.add(number.longValue());
      case CharSequence text -> digest.add(text.toString());
      case Written written -> digest.add(written.text());
      case Enum<?> constant -> digest.add(constant.toString());
      case Boolean flag -> digest.add(flag.toString());
      case UUID id -> digest.add(id.toString());
      case Duration time -> digest.add(time.toString());
      case OutcomeIndex ignored -> {}
      default -> throw new IllegalStateException("No canonical form of " + value.getClass());
    }
  }

  private static void addRecord(CanonicalDigest digest, Object value) {
    digest.add(value.getClass().getSimpleName());
    for (var component : value.getClass().getRecordComponents()) {
      try {
        add(digest, component.getAccessor().invoke(value));
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("Cannot read " + component + " of " + value, e);
      }
    }
  }
}
