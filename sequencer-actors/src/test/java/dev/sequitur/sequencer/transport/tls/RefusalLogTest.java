package dev.sequitur.sequencer.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
  private final AtomicLong now = new AtomicLong(7);
  private final RefusalLog log = new RefusalLog(now::get);

  @Test
  void eachAddressIsToldOnceWithEachReason() {
    assertThat(log.line("10.0.0.1", "late")).contains("a connection of 10.0.0.1: late");
    assertThat(log.line("10.0.0.1", "late")).isEmpty();
    assertThat(log.line("10.0.0.2", "late")).isPresent();
  }

  @Test
  void manyAddressesFillNoLogAndTheNextSpanSaysHowManyWereNotTold() {
    for (int each = 0; each < 1_000; each++) {
      assertThat(log.line("10.0.0." + each, "late").isPresent()).isEqualTo(each < RefusalLog.LINES);
    }
    now.addAndGet(RefusalLog.SPAN.toNanos());

    assertThat(log.line("10.0.0.1", "late"))
        .contains("a connection of 10.0.0.1: late (and 980 refusals before that are not told)");
  }
}
