package dev.sequitur.cluster.tls;

import akka.actor.ActorSystem;
import akka.remote.artery.tcp.SSLEngineProvider;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.links.tls.NodeCertificate;
import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import scala.Option;

/**
 * Akka remoting over mutual TLS 1.3 with {@link FileContexts}: certificates are replaced without a
 * restart. A peer's certificate must be signed by the authority <em>and</em> speak for this node.
 * So the node of another party, whose certificate the same authority has signed, does not get into
 * this node's cluster.
 *
 * <p>Akka's own rotating provider reads RSA keys only. Thread-safe.
 */
public final class RemotingTls implements SSLEngineProvider {
  private static final String SECTION = "sequitur.remoting-tls.";

  private final NodeName node;
  private final FileContexts contexts;

  /**
   * For Akka, which makes one for each actor system.
   *
   * @throws BadCertificate with a sentence that says what to do, if a file cannot be used
   */
  public RemotingTls(ActorSystem system) {
    node = new NodeName(text(system, "node"));
    contexts =
        FileContexts.serving(
            new TlsFiles(
                Path.of(text(system, "certificate")),
                Path.of(text(system, "private-key")),
                Path.of(text(system, "authority"))),
            node);
  }

  private static String text(ActorSystem system, String key) {
    return system.settings().config().getString(SECTION + key);
  }

  @Override
  public SSLEngine createServerSSLEngine(String host, int port) {
    var engine = engine(host, port);
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(true);
    return engine;
  }

  @Override
  public SSLEngine createClientSSLEngine(String host, int port) {
    var engine = engine(host, port);
    engine.setUseClientMode(true);
    return engine;
  }

  private SSLEngine engine(String host, int port) {
    var engine = contexts.get().createSSLEngine(host, port);
    engine.setEnabledProtocols(new String[] {"TLSv1.3"});
    return engine;
  }

  @Override
  public Option<Throwable> verifyClientSession(String host, SSLSession session) {
    return verify(host, session);
  }

  @Override
  public Option<Throwable> verifyServerSession(String host, SSLSession session) {
    return verify(host, session);
  }

  private Option<Throwable> verify(String host, SSLSession session) {
    try {
      var peer = (X509Certificate) session.getPeerCertificates()[0];
      return NodeCertificate.speaksFor(peer, node)
          ? Option.empty()
          : Option.apply(
              new SSLPeerUnverifiedException(
                  "The certificate of %s is for %s, and so of another node: this one is '%s'."
                      .formatted(host, NodeCertificate.names(peer), node)));
    } catch (SSLPeerUnverifiedException e) {
      return Option.apply(e);
    }
  }
}
