package dev.sequitur.links.tls;

import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * Where a certificate lies that a node shows of itself.
 *
 * @param use to whom it is shown
 * @param key of the configuration, which names the file
 * @param file the certificate's
 * @param isReadAgain whether the node reads it again when it has changed; else a new start does
 * @param files all that are read together with it
 * @param reader reads and checks them, as the node does
 */
public record OwnCertificate(
    Use use,
    String key,
    Path file,
    boolean isReadAgain,
    List<Path> files,
    Function<Instant, TlsIdentity> reader) {
  /** What a node has certificates for. */
  public enum Use {
    /** Other nodes. */
    TRANSPORT,
    /** Who calls JSON-RPC, health and metrics. */
    RPC,
    /** The other JVMs of the node. */
    CLUSTER,
    /** The base ledger. */
    LEDGER,
    /** Who holds keys for the node. */
    SIGNER,
    /** The chain of the plan contract that the node serves. */
    PROVIDER
  }

  public OwnCertificate {
    files = List.copyOf(files);
  }

  /** Of a node that shows and asks for certificates. */
  public static OwnCertificate of(Use use, String key, TlsFiles files, NodeName self) {
    return new OwnCertificate(
        use,
        key,
        files.certificate(),
        true,
        List.of(files.certificate(), files.privateKey(), files.trust()),
        now -> TlsIdentity.read(files, self, now));
  }

  /** Of a server that callers know by its host's name. */
  public static OwnCertificate of(Use use, String key, ServerFiles files) {
    return of(use, key, files, true);
  }

  /** Of a client that reads its certificate when it begins, and no more. */
  public static OwnCertificate readAtStart(Use use, String key, ServerFiles files) {
    return of(use, key, files, false);
  }

  private static OwnCertificate of(Use use, String key, ServerFiles files, boolean isReadAgain) {
    return new OwnCertificate(
        use,
        key,
        files.certificate(),
        isReadAgain,
        List.of(files.certificate(), files.privateKey()),
        now -> TlsIdentity.read(files, now));
  }
}
