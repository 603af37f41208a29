package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Utf8;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.PublicKey;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** What texts a queue stores, and what it reads of them after a restart. */
class StoredTextTest {
  private static final QueueFormat FORMAT = new QueueFormat();

  /** Accounts, names of holds, reasons, keys of commands, names of operations. */
  @Property
  void everyTextIsReadAsItWasStoredOrNeverStored(
      @ForAll @StringLength(min = 1, max = 40) String text) {
    if (Utf8.isWhole(text)) {
      var record = record(text);
      assertThat(FORMAT.decode(FORMAT.encode(record, QueueRecord.class), QueueRecord.class))
          .isEqualTo(record);
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> FORMAT.encode(record(text), QueueRecord.class));
    }
  }

  @Property
  void everyMemoIsReadAsItWasStoredOrNeverStored(@ForAll String memo) {
    Action action = new Action.CryptoCreate(key(), Amount.ZERO, false, memo);
    if (Utf8.isWhole(memo)) {
      assertThat(FORMAT.decode(FORMAT.encode(action, Action.class), Action.class))
          .isEqualTo(action);
    } else {
      assertThatIllegalArgumentException().isThrownBy(() -> FORMAT.encode(action, Action.class));
    }
  }

  @Test
  void aStoredTextThatIsDamagedIsNotGuessed() {
    var encoded = FORMAT.encode(record("~~~"), QueueRecord.class);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] == '~') {
        encoded[i] = (byte) 0xff;
      }
    }
    assertThatThrownBy(() -> FORMAT.decode(encoded, QueueRecord.class))
        .isInstanceOf(MalformedBytesException.class);
  }

  private static QueueRecord record(String text) {
    var account = new AccountId(text.replace("#", "").isEmpty() ? "a" : text.replace("#", ""));
    List<StoredEvent> events =
        List.of(
            new StoredEvent.Happened(
                new QueueEvent.Posted(
                    AccountId.OUTSIDE, account, new Amount(1), QueueEvent.Posted.Why.FUNDED)),
            new StoredEvent.Happened(
                new QueueEvent.SetAside(
                    new HoldId.Named(FamilyKind.PLAN_EXECUTION, text), account, new Amount(9))),
            new StoredEvent.Happened(
                new QueueEvent.Concluded(Samples.FIRST, new Conclusion.Failed(100, text, true))),
            new StoredEvent.Happened(new QueueEvent.Throttled(text)));
    var answer = new Answer(text, Optional.empty(), Optional.empty(), Optional.empty());
    return new QueueRecord(42, events, List.of(new QueueRecord.Answered(text, 7, answer)), 0);
  }

  private static AccountKey key() {
    return new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(new byte[32]));
  }
}
