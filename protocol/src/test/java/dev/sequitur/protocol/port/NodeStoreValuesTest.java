package dev.sequitur.protocol.port;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Transaction;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a node stores of intents, listeners and groups. */
class NodeStoreValuesTest {
  private static final TransactionId ID = new TransactionId(new UUID(0, 7));
  private static final PublicTransaction PUBLIC =
      new PublicTransaction(
          ID,
          Contract.party(A),
          Optional.empty(),
          Bytes.EMPTY,
          BigInteger.ZERO,
          21_000,
          PublicTransaction.Source.NONE);

  @Test
  void anIntentIsPrivateOrPublicAndNeverBoth() {
    var transaction = Contract.transaction(A, 1);

    assertThat(intent(transaction).privately()).contains(transaction);
    assertThat(intent(transaction).publicly()).isEmpty();
    assertThat(intent(PUBLIC).publicly()).contains(PUBLIC);
    assertThat(intent(PUBLIC).privately()).isEmpty();
  }

  @Test
  void whatTheStoreNumbersIsTheSameOtherwise() {
    var numbered = intent(PUBLIC).at(5);

    assertThat(numbered.order()).isEqualTo(5);
    assertThat(numbered.at(0)).isEqualTo(intent(PUBLIC));
  }

  @Test
  void aListenerThatTakesMoreOrIsStoppedIsTheSameOtherwise() {
    var listener =
        new Listener("name", Bytes.utf8("{}"), Instant.EPOCH, 3, Optional.of(Instant.MAX));

    assertThat(listener.acknowledged(4).acknowledged()).isEqualTo(4);
    assertThat(listener.acknowledged(4).acknowledged(3)).isEqualTo(listener);
    assertThat(listener.stopped(Optional.empty()).stopped()).isEmpty();
    assertThat(listener.stopped(Optional.empty()).stopped(listener.stopped())).isEqualTo(listener);
  }

  @Test
  void aGroupIsAwaitedIfAnotherNodeMakesItAndItIsNotConfirmed() {
    assertThat(group(false, false).isAwaited()).isTrue();
    assertThat(group(true, false).isAwaited()).as("this node makes it").isFalse();
    assertThat(group(false, true).isAwaited()).as("it is confirmed").isFalse();
    assertThat(group(true, true).isAwaited()).isFalse();
  }

  private static StoredGroup group(boolean makes, boolean confirmed) {
    return new StoredGroup(
        GROUP.id(),
        Instant.EPOCH,
        makes ? Optional.of(ID) : Optional.empty(),
        Bytes.EMPTY,
        confirmed ? Optional.of(GROUP) : Optional.empty());
  }

  private static Intent intent(Transaction transaction) {
    return new Intent(0, Instant.EPOCH, Optional.empty(), Contract.hash("body"), transaction);
  }
}
