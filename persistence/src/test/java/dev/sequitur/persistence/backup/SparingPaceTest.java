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
    "nobody else works,             0.0,  2, 1.0",
    "others leave one of two,       0.4,  2, 1.0",
    "others leave half of one,      0.9,  2, 0.5",
    "others want all,               2.0,  2, 0.04",
    "others want all of many,       16.0, 16, 0.32",
    "others want all of very many,  99.0, 99, 1.0",
    "one that does nothing,         0.0,  1, 0.7",
    "one that is busy,              1.0,  1, 0.02"
  })
  void itTakesWhatOthersLeave(String what, double others, int count, double share) {
    assertThat(SparingPace.share(others, count)).as(what).isEqualTo(share, within(1e-9));
  }

  @Test
  void itBeginsAsIfAllWereBusyAndThenGoesByWhatItSees() {
    var machine = new Machine();
    var pace = new SparingPace(machine);

    machine.pass(SECOND / 100, SECOND / 100, 0);
    assertThat(pace.pauseNanos()).as("too soon to tell").isEqualTo(24 * SECOND / 100);

    machine.pass(SECOND, SECOND / 10, SECOND / 10);
    assertThat(pace.pauseNanos()).as("idle").isZero();

    machine.pass(SECOND, SECOND / 10, 2 * SECOND);
    assertThat(pace.pauseNanos()).as("for a tenth of a second's work").isEqualTo(24 * SECOND / 10);
  }

  @Test
  void aWaitIsNoWork() {
    var machine = new Machine();
    var pace = new SparingPace(machine);

    machine.pass(SECOND, 0, 2 * SECOND);

    assertThat(pace.pauseNanos()).isZero();
  }

  @Test
  void whatItUsesItselfIsNotOthers() {
    var machine = new Machine();
    var pace = new SparingPace(machine);

    machine.pass(SECOND, SECOND, 0);

    assertThat(pace.pauseNanos()).isZero();
  }

  @Test
  void whereNobodyKnowsOthersAreTakenToWantAll() {
    var machine = new Machine();
    machine.isKnown = false;
    var pace = new SparingPace(machine);

    machine.pass(SECOND, SECOND / 10, 0);

    assertThat(pace.pauseNanos()).isEqualTo(24 * SECOND / 10);
  }

  private static final class Machine implements Processors {
    private boolean isKnown = true;
    private long now;
    private long used;
    private long others;

    void pass(long nanos, long worked, long byOthers) {
      now += nanos;
      used += worked;
      others += byOthers;
    }

    @Override
    public int count() {
      return 2;
    }

    @Override
    public long processNanos() {
      return isKnown ? used + others : -1;
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
