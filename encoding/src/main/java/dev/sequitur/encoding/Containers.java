package dev.sequitur.encoding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Codecs of what holds other values: how many, then one after the other. They are empty where their
 * writer did not know them yet.
 */
final class Containers {
  /** Of a list's elements at first: one may be larger in memory than in bytes. */
  private static final int FIRST_CAPACITY = 64;

  private Containers() {}

  private record Container<C>(Codec<C> codec, Supplier<C> empty) implements Codec<C> {
    @Override
    public void write(ByteWriter to, C value) {
      codec.write(to, value);
    }

    @Override
    public C read(ByteReader from) {
      return codec.read(from);
    }

    @Override
    public C absent() {
      return empty.get();
    }
  }

  static Codec<Optional<Object>> optional(Codec<Object> content) {
    return new Container<>(
        Codec.of(
            (to, value) -> {
              to.flag(value.isPresent());
              value.ifPresent(present -> content.write(to, present));
            },
            from -> from.flag() ? Optional.of(content.read(from)) : Optional.empty()),
        Optional::empty);
  }

  static <C extends Collection<?>> Codec<C> of(
      Codec<Object> element, Function<List<Object>, C> make) {
    return new Container<>(
        Codec.of(
            (to, value) -> {
              to.unsigned(value.size());
              for (var each : value) {
                element.write(to, each);
              }
            },
            from -> {
              int count = from.count();
              var elements = new ArrayList<Object>(Math.min(count, FIRST_CAPACITY));
              for (int i = 0; i < count; i++) {
                elements.add(element.read(from));
              }
              return make.apply(elements);
            }),
        () -> make.apply(List.of()));
  }

  static Codec<Map<Object, Object>> map(
      Codec<Object> key, Codec<Object> content, Supplier<Gathering> make) {
    return new Container<>(
        Codec.of(
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
            }),
        () -> make.get().finish());
  }
}
