package dev.sequitur.node.process;

import dev.sequitur.ethereum.ChainAccess;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.node.configuration.ChainCalls;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;

/** Calls the nodes of a chain as a configuration says: the base ledger's, and any other. */
public final class ChainNodes {
  private ChainNodes() {}

  /**
   * Does not connect yet.
   *
   * @param named what the operator has named the nodes by
   * @throws StartFailure with a sentence that says what to do, if a certificate cannot be used
   */
  public static ChainRpc called(
      List<URI> nodes, String named, ChainCalls calls, Executor executor) {
    var access =
        new ChainAccess(
            calls.shown(), calls.tls().map(ChainNodes::context), InstantSource.system());
    return new ChainRpc(nodes, named, access, calls.limits(), executor);
  }

  private static SSLContext context(ChainCalls.Tls tls) {
    try {
      return FileContexts.calling(tls.authority(), tls.own());
    } catch (BadCertificate e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }
}
