package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializers;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.serialization.ProtocolSerializer;
import dev.sequitur.persistence.serialization.Schema;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that one entity tells another may have to travel to another JVM. */
class SequencerCommandsTest {
  private static final int VALUES = 20;

  /** Never leave a JVM: what an entity or a shard tells itself, and what tests ask for. */
  private static final Set<String> LOCAL =
      Set.of("Stop", "GetState", "HeightReached", "BlockSeen", "UnconfirmedDispatches");

  /** Blocks reach them by the feed of their own JVM. */
  private static final Set<Class<?>> LOCAL_BLOCKS =
      Set.of(CoordinatorActor.BlockIndexed.class, EndorserActor.BlockIndexed.class);

  @TempDir private static Path directory;
  private static ActorFixture actors;
  private static ActorTestKit testKit;

  @BeforeAll
  static void startSystem() {
    actors = new ActorFixture(directory);
    testKit = actors.testKit();
  }

  @AfterAll
  static void stopSystem() {
    actors.close();
  }

  static Stream<Class<?>> types() {
    return new SequencerCommands().schemas().stream().map(Schema::type);
  }

  @ParameterizedTest
  @MethodSource("types")
  void whatIsSentArrivesEqual(Class<?> type) throws Exception {
    var serialization = SerializationExtension.get(Adapter.toClassic(testKit.system()));
    ActorRef<Object> someone = testKit.createTestProbe().ref();
    for (long seed = 0; seed < VALUES; seed++) {
      var arbitrary = new Arbitrary(seed).with(ActorRef.class, someone);
      var value = (Object) arbitrary.next(type);

      var serializer = serialization.findSerializerFor(value);
      assertThat(serializer).isInstanceOf(ProtocolSerializer.class);
      var bytes = serializer.toBinary(value);
      var manifest = Serializers.manifestFor(serializer, value);
      var back = serialization.deserialize(bytes, serializer.identifier(), manifest).get();

      assertThat(back).as("seed " + seed).isEqualTo(value);
    }
  }

  @Test
  void everyCommandOfAnEntityHasANameOrStaysInItsJvm() {
    // What is not public an actor tells itself.
    var named = new HashSet<>(types().toList());
    for (var commands :
        List.of(
            SenderActor.Command.class,
            CoordinatorActor.Command.class,
            EndorserActor.Command.class,
            SubmitterActor.Command.class,
            StateStoreActor.Command.class,
            MessageBookActor.Command.class)) {
      var without =
          Arbitrary.leaves(commands)
              .filter(type -> Modifier.isPublic(type.getModifiers()))
              .filter(type -> !LOCAL.contains(type.getSimpleName()))
              .filter(type -> !LOCAL_BLOCKS.contains(type))
              .filter(type -> !named.contains(type));

      assertThat(without).isEmpty();
    }
  }
}
