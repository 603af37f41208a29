package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The simple way in: says what is to happen and when. Family, gas, price and what becomes of it if
 * it is late are chosen, and told.
 */
abstract class PlainCommand extends ChangeCommand {
  private static final int NAME = 8;

  @Option(
      names = "--as",
      paramLabel = "ACCOUNT",
      defaultValue = "${env:SEQUITUR_ACCOUNT:-${sys:user.name}}",
      description =
          "Whose it is, and who pays (default: what SEQUITUR_ACCOUNT names in the environment, else"
              + " your user name).")
  private String account;

  @Option(
      names = "--late",
      paramLabel = "POLICY",
      converter = WrittenMoment.LateOfTask.class,
      defaultValue = "run-once",
      description =
          "When its time has passed: skip, run-once, run-all, or how late it may still run, such as"
              + " 5m or 'run-once 5m' (default: run-once, which is late rather than never).")
  private String late;

  @Option(
      names = "--no-set-aside",
      description =
          "What is paid once is taken at its time, if it is there; else it is set aside from now on."
              + " What a series pays is always taken when it runs.")
  private boolean taken;

  @Mixin private PolicyOptions.RetryOptions retry;

  @Mixin private DescriptionOptions description;

  @Mixin private DryRun dryRun;

  /** What a person calls a series. */
  static final class Named {
    @Option(
        names = "--id",
        paramLabel = "ID",
        description =
            "By which its owner tells a series from others (default: its key, else one is chosen).")
    private String id;

    boolean isSaid() {
      return id != null;
    }

    private String or(Optional<String> key) {
      return isSaid() ? id : key.orElseGet(() -> UUID.randomUUID().toString().substring(0, NAME));
    }
  }

  /** Whether anything was said that is for one schedule. */
  final boolean isOfOne() {
    return description.isSaid() || dryRun.isSaid();
  }

  final String account() {
    return account;
  }

  final String late() {
    return late;
  }

  /** Whether what is paid once is set aside from now on. */
  final boolean setsAside() {
    return !taken;
  }

  /** The command that has a target run once. */
  final ObjectNode once(JsonNode target, WrittenMoment.Time at) {
    var command =
        node()
            .command()
            .put("senderAddr", account)
            .put("scheduledTimeMs", node().time(at))
            .put("late", late);
    if (setsAside() && target.has("amount")) {
      command.put("setAside", true);
    }
    retry.addTo(command);
    description.addTo(command);
    dryRun.addTo(command);
    command.set("target", target);
    return command;
  }

  /** Has a target run once, and prints what was chosen. */
  final void runOnce(JsonNode target, WrittenMoment.Time at) {
    print(
        node().call("gasPriority_insert", once(target, at)),
        dryRun.or(at.zone(), inserted -> chosen(target, at, inserted)));
  }

  private String chosen(JsonNode target, WrittenMoment.Time at, JsonNode inserted) {
    var id = inserted.path("id").asText();
    var amount = target.path("amount").asText();
    boolean isAside = setsAside() && !amount.isEmpty();
    return new Facts()
        .add("scheduled", id)
        .add("runs", ScheduleText.what(target))
        .add("at", at.shown())
        .add("paid by", account)
        .add(
            "set aside",
            "%s: %sat most %s gas at %s each"
                .formatted(
                    inserted.path("setAside").asText(),
                    isAside ? amount + " to be paid, and " : "",
                    inserted.path("maxGasAmount").asText(),
                    inserted.path("maxGasUnitPrice").asText()))
        .add("then needed", isAside ? "" : amount)
        .add("if late", late)
        .add("warning", inserted.path("warning").asText())
        .add("cancel it by", "sequitur schedule cancel %s --as %s".formatted(id, account))
        .text();
  }

  /**
   * Has a target run again and again, and prints what was chosen.
   *
   * @param cadence adds when
   */
  final void runAsSeries(
      JsonNode target, Named named, BiConsumer<ObjectNode, NodeOptions> cadence) {
    var name = named.or(node().key());
    var command = node().command().put("owner", account).put("providedId", name).put("late", late);
    cadence.accept(command, node());
    retry.addTo(command);
    description.addTo(command);
    dryRun.addTo(command);
    print(
        node().call(TargetOptions.addTo(command, target), command),
        dryRun.or(WrittenMoment.zoneOf(command), scheduled -> chosen(target, command, scheduled)));
  }

  private String chosen(JsonNode target, ObjectNode command, JsonNode scheduled) {
    var id = scheduled.path("taskId").asText();
    var zone = WrittenMoment.zoneOf(command);
    return new Facts()
        .add("scheduled", id)
        .add("called", command.path("providedId").asText())
        .add("runs", ScheduleText.what(target))
        .add(
            "at first",
            StreamSupport.stream(scheduled.path("firstTimes").spliterator(), false)
                .map(time -> WrittenMoment.shown(Instant.parse(time.asText()), zone))
                .collect(Collectors.joining("\n")))
        .add("paid by", account + ", a fee of " + scheduled.path("fee").asText() + " for each time")
        .add("then needed", target.path("amount").asText())
        .add("if late", late)
        .add("cancel it by", "sequitur schedule cancel %s --as %s".formatted(id, account))
        .text();
  }
}
