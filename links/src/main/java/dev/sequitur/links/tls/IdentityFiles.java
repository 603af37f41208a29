package dev.sequitur.links.tls;

import dev.sequitur.links.file.FileStamps;
import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's identity as its files have it now: they are read again when one of them has changed.
 * While new ones cannot be used, the old ones stay. Thread-safe; reads files.
 */
public final class IdentityFiles {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityFiles.class);
  private static final Duration WARN_BEFORE = Duration.ofDays(14);

  private final Function<Instant, TlsIdentity> reader;
  private final String who;
  private final InstantSource clock;
  private final Runnable onReload;
  private final boolean isTelling;
  private FileStamps seen;
  private TlsIdentity identity;
  private String lastProblem = "";

  /**
   * @throws BadCertificate with a sentence that says what to do, if a file cannot be used
   */
  public IdentityFiles(TlsFiles files, NodeName node, InstantSource clock, Runnable onReload) {
    this(
        List.of(
            files.certificate(),
            files.privateKey(),
            files.trust(),
            RefusedCertificates.file(files.trust())),
        now -> TlsIdentity.read(files, node, now),
        node.value(),
        clock,
        onReload,
        true);
  }

  private IdentityFiles(
      List<Path> files,
      Function<Instant, TlsIdentity> reader,
      String who,
      InstantSource clock,
      Runnable onReload,
      boolean isTelling) {
    this.reader = reader;
    this.who = who;
    this.clock = clock;
    this.onReload = onReload;
    this.isTelling = isTelling;
    this.seen = FileStamps.of(files);
    this.identity = reader.apply(clock.instant());
    warnBeforeExpiry();
  }

  /**
   * Of a server, which callers know by its host's name, or of a client, which has a certificate.
   *
   * @param who of whom the log tells
   * @throws BadCertificate with a sentence that says what to do, if a file cannot be used
   */
  static IdentityFiles of(ServerFiles files, String who, InstantSource clock) {
    var watched = new ArrayList<>(List.of(files.certificate(), files.privateKey()));
    files
        .clients()
        .ifPresent(
            authority -> watched.addAll(List.of(authority, RefusedCertificates.file(authority))));
    return new IdentityFiles(
        List.copyOf(watched), now -> TlsIdentity.read(files, now), who, clock, () -> {}, true);
  }

  /** For who only looks: whoever uses the certificate tells of it in the log. */
  public static IdentityFiles quietly(OwnCertificate certificate, InstantSource clock) {
    return new IdentityFiles(certificate.files(), certificate.reader(), "", clock, () -> {}, false);
  }

  public synchronized TlsIdentity current() {
    var now = seen.now();
    if (!now.equals(seen)) {
      reload(now);
    }
    return identity;
  }

  private void reload(FileStamps now) {
    try {
      identity = reader.apply(clock.instant());
      seen = now;
      lastProblem = "";
      onReload.run();
      if (isTelling) {
        LOG.info("{} has read its new certificates, valid until {}", who, identity.expires());
      }
      warnBeforeExpiry();
    } catch (BadCertificate e) {
      // Between the writing of one file and of the next they do not match; so this is tried again.
      if (isTelling && !e.getMessage().equals(lastProblem)) {
        lastProblem = e.getMessage();
        LOG.warn("{} keeps its old certificates: {}", who, e.getMessage());
      }
    }
  }

  private void warnBeforeExpiry() {
    Instant expires = identity.expires();
    if (isTelling && expires.isBefore(clock.instant().plus(WARN_BEFORE))) {
      LOG.warn("The certificate of {} expires on {}: replace it.", who, expires);
    }
  }
}
