package dev.sequitur.transport.tls;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/**
 * Frames over TLS 1.3, after the handshake. One thread may read while another writes. Everything
 * blocks; {@link #close} from any thread ends it.
 */
final class SecureConnection implements AutoCloseable {
  private static final int BUFFER = 64 << 10;

  private final Socket raw;
  private final SSLSocket secure;
  private final X509Certificate peerCertificate;
  private final DataInputStream in;
  private final DataOutputStream out;

  private SecureConnection(Socket raw, SSLSocket secure) throws IOException {
    this.raw = raw;
    this.secure = secure;
    secure.setEnabledProtocols(new String[] {"TLSv1.3"});
    secure.startHandshake();
    peerCertificate = peerCertificate(secure);
    in = new DataInputStream(new BufferedInputStream(secure.getInputStream(), BUFFER));
    out = new DataOutputStream(new BufferedOutputStream(secure.getOutputStream(), BUFFER));
  }

  private static X509Certificate peerCertificate(SSLSocket secure)
      throws SSLPeerUnverifiedException {
    return (X509Certificate) secure.getSession().getPeerCertificates()[0];
  }

  /** Speaks first, on a socket that is connected. */
  static SecureConnection dial(Socket raw, SSLContext context, PeerAddress address)
      throws IOException {
    var secure =
        (SSLSocket)
            context.getSocketFactory().createSocket(raw, address.host(), address.port(), true);
    return new SecureConnection(raw, secure);
  }

  /** Waits for the other side to speak, and for its certificate. */
  static SecureConnection accept(Socket raw, SSLContext context) throws IOException {
    var secure = (SSLSocket) context.getSocketFactory().createSocket(raw, null, true);
    secure.setUseClientMode(false);
    secure.setNeedClientAuth(true);
    return new SecureConnection(raw, secure);
  }

  X509Certificate peerCertificate() {
    return peerCertificate;
  }

  void write(Frame.Kind kind, byte[] body) throws IOException {
    new Frame(kind, body).writeTo(out);
  }

  /**
   * @param most bytes of a body
   */
  Frame read(int most) throws IOException {
    return Frame.readFrom(in, most);
  }

  /** A read that waits longer fails. */
  void readTimeout(Duration time) throws IOException {
    secure.setSoTimeout(Math.toIntExact(time.toMillis()));
  }

  /**
   * Closes the socket beneath: closing the secure one would wait for a writer that is stuck. What
   * was not read is cut off, which frames make known to the other side.
   */
  @Override
  public void close() {
    closeQuietly(raw);
  }

  /** What went wrong, for a log; connections fail without a message, too. */
  static String describe(Exception problem) {
    if (problem instanceof UnknownHostException) {
      return "the name of its host is unknown";
    }
    if (problem instanceof EOFException) {
      return "the other side has closed the connection";
    }
    return problem.getMessage() == null ? problem.getClass().getName() : problem.getMessage();
  }

  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // There is nothing left to do with it.
    }
  }
}
