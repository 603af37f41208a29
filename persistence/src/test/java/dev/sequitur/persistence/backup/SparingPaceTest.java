package dev.sequitur.persistence.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sequitur.persistence.backup.SparingPace.Processors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparingPaceTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @ParameterizedTest
  @CsvSource({
    "nobody else works,                    0.5,  1.0,  2, 1.0",
    "others leave one of two,              0.2,  0.0,  2, 1.0",
    "others leave half of one,             0.45, 0.0,  2, 0.5",
    "what it uses itself is not others',   0.7,  0.5,  2, 0.5",
    "others want all,                      1.0,  0.04, 2, 0.04",
    "others want all of many,              1.0,  0.1, 16, 0.32",
    "others want all of very many,         1.0,  1.0, 99, 1.0",
    "a machine of one that does nothing,   0.9,  0.9,  1, 0.7",
    "a machine of one that is busy,        1.0,  0.02, 1, 0.02",
    "nobody knows,                        -1.0,  0.0,  2, 0.04"
  })
  void itTakesWhatOthersLeave(String what, double load, double own, int count, double share) {
    assertThat(SparingPace.share(load, own, count)).as(what).isEqualTo(share, within(1e-9));
  }

  @Test
  void itBeginsAsIfAllWereBusyAndThenGoesByWhatItSees() {
    var machine = new Machine();
    var pace = new SparingPace(machine);

    machine.pass(SECOND / 100, SECOND / 100);
    assertThat(pace.pauseNanos()).as("too soon to tell").isEqualTo(24 * SECOND / 100);

    machine.load = 0.1;
    machine.pass(SECOND, SECOND / 10);
    assertThat(pace.pauseNanos()).as("idle").isZero();

    machine.load = 1;
    machine.pass(SECOND, SECOND / 10);
    assertThat(pace.pauseNanos()).as("for a tenth of a second's work").isEqualTo(24 * SECOND / 10);
  }

  @Test
  void aWaitIsNoWork() {
    var machine = new Machine();
    machine.load = 1;
    var pace = new SparingPace(machine);

    machine.pass(SECOND, 0);

    assertThat(pace.pauseNanos()).isZero();
  }

  private static final class Machine implements Processors {
    private double load;
    private long now;
    private long used;

    void pass(long nanos, long worked) {
      now += nanos;
      used += worked;
    }

    @Override
    public int count() {
      return 2;
    }

    @Override
    public double load() {
      return load;
    }

    @Override
    public long usedNanos() {
      return used;
    }

    @Override
    public long nanoTime() {
      return now;
    }
  }
}
