package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.console.WrongOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Who may cancel a multi-signature schedule, who pays when it runs, and how long it waits. */
final class CreationOptions {
  @Option(
      names = "--admin-key",
      paramLabel = "KEY",
      description =
          "Who may cancel it: a public key, as 'schedule key' prints it (default: nobody). It must"
              + " sign the creation: name the payer's own, or use --admin-key-file.")
  private String adminKey;

  @Option(
      names = "--admin-key-file",
      paramLabel = "FILE",
      description = "The same by a key file, which signs the creation too.")
  private Path adminKeyFile;

  @Option(
      names = "--execution-payer",
      paramLabel = "ID",
      description = "The account that pays when it runs, and must sign it (default: --payer).")
  private String executionPayer;

  @Option(
      names = "--schedule-memo",
      paramLabel = "TEXT",
      description = "A memo of the schedule, which whoever is to sign sees in 'schedule list'.")
  private String scheduleMemo;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description = "Until when it waits for its signatures, " + WrittenMoment.EXAMPLES + ".")
  private WrittenMoment.Time expires;

  @Option(
      names = "--wait",
      description = "Run at --expires and not with the last signature, in the profile current.")
  private boolean waitForExpiry;

  /**
   * Told before anything is asked of a node.
   *
   * @throws WrongOption if they contradict each other, or there is no key in the file
   */
  void check() {
    if (adminKey != null && adminKeyFile != null) {
      throw new WrongOption("Name the admin key once: --admin-key KEY, or --admin-key-file FILE.");
    } else if (waitForExpiry && expires == null) {
      throw new WrongOption("--wait runs it at a time: say when with --expires TIME.");
    }
    adminKeyOfFile();
  }

  /** Adds what was said to a ScheduleCreate. */
  void addTo(ObjectNode create, NodeOptions node) {
    var key = adminKeyOfFile().map(KeyFile::publicKey).orElse(adminKey);
    NodeOptions.put(create, "adminKey", key);
    NodeOptions.put(create, "payerAccountID", executionPayer);
    NodeOptions.put(create, "scheduleMemo", scheduleMemo);
    NodeOptions.put(create, "expirationTime", expires == null ? null : node.time(expires));
    if (waitForExpiry) {
      create.put("waitForExpiry", true);
    }
  }

  /** Who signs the creation beside its payer. */
  List<KeyFile> signers() {
    return adminKeyOfFile().stream().toList();
  }

  private Optional<KeyFile> adminKeyOfFile() {
    return Optional.ofNullable(adminKeyFile).map(KeyFile::read);
  }
}
