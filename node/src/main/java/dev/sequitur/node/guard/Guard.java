package dev.sequitur.node.guard;

import dev.sequitur.console.WrongOption;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.links.tls.NodeCertificate;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.HealthSettings;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.ApiTokens.Verdict;
import dev.sequitur.protocol.guard.Grants;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Principal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** Who stands at a node's doors, its ports for callers. Thread-safe. */
public final class Guard {
  private static final String BEARER = "Bearer ";
  private static final String UNLESS =
      ", or write rpc.authentication = none if everybody who reaches it may act as the node's owner.";

  private final GuardSettings settings;
  private final TokenFile tokens;
  private final Optional<FileContexts> contexts;
  private final Optional<JwtCallers> jwt;
  private final Supplier<GuardSettings> now;
  private final Quotas quotas;
  private final InstantSource clock;

  /**
   * Reads the files of certificates.
   *
   * @throws dev.sequitur.links.tls.BadCertificate with a sentence that says what to do
   */
  public Guard(GuardSettings settings, InstantSource clock) {
    this(settings, () -> settings, clock);
  }

  /**
   * As {@link #Guard(GuardSettings, InstantSource)}.
   *
   * @param now the settings as they are written now, of which roles are taken, and those of
   *     certificates; asked with each call
   */
  public Guard(GuardSettings settings, Supplier<GuardSettings> now, InstantSource clock) {
    this.settings = settings;
    this.tokens = new TokenFile(settings.tokens());
    this.contexts = settings.tls().map(FileContexts::serving);
    this.now = now;
    this.jwt = settings.jwt().map(issuer -> new JwtCallers(issuer, clock, System::nanoTime));
    this.quotas = new Quotas(settings.quota(), System::nanoTime);
    this.clock = clock;
  }

  /** One port that callers reach. */
  public final class Door {
    private final boolean asks;

    private Door(boolean asks) {
      this.asks = asks;
    }

    /** Whether it lets nobody in who does not show who it is. */
    public boolean asks() {
      return asks;
    }

    /** What a caller lacks to call methods of a group at all. */
    public Optional<Grants.Missing> missing(Principal caller, MethodGroup group) {
      return grants().missing(caller, group);
    }

    /**
     * Who calls.
     *
     * @throws RpcFailure if it does not show that, or what it shows does not hold
     */
    public Principal who(Shown shown) {
      var token = shown.authorization().flatMap(Guard::bearer);
      if (token.isPresent() && (asks || mayHold(token.get()))) {
        return ofToken(token.get());
      }
      if (shown.certificate().isPresent()) {
        return ofCertificate(shown.certificate().get());
      }
      if (asks) {
        throw refused(
            shown.authorization().isPresent()
                ? "The node takes tokens alone: send the header Authorization with Bearer and the token."
                : "The node asks who calls: send a token that sequitur token has made, as Authorization: Bearer sqt_…, or show a certificate if it takes any.");
      }
      return Principal.ANYBODY;
    }
  }

  /**
   * The doors of a node.
   *
   * @param health of the port of health and metrics alone
   */
  public record Doors(Door rpc, Door health) {}

  /**
   * The doors of a node that listens there. May look up a host's name.
   *
   * @throws WrongOption as {@link #check}
   */
  public Doors doors(RpcSettings rpc, HealthSettings health) {
    check(settings, tokens, rpc, health);
    return new Doors(
        new Door(settings.asks(rpc.host())),
        new Door(ownHealthHost(settings, health).filter(settings::asks).isPresent()));
  }

  /**
   * The door of another port that listens there. May look up a host's name.
   *
   * @param key by which the configuration names where it listens
   * @throws WrongOption as {@link #check}
   */
  public Door door(String host, String key) {
    check(settings, tokens, host, key);
    return new Door(settings.asks(host));
  }

  /**
   * Whether a node would begin with these. Reads the file of tokens and nothing else, and may look
   * up a host's name.
   *
   * @throws WrongOption with a sentence that says what to do, if a door asks and nobody could ever
   *     answer, or what they answer could be read on the way
   */
  public static void check(GuardSettings settings, RpcSettings rpc, HealthSettings health) {
    check(settings, new TokenFile(settings.tokens()), rpc, health);
  }

  /**
   * The same of another port.
   *
   * @param key by which the configuration names where it listens
   */
  public static void check(GuardSettings settings, String host, String key) {
    check(settings, new TokenFile(settings.tokens()), host, key);
  }

  private static void check(
      GuardSettings settings, TokenFile tokens, RpcSettings rpc, HealthSettings health) {
    check(settings, tokens, rpc.host(), "rpc.host");
    ownHealthHost(settings, health).ifPresent(host -> check(settings, tokens, host, "health.host"));
  }

