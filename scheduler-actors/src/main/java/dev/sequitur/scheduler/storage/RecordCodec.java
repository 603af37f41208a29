package dev.sequitur.scheduler.storage;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.stream.Stream;

/** A record: its components in their order, without names. */
final class RecordCodec<T> implements Codec<T> {
  private final Class<T> type;
  private final MethodHandle constructor;
  private final MethodHandle[] accessors;
  private final Codec<Object>[] codecs;

  /**
   * @param codecs of the components, filled in by the caller: a type may contain itself
   */
  RecordCodec(Class<T> type, Codec<Object>[] codecs) {
    this.type = type;
    this.codecs = codecs;
    var components = type.getRecordComponents();
    var parameters =
        Stream.of(components).map(component -> component.getType()).toArray(Class<?>[]::new);
    try {
      var made = type.getDeclaredConstructor(parameters);
      made.setAccessible(true);
      var lookup = MethodHandles.lookup();
      constructor =
          lookup
              .unreflectConstructor(made)
              .asSpreader(Object[].class, components.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
      accessors = new MethodHandle[components.length];
      for (int i = 0; i < components.length; i++) {
        var accessor = components[i].getAccessor();
        accessor.setAccessible(true);
        accessors[i] =
            lookup.unreflect(accessor).asType(MethodType.methodType(Object.class, Object.class));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The record " + type.getName() + " cannot be reached.", e);
    }
  }

  @Override
  public void write(ByteWriter to, T value) {
    for (int i = 0; i < accessors.length; i++) {
      codecs[i].write(to, get(i, value));
    }
  }

  Class<T> type() {
    return type;
  }

  java.lang.reflect.Type component(int place) {
    return type.getRecordComponents()[place].getGenericType();
  }

  Object get(int component, Object value) {
    try {
      return (Object) accessors[component].invokeExact((Object) value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("The record " + type.getName() + " cannot be read.", e);
    }
  }

  @Override
  public T read(ByteReader from) {
    var components = new Object[accessors.length];
    for (int i = 0; i < components.length; i++) {
      components[i] = codecs[i].read(from);
    }
    return make(components);
  }

  T make(Object[] components) {
    try {
      return type.cast((Object) constructor.invokeExact(components));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("The record " + type.getName() + " cannot be made.", e);
    }
  }
}
