package dev.sequitur.scheduler.storage;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Values as bytes: the version of the layouts, then the value. Thread-safe; expensive to make, to
 * be shared.
 */
public final class QueueFormat {
  /** What was read lately on this thread; bounded. */
  private static final ThreadLocal<Pool> POOL = ThreadLocal.withInitial(Pool::new);

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
        version, known -> new Codecs(alternatives, StoredTypes.FORMERS, known, more));
  }

  /** A codec of what is written as a text. */
  public static <T> Codec<T> asText(Function<T, String> write, Function<String, T> read) {
    return Scalars.of(
        (to, value) -> Scalars.TEXT.write(to, write.apply(value)),
        from -> read.apply(Scalars.TEXT.read(from)));
  }

  /** This thread's. */
  static Pool pool() {
    return POOL.get();
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
    var to = new ByteWriter();
    to.raw(StoredTypes.VERSION);
    codec.write(to, value);
    return to.finish();
  }

  /**
   * @throws UnreadableException if the bytes are none of that type, or of a version that is not
   *     read here
   */
  public <T> T decode(byte[] bytes, Class<T> type) {
    return type.cast(decode(bytes, 0, (Type) type));
  }

  Object decode(byte[] bytes, int at, Type type) {
    var from = new ByteReader(bytes, at, pool());
    int version = from.raw();
    StoredTypes.check(version);
    try {
      var value = codecs(version).of(type).read(from);
      if (!from.isAtEnd()) {
        throw new UnreadableException("There is more than a value.");
      }
      return value;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UnreadableException("A stored value is none: " + e.getClass().getSimpleName());
    }
  }
}
