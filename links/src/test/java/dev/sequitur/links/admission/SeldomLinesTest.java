package dev.sequitur.links.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SeldomLinesTest {
  private final AtomicLong now = new AtomicLong(7);
  private final SeldomLines lines = new SeldomLines(now::get);

  @Test
  void eachSubjectIsToldOnceInASpan() {
    assertThat(lines.due("10.0.0.1 late")).hasValue(0);
    assertThat(lines.due("10.0.0.1 late")).isEmpty();
    assertThat(lines.due("10.0.0.2 late")).hasValue(1);
    now.addAndGet(SeldomLines.SPAN.toNanos() - 1);
    assertThat(lines.due("10.0.0.1 late")).isEmpty();
    now.addAndGet(1);
    assertThat(lines.due("10.0.0.1 late")).hasValue(1);
  }

  @Test
  void manySubjectsFillNoLogAndTheNextSpanSaysHowManyWereNotTold() {
    for (int each = 0; each < 1_000; each++) {
      assertThat(lines.due("10.0.0." + each).isPresent()).isEqualTo(each < SeldomLines.LINES);
    }
    now.addAndGet(SeldomLines.SPAN.toNanos());

    assertThat(lines.due("10.0.0.1")).hasValue(1_000 - SeldomLines.LINES);
  }
}
