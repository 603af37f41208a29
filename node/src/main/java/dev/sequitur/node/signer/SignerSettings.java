package dev.sequitur.node.signer;

import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.protocol.group.Verifier;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Who holds keys for a node.
 *
 * @param address scheme, host and port; a path goes before those of the interface
 * @param tls by whom the signer is known, and what it is shown; empty for what Java trusts by
 *     itself, and nothing
 * @param timeout of one answer
 * @param identities the keys that it holds, by the names of this node's identities
 */
public record SignerSettings(
    URI address, Optional<Tls> tls, Duration timeout, Map<String, Verifier> identities) {
  public SignerSettings {
    identities = Map.copyOf(identities);
  }

  /**
   * @param authority certificates whose holders may say which host is which
   * @param own certificate and key, if they are shown
   */
  public record Tls(Path authority, Optional<ServerFiles> own) {}
}
