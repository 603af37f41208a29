package dev.sequitur.persistence.journal;

import akka.actor.ExtendedActorSystem;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import java.nio.ByteBuffer;

/**
 * An object as Akka's serialization made it: which serializer, the serializer's own word for the
 * type, and the bytes.
 *
 * <p>In a stored value: serializer id, four bytes; manifest, a {@link Text}; length, four bytes;
 * bytes. All big-endian.
 */
record SerializedValue(int serializerId, String manifest, ByteBuffer bytes) {

  /**
   * Serializes on the caller's thread; actor references in it keep the address of their system.
   *
   * @throws RuntimeException or a NotSerializableException, as the serializer does
   */
  static SerializedValue of(Object value, ExtendedActorSystem system) {
    Serialization serialization = SerializationExtension.get(system);
    Serializer serializer = serialization.findSerializerFor(value);
    byte[] bytes = serialization.serialize(value).get();
    return new SerializedValue(
        serializer.identifier(),
        Serializers.manifestFor(serializer, value),
        ByteBuffer.wrap(bytes));
  }

  /** The object; throws what the serializer throws. */
  Object toObject(ExtendedActorSystem system) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return SerializationExtension.get(system).deserialize(copy, serializerId, manifest).get();
  }

  static SerializedValue read(ByteBuffer from) {
    int serializerId = from.getInt();
    String manifest = Text.read(from);
    int length = from.getInt();
    ByteBuffer bytes = from.slice(from.position(), length);
    from.position(from.position() + length);
    return new SerializedValue(serializerId, manifest, bytes);
  }

  int size() {
    return Integer.BYTES + Text.of(manifest).size() + Integer.BYTES + bytes.remaining();
  }

  void write(ByteBuffer to) {
    to.putInt(serializerId);
    Text.of(manifest).write(to);
    to.putInt(bytes.remaining()).put(bytes.duplicate());
  }
}
