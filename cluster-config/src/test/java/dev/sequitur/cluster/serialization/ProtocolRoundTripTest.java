package dev.sequitur.cluster.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProtocolRoundTripTest {
  private static final ProtocolCbor CBOR = new ProtocolCbor();
  private static final ProtocolJson JSON = new ProtocolJson();
  private static final int VALUES = 50;

  static Stream<Class<?>> types() {
    return Stream.of(
            Stream.of(
                Envelope.class,
                Block.class,
                SignedLedgerTransaction.class,
                PrivacyGroup.class,
                Receipt.class,
                DelegationId.class,
                NodeStore.Intent.class,
                NodeStore.NumberedReceipt.class,
                NodeStore.Listener.class,
                NodeStore.StoredGroup.class,
                NodeStore.Prepared.class,
                NodeStore.IndexedTo.class),
            Arbitrary.leaves(Message.class),
            Arbitrary.leaves(DelegationRejected.Reason.class),
            Arbitrary.leaves(EndorsementError.Reason.class),
            Arbitrary.leaves(LedgerTransaction.Call.class),
            Arbitrary.leaves(LedgerReceipt.Result.class),
            Arbitrary.leaves(SubmitOutcome.class),
            Arbitrary.leaves(NodeStore.Acceptance.class))
        .flatMap(all -> all);
  }

  @ParameterizedTest
  @MethodSource("types")
  void whatIsEncodedIsDecodedToAnEqualValue(Class<?> type) {
    for (long seed = 0; seed < VALUES; seed++) {
      var value = new Arbitrary(seed).next(type);

      assertThat(CBOR.decode(CBOR.encode(value), type)).as("CBOR, seed " + seed).isEqualTo(value);
      assertThat(JSON.decode(JSON.encode(value), type)).as("JSON, seed " + seed).isEqualTo(value);
    }
  }

  @Test
  void anAlternativeIsFoundThroughItsInterface() {
    for (var message : new Arbitrary(1).oneOfEach(Message.class)) {
      assertThat(CBOR.decode(CBOR.encode(message), Message.class)).isEqualTo(message);
    }
  }
}
