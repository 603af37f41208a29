package dev.sequitur.cluster.tls;

import akka.actor.ActorSystem;
import akka.remote.artery.tcp.SSLEngineProvider;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Akka remoting over mutual TLS 1.3 with PEM files, which are read again when they have changed:
 * certificates are replaced without a restart. A peer's certificate must be signed by the authority
 * <em>and</em> share a name with the own one. So the node of another party, whose certificate the
 * same authority has signed, does not get into this node's cluster.
 *
 * <p>Akka's own rotating provider reads RSA keys only. Thread-safe.
 */
public final class RemotingTls implements SSLEngineProvider {
  private static final Logger LOG = LoggerFactory.getLogger(RemotingTls.class);
  private static final String SECTION = "sequitur.remoting-tls.";

  private final PemFiles files;
  private TlsMaterial material;
  private String problem = "";

  /** For Akka, which makes one for each actor system. */
  public RemotingTls(ActorSystem system) throws GeneralSecurityException {
    this(
        new PemFiles(
            path(system, "certificate"), path(system, "private-key"), path(system, "authority")));
  }

  RemotingTls(PemFiles files) throws GeneralSecurityException {
    this.files = files;
    this.material = TlsMaterial.read(files);
  }

  private static Path path(ActorSystem system, String key) {
    return Path.of(system.settings().config().getString(SECTION + key));
  }

  /** The old one stays in use while the files do not fit together, as between writing two. */
  private synchronized TlsMaterial current() {
    if (!material.stamp().equals(files.stamp())) {
      try {
        material = TlsMaterial.read(files);
        problem = "";
        LOG.info("The certificates of the remoting have been read again");
      } catch (GeneralSecurityException e) {
        if (!problem.equals(e.getMessage())) {
          problem = e.getMessage();
          LOG.warn("The remoting keeps its old certificates: {}", problem);
        }
      }
    }
    return material;
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
    var engine = current().context().createSSLEngine(host, port);
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
      var peer = TlsMaterial.names((X509Certificate) session.getPeerCertificates()[0]);
      var own = current().names();
      return Collections.disjoint(peer, own)
          ? Option.apply(
              new SSLPeerUnverifiedException(
                  "The certificate of %s is for %s, and so of another node: this one's is for %s."
                      .formatted(host, peer, own)))
          : Option.empty();
    } catch (GeneralSecurityException | SSLPeerUnverifiedException e) {
      return Option.apply(e);
    }
  }
}
