package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sequitur.protocol.ProtocolTables;
import dev.sequitur.protocol.founding.ChangingTable;
import dev.sequitur.protocol.listener.TellingTable;
import dev.sequitur.protocol.listener.WebhookTable;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.table.RowVisits;
import dev.sequitur.protocol.table.TransitionTable;
import dev.sequitur.schedule.execution.ExecutionTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Many networks with all kinds of trouble at once, each run once: a seed that is run again shows
 * nothing new. A failure prints its seed and a trace.
 */
final class RandomFaultsTest {
  /** More of them: {@code -Dsimulation.seeds=10000}. */
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 120);

  private static final long FIRST = Long.getLong("simulation.first", 1);

  /** With fewer networks, rows are missed and lies untold that these bring about. */
  private static final int ENOUGH = 120;

  private static final int ONE_OF_ITS_OWN_IN = 15;

  private static final Set<Class<?>> FORGED = new HashSet<>();

  private static RunReport total = RunReport.none();
  private static long foreign;
  private static int founded;
  private static int withdrawn;
  private static Set<String> notWalked = Set.of();

  /** Fails if any of them goes wrong. */
  @BeforeAll
  static void runAllNetworks() {
    total = RunReport.none();
    foreign = 0;
    founded = 0;
    withdrawn = 0;
    var before = RowVisits.untilNow(tables());
    for (var plan : plans()) {
      var run = new RandomRun(plan);
      total = total.plus(run.run());
      founded += run.simulation().foundings().made();
      withdrawn += run.simulation().foundings().ended();
      if (plan.isDishonest()) {
        FORGED.addAll(run.simulation().wire().forged());
        foreign += run.simulation().counted(NodeLife.NOT_A_MEMBER);
      }
    }
    notWalked = before.notWalkedSince();
  }

  /**
   * Nodes of several JVMs, nodes that are set back, and committees that change, in a few besides.
   */
  private static List<RunPlan> plans() {
    return Stream.of(
            LongStream.range(FIRST, FIRST + SEEDS).mapToObj(RunPlan::of),
            few().mapToObj(seed -> RunPlan.of(seed).withJvms(RunPlan.MOST_JVMS)),
            few().mapToObj(seed -> RunPlan.of(seed).withRestores()),
            few().mapToObj(seed -> RunPlan.of(seed).withChanges()))
        .flatMap(each -> each)
        .toList();
  }

  private static LongStream few() {
    return LongStream.range(FIRST, FIRST + SEEDS / ONE_OF_ITS_OWN_IN);
  }

  @Test
  void everyIntentIsSettledOnceAndNothingIsLeftWhateverGoesWrong() {
    assertThat(total.faults().keySet()).containsExactlyInAnyOrder(Fault.values());
    assertThat(total.scheduled()).isGreaterThan(5L * SEEDS);
    assertThat(total.forgotten()).isGreaterThan(SEEDS);
    assertThat(total.confirmed()).isGreaterThan(total.transactions() / 2);
    assertThat(founded).as("groups that stand").isGreaterThan(SEEDS / 3);
    assertThat(withdrawn).as("groups that were withdrawn").isGreaterThan(SEEDS / 20);
  }

  /**
   * The simulation goes wherever the machines go often. That each row is walked by a test of what
   * its machine is told is asked for by {@code RowsWalkedTest} and {@code ExecutionTableTest} of
   * the rules.
   */
  @Test
  void everyRowThatMovesIsVisitedButForAFewRareOnes() {
    assumeThat(SEEDS).isGreaterThanOrEqualTo(ENOUGH);

    assertThat(notWalked).isSubsetOf(SeldomWalked.ROWS);
  }

  /**
   * What must hold holds all the same where one member lies. A kind of message that is added is
   * sent by nobody who lies until it is seen or made up.
   */
  @Test
  void whoLiesSendsMessagesOfEachKindThatThereIsAndOfGroupsThatItIsNoMemberOf() {
    assumeThat(SEEDS).isGreaterThanOrEqualTo(ENOUGH);

    assertThat(FORGED).containsAll(kinds(Message.class).toList());
    assertThat(foreign).isPositive();
  }

  private static List<TransitionTable<?, ?, ?>> tables() {
    var tables = new ArrayList<TransitionTable<?, ?, ?>>(ProtocolTables.all());
    // No network has callers who listen: SharedTellingTest plays those from seeds.
    tables.remove(TellingTable.TELLING);
    // Nor any to whom webhooks deliver: DeliveringTest plays those.
    tables.remove(WebhookTable.DELIVERY);
    // Committees of networks change by the ledger alone: ChangingTest plays those who agree.
    tables.remove(ChangingTable.CHANGING);
    tables.add(ExecutionTable.EXECUTION);
    return tables;
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    var below = type.getPermittedSubclasses();
    return below == null ? Stream.of(type) : Stream.of(below).flatMap(RandomFaultsTest::kinds);
  }

  /** The coordinator learns a moment after the ledger that a record was created by another. */
  @Test
  void whatBuildsUponARefusalThatItsNodeHasNotSeenYetLocksNothingOnceItHas() {
    assertThat(new RandomRun(RunPlan.of(2_962)).run().confirmed()).isPositive();
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    var once = new RandomRun(RunPlan.of(7));
    var again = new RandomRun(RunPlan.of(7));

    assertThat(again.run()).isEqualTo(once.run());
    assertThat(again.trace()).isEqualTo(once.trace());
  }
}
