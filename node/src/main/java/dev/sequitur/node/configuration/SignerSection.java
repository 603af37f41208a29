package dev.sequitur.node.configuration;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.node.signer.SignerSettings;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;

/** Reads who holds keys for a node. */
final class SignerSection {
  /** Names the file of the certificate that the signer is shown. */
  static final String CERTIFICATE = "signer.certificate";

  private static final NodeName ANY = new NodeName("node");
  private static final int COMPRESSED = 33;
  private static final int NUMBER = 32;
  private static final int UNCOMPRESSED = 4;

  private SignerSection() {}

  /**
   * @return empty if nobody does
   */
  static Optional<SignerSettings> read(ConfigurationReader reader) {
    var identities =
        reader.entries("signer.identities", SignerSection::name, SignerSection::verifier);
    var tls = tls(reader);
    if (reader.text("signer.address").isBlank()) {
      if (!identities.isEmpty() || tls.isPresent()) {
        reader.mistake(
            "signer has identities or certificates and no address: name the signer, such as"
                + " signer.address = \"https://signer.example:9000\".");
      }
      return Optional.empty();
    }
    var address = reader.uri("signer.address");
    if (address.getHost() == null) {
      return Optional.empty();
    }
    if (address.getRawUserInfo() != null
        || address.getRawQuery() != null
        || address.getRawFragment() != null) {
      reader.mistake("signer.address is a scheme, a host and a port: leave out what else it has.");
    }
    if (identities.isEmpty()) {
      reader.mistake(
          "signer.identities is empty: name the identities whose keys the signer holds, each with"
              + " its public key.");
    }
    if (!address.getScheme().equals("https") && !isLoopback(address)) {
      reader.mistake(
          "signer.address is reached by http, so that anybody on the way could have something else"
              + " signed: use https, or a signer on this machine.");
    }
    return Optional.of(
        new SignerSettings(address, tls, reader.duration("signer.timeout"), identities));
  }

  private static boolean isLoopback(URI address) {
    var host = address.getHost();
    if (host.equals("localhost")) {
      return true;
    }
    try {
      // An address in digits is looked up nowhere.
      return (host.startsWith("127.") || host.startsWith("["))
          && InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static Optional<SignerSettings.Tls> tls(ConfigurationReader reader) {
    var authority = reader.optionalPath("signer.authority");
    var certificate = reader.optionalPath(CERTIFICATE);
    var key = reader.optionalPath("signer.private-key");
    if (certificate.isPresent() != key.isPresent()
        || (certificate.isPresent() && authority.isEmpty())) {
      reader.mistake(
          "signer has certificate, private-key and authority, or authority alone, or none: name what"
              + " is missing.");
      return Optional.empty();
    }
    return authority.map(
        trusted ->
            new SignerSettings.Tls(
                trusted,
                certificate.map(own -> new ServerFiles(own, key.orElseThrow(), authority))));
  }

  private static String name(String text) {
    var identity = new Identity(text, ANY);
    if (NodeKeyNames.isTakenBy(identity) && !text.equals(NodeKeyNames.funding())) {
      throw new IllegalArgumentException(
          "The key %s is the node's own, and is made of its seed as it is needed: a signer holds keys of identities and of %s."
              .formatted(text, NodeKeyNames.funding()));
    }
    if (text.equals(ProviderConfiguration.KEY)) {
      throw new IllegalArgumentException(
          "The account %s has to sign at once and twice the same, which a signer may not: give it a key by `sequitur keys import`."
              .formatted(text));
    }
    return identity.name();
  }

  /** Of 33, 64 or 65 bytes, as programs write it. */
  private static Verifier verifier(String hex) {
    var bytes = Bytes.hex(hex).toByteArray();
    boolean isMarked = bytes.length == 2 * NUMBER + 1 && bytes[0] == UNCOMPRESSED;
    if (!isMarked && bytes.length != 2 * NUMBER && bytes.length != COMPRESSED) {
      throw new IllegalArgumentException(
          "A public key has 33, 64 or 65 bytes in hex, not %d.".formatted(bytes.length));
    }
    var compressed = bytes;
    if (bytes.length != COMPRESSED) {
      compressed = new byte[COMPRESSED];
      compressed[0] = (byte) (2 + (bytes[bytes.length - 1] & 1));
      System.arraycopy(bytes, isMarked ? 1 : 0, compressed, 1, NUMBER);
    }
    var verifier = new Verifier(Bytes.of(compressed));
    var coordinates = new Secp256k1Signatures().coordinates(verifier).toHex();
    if (bytes.length != COMPRESSED && !Bytes.of(bytes).toHex().endsWith(coordinates.substring(2))) {
      throw new IllegalArgumentException("That is no secp256k1 public key.");
    }
    return verifier;
  }
}
