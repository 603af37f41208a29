package dev.sequitur.persistence.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtocolFormatTest {
  private final ProtocolFormat format = new ProtocolFormat();
  private final Arbitrary full = Arbitrary.full(1);

  /** As it was once. */
  record Small(NodeName node, List<Part> parts) {}

  record Part(long number) {}

  /** What it has become. */
  record Grown(NodeName node, List<GrownPart> parts, Optional<String> note, List<Long> more) {}

  record GrownPart(long number, Optional<NodeName> of) {}

  /** What it must not become. */
  record Strict(NodeName node, List<Part> parts, long required) {}

  private static final NodeName NODE = new NodeName("node1");

  @Test
  void aComponentThatIsUnknownIsPassedOverAtEveryDepth() {
    var grown =
        new Grown(
            NODE,
            List.of(new GrownPart(1, Optional.of(NODE)), new GrownPart(2, Optional.empty())),
            Optional.of("x".repeat(500)),
            List.of(7L, 8L));

    assertThat(format.decode(format.encode(grown), Small.class))
        .isEqualTo(new Small(NODE, List.of(new Part(1), new Part(2))));
  }

  @Test
  void anOptionalComponentOrAListThatIsMissingIsEmpty() {
    var small = new Small(NODE, List.of(new Part(1)));

    assertThat(format.decode(format.encode(small), Grown.class))
        .isEqualTo(
            new Grown(
                NODE, List.of(new GrownPart(1, Optional.empty())), Optional.empty(), List.of()));
  }

  @Test
  void aRequiredComponentThatIsMissingIsAnErrorAndNotZero() {
    var bytes = format.encode(new Small(NODE, List.of()));

    assertThatThrownBy(() -> format.decode(bytes, Strict.class))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessage("Strict lacks its required.");
  }

  @Test
  void aMessageOfAnUnknownNumberIsRefusedAsSuch() {
    var bytes = format.encode(full.next(DelegationCommand.class));
    bytes[0] = 120;

    assertThatThrownBy(() -> format.decode(bytes, Message.class))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessage("A newer Sequitur wrote this: Message 120 is unknown here.");
  }

  @Test
  void aMessageOfAnotherKindThanIsAskedForIsRefused() {
    var bytes = format.encode(full.next(DelegationCommand.class));

    assertThatThrownBy(() -> format.decode(bytes, AssembleRequest.class))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessage("This is no AssembleRequest.");
  }

  @Test
  void anErrorNeverQuotesWhatWasRead() {
    var bytes = format.encode(new Small(NODE, List.of()));
    var secret = "!alary".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(secret, 0, bytes, 2, 5);

    assertThatThrownBy(() -> format.decode(bytes, Small.class))
        .isInstanceOf(MalformedBytesException.class)
        .hasNoCause()
        .satisfies(e -> assertThat(e.toString()).doesNotContain("alar"));
  }

  @Test
  void whateverBytesComeTheAnswerIsAValueOrOneException() {
    var random = new Random(3);
    for (var type : ProtocolTypes.all().toList()) {
      var valid = format.encode(Arbitrary.full(random.nextInt()).next(type));
      for (int i = 0; i < 500; i++) {
        var bytes = valid.clone();
        for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        tryToDecode(Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)), type);
        tryToDecode(bytes, type);
      }
    }
  }

  private void tryToDecode(byte[] bytes, Class<?> type) {
    try {
      assertThat((Object) format.decode(bytes, type)).isNotNull();
    } catch (MalformedBytesException expected) {
      assertThat(expected).hasNoCause();
    }
  }

  @Test
  void everyCutIsRefused() {
    var valid = format.encode(full.next(Envelope.class));
    for (int length = 0; length < valid.length; length++) {
      var cut = Arrays.copyOf(valid, length);

      assertThatThrownBy(() -> format.decode(cut, Envelope.class))
          .isInstanceOf(MalformedBytesException.class);
    }
  }

  /** A list of many empty records is what costs most memory for its bytes. */
  @Test
  void bytesNeverMakeMuchMoreThanTheyAreLong() {
    record Empty(Optional<NodeName> node, List<Part> parts) {}
    record Many(List<Empty> all) {}
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    int count = 20_000;
    int frame = count + 3;
    var hostile = new ByteWriter().unsigned(frame).unsigned(count).bytes(new byte[count]).finish();
    long used = 0;
    // The first rounds make what the JDK makes of method handles.
    for (int round = 0; round < 3; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      assertThat(format.decode(hostile, Many.class).all()).hasSize(count);
      used = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(used).isLessThan(200L * hostile.length);
  }

  @Test
  void moreBytesAfterAValueAreRefused() {
    var bytes = format.encode(full.next(Envelope.class));

    assertThatThrownBy(() -> format.decode(Arrays.copyOf(bytes, bytes.length + 1), Envelope.class))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessage("There are 1 bytes too many.");
  }

  @Test
  void timesKeepTheirNanosecondsHoweverFarAwayTheyAre() {
    for (var time :
        List.of(
            Instant.MIN,
            Instant.MAX,
            Instant.EPOCH,
            Instant.EPOCH.minusNanos(1),
            Instant.parse("2026-11-21T10:00:00.123456789Z"))) {
      assertThat(format.decode(format.encode(time), Instant.class)).isEqualTo(time);
    }
    for (var duration :
        List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MAX_VALUE, 1))) {
      assertThat(format.decode(format.encode(duration), Duration.class)).isEqualTo(duration);
    }
  }

  @Test
  void moreNamesThanAreRememberedAreStillReadRight() {
    var names = new ArrayList<NodeName>();
    for (int i = 0; i < 5_000; i++) {
      names.add(new NodeName("node-" + i));
    }
    Collections.shuffle(names, new Random(1));
    for (int round = 0; round < 2; round++) {
      assertThat(names).allMatch(n -> format.decode(format.encode(n), NodeName.class).equals(n));
    }
  }

  @Test
  void aDelegationOfFiftyTransactionsIsCompact() {
    var transaction = full.next(PrivateTransaction.class);
    var command = full.next(DelegationCommand.class);
    var fifty =
        new DelegationCommand(
            command.delegationId(),
            command.delegateNode(),
            command.contract(),
            Collections.nCopies(50, transaction),
            command.blockHeight());

    int perTransaction = format.encode(fifty).length / 50;

    assertThat(perTransaction - transaction.inputs().size()).isLessThan(200);
  }

  @Test
  void bytesAreWrittenAfterTheirLength() {
    assertThat(format.encode(Bytes.hex("0x0102ff"))).containsExactly(3, 1, 2, 0xff);
  }
}
