package dev.sequitur.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.ConsensusTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a transaction is known to have been handled. */
class RecordsTest {
  private static final AccountTransactionId ONE = id(1);
  private static final AccountTransactionId TWO = id(2);

  @Test
  void aTransactionIsKnownWithAllItsRecords() {
    var records = records();

    assertThat(records.of(ONE)).containsExactly(record(10, ONE), record(20, ONE));
    assertThat(records.of(TWO)).containsExactly(record(15, TWO));
    assertThat(records.of(id(3))).isEmpty();
    assertThat(records.size()).isEqualTo(3);
    assertThat(records.oldest()).contains(new ConsensusTime(10));
    assertThat(Records.EMPTY.oldest()).isEmpty();
  }

  @Test
  void theOldestAreForgottenAndNoMoreThanAtMost() {
    var all = new ConsensusTime(100);

    assertThat(records().forget(all, 0)).isEqualTo(records());
    var next = records().forget(all, 1);
    assertThat(next.of(ONE)).containsExactly(record(20, ONE));
    assertThat(next.of(TWO)).hasSize(1);
    assertThat(next.forget(all, 1).of(TWO)).isEmpty();
    assertThat(next.forget(all, 1).byId()).containsOnlyKeys(ONE);
    assertThat(next.forget(all, 9)).isEqualTo(Records.EMPTY);
  }

  @Test
  void whatIsOfTheTimeItselfOrLaterStays() {
    assertThat(records().forget(new ConsensusTime(15), 9).oldest()).contains(new ConsensusTime(15));
    assertThat(records().forget(new ConsensusTime(16), 9).oldest()).contains(new ConsensusTime(20));
  }

  @Test
  void noTwoRecordsAreOfOneTime() {
    assertThatIllegalStateException()
        .isThrownBy(() -> records().plus(record(15, ONE)))
        .withMessageContaining("Two records");
  }

  private static Records records() {
    return Records.EMPTY.plus(record(10, ONE)).plus(record(15, TWO)).plus(record(20, ONE));
  }

  private static AccountTransactionId id(long nanos) {
    return AccountTransactionId.submitted(new ConsensusTime(nanos), EntityId.FIRST);
  }

  private static TransactionRecord record(long nanos, AccountTransactionId id) {
    return new TransactionRecord(
        TransactionReceipt.of(ResponseCode.SUCCESS),
        Bytes.EMPTY,
        new Hash(0, 0, 0, 0),
        new ConsensusTime(nanos),
        id,
        "",
        1,
        id.account(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
