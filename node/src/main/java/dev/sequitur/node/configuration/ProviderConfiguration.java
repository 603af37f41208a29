package dev.sequitur.node.configuration;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.ExecutionGas;
import dev.sequitur.schedule.chainexecution.Providing;
import dev.sequitur.scheduler.QueueName;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The plan contract of a chain that a node serves as its provider.
 *
 * @param rpc of the chain's nodes, at least one
 * @param calls how they are called
 * @param queue of its executions
 * @param confirmations blocks that stand upon one that is final
 * @param legacy whether its transactions have no type
 */
@Copyable
public record ProviderConfiguration(
    List<URI> rpc,
    ChainCalls calls,
    EvmAddress contract,
    QueueName queue,
    int confirmations,
    boolean legacy,
    Providing.Settings settings)
    implements ProviderConfigurationBuilder.With {
  /** Whose account executes; the key is made of the node's seed. */
  public static final String KEY = "plan-provider";

  /** Of those who name no other. */
  public static final QueueName QUEUE = new QueueName("provider");

  private static final String SECTION = "scheduler.provider";
  private static final String AT = SECTION + ".";
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");

  public ProviderConfiguration {
    rpc = List.copyOf(rpc);
  }

  /** All defaults. */
  public static ProviderConfiguration of(List<URI> rpc, EvmAddress contract) {
    var settings =
        new Providing.Settings(
            0,
            new GasPrice(0, 0),
            100,
            3,
            5,
            ExecutionGas.DEFAULT,
            Duration.ofMillis(200),
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30)));
    return new ProviderConfiguration(rpc, ChainCalls.OPEN, contract, QUEUE, 12, false, settings);
  }

  /** With what a command line names. */
  public ProviderConfiguration with(int confirmed, boolean withoutType, long from, GasPrice price) {
    return with()
        .confirmations(confirmed)
        .legacy(withoutType)
        .settings(settings.withFrom(from).withPrice(price))
        .build();
  }

  /** The contract's address, in any spelling; empty if it is none. */
  public static Optional<EvmAddress> address(String text) {
    return ADDRESS.matcher(text).matches()
        ? Optional.of(new EvmAddress(Bytes.hex(text.toLowerCase(Locale.ROOT))))
        : Optional.empty();
  }

  /** Empty if the node serves none. */
  static Optional<ProviderConfiguration> read(ConfigurationReader reader) {
    var named = reader.text(AT + "contract");
    var rpc = reader.uris(AT + "rpc");
    var calls = ChainCalls.read(reader, SECTION, rpc, AT + "rpc");
    var settings =
        reader.built(
            AT + "max-fee",
            () ->
                new Providing.Settings(
                    reader.wholeNumber(AT + "from-block", 0, Long.MAX_VALUE),
                    new GasPrice(
                        reader.wholeNumber(AT + "max-fee", 0, Long.MAX_VALUE),
                        reader.wholeNumber(AT + "priority-fee", 0, Long.MAX_VALUE)),
                    reader.integer(AT + "at-once", 1, 10_000),
                    reader.integer(AT + "bump-after", 1, 1_000),
                    reader.integer(AT + "tries", 1, 1_000),
                    new ExecutionGas(reader.wholeNumber(AT + "gas-overhead", 0, 10_000_000)),
                    reader.duration(AT + "poll"),
                    new Backoff(
                        reader.duration(AT + "retry.initial"),
                        reader.duration(AT + "retry.longest"))),
            of(List.of(), EvmAddress.ZERO).settings());
    var queue = reader.built(AT + "queue", () -> new QueueName(reader.text(AT + "queue")), QUEUE);
    int confirmations = reader.integer(AT + "confirmations", 0, 10_000);
    boolean legacy = reader.flag(AT + "legacy-transactions");
    if (named.isEmpty()) {
      return Optional.empty();
    }
    var contract = address(named);
    if (contract.isEmpty()) {
      reader.mistake(
          AT + "contract is an address, 0x and 40 hexadecimal digits, not '" + named + "'.");
    } else if (rpc.isEmpty()) {
      reader.mistake(AT + "rpc names at least one node of the contract's chain.");
    }
    return contract.map(
        address ->
            new ProviderConfiguration(rpc, calls, address, queue, confirmations, legacy, settings));
  }
}
