package dev.sequitur.scheduler.storage;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.Codecs;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.recurring.CronExpression;
import dev.sequitur.schedule.registry.FamilyTypes;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Values as bytes: the version of the layouts, then the value. Thread-safe; expensive to make, to
 * be shared.
 */
public final class QueueFormat {
  private final Map<Class<?>, Codec<?>> more;
  private final List<Alternatives<?>> alternatives;
  private final Map<Integer, Codecs> versions = new ConcurrentHashMap<>();
  private final Codecs newest;

  /** For what is stored. */
  public QueueFormat() {
    this(List.of(), Map.of());
  }

  /**
   * @param alternatives beyond those that are stored
   * @param more codecs of types that are no records
   */
  public QueueFormat(List<Alternatives<?>> alternatives, Map<Class<?>, Codec<?>> more) {
    this.more = more;
    this.alternatives =
        Stream.of(StoredTypes.ALTERNATIVES, alternatives).flatMap(List::stream).toList();
    this.newest = codecs(StoredTypes.VERSION);
  }

  Codecs codecs(int version) {
    return versions.computeIfAbsent(
        version,
        known ->
            Codecs.bare()
                .alternatives(alternatives)
                .open(FamilyTypes::of)
                .version(known, StoredTypes.FORMERS)
                .shared(StoredTypes.SHARED)
                .repeated(OccurrenceKey.class)
                .as(CronExpression.class, String.class, CronExpression::text, CronExpression::new)
                .with(more)
                .build());
  }

  Codecs newest() {
    return newest;
  }

  /** All that has numbers. */
  List<Alternatives<?>> alternatives() {
    return alternatives;
  }

  /**
   * @param type of the value, or the interface it is one of
   */
  public <T> byte[] encode(T value, Class<? super T> type) {
    return encode(value, newest.of(type));
  }

  static <T> byte[] encode(T value, Codec<? super T> codec) {
    return new ByteWriter().raw(StoredTypes.VERSION).put(codec, value).finish();
  }

  /**
   * @throws MalformedBytesException if the bytes are none of that type, or of a version that is not
   *     read here
   */
  public <T> T decode(byte[] bytes, Class<T> type) {
    return type.cast(decode(bytes, (Type) type));
  }

  Object decode(byte[] bytes, Type type) {
    return ByteReader.readAll(
        bytes, from -> codecs(StoredTypes.checked(from.raw())).of(type).read(from));
  }
}
