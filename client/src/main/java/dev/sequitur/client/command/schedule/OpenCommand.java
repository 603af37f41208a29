package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur schedule open}. */
@Command(
    name = "open",
    description = {
      "Opens an account of the multi-signature family, as the queue's administrator; with"
          + " --identity, says which keys must sign for what runs from an identity."
    },
    footer = {
      "",
      "Examples:",
      "  sequitur schedule open ed25519:…",
      "  sequitur schedule open ed25519:… ed25519:… ed25519:… --threshold 2",
      "  sequitur schedule open ed25519:… secp256k1:… --identity alice@node1"
    })
final class OpenCommand extends ChangeCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "KEY",
      description = "Public keys; of several, all must sign unless --threshold says otherwise.")
  private List<String> keys;

  @Option(names = "--threshold", paramLabel = "N", description = "So many of the keys must sign.")
  private Integer threshold;

  @Option(
      names = "--identity",
      paramLabel = "NAME@NODE",
      description = "Bind the keys to this identity instead of opening an account.")
  private String identity;

  @Override
  public void run() {
    var command = node().command();
    addKey(command);
    if (identity != null) {
      print(
          node().call("multiSignature_bindKey", command.put("identity", identity)),
          result -> "Bound " + identity + ".");
      return;
    }
    print(
        node().call("multiSignature_openAccount", command),
        result -> "Opened account " + result.path("accountID").asText());
  }

  private void addKey(ObjectNode command) {
    if (keys.size() == 1 && threshold == null) {
      command.put("key", keys.get(0));
      return;
    }
    var key = command.putObject("key");
    if (threshold != null) {
      key.put("threshold", threshold);
    }
    var list = key.putArray("keys");
    keys.forEach(list::add);
  }
}
