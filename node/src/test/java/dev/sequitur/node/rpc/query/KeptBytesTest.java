package dev.sequitur.node.rpc.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.rpc.RpcFailure;
import org.junit.jupiter.api.Test;

/** The room that the queries of one batch have together. */
class KeptBytesTest {
  private final KeptBytes kept = new KeptBytes(100, new AnswersTogether(Long.MAX_VALUE));

  @Test
  void whatIsAnsweredGivesItsRoomBack() {
    var first = kept.share();
    first.take(80);
    assertThatThrownBy(() -> kept.share().take(30)).isInstanceOf(RpcFailure.class);

    first.end();

    assertThatCode(() -> kept.share().take(30)).doesNotThrowAnyException();
  }

  @Test
  void whoAsksWhileOthersHaveTakenAllIsToldToAskAgain() {
    var together = new AnswersTogether(150);
    var others = new KeptBytes(1_000, together);
    var other = others.share();
    var late = new KeptBytes(1_000, together);
    other.take(100);
    others.written(20);

    assertThatThrownBy(() -> late.share().take(31))
        .isInstanceOfSatisfying(
            RpcFailure.class, failure -> assertThat(failure.code()).isEqualTo("SQ010110"));
    assertThatThrownBy(() -> late.written(31)).hasMessageContaining("150 bytes together");
    late.written(30);
    late.notWritten(30);

    other.end();
    others.sent();

    assertThatCode(() -> late.share().take(140)).doesNotThrowAnyException();
  }

  /** A node of little memory answers one long question after another. */
  @Test
  void whoIsAloneHasRoomInAnyCase() {
    var alone = new KeptBytes(1_000, new AnswersTogether(10));

    assertThatCode(() -> alone.share().take(600)).doesNotThrowAnyException();
    assertThatCode(() -> alone.written(600)).doesNotThrowAnyException();
  }

  /** It goes on looking for a moment after its time is over. */
  @Test
  void whatIsAnsweredAlreadyTakesNoRoomFromOthers() {
    var late = kept.share();
    late.end();

    assertThatThrownBy(() -> late.take(100)).isInstanceOf(RpcFailure.class);

    assertThatCode(() -> kept.share().take(100)).doesNotThrowAnyException();
  }
}
