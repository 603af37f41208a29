package dev.sequitur.laboratory.demo.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.laboratory.local.LocalNode;
import dev.sequitur.protocol.text.Counted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A monthly payment of private tokens, on a node in a process of its own that is killed while a
 * payment is on its way and started again on its data.
 */
final class RecurringStory implements Story {
  /** Stands for a month. */
  private static final Duration SLOT = Duration.ofSeconds(2);

  private static final String NODE = "home";
  private static final String TENANT = "tenant@home";
  private static final String LANDLORD = "landlord@home";
  private static final int MONTHS = 8;
  private static final int BEFORE = 2;
  private static final long RENT = 100;
  private static final long SAVINGS = 1_000;
  private static final long FEES = 50;

  private static final Map<String, String> SETTINGS =
      Map.of(
          "scheduler.recurring.slot",
          SLOT.toSeconds() + "s",
          "scheduler.recurring.task-slot",
          SLOT.toSeconds() + "s",
          "scheduler.block-interval",
          "50ms",
          "ledger.embedded.block-time",
          "500ms");

  @Override
  public String title() {
    return "Recurring: a monthly payment survives the kill -9 of its JVM (a month is "
        + SLOT.toSeconds()
        + " seconds here)";
  }

  /**
   * What is to happen at the same times.
   *
   * @param rent a private transaction, run however late
   * @param reminder a notification, which is of no use when it is late
   */
  private record Tasks(String rent, String reminder) {}

  @Override
  public void tell(Stage stage, Findings findings) {
    stage.say("Starting a node in a process of its own ...");
    try (var process = stage.startProcess(NODE, SETTINGS)) {
      stage.say("It is up, as process %d, with a ledger and data of its own", process.pid());
      var node = stage.node(process);
      var group = token(node);
      var tasks = schedule(node, node.contract(group));
      stage.say("The rent of %d months is scheduled, and a reminder beside it", MONTHS);
      var before = paidBefore(node, tasks.rent());
      killAndStart(stage, process, findings);
      tellEnd(stage, new Told(stage.node(process), group, tasks, before), findings);
    }
  }

  /**
   * What is known at the end.
   *
   * @param before the first outcomes, as they were known before the kill
   */
  private record Told(StoryNode node, String group, Tasks tasks, List<JsonNode> before) {}

  /** A group of two, in which the tenant has its savings. */
  private static String token(StoryNode node) {
    var group =
        node.call(
                "pgroup_createGroup",
                "[{'domain':'token','name':'household','members':['%s','%s'],'properties':{},"
                    + "'configuration':{}}]",
                TENANT,
                LANDLORD)
            .get("id")
            .asText();
    node.mint(node.contract(group), TENANT, SAVINGS);
    return group;
  }

  private static Tasks schedule(StoryNode node, String contract) {
    node.fund("tenant", FEES);
    var times = times();
    var rent =
        node.call(
            "recurring_schedulePrivateTransactionTask",
            "[{'owner':'tenant','providedId':'rent','times':[%s],'late':'run-all',"
                + "'transaction':{'type':'private','from':'%s','to':'%s','function':'transfer',"
                + "'data':{'to':'%s','amount':'%d'}}}]",
            times,
            TENANT,
            contract,
            LANDLORD,
            RENT);
    var reminder =
        node.call(
            "recurring_scheduleNotifyTask",
            "[{'owner':'tenant','providedId':'reminder','times':[%s],'message':'pay the rent'}]",
            times);
    return new Tasks(rent.get("taskId").asText(), reminder.get("taskId").asText());
  }

  /** Consecutive slots, from the one after the next on. */
  private static String times() {
    long slot = SLOT.toSeconds();
    long first = Instant.now().getEpochSecond() / slot + 2;
    return LongStream.range(first, first + MONTHS)
        .mapToObj(number -> Long.toString(number * slot))
        .collect(Collectors.joining(","));
  }

  /** Returns when the next payment after those is on its way to the ledger. */
  private static List<JsonNode> paidBefore(StoryNode node, String rent) {
    node.outcomes(rent, BEFORE);
    node.await(
        "A payment on its way",
        found -> Set.of("started", "submitted").contains(found.path("state").asText()),
        "schedule_get",
        "['" + rent + "']");
    return list(node.outcomes(rent, BEFORE));
  }

  private static void killAndStart(Stage stage, LocalNode process, Findings findings) {
    long killed = process.pid();
    process.kill();
    stage.say("With the next payment on its way to the ledger, process %d is killed", killed);
    var at = Instant.now();
    findings.check(
        ProcessHandle.of(killed).filter(ProcessHandle::isAlive).isEmpty(),
        "process %d was killed by SIGKILL and is gone",
        killed);
    stage.pause(SLOT);
    stage.startAgain(process);
    stage.say(
        "Started again on the same data, as process %d: it was away for %s",
        process.pid(), Counted.of(Duration.between(at, Instant.now()).dividedBy(SLOT), "month"));
    findings.check(
        process.pid() != killed && process.isAlive(),
        "process %d has taken its place",
        process.pid());
  }

  private static void tellEnd(Stage stage, Told told, Findings findings) {
    var node = told.node();
    var paid = node.outcomes(told.tasks().rent(), MONTHS);
    findings.occurrences(
        "rent, to be paid however late", told.tasks().rent(), paid, MONTHS, Set.of("run"));
    findings.check(
        list(paid).subList(0, told.before().size()).equals(told.before()),
        "what was paid before the kill is remembered as it was: %s",
        Counted.of(told.before().size(), "payment"));
    var reminded = node.outcomes(told.tasks().reminder(), MONTHS);
    findings.occurrences(
        "reminder, of no use when it is late",
        told.tasks().reminder(),
        reminded,
        MONTHS,
        Set.of("run", "missed"));
    stage.say(
        "%s, none twice; of the reminders %d came while nobody was there and were missed",
        Counted.of(paid.size(), "payment"), missed(reminded));
    findings.equal(LANDLORD + " has, by the private states", MONTHS * RENT, tokens(told, LANDLORD));
    findings.equal(
        TENANT + " has, by the private states", SAVINGS - MONTHS * RENT, tokens(told, TENANT));
    // A unit for each time of either task.
    findings.equal("the tenant has left for fees", FEES - 2 * MONTHS, node.balance("tenant"));
    ScheduleDemo.audit(node, "the killed node", findings);
  }

  private static long tokens(Told told, String owner) {
    var answer =
        told.node()
            .call(
                "pgroup_call",
                "[{'domain':'token','group':'%s','from':'%s','function':'balanceOf',"
                    + "'input':{'owner':'%s'}}]",
                told.group(),
                owner,
                owner);
    return answer.get("balance").asLong();
  }

  private static List<JsonNode> list(JsonNode array) {
    var elements = new ArrayList<JsonNode>();
    array.forEach(elements::add);
    return elements;
  }

  private static long missed(JsonNode history) {
    return history.findValuesAsText("outcome").stream().filter("missed"::equals).count();
  }
}
