package dev.sequitur.node.rpc.query;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.node.rpc.RpcFailure;
import org.junit.jupiter.api.Test;

/** The room that the queries of one batch have together. */
class KeptBytesTest {
  private final KeptBytes kept = new KeptBytes(100);

  @Test
  void whatIsAnsweredGivesItsRoomBack() {
    var first = kept.share();
    first.take(80);
    assertThatThrownBy(() -> kept.share().take(30)).isInstanceOf(RpcFailure.class);

    first.end();

    assertThatCode(() -> kept.share().take(30)).doesNotThrowAnyException();
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
