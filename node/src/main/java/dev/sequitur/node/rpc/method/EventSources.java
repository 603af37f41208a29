package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.PublicContracts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a blockchain event listener is to be told, and how.
 *
 * @param sources at least one; an event that is one of several is told by the first
 * @param batchSize events at most in a batch
 * @param batchTimeout how long a batch that is not full waits, as it was sent
 * @param fromBlock as it was sent
 */
record EventSources(
    List<Source> sources,
    Optional<Long> batchSize,
    Optional<String> batchTimeout,
    Optional<JsonNode> fromBlock) {
  private static final int MOST_SOURCES = 16;

  /** So that all listeners together can be listed in one call. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final Duration STANDARD_TIMEOUT = Duration.ofMillis(75);
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
  private static final long STANDARD_BATCH = 50;
  private static final Pattern DURATION =
      Pattern.compile("(?:\\d{1,9}(?:\\.\\d{1,9})?(?:ns|us|µs|ms|s|m|h))+");
  private static final Pattern PART = Pattern.compile("([\\d.]+)(ns|us|µs|ms|s|m|h)");
  private static final Map<String, Long> NANOSECONDS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  /**
   * Contracts and their events.
   *
   * @param json the ABI as it was sent
   * @param address of one contract alone; empty for all
   */
  record Source(JsonNode json, ContractAbi abi, Optional<ContractAddress> address) {
    private Optional<ContractAbi.Told> meant(PublicContracts.Event event) {
      return address.map(event.contract()::equals).orElse(true)
          ? abi.event(event.topics(), event.data())
          : Optional.empty();
    }
  }

  private static final Field<JsonNode> ABI =
      Field.of("abi", AbiFormats.ABI.format(), "the events, as a compiler writes them");
  private static final Field<ContractAddress> ADDRESS =
      Field.optional("address", Formats.ADDRESS, "the only contract; else all");
  private static final Field<List<Sent>> SOURCES =
      Field.of(
          "sources",
          ObjectFormat.of("EventSourceRequest", ABI, ADDRESS).open().list(MOST_SOURCES),
          "what is told: an event of several by the first");
  private static final Field<Long> BATCH_SIZE =
      Field.optional("batchSize", Formats.NUMBER, "events at most in a batch; 50 without");
  private static final Field<String> BATCH_TIMEOUT =
      Field.optional(
          "batchTimeout",
          Format.of(
              "a duration such as 75ms or 1m30s",
              "75ms",
              text -> {
                duration(text);
                return text;
              }),
          "how long a batch that is not full waits for more, a minute at most; 75ms without");
  private static final Field<JsonNode> FROM_BLOCK =
      Field.optional(
          "fromBlock",
          Format.of(
              "a height, or \"latest\"",
              Shape.words("a height, or \"latest\"", "latest"),
              (path, node) -> {
                height(path, node);
                return node;
              }),
          "the first block that is looked at, or `latest` for those that come; 0 without");
  private static final ObjectFormat OPTIONS_SENT =
      ObjectFormat.of("EventListenerOptionsRequest", BATCH_SIZE, BATCH_TIMEOUT, FROM_BLOCK).open();
  private static final Field<Sent> OPTIONS =
      Field.or("options", OPTIONS_SENT, OPTIONS_SENT.empty("options"), "how it is told");

  /** What a caller sends of it. */
  static final List<Field<?>> SENT = List.of(SOURCES, OPTIONS);

  private static final ObjectShape<Source> SOURCE =
      ObjectShape.<Source>named("EventSource")
          .with("abi", Shape.ANY, Source::json)
          .maybe("address", Formats.ADDRESS, Source::address);
  private static final ObjectShape<EventSources> OPTIONS_SHOWN =
      ObjectShape.<EventSources>named("EventListenerOptions")
          .maybe("batchSize", Shape.NUMBER, EventSources::batchSize)
          .maybe("batchTimeout", Formats.TEXT, EventSources::batchTimeout)
          .maybe("fromBlock", Shape.ANY, EventSources::fromBlock, "a height, or `latest`");

  /** How it is shown and stored: the same is always the same bytes. */
  static final ObjectShape<EventSources> SHOWN =
      ObjectShape.<EventSources>named("EventSources")
          .with("sources", SOURCE.list(), EventSources::sources)
          .with("options", OPTIONS_SHOWN, it -> it, "as they were sent");

  EventSources {
    sources = List.copyOf(sources);
  }

  /**
   * By {@link #SENT}.
   *
   * @throws RpcFailure with a sentence
   */
  static EventSources of(Sent sent) {
    var sources = sent.get(SOURCES);
    if (sources.isEmpty()) {
      throw sent.wrong(SOURCES, " is empty: name at least one, by which events are known.");
    }
    var options = sent.get(OPTIONS);
    var read =
        new EventSources(
            sources.stream().map(EventSources::source).toList(),
            options.find(BATCH_SIZE),
            options.find(BATCH_TIMEOUT),
            options.find(FROM_BLOCK));
    if (read.batchSize().filter(size -> size < 1).isPresent()) {
      throw options.wrong(BATCH_SIZE, " must be at least 1.");
    }
    if (read.toBytes().size() > MOST_BYTES) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s has %d bytes; a node keeps %d of a listener. Leave out of the ABIs what is no event."
              .formatted(sent.path(SOURCES), read.toBytes().size(), MOST_BYTES));
    }
    return read;
  }

  private static Source source(Sent sent) {
    var json = sent.get(ABI);
    try {
      var abi = ContractAbi.read(json.toString());
      if (!abi.hasEvents()) {
        throw sent.wrong(ABI, " has no event: nothing would be told.");
      }
      return new Source(json, abi, sent.find(ADDRESS));
    } catch (IllegalArgumentException e) {
      throw sent.wrong(ABI, " cannot be read. " + e.getMessage());
    }
  }

  Bytes toBytes() {
    return Bytes.of(JsonText.write(SHOWN.write(this)));
  }

  static EventSources of(Listener listener) {
    var stored = JsonText.parse(listener.properties().toByteArray());
    var format = ObjectFormat.of("Stored").with(SENT).open();
    return of(format.read("stored", stored));
  }

  /** The first block to look at; empty to begin with those that come. */
  OptionalLong firstBlock() {
    return fromBlock.map(node -> height("fromBlock", node)).orElse(OptionalLong.of(0));
  }

  /** As far as the node has so many in one. */
  int batch(int most) {
    return (int) Math.min(batchSize.orElse(STANDARD_BATCH), most);
  }

  Duration patience() {
    return batchTimeout.map(EventSources::duration).orElse(STANDARD_TIMEOUT);
  }

  /** Of all these blocks; what is not meant may be among them. */
  PublicContracts.Wanted wanted(BlockHeight first, BlockHeight last) {
    Set<ContractAddress> contracts =
        sources.stream().allMatch(source -> source.address().isPresent())
            ? sources.stream().flatMap(it -> it.address().stream()).collect(Collectors.toSet())
            : Set.of();
    var signatures = new HashSet<Bytes>();
    for (var source : sources) {
      var known = source.abi().signatures();
      if (known.isEmpty()) {
        return new PublicContracts.Wanted(first, last, contracts, Set.of());
      }
      signatures.addAll(known.get());
    }
    return new PublicContracts.Wanted(first, last, contracts, signatures);
  }

  /** What an event says, if it is one of those that are told. */
  Optional<ContractAbi.Told> meant(PublicContracts.Event event) {
    return sources.stream().flatMap(source -> source.meant(event).stream()).findFirst();
  }

  private static OptionalLong height(String path, JsonNode sent) {
    if (sent.isTextual() && sent.textValue().equalsIgnoreCase("latest")) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Formats.NUMBER.read(path, sent));
  }

  /** As Go writes them. */
  private static Duration duration(String text) {
    if (!DURATION.matcher(text).matches()) {
      throw new IllegalArgumentException("A duration is written such as 75ms or 1m30s.");
    }
    var nanoseconds =
        PART.matcher(text)
            .results()
            .map(
                part ->
                    new BigDecimal(part.group(1))
                        .multiply(BigDecimal.valueOf(NANOSECONDS.get(part.group(2)))))
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .toBigInteger();
    if (nanoseconds.compareTo(BigInteger.valueOf(LONGEST_TIMEOUT.toNanos())) > 0) {
      throw new IllegalArgumentException("A batch waits a minute at most.");
    }
    return Duration.ofNanos(nanoseconds.longValueExact());
  }
}