  private static void check(GuardSettings settings, TokenFile tokens, String host, String key) {
    if (!settings.asks(host)) {
      return;
    }
    boolean others = ListenAddress.isBeyondLoopback(host);
    if (others && settings.tls().isEmpty()) {
      throw new WrongOption(
          key
              + " = "
              + host
              + " lets others reach the node, and without rpc.tls their tokens could be read on the"
              + " way: enable rpc.tls, or listen on loopback"
              + UNLESS);
    }
    if (tokens.current().list().isEmpty()
        && settings.jwt().isEmpty()
        && !asksForCertificates(settings)) {
      throw new WrongOption(
          (others ? key + " = " + host : "rpc.authentication = required")
              + " wants everybody to show who it is, and nobody can: make a token with `sequitur token"
              + " create`, name callers.jwt or callers.certificates"
              + UNLESS);
    }
  }

  /** Empty if health and metrics have no port of their own, or it asks nobody in any case. */
  private static Optional<String> ownHealthHost(GuardSettings settings, HealthSettings health) {
    return settings.healthForAll()
        ? Optional.empty()
        : health.listen().map(InetSocketAddress::getHostString);
  }

  /**
   * What calls are written to, if they are; the caller closes it. Blocks while it reads the last
   * file.
   *
   * @throws IllegalStateException with a sentence that says what to do, if it cannot be written
   */
  public Optional<AuditLog> openAudit(Doors doors) {
    var audit = settings.audit();
    boolean wanted =
        switch (audit.when()) {
          case AUTO -> doors.rpc().asks();
          case ALWAYS -> true;
          case NEVER -> false;
        };
    if (!wanted) {
      return Optional.empty();
    }
    try {
      return Optional.of(AuditLog.open(audit.directory(), audit.fileBytes(), audit.keepFiles()));
    } catch (IOException e) {
      throw new IllegalStateException(
          "The audit cannot be written to %s: %s".formatted(audit.directory(), e.getMessage()), e);
    }
  }

  /** What each caller has used. */
  public Quotas quotas() {
    return quotas;
  }

  /** What each role may do now. */
  public Grants grants() {
    return new Grants(now.get().roles());
  }

  /** A new one for each connection, if the ports speak TLS. */
  public Optional<Supplier<SSLEngine>> engines() {
    return contexts.map(
        context ->
            () -> {
              var engine = context.get().createSSLEngine();
              engine.setUseClientMode(false);
              engine.setWantClientAuth(asksForCertificates(settings));
              return engine;
            });
  }

  private static Optional<String> bearer(String authorization) {
    return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? Optional.of(authorization.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  /** Where nobody is asked, what a proxy or a program sends for somebody else means nothing. */
  private boolean mayHold(String token) {
    return settings.authentication() != Authentication.NONE
        && (token.startsWith(ApiToken.PREFIX) || jwt.isPresent());
  }

  private static boolean asksForCertificates(GuardSettings settings) {
    return settings.tls().flatMap(ServerFiles::clients).isPresent();
  }

  /** Of several names the first that has roles. */
  private Principal ofCertificate(X509Certificate certificate) {
    // TLS looked at it as the connection began, which may have been long ago.
    if (clock.instant().isAfter(certificate.getNotAfter().toInstant())) {
      throw refused("The certificate has expired: show a new one.");
    }
    if (contexts.filter(files -> files.refuses(certificate)).isPresent()) {
      throw refused("The certificate was revoked: show another one.");
    }
    var names = NodeCertificate.names(certificate);
    var roles = now.get().certificates();
    var name =
        names.stream()
            .filter(roles::containsKey)
            .findFirst()
            .or(() -> names.stream().findFirst())
            .orElseThrow(() -> refused("The certificate names nobody: show one with a DNS name."));
    try {
      return new Principal(Principal.Kind.CERTIFICATE, name, roles.getOrDefault(name, List.of()));
    } catch (IllegalArgumentException e) {
      throw refused("The certificate cannot be used. " + e.getMessage());
    }
  }

  private Principal ofToken(String token) {
    if (jwt.isPresent() && !token.startsWith(ApiToken.PREFIX)) {
      return jwt.get().who(token);
    }
    return switch (tokens.current().check(token, clock.instant())) {
      case Verdict.Accepted(var accepted) -> accepted.principal();
      case Verdict.Refused(var sentence) -> throw refused(sentence);
    };
  }

  private static RpcFailure refused(String sentence) {
    return new RpcFailure(ErrorCode.UNAUTHENTICATED, sentence);
  }

  /**
   * What a request shows of who sends it.
   *
   * @param authorization the value of that header, with its secret
   * @param certificate of the client, which TLS has checked
   */
  public record Shown(Optional<String> authorization, Optional<X509Certificate> certificate) {
    public static final Shown NOTHING = new Shown(Optional.empty(), Optional.empty());

    /** Without the secret. */
    @Override
    public String toString() {
      return "Shown[authorization=%s, certificate=%s]"
          .formatted(
              authorization.isPresent(),
              certificate.map(X509Certificate::getSubjectX500Principal).orElse(null));
    }
  }
}
