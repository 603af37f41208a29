package dev.sequitur.protocol.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.sender.SenderInput;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What each machine of a contract is told of one block. */
class BlockNoticeTest {
  private static final BlockHeight HEIGHT = new BlockHeight(7);
  private static final Instant INDEXED = Instant.EPOCH;
  private static final StateId SPENT = Contract.state("spent", Contract.A).id();
  private static final StateId MADE = Contract.state("made", Contract.A).id();
  private static final LedgerReceipt.Fulfilled FULFILLED =
      new LedgerReceipt.Fulfilled(
          Contract.ADDRESS,
          Contract.transaction(Contract.A, 1).key(),
          List.of(SPENT),
          List.of(),
          List.of(MADE));
  private static final LedgerReceipt RECEIPT =
      new LedgerReceipt(
          new TransactionHash(Contract.hash("transaction")),
          new LedgerAddress("0x" + "22".repeat(20)),
          0,
          HEIGHT,
          0,
          List.of(FULFILLED));

  @Test
  void eachIsToldWhatItGoesBy() {
    var block =
        new Block(
            HEIGHT, Contract.hash("block"), Contract.hash("before"), INDEXED, List.of(RECEIPT));
    var notice = BlockNotice.of(block, INDEXED, Contract.ADDRESS::equals).get(Contract.ADDRESS);

    assertThat(notice.forSender())
        .isEqualTo(
            new SenderInput.BlockIndexed(
                HEIGHT, INDEXED, Map.of(FULFILLED.intent(), RECEIPT.onLedger(FULFILLED))));
    assertThat(notice.forCoordinator())
        .isEqualTo(
            new CoordinatorInput.BlockIndexed(
                HEIGHT, List.of(FULFILLED.intent()), true, List.of(SPENT), List.of(MADE)));
    assertThat(notice.forEndorser()).isEqualTo(new Endorser.Input.BlockIndexed(HEIGHT));
    assertThat(notice.forStateStore())
        .isEqualTo(new StateStore.Input.BlockIndexed(HEIGHT, List.of(SPENT), List.of(MADE)));
    assertThat(notice.hasStates()).isTrue();
    assertThat(new BlockDelivery.ToStateStore(Contract.ADDRESS, notice, HEIGHT).height())
        .isEqualTo(HEIGHT);
  }

  @Test
  void ofABlockThatHasNothingOfAContractItIsToldTheHeight() {
    var notice = BlockNotice.heightOnly(HEIGHT, INDEXED);

    assertThat(notice.forSender())
        .isEqualTo(new SenderInput.BlockIndexed(HEIGHT, INDEXED, Map.of()));
    assertThat(notice.forCoordinator())
        .isEqualTo(
            new CoordinatorInput.BlockIndexed(HEIGHT, List.of(), false, List.of(), List.of()));
    assertThat(notice.hasStates()).isFalse();
  }
}
