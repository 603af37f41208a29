package dev.sequitur.encoding;

import dev.sequitur.protocol.paged.PagedMap;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;
import org.pcollections.TreePVector;

/**
 * One format: how each type is written, derived from the type. A record is its components in their
 * order, an alternative the number that {@link Alternatives} gives it, a number as short as it can
 * be. Thread-safe; expensive to make, to be shared.
 *
 * <p>In a <em>bare</em> format nothing says what stands where, so each change of a record is a new
 * version, and the old layout stays readable as a {@link Former}. In a <em>framed</em> one a record
 * says how long it is, so that it may grow: a component is added at its end, and is an {@code
 * Optional} or a collection, for bytes of before lack it; who does not know it yet passes it over.
 */
public final class Codecs {
  private final boolean framed;
  private final int version;
  private final List<Alternatives<?>> alternatives;
  private final Alternatives.Open open;
  private final List<Former<?, ?>> formers;
  private final Set<Class<?>> values;
  private final Set<Class<?>> shared;
  private final Set<Class<?>> repeated;
  private final Map<Type, Codec<?>> known = new HashMap<>();
  // What is complete, to be read without a lock; bounded by the number of types.
  private final Map<Type, Codec<?>> complete = new ConcurrentHashMap<>();
  private final Map<Class<?>, Codec<?>> widest = new ConcurrentHashMap<>();

  /**
   * How a record was laid out once.
   *
   * @param lastVersion the last one that wrote it so
   */
  public record Former<T, L>(
      Class<T> type, int lastVersion, Class<L> layout, Function<L, T> upgrade) {}

  private Codecs(Builder from) {
    framed = from.framed;
    version = from.version;
    alternatives = List.copyOf(from.alternatives);
    open = from.open;
    formers = List.copyOf(from.formers);
    values = Set.copyOf(from.values);
    shared = Set.copyOf(from.shared);
    repeated = Set.copyOf(from.repeated);
    Scalars.ALL.forEach(this::add);
    from.codecs.forEach(this::add);
    from.layouts.forEach(layout -> layout.accept(this));
  }

  private void add(Class<?> type, Codec<?> codec) {
    known.put(type, shared.contains(type) ? Scalars.shared(type, codec) : codec);
  }

  /** Starts a format in which a record is nothing but its components. */
  public static Builder bare() {
    return new Builder(false);
  }

  /** Starts a format in which a record may grow. */
  public static Builder framed() {
    return new Builder(true);
  }

  /** A text, which is checked less often if it has come lately. */
  public static <T> Codec<T> recentText(Function<T, String> text, Function<String, T> parse) {
    return RecentlyRead.of(text, parse);
  }

  /** A text. */
  public static <T> Codec<T> text(Function<T, String> text, Function<String, T> parse) {
    return Scalars.TEXT.as(text, parse);
  }

  @SuppressWarnings("unchecked")
  public <T> Codec<T> of(Class<T> type) {
    return (Codec<T>) of((Type) type);
  }

  /**
   * As the one of all alternatives that the type is among; for a type that is no alternative, its
   * own.
   */
  @SuppressWarnings("unchecked")
  public <T> Codec<T> widest(Class<T> type) {
    return (Codec<T>)
        widest.computeIfAbsent(
            type,
            asked ->
                alternatives.stream()
                    .map(Alternatives::type)
                    .filter(wide -> wide != asked && wide.isAssignableFrom(asked))
                    .findFirst()
                    .<Codec<?>>map(wide -> narrowed(of(wide), asked))
                    .orElseGet(() -> of(asked)));
  }

  private static <W> Codec<?> narrowed(Codec<W> wide, Class<?> type) {
    return Codec.<W>of(
        wide::write,
        from -> {
          var read = wide.read(from);
          if (!type.isInstance(read)) {
            throw new MalformedBytesException("This is no " + type.getSimpleName() + ".");
          }
          return read;
        });
  }

