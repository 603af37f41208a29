package dev.sequitur.persistence.serialization;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.GroupStore;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.stream.Stream;

/** What the tests of this package go through: all that is sent or stored by itself. */
final class ProtocolTypes {
  private static final List<Class<?>> RECORDS =
      List.of(
          Envelope.class,
          Block.class,
          SignedLedgerTransaction.class,
          PrivacyGroup.class,
          Receipt.class,
          NodeStore.Intent.class,
          NodeStore.NumberedReceipt.class,
          NodeStore.NumberedMessage.class,
          ListenerStore.Listener.class,
          NodeStore.StoredAbi.class,
          NodeStore.StoredGroup.class,
          GroupStore.KnownGroup.class,
          NodeStore.Prepared.class,
          NodeStore.IndexedTo.class,
          ReadSoFar.class);

  private ProtocolTypes() {}

  /** Records, and those that the protocol's sealed interfaces permit. */
  static Stream<Class<?>> all() {
    return Stream.concat(
        RECORDS.stream(),
        new ProtocolSchemas()
            .alternatives().stream()
                .flatMap(alternatives -> alternatives.numbers().keySet().stream()));
  }
}
