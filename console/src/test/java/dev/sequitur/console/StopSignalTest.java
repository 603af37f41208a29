package dev.sequitur.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Ctrl-C and SIGTERM do; the process ends when the signal has been dealt with. */
@Timeout(120)
class StopSignalTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final StopSignal stop = new StopSignal();

  @Test
  void inTheMiddleOfAStartItEndsTheProcessAtOnceWithASentence() {
    boolean requested =
        stop.whileStarting(
            "It was stopped before it was up.",
            () -> {
              signal();
              return stop.isRequested();
            });

    assertThat(requested).isTrue();
    assertThat(said()).isEqualTo("It was stopped before it was up." + System.lineSeparator());
  }

  @Test
  void beforeAStartItEndsTheProcessAsSoonAsTheStartBegins() throws InterruptedException {
    var signal = new Thread(this::signal);
    signal.start();
    stop.await();

    boolean ended =
        stop.whileStarting(
            "It was stopped before it was up.",
            () -> {
              try {
                return signal.join(Duration.ofSeconds(60));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });

    assertThat(ended).isTrue();
    assertThat(said()).isEqualTo("It was stopped before it was up." + System.lineSeparator());
  }

  @Test
  void afterTheStartItWaitsUntilAllIsStoppedInOrder() throws InterruptedException {
    stop.whileStarting("It was stopped before it was up.", () -> "up");
    var signal = new Thread(this::signal);
    signal.start();
    stop.await();

    assertThat(signal.join(Duration.ofMillis(50))).as("before it is stopped").isFalse();
    stop.finished();

    assertThat(signal.join(Duration.ofSeconds(60))).isTrue();
    assertThat(said()).isEmpty();
  }

  private void signal() {
    stop.requestAndWait(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }
}