  /** Of a list of such values. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public <T> Codec<List<T>> listOf(Class<T> type) {
    return (Codec) Containers.of(of((Type) type), List::copyOf);
  }

  /**
   * @throws IllegalStateException with a sentence for the developer, if there is no way to write it
   */
  @SuppressWarnings("unchecked")
  public Codec<Object> of(Type type) {
    var found = complete.get(type);
    if (found == null) {
      synchronized (known) {
        found = find(type);
      }
      complete.put(type, found);
    }
    return (Codec<Object>) found;
  }

  @SuppressWarnings("unchecked")
  private Codec<Object> find(Type type) {
    var found = known.get(type);
    if (found == null) {
      found = make(type);
      known.put(type, found);
    }
    return (Codec<Object>) found;
  }

  private Codec<?> make(Type type) {
    return switch (type) {
      case ParameterizedType generic -> generic(generic, (Class<?>) generic.getRawType());
      case WildcardType some -> find(some.getUpperBounds()[0]);
      case TypeVariable<?> any -> find(any.getBounds()[0]);
      case Class<?> plain -> plain(plain);
      default -> throw new IllegalStateException("There is no encoding of " + type + ".");
    };
  }

  private Codec<?> generic(ParameterizedType type, Class<?> raw) {
    var whole = known.get(raw);
    if (whole != null) {
      return whole;
    } else if (raw.isRecord()) {
      var arguments = new HashMap<Type, Type>();
      for (int i = 0; i < raw.getTypeParameters().length; i++) {
        arguments.put(raw.getTypeParameters()[i], type.getActualTypeArguments()[i]);
      }
      return record(raw, type, arguments);
    }
    return isContainer(raw) ? container(raw, type.getActualTypeArguments()) : plain(raw);
  }

