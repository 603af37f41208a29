package dev.sequitur.scheduler.runtime;

import static dev.sequitur.scheduler.runtime.TestScheduler.OPERATOR;
import static dev.sequitur.scheduler.runtime.TestScheduler.get;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What of many commands each partition is given, counted by the calls (SCH-28). */
class SharesOfPartitionsTest {
  private static final int COUNT = 3;
  private static final QueueName ORDERS = new QueueName("orders");
  private static final QueueSetup SETUP =
      QueueSetup.of(OPERATOR, new GasPriority(GasPrioritySettings.DEFAULT));

  /** What each entity was given, one list for each call. */
  private final Map<QueueName, List<List<Command>>> given =
      new TreeMap<>((a, b) -> a.value().compareTo(b.value()));

  private Optional<QueueName> refusing = Optional.empty();

  private final SchedulerNode node =
      new PartitionedQueues(
          (SchedulerNode)
              Proxy.newProxyInstance(
                  SchedulerNode.class.getClassLoader(),
                  new Class<?>[] {SchedulerNode.class},
                  (proxy, method, arguments) ->
                      switch (method.getName()) {
                        case "setup" -> SETUP;
                        case "submit" -> submit((QueueName) arguments[0], arguments[1]);
                        default -> throw new UnsupportedOperationException(method.getName());
                      }),
          Map.of(ORDERS, COUNT));

  // Which of the interface's methods it is tells what was given.
  @SuppressWarnings("unchecked")
  private Object submit(QueueName entity, Object asked) {
    if (asked instanceof Command one) {
      return completedFuture(answer(entity, one));
    }
    var commands = (List<Command>) asked;
    given.computeIfAbsent(entity, name -> new ArrayList<>()).add(commands);
    return completedFuture(commands.stream().map(each -> answer(entity, each)).toList());
  }

  private Answer answer(QueueName entity, Command command) {
    boolean made = !(command.operation() instanceof Operation.Divide);
    return made && refusing.filter(entity::equals).isPresent()
        ? Answer.refused(
            command.command(), new Refusal(Refusal.Code.BUSY, "Too much to do: " + entity))
        : new Answer(command.command(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static Command fund(int number) {
    return new Command(
        "fund-" + number,
        OPERATOR,
        new Operation.Fund(new AccountId("owner-" + number), new Amount(1)));
  }

  private static QueueName home(int number) {
    return ORDERS.entity(Partition.home(new AccountId("owner-" + number), COUNT));
  }

  @Test
  void eachIsGivenItsShareInOneCallAndTheAnswersComeInTheOrderOfTheCommands() {
    var commands = IntStream.range(0, 1_000).mapToObj(SharesOfPartitionsTest::fund).toList();

    var answers = get(node.submit(ORDERS, commands));

    assertThat(answers).extracting(Answer::command).isEqualTo(ids(commands));
    assertThat(given).hasSize(COUNT);
    given.forEach(
        (entity, calls) ->
            assertThat(calls)
                .containsExactly(
                    IntStream.range(0, 1_000)
                        .filter(number -> home(number).equals(entity))
                        .mapToObj(commands::get)
                        .toList()));
  }

  @Test
  void whatIsForAllStandsInEachShareAtItsPlace() {
    var pause = new Command("pause", OPERATOR, new Operation.Pause(FamilyKind.GAS_PRIORITY));
    var before = IntStream.range(0, 9).mapToObj(SharesOfPartitionsTest::fund).toList();
    var all = new ArrayList<>(before);
    all.add(pause);
    all.add(fund(9));
    refusing = Optional.of(ORDERS.entity(1));

    var answers = get(node.submit(ORDERS, all));

    given.forEach(
        (entity, calls) -> {
          var share = calls.getFirst();
          assertThat(calls).hasSize(1);
          assertThat(share).contains(pause);
          assertThat(share.subList(0, share.indexOf(pause))).isSubsetOf(before);
        });
    assertThat(given).hasSize(COUNT);
    assertThat(answers.get(9).refusal().map(Refusal::sentence))
        .contains(
            "2 of the 3 partitions of orders have done it. The others: Too much to do: orders/1");
  }

  @Test
  void whatIsRefusedBeforeIsGivenToNone() {
    var fees = new Operation.Withdraw(AccountId.FEES, new Amount(1));
    var answers =
        get(node.submit(ORDERS, List.of(fund(0), new Command("fees", OPERATOR, fees), fund(1))));

    assertThat(answers).extracting(Answer::command).containsExactly("fund-0", "fees", "fund-1");
    assertThat(answers.get(1).refusal().map(Refusal::code)).contains(Refusal.Code.NOT_ALLOWED);
    assertThat(given.values().stream().flatMap(List::stream).flatMap(List::stream))
        .hasSize(2)
        .noneMatch(command -> command.operation().equals(fees));
  }

  private static List<String> ids(List<Command> commands) {
    return commands.stream().map(Command::command).toList();
  }
}
