package dev.sequitur.links.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts whom another trusts, unless the certificate stands on the list of refused ones. */
final class NotRefused extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager signed;
  private final RefusedCertificates refused;

  /**
   * @param signed who says whether somebody trusted has signed a certificate
   */
  NotRefused(X509ExtendedTrustManager signed, RefusedCertificates refused) {
    this.signed = signed;
    this.refused = refused;
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (refused.contains(chain[0])) {
      throw new CertificateException(
          "the certificate of %s was revoked".formatted(NodeCertificate.names(chain[0])));
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    signed.checkServerTrusted(chain, type);
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    signed.checkServerTrusted(chain, type, socket);
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    signed.checkServerTrusted(chain, type, engine);
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    signed.checkClientTrusted(chain, type);
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    signed.checkClientTrusted(chain, type, socket);
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    signed.checkClientTrusted(chain, type, engine);
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return signed.getAcceptedIssuers();
  }
}
