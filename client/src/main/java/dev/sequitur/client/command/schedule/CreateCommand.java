package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule create}. */
@Command(
    name = "create",
    description = "Creates a multi-signature schedule: it runs once enough have signed.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule create --payer 0.0.1001 --key-file alice.pem"
          + " --transfer 0.0.1001=-40 --transfer 0.0.1002=40",
      "  sequitur schedule create --payer 0.0.1001 --identity alice@node1"
          + " --transaction '{\"type\":\"private\",…}'",
      "  sequitur schedule create --payer 0.0.1001 --key-file alice.pem --admin-key-file alice.pem"
          + " --transfer 0.0.1001=-40 --transfer 0.0.1002=40"
    })
final class CreateCommand extends ChangeCommand {
  @Option(
      names = "--payer",
      required = true,
      paramLabel = "ID",
      description = "The account that creates and pays, such as 0.0.1001.")
  private String payer;

  @Mixin private SignerOptions signer;

  @Mixin private CreationOptions creation;

  @Option(
      names = "--transfer",
      paramLabel = "ID=AMOUNT",
      description = "What an account gets, or gives if below 0; several, which sum to 0.")
  private List<String> transfers;

  @Option(
      names = "--transaction",
      paramLabel = "JSON",
      description = "A private transaction: the object of ptx_sendTransaction.")
  private String transaction;

  @Option(names = "--memo", paramLabel = "TEXT", description = "A memo of the scheduled body.")
  private String memo;

  @Option(
      names = "--nonce",
      paramLabel = "N",
      description = "Tells it apart from the same that ran before.")
  private Long nonce;

  @Option(
      names = "--only-pay",
      description =
          "Create it and pay, without a signature for what it does: of one whose key need not sign"
              + " that.")
  private boolean onlyPay;

  @Mixin private DryRun dryRun;

  @Override
  public void run() {
    signer.check();
    creation.check();
    var body = node().call("multiSignature_buildBody", body()).path("transactionBody").asText();
    var create = NodeCalls.JSON.createObjectNode();
    create.put("operation", "scheduleCreate").put("payer", payer).put("transactionBody", body);
    creation.addTo(create, node());
    if (!onlyPay && !node().signsWholeTransactions()) {
      create.putArray("sigMap").add(signer.sign(node(), body));
    }
    print(
        submit(create),
        dryRun.or(
            result ->
                "Schedule %s (scheduled transaction %s): %s"
                    .formatted(
                        result.path("scheduleID").asText(),
                        result.path("scheduledTransactionID").asText(),
                        result.path("status").asText())));
  }

  private JsonNode submit(ObjectNode create) {
    try {
      return signer.submit(
          node(),
          new SignerOptions.Transaction("multiSignature_scheduleCreate", create, dryRun::addTo),
          creation.signers());
    } catch (CallFailure e) {
      if (!onlyPay && e.is(ResponseCode.SOME_SIGNATURES_WERE_INVALID)) {
        throw e.and("If your key need not sign what it does, add --only-pay.");
      }
      throw e;
    }
  }

  private ObjectNode body() {
    var body = NodeCalls.JSON.createObjectNode().put("queue", node().queue());
    body.put("memo", memo).put("nonce", nonce);
    if ((transfers == null) == (transaction == null)) {
      throw new WrongOption("Say what is to run: --transfer ID=AMOUNT …, or --transaction JSON.");
    }
    if (transaction != null) {
      body.set("transaction", TargetOptions.object("--transaction", transaction));
      return body;
    }
    var rows = body.putArray("transfers");
    for (var transfer : transfers) {
      int sign = transfer.indexOf('=');
      if (sign < 1) {
        throw new WrongOption(
            "--transfer " + transfer + " is not ID=AMOUNT, such as 0.0.1001=-40.");
      }
      rows.addObject()
          .put("account", transfer.substring(0, sign))
          .put("amount", transfer.substring(sign + 1));
    }
    return body;
  }
}
