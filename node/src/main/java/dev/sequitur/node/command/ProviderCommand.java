package dev.sequitur.node.command;

import dev.sequitur.console.Values;
import dev.sequitur.console.WrongOption;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.ProviderConfiguration;
import dev.sequitur.node.process.KeyPassphrase;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.node.process.NativeCode;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.schedule.abi.EvmAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur provider}. */
@Command(
    name = "provider",
    description = {
      "Serves a RIFScheduler that is deployed on a chain: executes each requested execution in time,"
          + " until Ctrl-C or SIGTERM.",
      "",
      "What it does is in the queue 'provider' of its node: sequitur schedule list and explain show"
          + " it. Given again with the same --data, it goes on where it was. The account that executes"
          + " is made in that directory; on a chain where gas costs money, fund it and name --max-fee.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur provider --rpc http://127.0.0.1:8545 --contract 0x5fbd…",
      "  sequitur schedule list --queue provider --node http://127.0.0.1:8555"
    })
final class ProviderCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private ChainOptions chain;

  @Option(
      names = "--contract",
      required = true,
      paramLabel = "ADDRESS",
      description = "The address of the RIFScheduler.")
  private String contract;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "provider-data",
      description = "Where its key, queue and log are (default: provider-data).")
  private Path data;

  @Option(
      names = "--from-block",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description =
          "The first block that is read: that of the contract's deployment, or an earlier one"
              + " (default: 0). Counts when it is started for the first time.")
  private long from;

  @Option(
      names = "--confirmations",
      paramLabel = "BLOCKS",
      defaultValue = "12",
      description = "Blocks that stand upon one that is final (default: 12).")
  private int confirmations;

  @Option(
      names = "--legacy",
      description =
          "Send transactions without a type, to a chain that takes none of type 2 (EIP-1559), such as"
              + " Rootstock.")
  private boolean legacy;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      converter = Values.Port.class,
      defaultValue = "8555",
      description = "Of its node's JSON-RPC, on loopback; 0 takes a free one (default: 8555).")
  private Integer port;

  ProviderCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var configuration = configuration();
    LogFile.under(
        configuration.directory(), configuration.name().toString(), configuration.logging());
    NativeCode.under(configuration.directory());
    var out = context.console().out();
    out.printf("The account that executes is %s.%n", account());
    out.flush();
    try (var node =
        context
            .stop()
            .whileStarting(
                "The provider was stopped before it was up.",
                () -> context.starter().startNode(configuration))) {
      out.printf("The provider serves %s; its data and log are in %s%n", contract, data);
      out.println("  JSON-RPC        " + node.url());
      out.println("  health, metrics " + node.url() + "/health, " + node.url() + "/metrics");
      out.println("  executions      sequitur schedule list --queue provider --node " + node.url());
      out.flush();
      node.ended().thenAccept(why -> context.stop().request());
      context.stop().await();
    }
    out.println("The provider is stopped.");
    out.flush();
    return ExitCode.OK;
  }

  private NodeConfiguration configuration() {
    var fees = chain.fees();
    if (confirmations < 0 || from < 0) {
      throw new WrongOption("--confirmations and --from-block are at least 0.");
    }
    EvmAddress address =
        ProviderConfiguration.address(contract)
            .orElseThrow(
                () ->
                    new WrongOption(
                        "--contract is an address, 0x and 40 hexadecimal digits, not '"
                            + contract
                            + "'."));
    var provider =
        ProviderConfiguration.of(chain.rpc(), address)
            .withCalls(chain.calls())
            .with(confirmations, legacy, from, new GasPrice(fees.max(), fees.priority()));
    var embedded = NodeConfiguration.embedded(new NodeName("provider"), data);
    return embedded
        .withRpc(RpcSettings.loopback(port))
        .withScheduler(embedded.scheduler().withProvider(provider));
  }

  private Object account() {
    try {
      Files.createDirectories(data);
      var signer =
          FileKeys.open(data, KeyPassphrase.ofProcess(Optional.empty()))
              .signer(ProviderConfiguration.KEY);
      return new Secp256k1Signatures().address(signer.verifier());
    } catch (IOException e) {
      throw new WrongOption("The key cannot be kept in " + data + ": " + e.getMessage());
    }
  }
}
