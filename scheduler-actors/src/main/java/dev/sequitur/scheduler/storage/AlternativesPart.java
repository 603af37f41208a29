package dev.sequitur.scheduler.storage;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** One of several records: its cells under its number. */
final class AlternativesPart implements CellPart {
  private final Map<Class<?>, Integer> numbers = new HashMap<>();
  private final Map<Integer, CellPart> parts = new HashMap<>();

  AlternativesPart(Map<? extends Class<?>, Integer> numbers, Function<Class<?>, CellPart> partOf) {
    numbers.forEach(
        (type, number) -> {
          this.numbers.put(type, number);
          parts.put(number, partOf.apply(type));
        });
  }

  @Override
  public void changes(byte[] path, Object before, Object now, Changes to) {
    if (before != null && now != null && before.getClass() == now.getClass()) {
      part(now).changes(below(path, now), before, now, to);
      return;
    }
    if (before != null) {
      part(before).changes(below(path, before), before, null, to);
    }
    if (now != null) {
      part(now).changes(below(path, now), null, now, to);
    }
  }

  Map<Integer, CellPart> parts() {
    return parts;
  }

  private CellPart part(Object value) {
    return parts.get(numbers.get(value.getClass()));
  }

  private byte[] below(byte[] path, Object value) {
    return CellPart.below(path, numbers.get(value.getClass()));
  }

  @Override
  public Building building() {
    return new Building() {
      private Building chosen;

      @Override
      public void cell(byte[] key, int at, byte[] value) {
        if (chosen == null) {
          chosen = parts.get((int) key[at]).building();
        }
        chosen.cell(key, at + 1, value);
      }

      @Override
      public Object finish() {
        if (chosen == null) {
          throw new StateLostException("A cell of its checkpoint is missing.");
        }
        return chosen.finish();
      }
    };
  }
}
