package dev.sequitur.client.command.schedule;

import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur schedule cancel}. */
@Command(
    name = "cancel",
    description = {
      "Cancels a schedule that was not started: as its owner (of a recurring one, also as the"
          + " queue's administrator), or, if it is multi-signature, signed by its admin key (a"
          + " ScheduleDelete)."
    },
    footer = {
      "",
      "Examples:",
      "  sequitur schedule cancel recurring:0x… --as alice",
      "  sequitur schedule cancel 0.0.1005 --payer 0.0.1001 --key-file alice.pem",
      "  sequitur schedule cancel 0.0.1005 --payer 0.0.1001 --key-file alice.pem"
          + " --admin-key-file admin.pem"
    })
final class CancelCommand extends ChangeCommand {
  @Mixin private IdParameter schedule;

  @Option(
      names = "--as",
      paramLabel = "ACCOUNT",
      description = "The account you act as: its owner.")
  private String account;

  @Option(
      names = "--payer",
      paramLabel = "ID",
      description =
          "Of a multi-signature schedule: the account that pays for the cancelling, such as"
              + " 0.0.1001.")
  private String payer;

  @Mixin private SignerOptions signer;

  @Option(
      names = "--admin-key-file",
      paramLabel = "FILE",
      description =
          "Sign with this key too, if the payer's is not the admin key; several, if it takes"
              + " several.")
  private List<Path> adminKeyFiles = List.of();

  @Override
  public void run() {
    var entity = schedule.entity();
    if (entity.isPresent()) {
      delete(entity.get());
    } else if (account == null || payer != null || signer.isNamed() || !adminKeyFiles.isEmpty()) {
      throw new WrongOption(
          "Say in whose name it is cancelled: --as ACCOUNT. Only multi-signature schedules are"
              + " cancelled by a --payer and keys.");
    } else {
      var command = node().command().put("id", schedule.id()).put("as", account);
      print(node().call("schedule_cancel", command), result -> "Cancelled " + schedule.id() + ".");
    }
  }

  private void delete(String id) {
    if (account != null || payer == null) {
      throw new WrongOption(
          "A multi-signature schedule is cancelled by its admin key: sequitur schedule cancel %s"
                  .formatted(id)
              + " --payer ID --key-file FILE, and --admin-key-file FILE if the payer's key is not"
              + " its admin key.");
    }
    signer.check();
    var admins = adminKeyFiles.stream().map(KeyFile::read).toList();
    var delete = NodeCalls.JSON.createObjectNode();
    delete.put("operation", "scheduleDelete").put("payer", payer).put("scheduleID", id);
    print(
        signer.submit(
            node(), new SignerOptions.Transaction("multiSignature_scheduleDelete", delete), admins),
        result -> "Cancelled " + id + ": " + result.path("status").asText());
  }
}
