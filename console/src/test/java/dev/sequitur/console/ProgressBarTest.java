package dev.sequitur.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void onATerminalTheLineIsDrawnOver() {
    var recorded = new RecordedConsole(true, 80);
    try (var bar = new ProgressBar(recorded.console(), nanos::get, "Transactions", 200)) {
      pass(2_500);
      bar.update(100, "40/s");
    }

    var frames = recorded.err().split("\r");
    assertThat(frames[frames.length - 1])
        .startsWith("Transactions [")
        .contains("###-", " 50%  100 of 200  0:02  40/s")
        .endsWith(System.lineSeparator());
    assertThat(recorded.err().chars().filter(letter -> letter == '\n')).hasSize(1);
  }

  @Test
  void noFrameIsWiderThanTheTerminal() {
    for (int width = 20; width < 120; width += 7) {
      var recorded = new RecordedConsole(true, width);
      try (var bar = new ProgressBar(recorded.console(), nanos::get, "Transactions", 1_000_000)) {
        pass(1_000);
        bar.update(999_999, "1,234/s, 17 reverted");
      }
      for (var frame : recorded.err().split("\r|\u001b\\[K|\\R")) {
        assertThat(frame.length()).as(frame).isLessThan(width);
      }
    }
  }

  @Test
  void aTerminalIsNotRedrawnMoreThanTenTimesASecond() {
    var recorded = new RecordedConsole(true, 80);
    try (var bar = new ProgressBar(recorded.console(), nanos::get, "Transactions", 1_000)) {
      for (int done = 0; done < 1_000; done++) {
        pass(1);
        bar.update(done, "");
      }
    }

    assertThat(recorded.err().split("\r").length).isLessThanOrEqualTo(13);
  }

  @Test
  void elsewhereThereIsALineAtEachTenthAndNoControlCharacter() {
    var recorded = new RecordedConsole();
    try (var bar = new ProgressBar(recorded.console(), nanos::get, "Minting", 1_000)) {
      for (int done = 1; done <= 1_000; done++) {
        bar.update(done, "");
      }
    }

    assertThat(recorded.err().lines())
        .hasSize(11)
        .doesNotContain("\r")
        .first()
        .isEqualTo("Minting: 0%  0 of 1,000  0:00");
    assertThat(recorded.err().lines()).last().isEqualTo("Minting: 100%  1,000 of 1,000  0:00");
    assertThat(recorded.err()).doesNotContain("\u001b", "\r");
  }

  @Test
  void elsewhereALineSaysEveryTenSecondsThatItIsAlive() {
    var recorded = new RecordedConsole();
    try (var bar = new ProgressBar(recorded.console(), nanos::get, "Minting", 1_000)) {
      for (int second = 0; second < 25; second++) {
        pass(1_000);
        bar.update(1, "");
      }
    }

    assertThat(recorded.err().lines()).hasSize(4);
  }

  private void pass(long milliseconds) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(milliseconds));
  }
}
