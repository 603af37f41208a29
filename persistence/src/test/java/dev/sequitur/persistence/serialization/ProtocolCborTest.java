package dev.sequitur.persistence.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ProtocolCborTest {
  private static final CBORMapper TREES = new CBORMapper();
  private final ProtocolCbor cbor = new ProtocolCbor();
  private final Arbitrary full = Arbitrary.full(1);

  @Test
  void anUnknownFieldIsIgnoredAtEveryDepth() throws IOException {
    var command = full.next(DelegationCommand.class);
    var bytes =
        changed(
            command,
            tree -> {
              tree.put("laterField", "x");
              ((ObjectNode) tree.get("privateTransactions").get(0)).putArray("laterField").add(1);
            });

    assertThat(cbor.decode(bytes, Message.class)).isEqualTo(command);
  }

  @Test
  void anOptionalFieldThatIsMissingIsEmpty() throws IOException {
    var reverted = full.next(TransactionReverted.class);

    var bytes = changed(reverted, tree -> tree.remove("transactionHash"));

    assertThat(cbor.decode(bytes, TransactionReverted.class).transactionHash()).isEmpty();
  }

  @Test
  void aListThatIsMissingIsEmpty() throws IOException {
    var request = full.next(EndorsementRequest.class);

    var bytes = changed(request, tree -> tree.remove(List.of("readStates", "infoStates")));

    assertThat(cbor.decode(bytes, EndorsementRequest.class).readStates()).isEmpty();
  }

  @Test
  void aRequiredFieldThatIsMissingIsAnError() throws IOException {
    var bytes = changed(full.next(DelegationCommand.class), tree -> tree.remove("contract"));

    assertThatThrownBy(() -> cbor.decode(bytes, Message.class))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("missing")
        .hasMessageContaining("contract");
  }

  @Test
  void aNumberThatIsMissingIsAnErrorAndNotZero() throws IOException {
    var bytes =
        changed(
            full.next(DelegationCommand.class),
            tree -> ((ObjectNode) tree.get("delegationId")).remove("epoch"));

    assertThatThrownBy(() -> cbor.decode(bytes, Message.class))
        .isInstanceOf(DecodingException.class);
  }

  @Test
  void aMessageOfAnUnknownNameIsRefusedAsSuch() throws IOException {
    var bytes = changed(full.next(DelegationCommand.class), tree -> tree.put("type", "Gossip"));

    assertThatThrownBy(() -> cbor.decode(bytes, Message.class))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("unknown name");
  }

  @Test
  void aTypeNameCannotReachAnotherClass() throws IOException {
    var bytes =
        changed(
            full.next(DelegationCommand.class),
            tree -> tree.put("type", "java.lang.ProcessBuilder"));

    assertThatThrownBy(() -> cbor.decode(bytes, Message.class))
        .isInstanceOf(DecodingException.class);
  }

  @Test
  void anErrorNeverQuotesWhatWasRead() throws IOException {
    var secret = "secret salary 4711 \u0001";
    var bytes =
        changed(
            full.next(DelegationCommand.class),
            tree ->
                ((ObjectNode) tree.get("privateTransactions").get(0))
                    .put("inputs", secret)
                    .put("from", secret));

    assertThatThrownBy(() -> cbor.decode(bytes, Message.class))
        .isInstanceOf(DecodingException.class)
        .hasNoCause()
        .hasMessageContaining("privateTransactions")
        .satisfies(e -> assertThat(e.toString()).doesNotContain("secret", "4711"));
  }

  @Test
  void whateverBytesComeTheAnswerIsAValueOrADecodingException() {
    var random = new Random(3);
    var valid = cbor.encode(full.next(Envelope.class));
    for (int i = 0; i < 20_000; i++) {
      var bytes = valid.clone();
      for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      tryToDecode(Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
      tryToDecode(bytes);
    }
  }

  private void tryToDecode(byte[] bytes) {
    try {
      cbor.decode(bytes, Envelope.class);
    } catch (DecodingException expected) {
      assertThat(expected).hasNoCause();
    }
  }

  @Test
  void nestingWithoutEndIsRefused() {
    var bytes = new byte[100_000];
    Arrays.fill(bytes, (byte) 0x9f);

    assertThatThrownBy(() -> cbor.decode(bytes, Envelope.class))
        .isInstanceOf(DecodingException.class);
  }

  @Test
  void moreBytesAfterAValueAreRefused() {
    var bytes = cbor.encode(full.next(Envelope.class));

    assertThatThrownBy(() -> cbor.decode(Arrays.copyOf(bytes, bytes.length + 1), Envelope.class))
        .isInstanceOf(DecodingException.class);
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
      assertThat(cbor.decode(cbor.encode(time), Instant.class)).isEqualTo(time);
    }
    for (var duration :
        List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MAX_VALUE, 1))) {
      assertThat(cbor.decode(cbor.encode(duration), Duration.class)).isEqualTo(duration);
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
      assertThat(names).allMatch(n -> cbor.decode(cbor.encode(n), NodeName.class).equals(n));
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

    int perTransaction = cbor.encode(fifty).length / 50;

    assertThat(perTransaction - transaction.inputs().size()).isLessThan(350);
  }

  @Test
  void bytesAreWrittenAsBytesAndReadableAsHexadecimalDigits() {
    var bytes = Bytes.hex("0x0102ff");

    assertThat(cbor.encode(bytes)).containsExactly(0x43, 0x01, 0x02, 0xff);
    assertThat(new ProtocolJson().encode(bytes)).isEqualTo("\"0x0102ff\"");
  }

  private byte[] changed(Object value, Consumer<ObjectNode> change) throws IOException {
    var tree = (ObjectNode) TREES.readTree(cbor.encode(value));
    change.accept(tree);
    return TREES.writeValueAsBytes(tree);
  }
}
