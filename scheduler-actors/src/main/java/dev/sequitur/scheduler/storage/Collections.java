package dev.sequitur.scheduler.storage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Codecs of what holds other values: how many, then one after the other. */
final class Collections {
  private Collections() {}

  static Codec<Optional<Object>> optional(Codec<Object> content) {
    return Scalars.of(
        (to, value) -> {
          to.raw(value.isPresent() ? 1 : 0);
          value.ifPresent(present -> content.write(to, present));
        },
        from -> from.raw() == 0 ? Optional.empty() : Optional.of(content.read(from)));
  }

  static <C extends Collection<?>> Codec<C> of(
      Codec<Object> element, Function<List<Object>, C> make) {
    return Scalars.of(
        (to, value) -> {
          to.unsigned(value.size());
          for (var each : value) {
            element.write(to, each);
          }
        },
        from -> {
          int count = from.count();
          var elements = new ArrayList<Object>(count);
          for (int i = 0; i < count; i++) {
            elements.add(element.read(from));
          }
          return make.apply(elements);
        });
  }

  /** Sorted; its keys are comparable. */
  static Codec<Map<Object, Object>> map(Codec<Object> key, Codec<Object> content) {
    return map(key, content, Gathering::inATree);
  }

  /** As {@link #map}, in pages. */
  static Codec<Map<Object, Object>> paged(Codec<Object> key, Codec<Object> content) {
    return map(key, content, Gathering::inPages);
  }

  private static Codec<Map<Object, Object>> map(
      Codec<Object> key, Codec<Object> content, Supplier<Gathering> make) {
    return Scalars.of(
        (to, value) -> {
          to.unsigned(value.size());
          for (var entry : value.entrySet()) {
            key.write(to, entry.getKey());
            content.write(to, entry.getValue());
          }
        },
        from -> {
          int count = from.count();
          var entries = make.get();
          for (int i = 0; i < count; i++) {
            entries.add(key.read(from), content.read(from));
          }
          return entries.finish();
        });
  }
}
