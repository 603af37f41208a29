package dev.sequitur.protocol.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockPaceTest {
  private static final int INTERVAL = 100;

  private BlockPace pace = new BlockPace(10_000, INTERVAL);

  @Test
  void a_block_that_begins_late_does_not_move_those_after_it() {
    for (int block = 1; block <= 50; block++) {
      assertThat(pace.next()).isEqualTo(10_000 + block * INTERVAL);
      pace = pace.cut(pace.next() + 7, true);
    }
  }

  @Test
  void intervals_in_which_no_block_could_be_cut_are_made_up_for() {
    pace = pace.cut(10_550, true);
    int atOnce = 1;
    while (pace.next() <= 10_550) {
      pace = pace.cut(10_550, true);
      atOnce++;
    }
    assertThat(atOnce).isEqualTo(5);
    assertThat(pace.next()).isEqualTo(10_600);
  }

  @Test
  void after_a_long_absence_only_one_block_is_cut_at_once() {
    pace = pace.cut(10_000 + 12 * INTERVAL, true);
    assertThat(pace.next()).isEqualTo(10_000 + 13 * INTERVAL);
  }

  @Test
  void who_had_nothing_left_has_missed_nothing() {
    pace = pace.cut(10_550, false);
    assertThat(pace.next()).isEqualTo(10_650);
  }

  @Test
  void a_block_before_its_time_since_something_became_due_leaves_a_whole_interval_after_it() {
    pace = pace.cut(10_030, true);
    assertThat(pace.next()).isEqualTo(10_130);
  }
}
