package dev.sequitur.protocol;

import dev.sequitur.protocol.coordinator.CoordinatorTables;
import dev.sequitur.protocol.founding.ChangingTable;
import dev.sequitur.protocol.founding.FoundingTable;
import dev.sequitur.protocol.founding.WithdrawalTable;
import dev.sequitur.protocol.funding.FundingTable;
import dev.sequitur.protocol.listener.TellingTable;
import dev.sequitur.protocol.listener.WebhookTable;
import dev.sequitur.protocol.messaging.DeliveryTable;
import dev.sequitur.protocol.sender.HandoverTable;
import dev.sequitur.protocol.sender.SenderTable;
import dev.sequitur.protocol.submitter.SubmitterTable;
import dev.sequitur.protocol.table.TransitionTable;
import java.util.List;

/** Every state machine of the sequencer that is a table. */
public final class ProtocolTables {
  private ProtocolTables() {}

  public static List<TransitionTable<?, ?, ?>> all() {
    return List.of(
        SenderTable.TRANSACTION,
        CoordinatorTables.TRANSACTION,
        CoordinatorTables.CONTRACT,
        SubmitterTable.DISPATCH,
        SubmitterTable.LEDGER_TRANSACTION,
        SubmitterTable.PUBLIC,
        DeliveryTable.DELIVERY,
        FoundingTable.FOUNDING,
        WithdrawalTable.WITHDRAWAL,
        ChangingTable.CHANGING,
        TellingTable.TELLING,
        WebhookTable.DELIVERY,
        FundingTable.TRANSFER,
        HandoverTable.HANDOVER);
  }
}
