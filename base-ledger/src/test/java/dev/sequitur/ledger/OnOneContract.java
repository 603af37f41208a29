package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.SALLY;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A contract of alice, bob and carol, whose transactions sally submits, each in its own block. */
abstract class OnOneContract {
  TestNetwork network = new TestNetwork();
  ContractAddress contract;

  /** Sally's next. */
  long nonce;

  @BeforeEach
  void deploy() {
    contract = network.deployed();
  }

  @AfterEach
  void close() {
    network.close();
  }

  final Result run(Call call) {
    return network.mined(SALLY.signed(nonce++, call));
  }

  final Result run(Intent intent, Party... endorsers) {
    return run(intent.endorsedBy(endorsers));
  }

  static RevertReason reason(Result result) {
    return ((Reverted) result).reason();
  }
}
