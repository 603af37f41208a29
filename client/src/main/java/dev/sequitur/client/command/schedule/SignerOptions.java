package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.NodeAccess;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Whose key signs: one in a file, or that of an identity of a node. */
final class SignerOptions {
  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "Sign with an Ed25519 or secp256k1 private key, as 'schedule key --new' and openssl genpkey"
              + " write it.")
  private Path keyFile;

  @Option(
      names = "--identity",
      paramLabel = "NAME@NODE",
      description = "Sign with the key that a node holds for this identity.")
  private String identity;

  @Option(
      names = "--signer-node",
      paramLabel = "URL",
      converter = NodeAccess.NodeUrl.class,
      description = "The node that holds the identity's key (default: that of --node).")
  private URI signerNode;

  /**
   * A signature over bytes, as {@code {publicKey, signature}}.
   *
   * @throws WrongOption if nobody, or more than one, is named, or the file has no key
   */
  JsonNode sign(NodeOptions node, String hex) {
    check();
    if (keyFile != null) {
      return sign(KeyFile.read(keyFile), hex);
    }
    var request = NodeCalls.JSON.createObjectNode().put("identity", identity).put("bytes", hex);
    var params = NodeCalls.JSON.createArrayNode().add(request);
    return signerNode == null
        ? node.call("multiSignature_sign", params)
        : NodeAccess.call(signerNode, "multiSignature_sign", params);
  }

  private static JsonNode sign(KeyFile key, String hex) {
    return NodeCalls.JSON
        .createObjectNode()
        .put("publicKey", key.publicKey())
        .put("signature", key.sign(hex));
  }

  /** Told before anything is asked of a node. */
  void check() {
    if ((keyFile == null) == (identity == null)) {
      throw new WrongOption("Say who signs: --key-file FILE, or --identity NAME@NODE.");
    } else if (signerNode != null && identity == null) {
      throw new WrongOption("--signer-node holds the key of an --identity: name one.");
    } else if (keyFile != null) {
      KeyFile.read(keyFile);
    }
  }

  /** Of a key in a file: that of an identity is its node's. */
  Optional<String> publicKey() {
    return Optional.ofNullable(keyFile).map(file -> KeyFile.read(file).publicKey());
  }

  /** Whether anything was said of it. */
  boolean isNamed() {
    return keyFile != null || identity != null || signerNode != null;
  }

  /** Has the node build a transaction, signs it as its payer, and submits it. */
  JsonNode submit(NodeOptions node, String method, ObjectNode transaction) {
    return submit(node, new Transaction(method, transaction), List.of());
  }

  /**
   * What is to be built, signed and submitted.
   *
   * @param said adds to the submission what is not part of the transaction
   */
  record Transaction(String method, ObjectNode body, Consumer<ObjectNode> said) {
    /** Of which nothing is said beside it. */
    Transaction(String method, ObjectNode body) {
      this(method, body, submission -> {});
    }
  }

  /**
   * The same of a transaction that others sign too.
   *
   * @param others may have the payer's key among them
   */
  JsonNode submit(NodeOptions node, Transaction transaction, List<KeyFile> others) {
    var built =
        node.call("multiSignature_buildTransaction", transaction.body().put("queue", node.queue()));
    var bytes = built.path("bodyBytes").asText();
    var command = node.command().put("bodyBytes", bytes);
    var signed = new LinkedHashMap<String, JsonNode>();
    var first = sign(node, bytes);
    signed.put(first.path("publicKey").asText(), first);
    others.forEach(key -> signed.computeIfAbsent(key.publicKey(), any -> sign(key, bytes)));
    command.putArray("signatures").addAll(signed.values());
    transaction.said().accept(command);
    return node.call(transaction.method(), command);
  }
}
