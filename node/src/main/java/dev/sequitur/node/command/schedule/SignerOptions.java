package dev.sequitur.node.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.process.WrongOption;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import picocli.CommandLine.Option;

/** Whose key signs: one in a file, or that of an identity of a node. */
final class SignerOptions {
  private static final String FILE_NEEDS =
      " Make one with: openssl genpkey -algorithm ed25519 -out alice.pem; openssl pkey -in"
          + " alice.pem -pubout -outform DER | tail -c 32 | xxd -p -c 64";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "An Ed25519 private key, PKCS#8 in PEM; needs --public-key.")
  private Path keyFile;

  @Option(
      names = "--public-key",
      paramLabel = "KEY",
      description = "The public key of --key-file: ed25519: and 64 hexadecimal digits.")
  private String publicKey;

  @Option(
      names = "--identity",
      paramLabel = "NAME@NODE",
      description = "Sign with the key that a node holds for this identity.")
  private String identity;

  @Option(
      names = "--signer-node",
      paramLabel = "URL",
      description = "The node that holds the identity's key (default: that of --node).")
  private URI signerNode;

  /** A signature over bytes, as {@code {publicKey, signature}}. */
  JsonNode sign(NodeOptions node, String hex) {
    if ((keyFile == null) == (identity == null) || (keyFile == null) != (publicKey == null)) {
      throw new WrongOption(
          "Say who signs: --key-file FILE --public-key KEY, or --identity NAME@NODE.");
    }
    if (identity != null) {
      var request = NodeOptions.JSON.createObjectNode().put("identity", identity).put("bytes", hex);
      var params = NodeOptions.JSON.createArrayNode().add(request);
      return signerNode == null
          ? node.call("multiSignature_sign", params)
          : NodeOptions.call(signerNode, "multiSignature_sign", params);
    }
    return NodeOptions.JSON
        .createObjectNode()
        .put("publicKey", publicKey)
        .put("signature", signed(hex));
  }

  /** Has the node build a transaction, signs it as its payer, and submits it. */
  JsonNode submit(NodeOptions node, String method, ObjectNode transaction) {
    var bytes =
        node.call("multiSignature_buildTransaction", transaction).path("bodyBytes").asText();
    var command = node.command().put("bodyBytes", bytes);
    command.putArray("signatures").add(sign(node, bytes));
    return node.call(method, command);
  }

  private String signed(String hex) {
    try {
      var signature = Signature.getInstance("Ed25519");
      signature.initSign(privateKey());
      signature.update(Bytes.hex(hex).toByteArray());
      return Bytes.of(signature.sign()).toHex();
    } catch (GeneralSecurityException e) {
      throw new WrongOption("The key in " + keyFile + " cannot sign: it must be Ed25519.");
    }
  }

  private PrivateKey privateKey() throws GeneralSecurityException {
    try {
      var lines = Files.readAllLines(keyFile).stream().filter(line -> !line.startsWith("-----"));
      var content = String.join("", lines.map(String::strip).toList());
      var encoded = Base64.getDecoder().decode(content);
      try {
        return KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } finally {
        Arrays.fill(encoded, (byte) 0);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new WrongOption(
          "The key file " + keyFile + " cannot be read as PKCS#8 in PEM." + FILE_NEEDS);
    }
  }
}
