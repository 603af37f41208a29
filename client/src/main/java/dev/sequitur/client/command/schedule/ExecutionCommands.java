package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Executions of plans that were bought. */
final class ExecutionCommands {
  private ExecutionCommands() {}

  @Command(
      name = "execution",
      description = "Schedules an execution of a plan that was bought.",
      footer = {
        "",
        "Example:",
        "  sequitur schedule execution --as alice --plan 0 --at +5m --pay 25 --to bob"
      })
  static final class Execution extends ChangeCommand {
    @Mixin private ExecutionOptions execution;

    @Mixin private PolicyOptions.OfExecution policy;

    @Mixin private DryRun dryRun;

    @Override
    public void run() {
      var command = node().command();
      execution.addTo(command, "sender", node().time(execution.at()));
      policy.addTo(command);
      dryRun.addTo(command);
      print(
          node().call("plans_schedule", command),
          dryRun.or(result -> "Scheduled " + result.at("/ids/0").asText()));
    }
  }

  @Command(
      name = "hash",
      description = {
        "The id that an execution of a plan will have, before it is scheduled; changes nothing."
            + " Its time is a date: with a time from now it would be another id each time.",
        "Beside it: what the contract calls, from which it is computed, and the ABI encoding of"
            + " both, as plans_batchSchedule takes it."
      },
      footer = {
        "",
        "Example:",
        "  sequitur schedule hash --as alice --plan 0 --at 2030-01-31T12:00:00Z --pay 25 --to bob"
      })
  static final class Hash extends NodeCommand {
    @Mixin private ExecutionOptions execution;

    @Override
    public void run() {
      if (execution.at().fromNow()) {
        throw new WrongOption(
            "At another time an execution has another id, and a time from now is not the same"
                + " twice: write "
                + execution.at().text()
                + ".");
      }
      // An id is the same in all queues.
      var hashed = NodeCalls.JSON.createObjectNode();
      execution.addTo(hashed, "requestor", execution.at().text());
      print(node().call("plans_hash", hashed), ScheduleText::hash);
    }
  }

  @Command(
      name = "refund",
      description =
          "Refunds an overdue execution: its value and the execution that was bought go back.",
      footer = {"", "Example:", "  sequitur schedule refund plan-execution:0x… --as alice"})
  static final class Refund extends ChangeCommand {
    @Mixin private IdParameter execution;

    @Mixin private ActorOptions actor;

    @Override
    public void run() {
      var command = node().command().put("sender", actor.account()).put("id", execution.id());
      print(
          node().call("plans_requestExecutionRefund", command),
          result -> "Refunded " + execution.id() + ".");
    }
  }

  @Command(
      name = "state",
      description = "Where an execution stands, in the contract's word.",
      footer = {"", "Example:", "  sequitur schedule state plan-execution:0x…"})
  static final class State extends NodeCommand {
    @Mixin private IdParameter execution;

    @Override
    public void run() {
      print(node().ask("plans_getState", execution.id()), result -> result.path("state").asText());
    }
  }

  @Command(
      name = "execute",
      description =
          "Executes what is scheduled within its window, before the queue does it by itself, as the service provider.",
      footer = {"", "Example:", "  sequitur schedule execute plan-execution:0x… --gas 100"})
  static final class Execute extends ChangeCommand {
    @Mixin private IdParameter execution;

    @Mixin private ProviderOptions provider;

    @Option(
        names = "--gas",
        required = true,
        paramLabel = "N",
        description = "So much is given; the plan's limit at least.")
    private String gas;

    @Override
    public void run() {
      var command =
          node()
              .command()
              .put("sender", provider.account())
              .put("id", execution.id())
              .put("gas", gas);
      print(node().call("plans_execute", command), result -> "Executed " + execution.id() + ".");
    }
  }

  @Command(
      name = "batch",
      description = "Schedules several executions, all or none, each as 'schedule hash' prints it.",
      footer = {"", "Example:", "  sequitur schedule batch 0x… 0x… --as alice --value 50"})
  static final class Batch extends ChangeCommand {
    @Parameters(
        arity = "0..*",
        paramLabel = "EXECUTION",
        description = "As 'schedule hash' prints it.")
    private List<String> executions = List.of();

    @Mixin private ActorOptions actor;

    @Option(
        names = "--value",
        defaultValue = "0",
        paramLabel = "AMOUNT",
        description = "Just what all of them send.")
    private String value;

    @Mixin private DryRun dryRun;

    @Override
    public void run() {
      var command = node().command().put("sender", actor.account()).put("value", value);
      executions.forEach(command.putArray("executions")::add);
      dryRun.addTo(command);
      print(node().call("plans_batchSchedule", command), dryRun.or(Batch::scheduled));
    }

    private static String scheduled(JsonNode result) {
      var ids = new ArrayList<String>();
      result.path("ids").forEach(id -> ids.add("Scheduled " + id.asText()));
      return ids.isEmpty() ? "Nothing was to be scheduled." : String.join("\n", ids);
    }
  }

  @Command(
      name = "multicall",
      description =
          "Does several things to plans in one step, each an object with its function, as plans_multicall takes them.",
      footer = {
        "",
        "Example:",
        "  sequitur schedule multicall --as alice '[{\"function\": \"purchase\", \"plan\": 0, \"quantity\": 1, \"value\": \"10\"}]'"
      })
  static final class Multicall extends ChangeCommand {
    @Parameters(paramLabel = "CALLS", description = "A JSON array of calls.")
    private String calls;

    @Mixin private ActorOptions actor;

    @Option(
        names = "--keep-others",
        description = "One that is refused undoes nothing else (default: it undoes all).")
    private boolean keepOthers;

    @Override
    public void run() {
      var command =
          node().command().put("sender", actor.account()).put("revertIfFails", !keepOthers);
      try {
        command.set("calls", NodeCalls.JSON.readTree(calls));
      } catch (JsonProcessingException e) {
        throw new WrongOption(
            "The calls are no JSON: write an array, such as"
                + " [{\"function\": \"purchase\", \"plan\": 0, \"quantity\": 1}].");
      }
      print(
          node().call("plans_multicall", command),
          result -> {
            var lines = new ArrayList<String>();
            lines.add(result.path("kept").asBoolean() ? "Done:" : "Nothing was kept:");
            result.path("each").forEach(each -> lines.add("  " + each));
            return String.join("\n", lines);
          });
    }
  }

  /** An execution of a plan: whose it is, by which plan, when, and of what. */
  private static final class ExecutionOptions {
    @Mixin private ActorOptions requestor;

    @Option(
        names = "--plan",
        required = true,
        paramLabel = "N",
        description = "The plan's number, as 'schedule plans' lists it.")
    private String plan;

    @Option(
        names = "--at",
        required = true,
        paramLabel = "TIME",
        converter = WrittenMoment.At.class,
        description = "When it runs, give or take the window, " + WrittenMoment.EXAMPLES + ".")
    private WrittenMoment.Time at;

    @Mixin private TargetOptions target;

    WrittenMoment.Time at() {
      return at;
    }

    /**
     * Adds what was said to a command.
     *
     * @param who the field that names the requestor
     * @param time as the command sends it
     */
    void addTo(ObjectNode command, String who, String time) {
      command.put(who, requestor.account()).put("plan", plan).put("timestamp", time);
      command.set("target", target.target());
    }
  }
}
