package dev.sequitur.node.command.schedule;

import dev.sequitur.node.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur schedule sign}. */
@Command(
    name = "sign",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = "Signs a multi-signature schedule; the last signature that it needs runs it.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule sign 0.0.1005 --payer 0.0.1002 --key-file bob.pem",
      "  sequitur schedule sign 0.0.1005 --payer 0.0.1002 --identity bob@node2"
          + " --signer-node http://127.0.0.1:8546"
    })
final class SignCommand implements Runnable {
  private final Console console;

  @Mixin private NodeOptions node;

  @Parameters(paramLabel = "ID", description = "The schedule, such as 0.0.1005.")
  private String id;

  @Option(
      names = "--payer",
      required = true,
      paramLabel = "ID",
      description = "The account that pays for the signing, such as 0.0.1002.")
  private String payer;

  @Mixin private SignerOptions signer;

  SignCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    signer.check();
    var body = node.ask("multiSignature_scheduleGetInfo", id).path("transactionBody").asText();
    var sign = NodeOptions.JSON.createObjectNode();
    sign.put("operation", "scheduleSign").put("payer", payer).put("scheduleID", id);
    sign.putArray("sigMap").add(signer.sign(node, body));
    node.print(
        console.out(),
        signer.submit(node, "multiSignature_scheduleSign", sign),
        result -> "Signed " + id + ": " + result.path("status").asText());
  }
}
