package dev.sequitur.links.tls;

import dev.sequitur.protocol.id.NodeName;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts a server whose certificate speaks for one node, wherever it is reached. The JDK's clients
 * would ask the certificate for the host's name; parties know each other by their own names.
 */
final class ExpectedName extends X509ExtendedTrustManager {
  private final X509TrustManager signed;
  private final NodeName expected;

  /**
   * @param signed who says whether somebody trusted has signed a certificate
   */
  ExpectedName(X509TrustManager signed, NodeName expected) {
    this.signed = signed;
    this.expected = expected;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    signed.checkServerTrusted(chain, type);
    if (!NodeCertificate.speaksFor(chain[0], expected)) {
      throw new CertificateException(
          "the certificate is for %s, not for '%s'"
              .formatted(NodeCertificate.names(chain[0]), expected));
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("It is for calling and not for serving.");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return signed.getAcceptedIssuers();
  }
}
