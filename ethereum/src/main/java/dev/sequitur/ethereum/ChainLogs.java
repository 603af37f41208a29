package dev.sequitur.ethereum;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The logs of a range of blocks. A chain's node that lacks some answers with those that it has, and
 * does not say so. Therefore the headers of all blocks are asked for as well: where one says that
 * there may be a log and none came, the receipts of its transactions are read (CHN-4). Thread-safe;
 * blocks nobody.
 */
final class ChainLogs {
  private final ChainRpc rpc;

  /**
   * Which are asked for.
   *
   * @param addresses of these alone; empty for all
   * @param topics with one of these as the first; empty for any or none
   */
  record Wanted(long first, long last, Set<Bytes> addresses, Set<Bytes> topics) {
    Wanted {
      addresses = Set.copyOf(addresses);
      topics = Set.copyOf(topics);
    }

    private Map<String, Object> filter() {
      var filter = new LinkedHashMap<String, Object>();
      filter.put("fromBlock", ChainJson.hex(first));
      filter.put("toBlock", ChainJson.hex(last));
      if (!addresses.isEmpty()) {
        filter.put("address", addresses.stream().map(Bytes::toHex).toList());
      }
      if (!topics.isEmpty()) {
        filter.put("topics", List.of(topics.stream().map(Bytes::toHex).toList()));
      }
      return filter;
    }

    private boolean has(JsonNode log) {
      return isOneOf(addresses, log.path("address")) && isOneOf(topics, log.path("topics").path(0));
    }

    private static boolean isOneOf(Collection<Bytes> values, JsonNode value) {
      return values.isEmpty()
          || (value.isTextual() && values.contains(ChainContracts.bytes(value.textValue())));
    }

    private List<Call> calls() {
      var calls = new ArrayList<Call>();
      calls.add(Call.of("eth_getLogs", filter()));
      for (long height = first; height <= last; height++) {
        calls.add(Call.ofWhatIsThere("eth_getBlockByNumber", ChainJson.hex(height), false));
      }
      return calls;
    }
  }

  /**
   * What is there.
   *
   * @param last the header of the last block
   * @param logs in the order of the chain
   */
  record Read(JsonNode last, List<JsonNode> logs) {}

  ChainLogs(ChainRpc rpc) {
    this.rpc = rpc;
  }

  /**
   * The logs of all the blocks.
   *
   * @return fails with a {@link LedgerUnreachableException} if a block is not known, or so many
   *     logs are not told at once
   */
  CompletionStage<Read> read(Wanted wanted) {
    return rpc.results(wanted.calls())
        .thenCompose(
            answers -> {
              var headers = answers.subList(1, answers.size());
              var told = new ArrayList<JsonNode>();
              answers.getFirst().forEach(told::add);
              return Answers.inTurn(doubtful(wanted, headers, told), this::logs)
                  .thenApply(
                      found -> {
                        found.stream().flatMap(List::stream).filter(wanted::has).forEach(told::add);
                        told.sort(
                            Comparator.comparingLong((JsonNode log) -> block(log))
                                .thenComparingLong(log -> ChainJson.number(log, "logIndex")));
                        return new Read(headers.getLast(), told);
                      });
            });
  }

  private static long block(JsonNode log) {
    return ChainJson.number(log, "blockNumber");
  }

  /** The blocks that may have a log, of which none was told. */
  private static List<JsonNode> doubtful(
      Wanted wanted, List<JsonNode> headers, List<JsonNode> told) {
    var with = new HashSet<String>();
    told.forEach(log -> with.add(hash(log, "blockHash")));
    var doubtful = new ArrayList<JsonNode>();
    var before = "";
    for (int place = 0; place < headers.size(); place++) {
      var header = headers.get(place);
      if (header.isNull()) {
        throw new LedgerUnreachableException(
            "The chain's node does not have block %d yet.".formatted(wanted.first() + place));
      }
      if (!before.isEmpty() && !hash(header, "parentHash").equals(before)) {
        throw replaced();
      }
      before = hash(header, "hash");
      boolean isTold = with.remove(before);
      if (!isTold && mayHave(wanted, header)) {
        doubtful.add(header);
      }
    }
    if (!with.isEmpty()) {
      throw replaced();
    }
    return doubtful;
  }

  private static boolean mayHave(Wanted wanted, JsonNode header) {
    return LogsBloom.of(header.path("logsBloom").asText(""))
        .mayHave(wanted.addresses(), wanted.topics());
  }

  private static String hash(JsonNode object, String name) {
    return ChainJson.text(object, name).toLowerCase(Locale.ROOT);
  }

  private static LedgerUnreachableException replaced() {
    return new LedgerUnreachableException(
        "The chain was reorganised while it was read: it is read again.");
  }

  /** All logs of a block, as its transactions' receipts have them. */
  private CompletionStage<List<JsonNode>> logs(JsonNode header) {
    var calls = new ArrayList<Call>();
    header
        .path("transactions")
        .forEach(hash -> calls.add(Call.ofWhatIsThere("eth_getTransactionReceipt", hash.asText())));
    return calls.isEmpty()
        ? completedFuture(List.of())
        : rpc.results(calls).thenApply(receipts -> logs(header, receipts));
  }

  private static List<JsonNode> logs(JsonNode header, List<JsonNode> receipts) {
    var logs = new ArrayList<JsonNode>();
    for (var receipt : receipts) {
      if (receipt.isNull() || !hash(receipt, "blockHash").equals(hash(header, "hash"))) {
        throw new LedgerUnreachableException(
            "The chain's node gives no logs of block %d, whose header says that there may be some, and not all receipts of its transactions: nothing is taken for read."
                .formatted(ChainJson.number(header, "number")));
      }
      receipt.path("logs").forEach(logs::add);
    }
    return logs;
  }
}
