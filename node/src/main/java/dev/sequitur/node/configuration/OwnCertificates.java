package dev.sequitur.node.configuration;

import dev.sequitur.links.tls.OwnCertificate;
import dev.sequitur.links.tls.OwnCertificate.Use;
import dev.sequitur.node.signer.SignerSettings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which certificates of its own a node shows, and to whom. */
public final class OwnCertificates {
  private OwnCertificates() {}

  /** At most one for each use. */
  public static List<OwnCertificate> of(NodeConfiguration configuration) {
    return Stream.of(
            ofTransport(configuration),
            configuration
                .guard()
                .tls()
                .map(files -> OwnCertificate.of(Use.RPC, "rpc.tls.certificate", files)),
            ofCluster(configuration),
            ofLedger(configuration),
            configuration
                .signer()
                .flatMap(SignerSettings::tls)
                .flatMap(SignerSettings.Tls::own)
                .map(
                    files ->
                        OwnCertificate.readAtStart(Use.SIGNER, SignerSection.CERTIFICATE, files)),
            configuration
                .scheduler()
                .provider()
                .flatMap(provider -> toChain(Use.PROVIDER, provider.calls())))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<OwnCertificate> ofTransport(NodeConfiguration configuration) {
    return switch (configuration.transport()) {
      case TransportConfiguration.InProcess() -> Optional.empty();
      case TransportConfiguration.MutualTls tls ->
          Optional.of(
              OwnCertificate.of(
                  Use.TRANSPORT, "transport.tls.certificate", tls.files(), configuration.name()));
    };
  }

  private static Optional<OwnCertificate> ofCluster(NodeConfiguration configuration) {
    return switch (configuration.jvms()) {
      case NodeJvms.One() -> Optional.empty();
      case NodeJvms.Several several ->
          Optional.of(
              OwnCertificate.of(
                  Use.CLUSTER, "cluster.tls.certificate", several.tls(), configuration.name()));
    };
  }

  private static Optional<OwnCertificate> ofLedger(NodeConfiguration configuration) {
    return switch (configuration.ledger()) {
      case LedgerAccess.Embedded ignored -> Optional.empty();
      case LedgerAccess.Remote remote ->
          remote
              .tls()
              .map(
                  tls ->
                      OwnCertificate.of(
                          Use.LEDGER,
                          "ledger.remote.tls.certificate",
                          tls.files(),
                          configuration.name()));
      case LedgerAccess.Ethereum chain -> toChain(Use.LEDGER, chain.calls());
    };
  }

  private static Optional<OwnCertificate> toChain(Use use, ChainCalls calls) {
    return calls
        .tls()
        .flatMap(tls -> tls.own().map(files -> OwnCertificate.readAtStart(use, tls.key(), files)));
  }
}
