package dev.sequitur.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sequitur.benchmarks.cluster.ClusterUnderLoad.Moment;
import dev.sequitur.laboratory.local.ClusterPlan.Jvm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterModelTest {
  private static final int TRANSACTIONS = 100;

  /**
   * A network in which a transaction takes 1 ms of its sender's node and half of one of another
   * member's, and 2 ms more for all that leaves a JVM; an idle JVM uses 3 ms a second, and 1 ms for
   * each other one.
   */
  private static ClusterRun measured(int nodes, int jvms) {
    double idle = 0.003 + 0.001 * (jvms - 1);
    double crossing = 0.002 * (jvms - 1) / jvms;
    Map<Jvm, Used> idling = new HashMap<>();
    Map<Jvm, Used> loaded = new HashMap<>();
    for (int node = 1; node <= nodes; node++) {
      double each = (node == 1 ? 0.001 + 0.0001 * (nodes - 1) : 0.0005) + crossing;
      for (int jvm = 1; jvm <= jvms; jvm++) {
        idling.put(new Jvm(node, jvm), processor(10 * idle));
        loaded.put(new Jvm(node, jvm), processor(TRANSACTIONS * each / jvms + 2 * idle));
      }
    }
    return ClusterRun.of(
        nodes,
        jvms,
        TRANSACTIONS,
        new Moment(10_000_000_000L, idling, 0),
        new Moment(2_000_000_000L, loaded, TRANSACTIONS * (0.0002 + crossing)));
  }

  private static Used processor(double seconds) {
    return new Used(seconds, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void aRunTellsWhatATransactionTakesBeyondWhatIdleJvmsUse() {
    var run = measured(1, 3);

    assertThat(run.rate()).isEqualTo(50);
    assertThat(run.idle().processor()).isEqualTo(0.005, within(1e-9));
    assertThat(run.of(1).processor()).isEqualTo(0.001 + 0.002 * 2 / 3 + 3 * 0.0001, within(1e-9));
    assertThat(run.beyondIdle(1).processor()).isEqualTo(0.001 + 0.002 * 2 / 3, within(1e-9));
  }

  @Test
  void whatOneJvmAndTwoHaveTakenGivesWhatTenTake() {
    var model = ClusterModel.of(List.of(measured(1, 2), measured(1, 4), measured(1, 1)));

    assertThat(model).isPresent();
    assertThat(model.get().transaction(10).processor()).isEqualTo(0.0028, within(1e-9));
    assertThat(model.get().database(10)).isEqualTo(0.002, within(1e-9));
    assertThat(model.get().idle(10).processor()).isEqualTo(0.012, within(1e-9));
    assertThat(model.get().network(4, 10)).isEmpty();
  }

  /** A figure of two JVMs that is off by chance would be nine times as far off for ten. */
  @Test
  void whatAnIdleJvmUsesFollowsTheMostThatWereMeasured() {
    var two = measured(1, 2);
    var off = new ClusterRun(1, 2, two.rate(), two.each(), two.database(), processor(0.08));

    var model = ClusterModel.of(List.of(measured(1, 1), off, measured(1, 4))).orElseThrow();

    assertThat(model.idle(10).processor()).isEqualTo(0.012, within(1e-9));
    assertThat(model.idle(4).processor()).isEqualTo(0.006, within(1e-9));
  }

  @Test
  void eachFurtherMemberTakesWhatTheSecondHas() {
    var model =
        ClusterModel.of(List.of(measured(1, 1), measured(1, 2), measured(2, 1), measured(2, 2)))
            .orElseThrow();

    double sender = 0.001 + 3 * 0.0001 + 0.0018;
    double other = 0.0005 + 0.0018;
    assertThat(model.network(4, 10).orElseThrow().processor())
        .isEqualTo(sender + 3 * other, within(1e-9));
  }

  @Test
  void withoutOneJvmAndTwoThereIsNoModel() {
    assertThat(ClusterModel.of(List.of(measured(1, 1), measured(1, 4)))).isEmpty();
  }
}
