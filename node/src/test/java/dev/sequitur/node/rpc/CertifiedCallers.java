package dev.sequitur.node.rpc;

import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An authority and whom it has certified, in a directory.
 *
 * @param directory of their files
 */
public record CertifiedCallers(Path directory) {
  /** For the next hour, by an authority that is made if the directory has none. */
  public void certify(String... names) throws IOException {
    var now = Instant.now();
    Certificates.writeNetwork(
        directory,
        Stream.of(names).map(NodeName::new).toList(),
        new Certificates.Validity(now.minusSeconds(60), now.plusSeconds(3_600)));
  }

  public Path authority() {
    return directory.resolve("authority.pem");
  }

  /**
   * What one of them has.
   *
   * @param clients by whom the clients of such a server are certified, if it asks for that
   */
  public ServerFiles files(String name, Optional<Path> clients) {
    return new ServerFiles(
        directory.resolve(name + ".pem"), directory.resolve(name + ".key.pem"), clients);
  }

  /** A client that trusts the authority, and shows the certificate of that name, or none. */
  public HttpClient calling(Optional<String> name) {
    var own = name.map(who -> files(who, Optional.of(authority())));
    return HttpClient.newBuilder().sslContext(FileContexts.calling(authority(), own)).build();
  }
}
