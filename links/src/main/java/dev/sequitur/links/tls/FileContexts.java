package dev.sequitur.links.tls;

import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Mutual TLS with the PEM files of one process, for what is spoken beside the transport. The files
 * are read again when they have changed; then it gives another context. Thread-safe; reads files.
 */
public final class FileContexts implements Supplier<SSLContext> {
  private final IdentityFiles files;
  private final Optional<NodeName> other;
  private TlsIdentity identity;
  private SSLContext context;

  private FileContexts(IdentityFiles files, Optional<NodeName> other) {
    this.files = files;
    this.other = other;
    this.identity = this.files.current();
    this.context = identity.newContext(other);
  }

  /**
   * That accept whom the trust file's certificates have signed.
   *
   * @param self for whom the certificate speaks
   * @throws BadCertificate with a sentence that says what to do, if a file cannot be used
   */
  public static FileContexts serving(TlsFiles files, NodeName self) {
    return new FileContexts(of(files, self), Optional.empty());
  }

  /**
   * Of a server that callers know by its host's name.
   *
   * @throws BadCertificate with a sentence that says what to do, if a file cannot be used
   */
  public static FileContexts serving(ServerFiles files) {
    return new FileContexts(of(files, "JSON-RPC"), Optional.empty());
  }

  /**
   * For a client that calls servers by their hosts' names. Its files are read once.
   *
   * @param authority certificates whose holders may say which server is which
   * @param own a client's certificate and key, if it shows one
   * @throws BadCertificate with a sentence that says what to do, if a file cannot be used
   */
  public static SSLContext calling(Path authority, Optional<ServerFiles> own) {
    return own.map(FileContexts::shown)
        .orElseGet(
            () -> TlsIdentity.trusting(new PemFile("authority's file", authority).certificates()));
  }

  private static SSLContext shown(ServerFiles own) {
    var who = "this caller, " + own.certificate() + ",";
    return of(own, who).current().newContext(Optional.empty());
  }

  private static IdentityFiles of(ServerFiles files, String who) {
    return IdentityFiles.of(files, who, InstantSource.system());
  }

  private static IdentityFiles of(TlsFiles files, NodeName self) {
    return new IdentityFiles(files, self, InstantSource.system(), () -> {});
  }

  /**
   * That accept of these only who speaks for one name. The address at which it is reached does not
   * matter.
   *
   * @throws BadCertificate with a sentence that says what to do, if a file cannot be used
   */
  public static FileContexts calling(TlsFiles files, NodeName self, NodeName other) {
    return new FileContexts(of(files, self), Optional.of(other));
  }

  /** Whether a certificate speaks for one of these nodes. */
  public static Predicate<X509Certificate> ofOne(Set<NodeName> nodes) {
    var allowed = Set.copyOf(nodes);
    return certificate ->
        allowed.stream().anyMatch(node -> NodeCertificate.speaksFor(certificate, node));
  }

  /** Whether a certificate that was let in would not be now, since it was taken back. */
  public boolean refuses(X509Certificate certificate) {
    return files.current().refuses(certificate);
  }

  @Override
  public synchronized SSLContext get() {
    var now = files.current();
    if (!now.equals(identity)) {
      identity = now;
      context = now.newContext(other);
    }
    return context;
  }
}
