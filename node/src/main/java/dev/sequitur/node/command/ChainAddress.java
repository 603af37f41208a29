package dev.sequitur.node.command;

import dev.sequitur.console.WrongOption;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The JSON-RPC address of a node of a chain, in an option. */
public final class ChainAddress implements ITypeConverter<URI> {
  /** The option. */
  public static final String RPC = "--rpc";

  @Override
  public URI convert(String value) {
    try {
      var address = new URI(value);
      if (address.getHost() != null && Set.of("http", "https").contains(address.getScheme())) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Falls through: the sentence is the same.
    }
    // It may hold a key.
    throw new TypeConversionException(
        "an address is such as http://127.0.0.1:8545, and what stands there is none");
  }

  /** That none of these answers. */
  public static WrongOption noChain(List<URI> addresses, LedgerUnreachableException why) {
    return new WrongOption(
        "There is no chain at %s. %s"
            .formatted(
                ChainRpc.withoutSecrets(addresses).stream()
                    .map(URI::toString)
                    .collect(Collectors.joining(", ")),
                why.getMessage()));
  }
}
