package dev.sequitur.laboratory.demo.schedule;

import java.time.Instant;
import java.util.Set;

/** Executions bought by a plan: one runs in its window, one becomes overdue and is refunded. */
final class PlanStory implements Story {
  /** Who sells and executes: the queue's administrator. */
  private static final String PROVIDER = "operator";

  private static final long FUNDS = 1_000;
  private static final long PRICE = 50;
  private static final long VALUE = 20;
  private static final int WINDOW = 1;
  private static final long SECONDS_AHEAD = 4;

  @Override
  public String title() {
    return "Plans: one execution runs in its window, one becomes overdue and is refunded";
  }

  @Override
  public void tell(Stage stage, Findings findings) {
    var node = stage.node(1);
    node.fund("requestor", FUNDS);
    long plan =
        node.call(
                "plans_addPlan",
                "[{'sender':'%s','price':'%d','window':%d,'gasLimit':'100'}]",
                PROVIDER,
                PRICE,
                WINDOW)
            .get("plan")
            .asLong();
    node.call(
        "plans_purchase",
        "[{'sender':'requestor','plan':%d,'quantity':2,'value':'%d'}]",
        plan,
        2 * PRICE);
    var executed = schedule(node, plan, Instant.now().getEpochSecond() + SECONDS_AHEAD);
    stage.say("Two executions are bought, and one is scheduled: the queue runs it by itself");
    findings.occurrences(
        "execution in its window", executed, node.outcomes(executed, 1), 1, Set.of("run"));
    findings.equal("its state", "ExecutionSuccessful", state(node, executed));
    tellOverdue(stage, node, plan, findings);
    findings.equal("the receiver has", VALUE, node.balance("receiver"));
    findings.equal(
        "the requestor has, with one execution left to use",
        FUNDS - 2 * PRICE - VALUE,
        node.balance("requestor"));
    findings.equal(
        "executions left",
        1L,
        node.call("plans_remainingExecutions", "['requestor',%d]", plan).asLong());
  }

  /** The provider fails to run it: a paused service runs nothing. */
  private static void tellOverdue(Stage stage, StoryNode node, long plan, Findings findings) {
    var overdue = schedule(node, plan, Instant.now().getEpochSecond() + SECONDS_AHEAD);
    node.call("plans_pause", "[{'sender':'%s'}]", PROVIDER);
    stage.say("The provider pauses its service, so that the other one is not run in time");
    node.await(
        "Overdue",
        answer -> answer.get("state").asText().equals("Overdue"),
        "plans_getState",
        "['" + overdue + "']");
    node.call("plans_requestExecutionRefund", "[{'sender':'requestor','id':'%s'}]", overdue);
    node.call("plans_unpause", "[{'sender':'%s'}]", PROVIDER);
    findings.occurrences(
        "overdue execution", overdue, node.outcomes(overdue, 1), 1, Set.of("refunded"));
    findings.equal("its state", "Refunded", state(node, overdue));
  }

  private static String schedule(StoryNode node, long plan, long timestamp) {
    return node.call(
            "plans_schedule",
            "[{'sender':'requestor','plan':%d,'timestamp':%d,"
                + "'target':{'type':'transfer','to':'receiver','amount':'%d'}}]",
            plan,
            timestamp,
            VALUE)
        .at("/ids/0")
        .asText();
  }

  private static String state(StoryNode node, String id) {
    return node.call("plans_getState", "['%s']", id).get("state").asText();
  }
}
