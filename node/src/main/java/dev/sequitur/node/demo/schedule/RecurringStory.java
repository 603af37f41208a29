package dev.sequitur.node.demo.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A monthly payment that survives a restart of its JVM. */
final class RecurringStory implements Story {
  /** Stands for a month. */
  static final Duration SLOT = Duration.ofSeconds(2);

  private static final int MONTHS = 8;
  private static final int BEFORE = 2;
  private static final long RENT = 100;
  private static final long FUNDS = 1_000;

  @Override
  public String title() {
    return "Recurring: a monthly payment survives a restart (a month is "
        + SLOT.toSeconds()
        + " seconds here)";
  }

  @Override
  public void tell(Stage stage, Findings findings) {
    var node = stage.node(1);
    node.fund("tenant", FUNDS);
    var times = times();
    var rent =
        node.call(
                "recurring_scheduleNativeTransferTask",
                "[{'owner':'tenant','providedId':'rent','times':[%s],'recipientId':'landlord',"
                    + "'amount':'%d','late':'run-all'}]",
                times,
                RENT)
            .get("taskId")
            .asText();
    var reminder =
        node.call(
                "recurring_scheduleNotifyTask",
                "[{'owner':'tenant','providedId':'reminder','times':[%s],'message':'pay the"
                    + " rent'}]",
                times)
            .get("taskId")
            .asText();
    stage.say("The rent of %d months is scheduled, and a reminder beside it", MONTHS);
    node.outcomes(rent, BEFORE);
    stage.say("After %d payments all nodes are stopped, in the middle of it", BEFORE);
    stage.restart();
    stage.say("They are started again on their data, some months later");
    tellEnd(stage, findings, rent, reminder);
  }

  private static void tellEnd(Stage stage, Findings findings, String rent, String reminder) {
    var node = stage.node(1);
    var paid = node.outcomes(rent, MONTHS);
    findings.occurrences("rent, to be paid however late", rent, paid, MONTHS, Set.of("run"));
    var reminded = node.outcomes(reminder, MONTHS);
    findings.occurrences(
        "reminder, of no use when it is late", reminder, reminded, MONTHS, Set.of("run", "missed"));
    stage.say(
        "%d payments, none twice; of the reminders %d came while the nodes were down and were"
            + " missed",
        paid.size(), missed(reminded));
    findings.equal("the landlord has", MONTHS * RENT, node.balance("landlord"));
    // A unit for each time of either task.
    findings.equal("the tenant has", FUNDS - MONTHS * RENT - 2 * MONTHS, node.balance("tenant"));
  }

  private static long missed(JsonNode history) {
    return history.findValuesAsText("outcome").stream().filter("missed"::equals).count();
  }

  /** Consecutive slots, from the one after the next on. */
  private static String times() {
    long slot = SLOT.toSeconds();
    long first = Instant.now().getEpochSecond() / slot + 2;
    return LongStream.range(first, first + MONTHS)
        .mapToObj(number -> Long.toString(number * slot))
        .collect(Collectors.joining(","));
  }
}
