package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {
  private static final int SIZE = 4_000;

  @Test
  void theSameSeedGivesTheSameOperationsInAnyOrder() {
    var forwards = operations(workload(7));
    var again = workload(7);
    for (int index = SIZE - 1; index >= 0; index--) {
      assertThat(again.operation(index)).isEqualTo(forwards.get(index));
    }
  }

  @Test
  void anotherSeedGivesOtherOperations() {
    assertThat(operations(workload(8))).isNotEqualTo(operations(workload(7)));
  }

  @Test
  void everyIdempotencyKeyIsUsedOnceAndRunsDoNotShareAny() {
    var groups = GroupPlan.of(4, 2);
    var keys = new HashSet<String>();
    for (int run = 1; run <= 2; run++) {
      operations(new Workload(groups, run, run, SIZE))
          .forEach(operation -> assertThat(keys.add(operation.key())).isTrue());
    }
    Workload.funding(groups).forEach(mint -> assertThat(keys.add(mint.key())).isTrue());
  }

  @Test
  void everyMemberSendsInBothDomainsAndEveryFunctionOccurs() {
    var operations = operations(workload(1));
    for (var group : GroupPlan.of(4, 2)) {
      var senders =
          operations.stream()
              .filter(operation -> operation.group().equals(group))
              .map(Operation::from)
              .collect(Collectors.toSet());
      assertThat(senders).containsExactlyInAnyOrderElementsOf(group.members());
    }
    assertThat(operations).extracting(Operation::function).contains("transfer", "increment", "set");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void nobodyPaysThemselves(int nodes) {
    for (var operation : operations(new Workload(GroupPlan.of(nodes, 1), 1, 3, SIZE))) {
      if (operation.function().equals("transfer")) {
        assertThat(operation.inputs().toUtf8()).doesNotContain(operation.from().toString());
      }
    }
  }

  @Test
  void aNetworkOfOneNodeHasAWorkloadToo() {
    assertThat(operations(new Workload(GroupPlan.of(1, 1), 1, 3, 100))).hasSize(100);
  }

  private static Workload workload(long seed) {
    return new Workload(GroupPlan.of(4, 2), 1, seed, SIZE);
  }

  private static List<Operation> operations(Workload workload) {
    return IntStream.range(0, workload.transactions()).mapToObj(workload::operation).toList();
  }
}
