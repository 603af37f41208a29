package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.CanonicalEncoding;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The canonical encoding of a state: two replays are equal if and only if these bytes are. Each
 * record is its name, then its components in their order; each collection its size, then its
 * elements in their order. It walks the records themselves, so that no field can be left out but an
 * index that follows from the others. It proves and compares; nothing is read from it, so it may
 * change between releases.
 */
public final class CanonicalState {
  private CanonicalState() {}

  public static Bytes encode(QueueState state) {
    var encoding = new CanonicalEncoding();
    add(encoding, state);
    return encoding.finish();
  }

  private static void add(CanonicalEncoding encoding, Object value) {
    switch (value) {
      case Record parts -> addRecord(encoding, parts);
      case Map<?, ?> map -> {
        encoding.add(map.size());
        map.forEach(
            (key, element) -> {
              add(encoding, key);
              add(encoding, element);
            });
      }
      case Collection<?> elements -> {
        encoding.add(elements.size());
        elements.forEach(element -> add(encoding, element));
      }
      case Optional<?> optional -> {
        encoding.add(optional.isPresent() ? 1 : 0);
        optional.ifPresent(content -> add(encoding, content));
      }
      case Bytes bytes -> encoding.add(bytes);
      case Number number -> encoding.add(number.longValue());
      case CharSequence text -> encoding.add(text.toString());
      case Enum<?> constant -> encoding.add(constant.toString());
      case Boolean flag -> encoding.add(flag.toString());
      case UUID id -> encoding.add(id.toString());
      case Duration time -> encoding.add(time.toString());
      case OutcomeIndex ignored -> {}
      default -> throw new IllegalStateException("No canonical encoding of " + value.getClass());
    }
  }

  private static void addRecord(CanonicalEncoding encoding, Object value) {
    encoding.add(value.getClass().getSimpleName());
    for (var component : value.getClass().getRecordComponents()) {
      try {
        add(encoding, component.getAccessor().invoke(value));
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("Cannot read " + component + " of " + value, e);
      }
    }
  }
}
