package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur schedule sign}. */
@Command(
    name = "sign",
    description = "Signs a multi-signature schedule; the last signature that it needs runs it.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule sign 0.0.1005 --payer 0.0.1002 --key-file bob.pem",
      "  sequitur schedule sign 0.0.1005 --payer 0.0.1002 --identity bob@node2"
          + " --signer-node http://127.0.0.1:8546"
    })
final class SignCommand extends ChangeCommand {
  private static final Set<ResponseCode> GONE =
      Set.of(ResponseCode.SCHEDULE_DELETED, ResponseCode.INVALID_SCHEDULE_ID);

  @Parameters(paramLabel = "ID", description = "The schedule, such as 0.0.1005.")
  private String id;

  @Option(
      names = "--payer",
      required = true,
      paramLabel = "ID",
      description = "The account that pays for the signing, such as 0.0.1002.")
  private String payer;

  @Mixin private SignerOptions signer;

  @Override
  public void run() {
    signer.check();
    var body = info().path("transactionBody").asText();
    var sign = NodeCalls.JSON.createObjectNode();
    sign.put("operation", "scheduleSign").put("payer", payer).put("scheduleID", id);
    if (!node().signsWholeTransactions()) {
      sign.putArray("sigMap").add(signer.sign(node(), body));
    }
    print(
        signer.submit(node(), "multiSignature_scheduleSign", sign),
        result -> "Signed " + id + ": " + result.path("status").asText());
  }

  /** What is gone cannot be signed again, and it may be gone by this very signature. */
  private JsonNode info() {
    try {
      return node().ask("multiSignature_scheduleGetInfo", id);
    } catch (CallFailure e) {
      if (node().hasKey() && GONE.stream().anyMatch(e::is)) {
        throw e.and(
            "If this repeats a signature, it may have run by it: see sequitur schedule explain %s."
                .formatted(id));
      }
      throw e;
    }
  }
}
