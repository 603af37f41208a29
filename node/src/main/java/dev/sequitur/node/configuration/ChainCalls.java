package dev.sequitur.node.configuration;

import dev.sequitur.ethereum.ChainAccess;
import dev.sequitur.ethereum.ChainAccess.Shown;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.Secret;
import dev.sequitur.links.tls.ServerFiles;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the nodes of a chain are called.
 *
 * @param shown to each of them, with each request
 * @param tls by what they are known, and the certificate that is shown; empty for what Java trusts
 *     by itself, and none
 * @param limits of what they are asked
 */
public record ChainCalls(List<Shown> shown, Optional<Tls> tls, ChainRpc.Limits limits) {
  /** Of nodes that ask nobody who he is. */
  public static final ChainCalls OPEN =
      new ChainCalls(List.of(), Optional.empty(), ChainRpc.Limits.DEFAULT);

  /** The section of the base ledger's chain. */
  static final String OF_LEDGER = "ledger.ethereum";

  public ChainCalls {
    shown = List.copyOf(shown);
  }

  /**
   * @param key of the configuration, which names the certificate's file
   * @param authority certificates whose holders may say which node is which
   * @param own certificate and key, if one is shown
   */
  public record Tls(String key, Path authority, Optional<ServerFiles> own) {}

  /**
   * As a file says it of the base ledger's chain, whatever else is in it.
   *
   * @param nodes that are called so
   * @param named what the operator has named them by
   * @throws ConfigurationMistakes if anything is wrong with it
   */
  public static ChainCalls ofFile(Path file, List<URI> nodes, String named) {
    var reader = ConfigurationReader.ofFile(Reference.NODE, file);
    var calls = read(reader, OF_LEDGER, nodes, named);
    reader.finish();
    return calls;
  }

  /**
   * @param of the section of the chain
   * @param named what the operator has named its nodes by
   */
  static ChainCalls read(ConfigurationReader reader, String of, List<URI> nodes, String named) {
    var section = of + ".access";
    var shown = new ArrayList<Shown>();
    header(reader, section).ifPresent(shown::add);
    var authorizing =
        Stream.of(
                secret(reader, section + ".bearer-token")
                    .map(token -> (Shown) new Shown.Bearer(token)),
                reader
                    .optionalPath(section + ".jwt-key-file")
                    .map(file -> (Shown) new Shown.Jwt(new Secret.InFile(file))))
            .flatMap(Optional::stream)
            .toList();
    shown.addAll(authorizing);
    boolean isUserNamed = nodes.stream().anyMatch(node -> node.getRawUserInfo() != null);
    if (authorizing.size() + (isUserNamed ? 1 : 0) > 1) {
      reader.mistake(
          "A node of the chain is shown one of these: a user in its address, %s.bearer-token, or %s.jwt-key-file. Leave out the others."
              .formatted(section, section));
    }
    shown.forEach(
        one ->
            new ChainAccess(List.of(one), Optional.empty(), InstantSource.fixed(Instant.EPOCH))
                .mistake()
                .ifPresent(sentence -> reader.mistake(section + ": " + sentence)));
    return new ChainCalls(shown, tls(reader, section, nodes, named), limits(reader, of));
  }

  private static ChainRpc.Limits limits(ConfigurationReader reader, String of) {
    var section = of + ".requests.";
    return new ChainRpc.Limits(
        reader.integer(section + "batch", 1, 10_000),
        reader.integer(section + "at-once", 1, 1_000),
        reader.duration(section + "timeout"));
  }

  private static Optional<Shown> header(ConfigurationReader reader, String section) {
    var name = reader.text(section + ".header.name");
    var value = secret(reader, section + ".header.value");
    if (name.isBlank() != value.isEmpty()) {
      reader.mistake(
          "%s.header has both a name and a value, or none: name the other one.".formatted(section));
    }
    return name.isBlank() ? Optional.empty() : value.map(it -> new Shown.Header(name, it));
  }

  /** At a key, or in the file that another key names. */
  private static Optional<Secret> secret(ConfigurationReader reader, String key) {
    var given = reader.text(key);
    var file = reader.optionalPath(key + "-file");
    if (!given.isBlank() && file.isPresent()) {
      reader.mistake("%s and %s-file are both there: leave out one.".formatted(key, key));
    }
    return file.<Secret>map(Secret.InFile::new)
        .or(() -> Optional.of(given).filter(it -> !it.isBlank()).map(Secret.Given::new));
  }

  private static Optional<Tls> tls(
      ConfigurationReader reader, String section, List<URI> nodes, String named) {
    var authority = reader.optionalPath(section + ".authority");
    var certificate = reader.optionalPath(section + ".certificate");
    var key = reader.optionalPath(section + ".private-key");
    if (certificate.isPresent() != key.isPresent()
        || (certificate.isPresent() && authority.isEmpty())) {
      reader.mistake(
          "%s has certificate, private-key and authority, or authority alone, or none: name what is missing."
              .formatted(section));
      return Optional.empty();
    }
    if (authority.isPresent() && nodes.stream().noneMatch(ChainCalls::isOverTls)) {
      reader.mistake(
          "%s.authority is for nodes that are reached by https, and %s has none: correct the addresses, or leave it out."
              .formatted(section, named));
    }
    return authority.map(
        trusted ->
            new Tls(
                section + ".certificate",
                trusted,
                certificate.map(own -> new ServerFiles(own, key.orElseThrow(), authority))));
  }

  private static boolean isOverTls(URI node) {
    return node.getScheme().equals("https");
  }
}