  private static boolean isContainer(Class<?> type) {
    return !type.isInterface()
        || Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type);
  }

  private Codec<?> plain(Class<?> plain) {
    if (plain.isEnum()) {
      return constant(plain);
    }
    var codec = plain.isRecord() ? record(plain, plain, Map.of()) : alternatives(plain);
    if (repeated.contains(plain)) {
      return Scalars.repeated(plain, codec);
    }
    return shared.contains(plain) ? Scalars.shared(plain, codec) : codec;
  }

  /**
   * @param as what the codec is known by
   * @param arguments of the record's own parameters
   */
  private <T> Codec<T> record(Class<T> type, Type as, Map<Type, Type> arguments) {
    var former = former(type);
    if (former.isPresent()) {
      return upgrading(former.get());
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    Codec<Object>[] components = new Codec[type.getRecordComponents().length];
    var codec = new RecordCodec<>(type, framed && !values.contains(type), components);
    known.put(as, codec);
    var types = Stream.of(type.getRecordComponents()).map(RecordComponent::getGenericType).toList();
    for (int i = 0; i < components.length; i++) {
      components[i] = find(arguments.getOrDefault(types.get(i), types.get(i)));
    }
    return codec;
  }

  @SuppressWarnings("unchecked")
  private <T> Optional<Former<T, ?>> former(Class<T> type) {
    return formers.stream()
        .filter(former -> former.type() == type && former.lastVersion() >= version)
        .min((a, b) -> Integer.compare(a.lastVersion(), b.lastVersion()))
        .map(former -> (Former<T, ?>) former);
  }

  @SuppressWarnings("unchecked")
  private <T, L> Codec<T> upgrading(Former<T, L> former) {
    var layout = (Codec<L>) (Codec<?>) find(former.layout());
    return Codec.of(
        (to, value) -> {
          throw new IllegalStateException("Only the newest version is written.");
        },
        from -> former.upgrade().apply(layout.read(from)));
  }

  private <T> Codec<T> alternatives(Class<T> type) {
    var table = Alternatives.of(type, alternatives, open);
    var codec = new AlternativesCodec<>(type);
    known.put(type, codec);
    table.numbers().forEach((record, number) -> codec.add(number, record, find(record)));
    return codec;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Codec<?> constant(Class<?> type) {
    return Scalars.constant((Class) type);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Codec<?> container(Class<?> type, Type[] arguments) {
    var first = find(arguments[0]);
    if (type == Optional.class) {
      return Containers.optional(first);
    } else if (type == TreePSet.class) {
      return Containers.of(first, elements -> TreePSet.from((Collection) elements));
    } else if (type == TreePVector.class) {
      return Containers.of(first, TreePVector::from);
    } else if (type == List.class || type == Collection.class) {
      return Containers.of(first, List::copyOf);
    } else if (type == Set.class) {
      return Containers.of(first, Set::copyOf);
    } else if (type == Map.class && !isSorted(arguments[0])) {
      return Containers.map(first, find(arguments[1]), Gathering::unsorted);
    } else if (type == TreePMap.class || type == Map.class) {
      return Containers.map(first, find(arguments[1]), Gathering::inATree);
    } else if (type == PagedMap.class) {
      return Containers.map(first, find(arguments[1]), Gathering::inPages);
    }
    throw new IllegalStateException("There is no encoding of " + type.getName() + ".");
  }

  private static boolean isSorted(Type key) {
    return key instanceof Class<?> plain && Comparable.class.isAssignableFrom(plain);
  }

  /** Collects what a format has of its own. */
  public static final class Builder {
    private final boolean framed;
    private final List<Alternatives<?>> alternatives = new ArrayList<>();
    private final List<Former<?, ?>> formers = new ArrayList<>();
    private final Set<Class<?>> values = new HashSet<>();
    private final Set<Class<?>> shared = new HashSet<>();
    private final Set<Class<?>> repeated = new HashSet<>();
    private final Map<Class<?>, Codec<?>> codecs = new HashMap<>();
    private final List<java.util.function.Consumer<Codecs>> layouts = new ArrayList<>();
    private Alternatives.Open open = Alternatives.Open.NONE;
    private int version = 1;

    private Builder(boolean framed) {
      this.framed = framed;
    }

    public Builder alternatives(List<Alternatives<?>> more) {
      alternatives.addAll(more);
      return this;
    }

    /** What stands in the place of interfaces that are not sealed; without it, nothing. */
    public Builder open(Alternatives.Open types) {
      open = types;
      return this;
    }

    /**
     * @param read of the bytes to be read; only the newest can be written
     */
    public Builder version(int read, List<Former<?, ?>> earlier) {
      version = read;
      formers.addAll(earlier);
      return this;
    }

    /** Records that will never have another component, such as ids: they need no frame. */
    public Builder values(Class<?>... records) {
      values.addAll(List.of(records));
      return this;
    }

    /**
     * Records, or texts, that recur within a value: written once in full. Not in a framed format.
     */
    public Builder shared(Class<?>... types) {
      if (framed) {
        throw new IllegalStateException("Who passes a component over would miss what is shared.");
      }
      shared.addAll(List.of(types));
      return this;
    }

    /** Records that are often the same as the one before. Not in a framed format. */
    public Builder repeated(Class<?>... types) {
      if (framed) {
        throw new IllegalStateException("Who passes a component over would miss the one before.");
      }
      repeated.addAll(List.of(types));
      return this;
    }

    /** A codec that is not derived. */
    public <T> Builder with(Class<? super T> type, Codec<T> codec) {
      codecs.put(type, codec);
      return this;
    }

    /** Codecs that are not derived. */
    public Builder with(Map<Class<?>, Codec<?>> more) {
      codecs.putAll(more);
      return this;
    }

    /** A type that is written as a record of another shape. */
    public <T, L> Builder as(
        Class<T> type, Class<L> layout, Function<T, L> write, Function<L, T> read) {
      layouts.add(made -> made.known.put(type, made.of(layout).as(write, read)));
      return this;
    }

    public Codecs build() {
      return new Codecs(this);
    }
  }
}
