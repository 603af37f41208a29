package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule approve}, or {@code sign} as Hedera calls it. */
@Command(
    name = "approve",
    aliases = "sign",
    description =
        "Approves a multi-signature schedule with your key; the last signature that it needs runs"
            + " it.",
    footer = {
      "",
      "Examples:",
      "  sequitur schedule approve 0.0.1005 --key-file bob.pem",
      "  sequitur schedule approve 0.0.1005 --link",
      "  sequitur schedule approve 0.0.1005 --payer 0.0.1002 --identity bob@node2"
          + " --signer-node http://127.0.0.1:8546"
    })
final class ApproveCommand extends ChangeCommand {
  private static final Set<ResponseCode> GONE =
      Set.of(ResponseCode.SCHEDULE_DELETED, ResponseCode.INVALID_SCHEDULE_ID);

  @Mixin private IdParameter id;

  @Option(
      names = "--payer",
      paramLabel = "ID",
      description =
          "The account that pays for the signing, such as 0.0.1002 (default: the one that must"
              + " approve it and has just this key).")
  private String payer;

  @Option(
      names = "--link",
      description =
          "Print the address at which the node's page shows what is to be approved, to be sent to"
              + " those who are to; sign nothing.")
  private boolean link;

  @Mixin private SignerOptions signer;

  @Override
  public void run() {
    var schedule = id.entity().orElseThrow(this::needsNone);
    if (link) {
      printLink(schedule);
    } else {
      approve(schedule);
    }
  }

  private WrongOption needsNone() {
    return new WrongOption(
        "'"
            + id.id()
            + "' waits for no approval: name a multi-signature schedule, such as 0.0.1005."
            + " 'sequitur schedule list --key-file FILE' shows those that wait for yours.");
  }

  private void printLink(String schedule) {
    if (signer.isNamed() || payer != null) {
      throw new WrongOption("--link signs nothing: leave out who signs and who pays.");
    }
    info(schedule);
    var address = node().page("schedule", schedule);
    print(NodeCalls.JSON.createObjectNode().put("link", address), link -> address);
  }

  private void approve(String schedule) {
    signer.check();
    var info = info(schedule);
    var by = payer == null ? ownAccount(schedule, info) : payer;
    var sign = NodeCalls.JSON.createObjectNode();
    sign.put("operation", "scheduleSign").put("payer", by).put("scheduleID", schedule);
    if (!node().signsWholeTransactions()) {
      sign.putArray("sigMap").add(signer.sign(node(), info.path("transactionBody").asText()));
    }
    print(
        signer.submit(node(), "multiSignature_scheduleSign", sign),
        result ->
            "Approved %s (%s): %s"
                .formatted(
                    schedule,
                    ScheduleText.done(info.path("does")),
                    result.path("status").asText()));
  }

  private String ownAccount(String schedule, JsonNode info) {
    var key =
        signer
            .publicKey()
            .orElseThrow(
                () ->
                    new WrongOption(
                        "Say by --payer which account pays for the signing, such as 0.0.1002."));
    var own = accountsOf(key, info.path("approvals"));
    if (own.size() != 1) {
      throw new WrongOption(
          (own.isEmpty()
                  ? "No account that must approve " + schedule + " has just this key"
                  : "The accounts " + String.join(" and ", own) + " have this key")
              + ": say by --payer which account pays for the signing, such as 0.0.1002.");
    }
    return own.getFirst();
  }

  private static List<String> accountsOf(String key, JsonNode approvals) {
    return StreamSupport.stream(approvals.spliterator(), false)
        .filter(approval -> approval.has("account"))
        .filter(approval -> approval.path("key").asText().equals(key))
        .map(approval -> approval.path("account").asText())
        .distinct()
        .toList();
  }

  /** What is gone cannot be signed again, and it may be gone by this very signature. */
  private JsonNode info(String schedule) {
    try {
      return node().ask("multiSignature_scheduleGetInfo", schedule);
    } catch (CallFailure e) {
      if (node().hasKey() && GONE.stream().anyMatch(e::is)) {
        throw e.and(
            "If this repeats a signature, it may have run by it: see sequitur schedule explain %s."
                .formatted(schedule));
      }
      throw e;
    }
  }
}
