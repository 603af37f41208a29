package dev.sequitur.node.command;

import dev.sequitur.console.WrongOption;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.node.process.NativeCode;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.sequencer.crypto.FileKeys;
import dev.sequitur.sequencer.crypto.Secp256k1Signatures;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur deploy-factory}. */
@Command(
    name = "deploy-factory",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Puts the contracts that make privacy groups on an Ethereum chain, once for a network.",
      "",
      "Prints the factory's address, which all nodes name as ledger.ethereum.factory. The key that"
          + " signs is made in a directory; on a chain where gas costs money, the command says which"
          + " account to fund, and is then given again.",
      ""
    },
    footer = {"", "Example:", "  sequitur deploy-factory --rpc http://127.0.0.1:8545"})
final class DeployFactoryCommand implements Callable<Integer> {
  private static final String KEY = "factory";

  private final CommandContext context;

  @Mixin private ChainOptions options;

  @Option(
      names = "--keys",
      paramLabel = "DIR",
      defaultValue = "factory-keys",
      description = "Where the key is kept (default: factory-keys).")
  private Path keys;

  DeployFactoryCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var fees = options.fees();
    NativeCode.ofUser();
    var out = context.console().out();
    var threads = Executors.newSingleThreadExecutor();
    try {
      var signer = FileKeys.open(keys).signer(KEY);
      var signatures = new Secp256k1Signatures();
      var chain = new ChainRpc(options.rpc(), threads);
      long chainId = await(FactoryDeployment.chainId(chain));
      out.printf("Chain %d. Waiting for two blocks...%n", chainId);
      out.flush();
      LedgerAddress factory;
      try {
        factory = await(new FactoryDeployment(chain, chainId, signer, signatures, fees).deploy());
      } catch (LedgerUnreachableException e) {
        throw new WrongOption(
            "The chain does not take the contracts from account %s: %s If gas costs money, fund the account and name --max-fee."
                .formatted(signatures.address(signer.verifier()), e.getMessage()));
      }
      out.printf("The factory is %s. In the configuration of each node:%n%n", factory);
      out.printf("  ledger.mode = ethereum%n");
      out.printf("  ledger.chain-id = %d%n", chainId);
      out.printf("  ledger.ethereum.rpc = [%s]%n", quoted(options.rpc()));
      out.printf("  ledger.ethereum.factory = \"%s\"%n", factory);
      out.flush();
      return ExitCode.OK;
    } catch (LedgerUnreachableException e) {
      throw new WrongOption(
          "There is no chain at %s: start its node, or correct --rpc. (%s)"
              .formatted(shown(options.rpc()), e.getMessage()));
    } catch (IOException e) {
      throw new WrongOption("The key cannot be kept in " + keys + ": " + e.getMessage());
    } finally {
      threads.shutdown();
    }
  }

  private static String quoted(List<URI> urls) {
    return urls.stream().map(url -> "\"" + url + "\"").collect(Collectors.joining(", "));
  }

  private static String shown(List<URI> urls) {
    return urls.stream().map(URI::toString).collect(Collectors.joining(", "));
  }

  private static <T> T await(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof LedgerUnreachableException cause ? cause : e;
    }
  }
}
