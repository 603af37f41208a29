package dev.sequitur.persistence.serialization;

import akka.actor.ExtendedActorSystem;
import akka.serialization.SerializerWithStringManifest;
import dev.sequitur.encoding.MalformedBytesException;
import java.io.NotSerializableException;

/**
 * Akka's way to {@link ProtocolFormat}, for what is {@link ProtocolSerializable} and for the
 * protocol's messages. The manifest is the name and version of the {@link Schema}. An {@code
 * ActorRef} may occur in what is sent, not in what is stored.
 */
public final class ProtocolSerializer extends SerializerWithStringManifest {
  /** For life: it stands beside everything stored. */
  public static final int IDENTIFIER = 740_317;

  private final SchemaRegistry registry = SchemaRegistry.load();
  private final ProtocolFormat format;

  /** For Akka, which makes one for each actor system. */
  public ProtocolSerializer(ExtendedActorSystem system) {
    this.format = new ProtocolFormat(registry, ActorRefCodec.of(system));
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object value) {
    return registry.schemaOf(value.getClass()).manifest();
  }

  @Override
  public byte[] toBinary(Object value) {
    return format.encode(value);
  }

  /**
   * @throws NotSerializableException if the manifest is unknown or newer; Akka's remoting then
   *     drops the message and keeps the connection
   */
  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try {
      var written = registry.written(manifest);
      return format.decode(bytes, written.schema(), written.version());
    } catch (MalformedBytesException e) {
      var unreadable = new NotSerializableException(e.getMessage());
      unreadable.initCause(e);
      throw unreadable;
    }
  }
}
