package dev.sequitur.node.guard;

import dev.sequitur.links.ListenAddress;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.guard.Quota;
import dev.sequitur.protocol.guard.Role;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who may call, and how it is shown.
 *
 * @param authentication of JSON-RPC, health and metrics
 * @param healthForAll whether the port of health and metrics asks nobody who calls
 * @param tls of all ports that callers reach; empty if they speak plainly
 * @param tokens the file of the tokens, which need not exist
 * @param roles by name
 * @param jwt whose JSON Web Tokens are taken; empty if none are
 * @param quota of each caller; empty if there is none
 * @param audit of calls that change something
 * @param certificates the roles of clients by the names in their certificates
 */
@Copyable
public record GuardSettings(
    Authentication authentication,
    boolean healthForAll,
    Optional<ServerFiles> tls,
    Path tokens,
    Optional<JwtSettings> jwt,
    Optional<Quota> quota,
    Audit audit,
    Map<String, Role> roles,
    Map<String, List<String>> certificates)
    implements GuardSettingsBuilder.With {
  /** Who is asked who it is. */
  public enum Authentication {
    /** Nobody on loopback, and everybody elsewhere. */
    AUTO,
    /** Everybody. */
    REQUIRED,
    /** Nobody: somebody has written that down. */
    NONE
  }

  /**
   * What is written down.
   *
   * @param when calls are
   * @param fileBytes a file that has more is followed by another
   * @param keepFiles of those that were there before; older ones are deleted; 0: all are kept
   */
  public record Audit(Writing when, Path directory, long fileBytes, int keepFiles) {}

  /** When calls are written down. */
  public enum Writing {
    /** Where callers are asked who they are. */
    AUTO,
    /** Always, though nobody may know who calls. */
    ALWAYS,
    /** Never. */
    NEVER
  }

  public GuardSettings {
    roles = Map.copyOf(roles);
    certificates = Map.copyOf(certificates);
  }

  /** Whether a port that listens there lets nobody in who does not show who it is. */
  public boolean asks(String host) {
    return switch (authentication) {
      case AUTO -> ListenAddress.isBeyondLoopback(host);
      case REQUIRED -> true;
      case NONE -> false;
    };
  }

  /** Asks nobody on loopback, and knows no role. */
  public static GuardSettings of(Path tokens) {
    return new GuardSettings(
        Authentication.AUTO,
        false,
        Optional.empty(),
        tokens,
        Optional.empty(),
        Optional.empty(),
        new Audit(Writing.AUTO, tokens.resolveSibling("audit"), 64 << 20, 0),
        Map.of(),
        Map.of());
  }

  /**
   * Whose JSON Web Tokens are taken.
   *
   * @param issuer the claim {@code iss} of each token
   * @param audience that the claim {@code aud} must have
   * @param keys where the issuer's public keys are
   * @param nameClaim whose value is the caller's name
   * @param rolesClaim whose values are the caller's roles; within objects, with dots
   * @param refreshEvery how old the keys may be before they are asked for again
   * @param usableFor how old they may be at most
   */
  public record JwtSettings(
      String issuer,
      String audience,
      Keys keys,
      String nameClaim,
      String rolesClaim,
      Duration refreshEvery,
      Duration usableFor) {
    /** A JSON Web Key Set (RFC 7517). */
    public sealed interface Keys {
      /** In a file, read again when it changes. */
      record InFile(Path path) implements Keys {}

      /** At an address, over HTTPS, or HTTP of this machine. */
      record At(URI address) implements Keys {}
    }
  }
}
