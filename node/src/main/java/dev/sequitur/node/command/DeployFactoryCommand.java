package dev.sequitur.node.command;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.WrongOption;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.node.process.ChainNodes;
import dev.sequitur.node.process.KeyPassphrase;
import dev.sequitur.node.process.NativeCode;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
    description = {
      "Puts the contracts that make privacy groups on an Ethereum chain, once for a network.",
      "",
      "Prints the factory's address, which all nodes name as ledger.ethereum.factory; given again with"
          + " the same key, that of the one that is there. The key that"
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

  @Option(
      names = "--legacy",
      description =
          "Its transactions have no type, for chains that take no others, as those of a node with"
              + " ledger.ethereum.legacy-transactions.")
  private boolean legacy;

  @Mixin private final AnswerOption answer = new AnswerOption();

  DeployFactoryCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var fees = options.fees();
    var calls = options.calls();
    NativeCode.ofUser();
    var threads = Executors.newSingleThreadExecutor();
    try {
      var signer = FileKeys.open(keys, KeyPassphrase.ofProcess(Optional.empty())).signer(KEY);
      var signatures = new Secp256k1Signatures();
      var chain = ChainNodes.called(options.rpc(), ChainAddress.RPC, calls, threads);
      long chainId = await(FactoryDeployment.chainId(chain));
      var deployment = new FactoryDeployment(chain, chainId, signer, signatures, fees, legacy);
      LedgerAddress factory;
      try {
        var there = await(deployment.there());
        context
            .console()
            .err()
            .println(
                "Chain %d. %s"
                    .formatted(
                        chainId,
                        there.isPresent()
                            ? "The key in %s has made a factory there before, which is told again; another key makes another one: name another --keys."
                                .formatted(keys)
                            : "Waiting for two blocks..."));
        context.console().err().flush();
        factory = there.isPresent() ? there.get() : await(deployment.deploy());
      } catch (LedgerUnreachableException e) {
        throw new WrongOption(
            "The chain does not take the contracts from account %s: %s If gas costs money, fund the account and name --max-fee.%s"
                .formatted(
                    signatures.address(signer.verifier()),
                    e.getMessage(),
                    legacy ? "" : " If it takes no transactions of type 2, name --legacy."));
      }
      answer.print(
          context.console().out(),
          Deployed.of(chainId, factory, options.rpc(), legacy),
          Deployed::text);
      return ExitCode.OK;
    } catch (LedgerUnreachableException e) {
      throw ChainAddress.noChain(options.rpc(), e);
    } catch (IOException e) {
      throw new WrongOption("The key cannot be kept in " + keys + ": " + e.getMessage());
    } finally {
      threads.shutdown();
    }
  }

  /**
   * What the nodes' configurations need.
   *
   * @param factory its address
   * @param rpc without keys and passwords
   * @param legacyTransactions whether those of the nodes have no type either
   */
  private record Deployed(
      String factory, long chainId, List<String> rpc, boolean legacyTransactions) {
    static Deployed of(long chainId, LedgerAddress factory, List<URI> rpc, boolean legacy) {
      var shown = ChainRpc.withoutSecrets(rpc);
      return new Deployed(
          factory.toString(), chainId, shown.stream().map(URI::toString).toList(), legacy);
    }

    String text() {
      var quoted = rpc.stream().map(url -> "\"" + url + "\"").collect(Collectors.joining(", "));
      return """
      The factory is %s. In the configuration of each node:

        ledger.mode = ethereum
        ledger.chain-id = %d
        ledger.ethereum.rpc = [%s]
        ledger.ethereum.factory = "%s"%s"""
          .formatted(
              factory,
              chainId,
              quoted,
              factory,
              legacyTransactions ? "\n  ledger.ethereum.legacy-transactions = true" : "");
    }
  }

  private static <T> T await(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof LedgerUnreachableException cause ? cause : e;
    }
  }
}
