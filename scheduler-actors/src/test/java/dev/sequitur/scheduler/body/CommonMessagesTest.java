package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of the numbers that all transactions have, and of how protobuf writes one. */
class CommonMessagesTest {
  private static final long END = ConsensusTime.END.getEpochSecond();

  private static MessageFields fields(Bytes bytes) throws UnreadableMessageException {
    return MessageFields.of("Message", bytes);
  }

  /** Fields 1, 2 and so on, each a number. */
  private static MessageFields numbers(long... values)
      throws IOException, UnreadableMessageException {
    var bytes = new ByteArrayOutputStream();
    var output = CodedOutputStream.newInstance(bytes);
    for (int i = 0; i < values.length; i++) {
      output.writeInt64(i + 1, values[i]);
    }
    output.flush();
    return fields(Bytes.of(bytes.toByteArray()));
  }

  @Test
  void aTimeIsOfThisEpochAndOfNoYearThatIsTooFarAway() throws Exception {
    assertThat(CommonMessages.readTime(numbers(0, 0))).isEqualTo(new ConsensusTime(0));
    assertThat(CommonMessages.readTime(numbers(1, 999_999_999)))
        .isEqualTo(new ConsensusTime(1_999_999_999));
    assertThat(CommonMessages.readTime(numbers(END - 1, 0)).seconds()).isEqualTo(END - 1);
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "0, -1", "0, 1000000000"})
  void whatIsNoTimeIsRefused(long seconds, long nanos) throws Exception {
    var fields = numbers(seconds, nanos);

    assertThatThrownBy(() -> CommonMessages.readTime(fields))
        .isInstanceOf(UnreadableMessageException.class)
        .hasMessageContaining("is no time after 1970");
  }

  @Test
  void aTimeThatIsTooFarAwayIsRefused() throws Exception {
    var fields = numbers(END, 0);

    assertThatThrownBy(() -> CommonMessages.readTime(fields))
        .isInstanceOf(UnreadableMessageException.class);
  }

  @Test
  void anAccountHasANumberOfThisShardAndRealm() throws Exception {
    assertThat(CommonMessages.readEntity(numbers(0, 0, 1))).isEqualTo(new EntityId(1));
    for (var wrong : new long[][] {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {0, 0, -1}, {0, 0, 1, 7}}) {
      var fields = numbers(wrong);
      assertThatThrownBy(() -> CommonMessages.readEntity(fields))
          .as("%s", wrong)
          .isInstanceOf(UnreadableMessageException.class);
    }
  }

  /** Zero is a queue's, too: that nobody is named. */
  @Test
  void aQueueIsNamedByARealmAndANumber() throws Exception {
    assertThat(CommonMessages.readNodeAccount(numbers(0, 0, 0))).isEqualTo(new NodeAccount(0, 0));
    assertThat(CommonMessages.readNodeAccount(numbers(0, 5, 3))).isEqualTo(new NodeAccount(5, 3));
    for (var wrong : new long[][] {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0, 7}}) {
      var fields = numbers(wrong);
      assertThatThrownBy(() -> CommonMessages.readNodeAccount(fields))
          .as("%s", wrong)
          .isInstanceOf(UnreadableMessageException.class);
    }
  }

  @Test
  void anUnsignedNumberHas32Bits() throws Exception {
    assertThat(numbers(4_294_967_295L).takeUnsigned32(1)).isEqualTo(4_294_967_295L);
    assertThat(numbers(0).takeUnsigned32(1)).isZero();
    for (long wrong : new long[] {4_294_967_296L, -1}) {
      var fields = numbers(wrong);
      assertThatThrownBy(() -> fields.takeUnsigned32(1))
          .isInstanceOf(UnreadableMessageException.class);
    }
  }

  /** In the one way in which it can be written short. */
  @ParameterizedTest
  @CsvSource({"0800, 0", "0801, 1", "088001, 128", "08ffffffffffffffffff01, -1"})
  void aNumberIsReadAsItIsWrittenShort(String bytes, long value) throws Exception {
    assertThat(fields(Bytes.hex(bytes)).takeNumber(1)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"088000", "08818000", "08ffffffffffffffffff02", "8800" + "01"})
  void aNumberThatIsLongerThanItNeedBeIsRefused(String bytes) {
    assertThatThrownBy(() -> fields(Bytes.hex(bytes)))
        .isInstanceOf(UnreadableMessageException.class);
  }

  @Test
  void aFieldMayBeEmpty() throws Exception {
    assertThat(fields(Bytes.hex("0a00")).takeBytes(1)).contains(Bytes.EMPTY);
  }

  /** It says nothing here, but what is not understood is not signed for. */
  @Test
  void aDurationThatIsIgnoredHasNothingBesideItsSeconds() throws Exception {
    var known = fields(Bytes.hex("0a020805"));
    known.ignoreDuration(1);
    known.requireNothingLeft();

    var unknown = fields(Bytes.hex("0a0408051005"));
    assertThatThrownBy(() -> unknown.ignoreDuration(1))
        .isInstanceOf(UnreadableMessageException.class);
  }

  /** Else a key within thresholds could be as deep as a transaction has bytes. */
  @Test
  void aThresholdCountsAsALevelToo() throws Exception {
    AccountKey key = Signers.ed25519().key();
    for (int depth = 1; depth < AccountKey.DEEPEST; depth++) {
      key = new AccountKey.ThresholdKey(1, List.of(key));
    }
    var deepest = CommonMessages.write(key).finish();
    // By hand: there is no such key.
    var around = new MessageBytes().number(1, 1).message(2, new MessageBytes().bytes(1, deepest));
    var deeper = new MessageBytes().message(5, around).finish();

    assertThat(CommonMessages.readKey(deepest)).isEqualTo(key);
    assertThatThrownBy(() -> CommonMessages.readKey(deeper))
        .hasMessageContaining("is nested to more than 15 levels");
  }
}
