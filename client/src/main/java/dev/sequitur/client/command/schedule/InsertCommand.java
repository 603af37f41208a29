package dev.sequitur.client.command.schedule;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule insert}. */
@Command(
    name = "insert",
    description =
        "Inserts a gas-priority transaction: it runs at a time, the highest bidder first.",
    footer = {
      "",
      "Example:",
      "  sequitur schedule insert --sender alice --at +5m --gas 100 --price 3 --pay 25 --to bob"
    })
final class InsertCommand extends ChangeCommand {
  @Option(
      names = "--sender",
      required = true,
      paramLabel = "ACCOUNT",
      description = "Who pays the deposit, and may cancel.")
  private String sender;

  @Option(
      names = "--at",
      required = true,
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description = "When it runs, " + WrittenMoment.EXAMPLES + ".")
  private WrittenMoment.Time at;

  @Option(
      names = "--gas",
      required = true,
      paramLabel = "N",
      description = "The most gas it may use: what it needs, or more.")
  private String gas;

  @Option(
      names = "--price",
      required = true,
      paramLabel = "N",
      description = "The most it pays for a unit of gas; also its priority.")
  private String price;

  @Mixin private TargetOptions target;

  @Option(
      names = "--set-aside",
      description = "Sets aside what it pays, too: else that is taken when it runs.")
  private boolean aside;

  @Mixin private PolicyOptions.OfTransaction policy;

  @Mixin private DescriptionOptions description;

  @Mixin private DryRun dryRun;

  @Override
  public void run() {
    var command =
        node()
            .command()
            .put("senderAddr", sender)
            .put("scheduledTimeMs", node().time(at))
            .put("maxGasAmount", gas)
            .put("maxGasUnitPrice", price);
    if (aside) {
      command.put("setAside", true);
    }
    command.set("target", target.target());
    policy.addTo(command);
    description.addTo(command);
    dryRun.addTo(command);
    print(
        node().call("gasPriority_insert", command),
        dryRun.or(
            at.zone(),
            result ->
                "Inserted "
                    + result.path("id").asText()
                    + (result.has("warning") ? "\n" + result.get("warning").asText() : "")));
  }
}
