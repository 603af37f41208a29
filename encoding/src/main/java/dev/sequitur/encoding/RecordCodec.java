package dev.sequitur.encoding;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.stream.Stream;

/** A record: its components in their order, without names. */
public final class RecordCodec<T> implements Codec<T> {
  private final Class<T> type;
  private final boolean framed;
  private final Constructor<T> constructor;
  private final Codec<Object>[] codecs;

  /** Written without care for other threads: each of them would make the same. */
  private Handles handles;

  /** How one is made and read, all by objects. */
  private record Handles(MethodHandle constructor, MethodHandle[] accessors) {}

  /**
   * @param framed whether its length stands before it, so that it may grow at its end
   * @param codecs of the components, filled in by the caller: a type may contain itself
   */
  public RecordCodec(Class<T> type, boolean framed, Codec<Object>[] codecs) {
    this.type = type;
    this.framed = framed;
    this.codecs = codecs;
    var parameters =
        Stream.of(type.getRecordComponents())
            .map(component -> component.getType())
            .toArray(Class<?>[]::new);
    try {
      constructor = type.getDeclaredConstructor(parameters);
    } catch (ReflectiveOperationException e) {
      throw unreachable(e);
    }
    constructor.setAccessible(true);
  }

  /** At its first use, since the JVM makes a class for each constructor's list of types. */
  private Handles handles() {
    var made = handles;
    if (made == null) {
      made = make();
      handles = made;
    }
    return made;
  }

  private Handles make() {
    var lookup = MethodHandles.lookup();
    var components = type.getRecordComponents();
    var accessors = new MethodHandle[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        var accessor = components[i].getAccessor();
        accessor.setAccessible(true);
        accessors[i] =
            lookup.unreflect(accessor).asType(MethodType.methodType(Object.class, Object.class));
      }
      return new Handles(
          lookup
              .unreflectConstructor(constructor)
              .asSpreader(Object[].class, components.length)
              .asType(MethodType.methodType(Object.class, Object[].class)),
          accessors);
    } catch (ReflectiveOperationException e) {
      throw unreachable(e);
    }
  }

  private IllegalStateException unreachable(ReflectiveOperationException e) {
    return new IllegalStateException("The record " + type.getName() + " cannot be reached.", e);
  }

  @Override
  public void write(ByteWriter to, T value) {
    int start = framed ? to.open() : 0;
    for (int i = 0; i < codecs.length; i++) {
      codecs[i].write(to, get(i, value));
    }
    if (framed) {
      to.close(start);
    }
  }

  public Class<T> type() {
    return type;
  }

  public java.lang.reflect.Type component(int place) {
    return type.getRecordComponents()[place].getGenericType();
  }

  public Object get(int component, Object value) {
    try {
      return (Object) handles().accessors()[component].invokeExact((Object) value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("The record " + type.getName() + " cannot be read.", e);
    }
  }

  @Override
  public T read(ByteReader from) {
    int outer = framed ? from.open() : 0;
    from.deeper();
    var components = new Object[codecs.length];
    for (int i = 0; i < components.length; i++) {
      components[i] = framed && from.isAtEnd() ? absent(i) : codecs[i].read(from);
    }
    from.higher();
    if (framed) {
      from.close(outer);
    }
    return make(components);
  }

  private Object absent(int component) {
    try {
      return codecs[component].absent();
    } catch (MalformedBytesException e) {
      throw new MalformedBytesException(
          type.getSimpleName()
              + " lacks its "
              + type.getRecordComponents()[component].getName()
              + ".");
    }
  }

  /**
   * @throws MalformedBytesException if the record's constructor refuses them
   */
  public T make(Object[] components) {
    try {
      return type.cast((Object) handles().constructor().invokeExact(components));
    } catch (RuntimeException e) {
      throw new MalformedBytesException(
          "A %s breaks its rules: %s."
              .formatted(type.getSimpleName(), e.getClass().getSimpleName()));
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("The record " + type.getName() + " cannot be made.", e);
    }
  }
}
