package dev.sequitur.persistence.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializers;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.encoding.Alternatives;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import java.io.NotSerializableException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ProtocolSerializerTest {
  private static final ActorTestKit KIT = ActorTestKit.create("serializer", ConfigFactory.load());
  private final Serialization serialization =
      SerializationExtension.get(Adapter.toClassic(KIT.system()));

  /** A command of some actor, as a module would contribute it. */
  record Ask(String question, ActorRef<Message> replyTo) implements ProtocolSerializable {}

  record Unregistered() implements ProtocolSerializable {}

  /** Named in the services of the tests. */
  public static final class Contribution implements SchemaContribution {
    @Override
    public List<Schema<?>> schemas() {
      return List.of(Schema.of("test-ask", 2, Ask.class));
    }

    @Override
    public List<Alternatives<?>> alternatives() {
      return List.of();
    }
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void messagesAndEnvelopesAreBoundToIt() throws NotSerializableException {
    for (Object value :
        List.of(new Arbitrary(1).next(Envelope.class), new Arbitrary(2).next(Message.class))) {
      assertThat(roundTrip(value)).isEqualTo(value);
    }
    assertThat(manifest(new Arbitrary(1).next(Message.class))).isEqualTo("Message:1");
  }

  @Test
  void aCommandOfAModuleKeepsItsActorRef() throws NotSerializableException {
    var ask = new Ask("why", KIT.<Message>createTestProbe().getRef());

    assertThat(manifest(ask)).isEqualTo("test-ask:2");
    assertThat(roundTrip(ask)).isEqualTo(ask);
  }

  @Test
  void whatHasNoSchemaIsRefused() {
    assertThatThrownBy(() -> roundTrip(new Unregistered())).hasMessageContaining("no schema");
  }

  @Test
  void aManifestOfANewerVersionIsRefusedSoThatRemotingDropsTheMessageOnly() {
    assertThatThrownBy(() -> serializer().fromBinary(new byte[0], "test-ask:3"))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("newer");
  }

  private ProtocolSerializer serializer() {
    return (ProtocolSerializer)
        serialization.serializerByIdentity().get(ProtocolSerializer.IDENTIFIER).get();
  }

  private String manifest(Object value) {
    return Serializers.manifestFor(serialization.findSerializerFor(value), value);
  }

  private Object roundTrip(Object value) throws NotSerializableException {
    var serializer = serialization.findSerializerFor(value);
    assertThat(serializer).isInstanceOf(ProtocolSerializer.class);
    return ((ProtocolSerializer) serializer)
        .fromBinary(serializer.toBinary(value), manifest(value));
  }
}
